package claims

import (
	"cmp"
	"fmt"
	"math"
)

// Measurement is a number that should be small, with its bound. Value is the largest measured value.
type Measurement struct {
	What      string  `json:"what"`
	Value     float64 `json:"value"`
	Tolerance float64 `json:"tolerance"`
	// Printed is true for the claim as printed and false for the claim as we correct it.
	Printed bool `json:"printed"`
	// Open is true if the measurement is undecided, for example because its interval contains the bound.
	Open bool `json:"open,omitempty"`
	// Before is Open by the rule for intervals that applied before [RuleChanged]; nil if that rule says the same.
	Before *bool `json:"open_before,omitempty"`
}

// Within reports whether the number is within its bound; NaN is not.
func (m Measurement) Within() bool { return m.Value <= m.Tolerance }

// rank orders measurements from best to worst.
func (m Measurement) rank() int {
	switch {
	case m.Open:
		return 1
	case m.Within():
		return 0
	}
	return 2
}

// Record contains the measurements of one claim by one test or one result.
type Record struct {
	Claim    string        `json:"claim"`
	Measured []Measurement `json:"measured,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
}

// Attribute is the key of the test attribute that contains a [Record] as JSON.
const Attribute = "claim"

// Printed records a deviation from the claim as printed. Of several deviations with one name, the worst counts. A
// deviation above the tolerance is a result, not a test failure.
func (r *Record) Printed(what string, deviation, tolerance float64) {
	r.Uncertain(what, deviation, tolerance, false)
}

// Uncertain is [Record.Printed] with a value for [Measurement.Open].
func (r *Record) Uncertain(what string, deviation, tolerance float64, open bool) {
	r.add(Measurement{What: what, Value: deviation, Tolerance: tolerance, Printed: true, Open: open})
}

// Between records a deviation from the claim as printed with two intervals: half for the environments of the paper,
// which decides, and over for any environments, which decided before [RuleChanged].
func (r *Record) Between(what string, deviation, tolerance, half, over float64) {
	apart := math.Abs(deviation - tolerance)
	m := Measurement{What: what, Value: deviation, Tolerance: tolerance, Printed: true, Open: apart <= half}
	if before := apart <= over; before != m.Open {
		m.Before = &before
	}
	r.add(m)
}

// Corrected records a deviation from the claim as corrected. Above the tolerance our correction is wrong.
func (r *Record) Corrected(what string, deviation, tolerance float64) {
	r.add(Measurement{What: what, Value: deviation, Tolerance: tolerance})
}

// Note adds a measured number or spread in words.
func (r *Record) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// add keeps the worst measurement of each name. NaN is outside every tolerance, and every number is outside the
// tolerance NaN.
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

// finite clamps x to the finite numbers, since JSON has no others. It replaces NaN by otherwise.
func finite(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, x))
}
