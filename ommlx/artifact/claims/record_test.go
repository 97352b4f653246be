package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// book is a Test that keeps what it is told.
type book struct {
	ends       []func()
	key, value string
	fatal      string
}

func (b *book) Helper()                   {}
func (b *book) Cleanup(f func())          { b.ends = append(b.ends, f) }
func (b *book) Attr(key, value string)    { b.key, b.value = key, value }
func (b *book) Fatalf(f string, a ...any) { b.fatal = fmt.Sprintf(f, a...) }

func TestARecordIsAnAttribute(t *testing.T) {
	b := &book{}
	id := All()[0].ID
	r := Of(b, id)
	require.Empty(t, b.fatal)
	r.Printed("difference", 1e-14, 1e-12)
	r.Printed("difference", 3, 1e-12)
	r.Printed("difference", 2, 1e-12)
	r.Corrected("difference", math.NaN(), 1e-12)
	r.Corrected("difference", 0, 1e-12)
	r.Note("slope %.2f", -1.0)
	for _, end := range b.ends {
		end()
	}
	require.Empty(t, b.fatal)
	require.Equal(t, attribute, b.key)
	var got Record
	require.NoError(t, json.Unmarshal([]byte(b.value), &got))
	require.Equal(t, Record{Claim: id, Notes: []string{"slope -1.00"}, Measured: []Measurement{
		{What: "difference", Value: 3, Tolerance: 1e-12, Printed: true},
		{What: "difference", Value: math.MaxFloat64},
	}}, got)

	r.Note("%s", strings.Repeat("a long text, ", 500))
	b.ends[0]()
	require.Contains(t, b.fatal, "go test -json passes on 3800")
}

func TestAnUnknownClaimIsNamed(t *testing.T) {
	b := &book{}
	Of(b, "perpetual-motion")
	require.Contains(t, b.fatal, `no ID "perpetual-motion"`)
}

// Of measurements by one name that which certainly fails is worse than that of which nobody can tell, and this is worse
// than one within its tolerance, whatever their numbers.
func TestTheWorstMeasurementIsKept(t *testing.T) {
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
}

// TestRecordsOfAnotherProcess is not a test of its own: TestReadTests runs it, and reads what it says.
func TestRecordsOfAnotherProcess(t *testing.T) {
	mode := os.Getenv("OMM_CLAIMS_CHILD")
	if mode == "" {
		t.Skip("run by TestReadTests")
	}
	id := All()[0].ID
	t.Run("passes", func(t *testing.T) { Of(t, id).Printed(strings.Repeat("a long text, ", 250), 1, 2) })
	t.Run("is skipped", func(t *testing.T) {
		Of(t, id)
		t.Skip("the maze files are not here")
	})
	if mode == "fail" {
		t.Run("fails", func(t *testing.T) {
			Of(t, id)
			t.Error("on purpose")
		})
	}
	if mode == "die" {
		Of(t, id)
		t.Attr(attribute, `{"claim":"`+id+`"}`)
		os.Exit(3)
	}
}

func TestReadTests(t *testing.T) {
	if os.Getenv("OMM_CLAIMS_CHILD") != "" {
		t.Skip("this is the child")
	}
	id := All()[0].ID
	run := func(mode string) (TestRun, []Outcome) {
		cmd := exec.Command("go", "test", "-json", "-run", "^TestRecordsOfAnotherProcess$", ".")
		cmd.Env = append(os.Environ(), "OMM_CLAIMS_CHILD="+mode)
		out, _ := cmd.Output() // it fails where it should
		packages := 0
		got, err := ReadTests(strings.NewReader(string(out)), func(string, float64) { packages++ })
		require.NoError(t, err)
		require.Equal(t, 1, packages)
		var outcomes []Outcome
		for _, e := range got.Evidence[id] {
			outcomes = append(outcomes, e.Outcome)
		}
		return got, outcomes
	}
	got, outcomes := run("pass")
	require.Equal(t, []Outcome{Done, Skipped}, outcomes)
	require.Empty(t, got.Failed)
	done, skipped := got.Evidence[id][0], got.Evidence[id][1]
	require.Equal(t, "go test ./ommlx/artifact/claims -run '^TestRecordsOfAnotherProcess$' -v", done.Command)
	require.Len(t, done.Measured, 1)
	require.Equal(t, "the maze files are not here", skipped.Reason)

	got, outcomes = run("fail")
	require.Equal(t, []Outcome{Done, Skipped, Failed}, outcomes)
	require.Equal(t, []string{"TestRecordsOfAnotherProcess"}, got.Failed)

	got, outcomes = run("die")
	require.Equal(t, []Outcome{Done, Skipped, Failed}, outcomes)
	require.NotEmpty(t, got.Failed, "a process that died is a failure")
}

func FuzzReadTests(f *testing.F) {
	f.Add(`{"Action":"attr","Package":"m/a","Test":"T","Key":"claim","Value":"{\"claim\":\"a\"}"}` + "\n" +
		`{"Action":"pass","Package":"m/a","Test":"T"}`)
	// A damaged record.
	f.Add(`{"Action":"attr","Test":"T","Key":"claim","Value":"{\n"}` + "\n" + `{"Action":"pass","Test":"T"}`)
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ReadTests(strings.NewReader(text), func(string, float64) {})
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}

// Whatever a test measured, its record can be written and read, and a number that is none is within no tolerance.
func FuzzNumbers(f *testing.F) {
	for _, x := range []float64{0, -1, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)} {
		f.Add(x, 1e-9)
		f.Add(1e-9, x)
	}
	f.Fuzz(func(t *testing.T, deviation, tolerance float64) {
		r := Record{Claim: "x"}
		r.Printed("what", deviation, tolerance)
		var again Record
		require.NoError(t, json.Unmarshal(testkit.Must(json.Marshal(r)), &again))
		require.Equal(t, deviation <= tolerance, again.Measured[0].Within())
	})
}
