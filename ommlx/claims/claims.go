// Package claims lists what the paper claims and how each claim is checked here.
//
// The list itself gives no verdicts: they follow from what tests and results measure. A test says what it measured of a
// claim with [Of]; `make check` collects that, judges it with [Claim.Judge] and writes tables/claims.
package claims

import "slices"

// Claim is a statement of the paper: an equation, a theorem, a statement about behaviour, or a number.
type Claim struct {
	ID    string `json:"id"`    // stable; what tests name
	Where string `json:"where"` // section, equation, theorem, figure or table of the paper, as numbered in its PDF
	// Quotation are the words of the paper's LaTeX source that the claim rests on, and Line is where they begin in it.
	// They are found there but for line breaks.
	Quotation string `json:"quotation"`
	Line      int    `json:"line"`
	Statement string `json:"statement"` // the claim in our words
	Kind      Kind   `json:"kind"`
	Check     string `json:"check"` // how it is checked, in words
	// Note says what a reader should know of a claim that holds. It decides nothing.
	Note string `json:"note,omitempty"`
	// Correction is the condition, sign or constant with which the printed statement is so, and Instead another
	// statement in its place. Either must be borne out: the printed statement measured to fail, this one to hold.
	Correction string `json:"correction,omitempty"`
	Instead    string `json:"instead,omitempty"`
	// Use says what this library does where that is not what is printed.
	Use string `json:"use,omitempty"`
	// Missing says what a check would take, for a claim that has none yet.
	Missing string `json:"missing,omitempty"`
}

// Kind is what sort of statement a claim is.
type Kind string

// The kinds of claims.
const (
	Identity  Kind = "identity"  // two expressions are equal
	Theorem   Kind = "theorem"   // something follows from conditions
	Behaviour Kind = "behaviour" // something happens
	Number    Kind = "number"    // something was measured or set
)

// All returns every claim in the order of the paper; a claim's number in the ledger is its place here, from 1.
func All() []Claim {
	return slices.Concat(matrices, nesting, operators, laplacian, schrodinger, representation, higherOrder)
}

// Find returns the claim with an ID.
func Find(id string) (Claim, bool) {
	for _, c := range All() {
		if c.ID == id {
			return c, true
		}
	}
	return Claim{}, false
}
