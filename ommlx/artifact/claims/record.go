package claims

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
)

// Test is what recording needs of a test; *testing.T is one.
type Test interface {
	Helper()
	Cleanup(func())
	Attr(key, value string)
	Fatalf(format string, args ...any)
}

// Measurement is a number that ought to be small: what was measured, at its largest, and what it may be.
type Measurement struct {
	What      string  `json:"what"`
	Value     float64 `json:"value"`
	Tolerance float64 `json:"tolerance"`
	// Printed tells that this is the claim as the paper prints it, and not as we correct it.
	Printed bool `json:"printed"`
	// Open tells that nobody can say on which side of the tolerance the number is, for instance since its interval has
	// both sides.
	Open bool `json:"open,omitempty"`
}

// Within tells whether the number is as small as it ought to be; NaN is not.
func (m Measurement) Within() bool { return m.Value <= m.Tolerance }

// rank is the greater the less the number says for the claim.
func (m Measurement) rank() int {
	switch {
	case m.Open:
		return 1
	case m.Within():
		return 0
	}
	return 2
}

// Record is what one test measures of one claim.
type Record struct {
	Claim    string        `json:"claim"`
	Measured []Measurement `json:"measured,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
}

// attribute is the key of the attribute of a test that is a record, and longest how many bytes of it come through: go
// test -json cuts lines of 4,096, and the name of the test is one of them.
const (
	attribute = "claim"
	longest   = 3_800
)

// Of begins the record of what a test measures of the claim with this ID; the record ends with the test. An unknown ID
// ends the test at once.
func Of(t Test, id string) *Record {
	t.Helper()
	if _, ok := Find(id); !ok {
		t.Fatalf("claims.Of: the paper's claims have no ID %q; the files of package claims list them", id)
	}
	r := &Record{Claim: id}
	t.Cleanup(func() {
		text, _ := json.Marshal(r) // strings and finite numbers always can be written
		if len(text) > longest {
			t.Fatalf("claims.Of: the record of %q has %d bytes; go test -json passes on %d", id, len(text), longest)
		}
		t.Attr(attribute, string(text))
	})
	return r
}

// Printed records a deviation from the claim as it is printed. Of many deviations by one name the worst counts. Where
// it is above the tolerance the claim does not hold as printed, which is a result and not the failure of a test.
func (r *Record) Printed(what string, deviation, tolerance float64) {
	r.Uncertain(what, deviation, tolerance, false)
}

// Uncertain records a deviation as [Record.Printed] does, with [Measurement.Open].
func (r *Record) Uncertain(what string, deviation, tolerance float64, open bool) {
	r.add(Measurement{What: what, Value: deviation, Tolerance: tolerance, Printed: true, Open: open})
}

// Corrected records a deviation from the claim as corrected, likewise; above the tolerance, our correction is wrong.
func (r *Record) Corrected(what string, deviation, tolerance float64) {
	r.add(Measurement{What: what, Value: deviation, Tolerance: tolerance})
}

// Note adds a measured number or a spread in words.
func (r *Record) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// add keeps the worst measurement of each name. What is no number is not within any tolerance, and a tolerance that is
// none is never met.
func (r *Record) add(m Measurement) {
	if m.Tolerance = finite(m.Tolerance, -math.MaxFloat64); math.IsNaN(m.Value) {
		m.Tolerance = min(m.Tolerance, 0)
	}
	m.Value = finite(m.Value, math.MaxFloat64)
	for i, old := range r.Measured {
		if old.What == m.What && old.Printed == m.Printed {
			if cmp.Or(cmp.Compare(m.rank(), old.rank()), cmp.Compare(m.Value, old.Value)) > 0 {
				r.Measured[i] = m
			}
			return
		}
	}
	r.Measured = append(r.Measured, m)
}

// finite brings x to what JSON can hold; a number that is none becomes otherwise.
func finite(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, x))
}
