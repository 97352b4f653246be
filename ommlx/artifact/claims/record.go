package claims

import (
	"cmp"
	"fmt"
	"math"
)

// Measurement is a number that ought to be small: its largest measured value, and its bound.
type Measurement struct {
	What      string  `json:"what"`
	Value     float64 `json:"value"`
	Tolerance float64 `json:"tolerance"`
	// Printed is true for the claim as the paper prints it, and false for the claim as we correct it.
	Printed bool `json:"printed"`
	// Open is true if the measurement cannot decide on which side of the bound the number lies, for example because its
	// interval contains the bound.
	Open bool `json:"open,omitempty"`
}

// Within reports whether the number is within its bound; NaN is not.
func (m Measurement) Within() bool { return m.Value <= m.Tolerance }

// rank orders measurements from the best for the claim to the worst.
func (m Measurement) rank() int {
	switch {
	case m.Open:
		return 1
	case m.Within():
		return 0
	}
	return 2
}

// Record is what one test or one result measures of one claim.
type Record struct {
	Claim    string        `json:"claim"`
	Measured []Measurement `json:"measured,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
}

// Attribute is the key of the attribute of a test that is a [Record] in JSON.
const Attribute = "claim"

// Printed records a deviation from the claim as printed. The worst of several deviations with one name counts. Above
// the tolerance the claim does not hold as printed, which is a result and no failure of a test.
func (r *Record) Printed(what string, deviation, tolerance float64) {
	r.Uncertain(what, deviation, tolerance, false)
}

// Uncertain records a deviation as [Record.Printed] does, with [Measurement.Open].
func (r *Record) Uncertain(what string, deviation, tolerance float64, open bool) {
	r.add(Measurement{What: what, Value: deviation, Tolerance: tolerance, Printed: true, Open: open})
}

// Corrected records a deviation from the claim as corrected, likewise. Above the tolerance our correction is wrong.
func (r *Record) Corrected(what string, deviation, tolerance float64) {
	r.add(Measurement{What: what, Value: deviation, Tolerance: tolerance})
}

// Note adds a measured number or a spread in words.
func (r *Record) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// add keeps the worst measurement of each name. NaN is within no tolerance, and no number is within the tolerance NaN.
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

// finite brings x to what JSON can hold; NaN becomes otherwise.
func finite(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, x))
}
