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
	// Caveat is a restriction that readers should know, on a claim that holds as measured. CaveatProtocol limits it to
	// one verdict.
	Caveat         string   `json:"caveat,omitempty"`
	CaveatProtocol Protocol `json:"caveat_protocol,omitempty"`
	// Condition is missing from the printed statement: without it a measurement fails, with it all of them hold.
	Condition string `json:"condition,omitempty"`
	// Correction replaces a printed statement that is measured to be false. The correction is measured to hold.
	Correction string `json:"correction,omitempty"`
	Here       string `json:"here,omitempty"` // how this library departs from the printed text
	// NotTested is the reason why there is no check, or what it would take. NotTestedProtocol limits it to one verdict.
	NotTested         string   `json:"not_tested,omitempty"`
	NotTestedProtocol Protocol `json:"not_tested_protocol,omitempty"`
	// Checked are checks by reading or by argument.
	Checked []Reading `json:"checked,omitempty"`
	// Protocols lists the protocols with separate verdicts; empty for a single verdict.
	Protocols []Protocol `json:"protocols,omitempty"`
}

// Reading is a check of a claim without a computation, written by hand. It counts the contradictions that were found.
type Reading struct {
	How      How      `json:"how"`
	Where    string   `json:"where"` // repository, commit and file, or the argument
	What     string   `json:"what"`  // what was counted
	Value    float64  `json:"value"` // 0 if the printed statement holds
	Protocol Protocol `json:"protocol,omitempty"`
	Note     string   `json:"note,omitempty"`
}

// How is how a claim was checked.
type How string

// The ways to check a claim.
const (
	Measured How = "measured"
	Read     How = "read in the public code"
	Cited    How = "read in the cited paper"
	Derived  How = "derived"
)

// under returns the claim for the verdict by a protocol.
func (c Claim) under(p Protocol) Claim {
	if c.CaveatProtocol != "" && c.CaveatProtocol != p {
		c.Caveat = ""
	}
	switch c.NotTestedProtocol {
	case "":
	case p:
		c.Correction = "" // of the other verdict
	default:
		c.NotTested = ""
	}
	return c
}

// evidence returns the reading as evidence for its claim.
func (r Reading) evidence(claim string) Evidence {
	e := Evidence{Source: r.Where, Protocol: r.Protocol, Outcome: Done, Checked: r.How, Record: Record{Claim: claim}}
	e.Printed(r.What, r.Value, 0)
	if r.Note != "" {
		e.Note("%s", r.Note)
	}
	return e
}

// Protocol distinguishes two verdicts on one claim, where the paper's text and the authors' code differ.
type Protocol string

// The protocols.
const (
	AsPrinted Protocol = "as printed"
	AsCode    Protocol = "by the authors' settings (our code)"
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
