package claims

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// Whatever the numbers, a failing measurement is worse than an open one, which is worse than one within its tolerance.
func TestWorstMeasurementIsKept(t *testing.T) {
	r := Record{}
	r.Printed("lead", 0.9, 1)
	r.Uncertain("lead", 0.8, 1, true)
	require.Equal(t, []Measurement{{What: "lead", Value: 0.8, Tolerance: 1, Printed: true, Open: true}}, r.Measured)
	r.Uncertain("lead", 3, 1, true)
	r.Uncertain("lead", 0.9, 1, false)
	require.InDelta(t, 3, r.Measured[0].Value, 0)
	r.Printed("lead", 2, 1)
	r.Uncertain("lead", 4, 1, true)
	require.Equal(t, []Measurement{{What: "lead", Value: 2, Tolerance: 1, Printed: true}}, r.Measured)
	r.Corrected("lead", 0, 1)
	require.Len(t, r.Measured, 2, "the corrected statement is measured separately")
}

// Every record can be written and read, and NaN is outside every tolerance.
func TestNumbersOfARecordSurviveJSON(t *testing.T) {
	numbers := []float64{0, -1, 1e-9, 1e300, math.NaN(), math.Inf(1)}
	for _, deviation := range numbers {
		for _, tolerance := range numbers {
			var r, again Record
			r.Printed("what", deviation, tolerance)
			require.NoError(t, json.Unmarshal(testkit.Must(json.Marshal(r)), &again))
			require.Equal(t, deviation <= tolerance, again.Measured[0].Within(), "%g ≤ %g", deviation, tolerance)
		}
	}
}

func TestReadTests(t *testing.T) {
	read := func(events ...string) (testRun, []string, error) {
		var packages []string
		tests, err := readTests(strings.NewReader(strings.Join(events, "\n")),
			func(pkg string, _ float64) { packages = append(packages, pkg) })
		return tests, packages, err
	}
	event := func(action, test, more string) string {
		return fmt.Sprintf(`{"Action": %q, "Package": "omm-go/ommlx/a", "Test": %q%s}`, action, test, more)
	}
	const record = `, "Key": "claim", "Value": "{\"claim\": \"c\"}"`
	tests, packages, err := read(event("attr", "T1/sub", record), event("pass", "T1/sub", ""),
		event("attr", "T2", record), event("output", "T2", `, "Output": "    a_test.go:7: no mazes\n"`),
		event("skip", "T2", ""), event("attr", "T3", record), event("fail", "T3", ""), event("fail", "", ""))
	require.NoError(t, err)
	require.Equal(t, []string{"omm-go/ommlx/a"}, packages)
	require.Equal(t, []string{"omm-go/ommlx/a.T3", "omm-go/ommlx/a"}, tests.failed)
	require.Equal(t, []Evidence{
		{Source: "ommlx/a.T1", Command: "go test ./ommlx/a -run '^T1$' -v", Outcome: Done, Record: Record{Claim: "c"}},
		{Source: "ommlx/a.T2", Command: "go test ./ommlx/a -run '^T2$' -v", Outcome: Skipped, Reason: "no mazes",
			Record: Record{Claim: "c"}},
		{Source: "ommlx/a.T3", Command: "go test ./ommlx/a -run '^T3$' -v", Outcome: Failed,
			Record: Record{Claim: "c"}},
	}, tests.evidence["c"])
	_, _, err = read(event("attr", "T", `, "Key": "claim", "Value": "{"`), event("pass", "T", ""))
	require.ErrorContains(t, err, `"T"`)
}

// TestAllMeasuringPackagesAreListed looks for tests that record measurements.
func TestAllMeasuringPackagesAreListed(t *testing.T) {
	var found []string
	require.NoError(t, fs.WalkDir(os.DirFS("../../.."), "ommlx", func(file string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(file, "ommlx/artifact/claims/") {
			text := testkit.Must(os.ReadFile(filepath.Join("../../..", file)))
			if folder := "./" + path.Dir(file); bytes.Contains(text, []byte("papertest.Of(t, ")) {
				found = append(found, folder)
			}
		}
		return err
	}))
	slices.Sort(found)
	require.ElementsMatch(t, slices.Compact(found), measuring)
}
