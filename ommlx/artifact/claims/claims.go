// Package claims lists the paper's claims, in claims.json, and judges them.
//
// The list contains no verdicts. Tests record measurements of a claim with papertest.Of, and a [Source] measures a
// figure or a table. [Check] collects both, judges each claim with [Claim.Decide] and writes tables/claims. The package
// also writes the pages that show the ledger: figures/README.md, a part of README.md, and the report.
package claims

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

// Claim is a statement of the paper: an equation, a theorem, a statement about behaviour, or a number.
type Claim struct {
	Number int    `json:"number"` // never changes, and is not reused after a claim is removed
	ID     string `json:"id"`     // the name that tests use
	Place  string `json:"place"`  // section, equation, theorem, figure or table, as numbered in the paper's PDF
	Line   int    `json:"line"`   // line of the LaTeX source where the quotation begins
	// Quotation is copied from the LaTeX source, apart from line breaks.
	Quotation string `json:"quotation"`
	Plain     string `json:"plain,omitempty"` // the quotation without LaTeX, if it has any
	Statement string `json:"claim"`           // the claim in our words
	Kind      Kind   `json:"kind"`
	Check     string `json:"check,omitempty"` // how it is checked
	// Caveat is a restriction that readers should know, on a claim that holds as measured.
	Caveat string `json:"caveat,omitempty"`
	// Condition is missing from the printed statement: without it a measurement fails, with it all of them hold.
	Condition string `json:"condition,omitempty"`
	// Correction replaces a printed statement that is measured to be false. The correction is measured to hold.
	Correction string `json:"correction,omitempty"`
	Here       string `json:"here,omitempty"`       // how this library departs from the printed text
	NotTested  string `json:"not_tested,omitempty"` // why there is no check, or what it would take
	// Protocols lists the protocols with separate verdicts; empty for a single verdict.
	Protocols []Protocol `json:"protocols,omitempty"`
}

// Protocol distinguishes two verdicts on one claim, where the paper's text and the authors' code differ.
type Protocol string

// The protocols.
const (
	AsPrinted Protocol = "as printed"
	AsCode    Protocol = "as the authors' code ran"
)

// Kind is a kind of statement.
type Kind string

// The kinds of statements.
const (
	Identity  Kind = "identity"  // two expressions are equal
	Theorem   Kind = "theorem"   // something follows from conditions
	Behaviour Kind = "behaviour" // something happens
	Number    Kind = "number"    // something was measured or set
)

// Misprint is an error in the printed text without consequences.
type Misprint struct {
	Place     string `json:"place"`     // section or appendix, as numbered in the PDF
	Quotation string `json:"quotation"` // copied from the LaTeX source, apart from line breaks
	Plain     string `json:"plain,omitempty"`
	Line      int    `json:"line"`  // where it begins
	Meant     string `json:"meant"` // the intended text, in our words
}

//go:embed claims.json
var source []byte

var list = func() (l struct {
	Claims    []Claim    `json:"claims"`
	Misprints []Misprint `json:"misprints"`
}) {
	d := json.NewDecoder(bytes.NewReader(source))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		panic(fmt.Sprintf("claims: claims.json: %v", err))
	}
	return l
}()

// All returns every claim in the order of the paper.
func All() []Claim { return list.Claims }

// Misprints returns the misprints in the order of the paper.
func Misprints() []Misprint { return list.Misprints }

// Find returns the claim with an ID.
func Find(id string) (Claim, bool) {
	i := slices.IndexFunc(list.Claims, func(c Claim) bool { return c.ID == id })
	if i < 0 {
		return Claim{}, false
	}
	return list.Claims[i], true
}
