package papertest

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// Claim records measurements of a claim as printed and as corrected.
type Claim struct {
	Printed, Corrected Measure
	Note               func(format string, args ...any)
}

// longest is the maximum length of a record in bytes: `go test -json` cuts lines at 4,096, including the test name.
const longest = 3_800

// Of starts a test's record for the claim with an ID. At the end of the test it becomes a test attribute, which
// [claims.Check] reads. An unknown ID fails the test.
func Of(t testing.TB, id string) Claim {
	t.Helper()
	_, known := claims.Find(id)
	require.True(t, known, "claims.json has no claim %q", id)
	r := &claims.Record{Claim: id}
	t.Cleanup(func() {
		text := testkit.Must(json.Marshal(r))
		require.LessOrEqual(t, len(text), longest, "the record of %q is too long for go test -json", id)
		t.Attr(claims.Attribute, string(text))
	})
	return Claim{r.Printed, r.Corrected, r.Note}
}

// Measure records a deviation. Its methods also require the deviation to be in bounds.
type Measure func(what string, deviation, tolerance float64)

// Within records a deviation and requires it to be at most the tolerance.
func (record Measure) Within(t require.TestingT, what string, deviation, tolerance float64) {
	record(what, deviation, tolerance)
	require.LessOrEqual(t, deviation, tolerance, what)
}

// Beyond records the deviation of a counterexample, and requires it to exceed the tolerance.
func (record Measure) Beyond(t require.TestingT, what string, deviation, tolerance float64) {
	record(what, deviation, tolerance)
	require.Greater(t, deviation, tolerance, what)
}

// Near is Within for the [Distance] of two numbers.
func (record Measure) Near(t require.TestingT, what string, want, got, tolerance float64) {
	record.Within(t, what, Distance(want, got), tolerance)
}

// Equal is Within for the [Difference] of two numbers.
func (record Measure) Equal(t require.TestingT, what string, want, got, tolerance float64) {
	record.Within(t, what, Difference(want, got), tolerance)
}

// EqualMatrix is Within for the [MatrixDifference] of two matrices.
func (record Measure) EqualMatrix(t require.TestingT, what string, want, got mat.Matrix, tolerance float64) {
	record.Within(t, what, MatrixDifference(want, got), tolerance)
}

// Every returns a Measure that records for several claims.
func Every(records ...Measure) Measure {
	return func(what string, deviation, tolerance float64) {
		for _, record := range records {
			record(what, deviation, tolerance)
		}
	}
}

// Distance returns |want − got|.
func Distance(want, got float64) float64 { return math.Abs(want - got) }

// Difference returns |want − got| relative to 1 + |want|.
func Difference(want, got float64) float64 { return Distance(want, got) / (1 + math.Abs(want)) }

// MatrixDifference is [Difference] in the Frobenius norm.
func MatrixDifference(want, got mat.Matrix) float64 {
	return mat.Norm(linalg.Difference(want, got), 2) / (1 + mat.Norm(want, 2))
}

// Protocol requires the configuration to follow each of these sentences of the paper, and records it unless claim is
// empty.
func Protocol(t *testing.T, claim Claim, follows map[string]bool) {
	t.Helper()
	for words, followed := range follows {
		testkit.RequireInPaper(t, words)
		require.True(t, followed, words)
	}
	if claim.Note != nil {
		claim.Corrected("sentences of the printed protocol that the configuration does not follow", 0, 0)
		claim.Note("%d sentences of the paper", len(follows))
	}
}
