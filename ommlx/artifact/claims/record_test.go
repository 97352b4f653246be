package claims

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"os/exec"
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

// TestReadTests reads the records of TestRecordsOfAnotherProcess.
func TestReadTests(t *testing.T) {
	id := All()[0].ID
	read := func(mode string) (got testRun, outcomes []Outcome) {
		cmd := exec.Command("go", "test", "-json", "-run", "^TestRecordsOfAnotherProcess$", ".")
		cmd.Env = append(os.Environ(), "OMM_CLAIMS_CHILD="+mode)
		out, _ := cmd.Output() // the child fails on purpose
		packages := 0
		got = testkit.Must(readTests(bytes.NewReader(out), func(string, float64) { packages++ }))
		require.Equal(t, 1, packages)
		for _, e := range got.evidence[id] {
			outcomes = append(outcomes, e.Outcome)
		}
		return got, outcomes
	}
	got, outcomes := read("pass")
	require.Equal(t, []Outcome{Done, Skipped}, outcomes)
	require.Empty(t, got.failed)
	done, skipped := got.evidence[id][0], got.evidence[id][1]
	require.Equal(t, "go test ./ommlx/artifact/claims -run '^TestRecordsOfAnotherProcess$' -v", done.Command)
	require.Len(t, done.Measured, 1)
	require.Equal(t, "the maze files are not here", skipped.Reason)

	got, outcomes = read("fail")
	require.Equal(t, []Outcome{Done, Skipped, Failed}, outcomes)
	require.Contains(t, got.failed, "omm-go/ommlx/artifact/claims.TestRecordsOfAnotherProcess")

	got, _ = read("die")
	require.NotEmpty(t, got.failed, "a dead process is a failure")

	_, err := readTests(strings.NewReader(`{"Action":"attr","Test":"T","Key":"claim","Value":"{"}
		{"Action":"pass","Test":"T"}`), nil)
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
