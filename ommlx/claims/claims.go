// Package claims lists what the paper claims and how each claim is checked here.
//
// The list itself gives no verdicts: they follow from what tests and results measure. A test says what it measured of a
// claim with [Of]; `make check` collects that, judges it with [Claim.Judge] and writes tables/claims.
package claims

import (
	"slices"
)

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

// Verdict is what was found of a claim.
type Verdict string

// The verdicts, from the one that says most for a claim to the one that says least.
const (
	Holds         Verdict = "holds"
	HoldsNote     Verdict = "holds, with a note"
	Reproduced    Verdict = "reproduced"
	Better        Verdict = "better"
	HoldsWith     Verdict = "holds with a correction"
	NotAsPrinted  Verdict = "does not hold as printed"
	Differs       Verdict = "differs"
	Worse         Verdict = "worse"
	CannotTell    Verdict = "cannot tell yet"
	NotAtScale    Verdict = "not run at paper scale"
	NotRun        Verdict = "not run"
	Contradictory Verdict = "check failed" // a test failed, or measured what the list of claims does not explain
)

// AllDiverged is what was found of a number of the paper whose runs here, at its scale, learned nothing; no verdict on
// a claim.
const AllDiverged Verdict = "all runs diverged"

// Verdicts lists them in that order.
func Verdicts() []Verdict {
	return []Verdict{Holds, HoldsNote, Reproduced, Better, HoldsWith, NotAsPrinted, Differs, Worse, CannotTell,
		NotAtScale, NotRun, Contradictory}
}

// WorseThan tells whether v says less for a claim than other; an unknown verdict says least.
func (v Verdict) WorseThan(other Verdict) bool { return v.rank() > other.rank() }

func (v Verdict) rank() int {
	if i := slices.Index(Verdicts(), v); i >= 0 {
		return i
	}
	return len(Verdicts())
}

// Evidence is what one test or one result says of a claim.
type Evidence struct {
	Source  string  `json:"source"`  // the test or the file
	Command string  `json:"command"` // that repeats it
	Seconds float64 `json:"seconds"`
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`  // why it was not run, was refused, or failed
	Results string  `json:"results,omitempty"` // of a file: the commits and days of the trainings behind it
	Record
}

// Outcome is how a check ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Small   Outcome = "done at a smaller scale than the paper's"
	Skipped Outcome = "skipped"
	Refused Outcome = "refused" // a result of which nobody can say what computed it
	Failed  Outcome = "failed"
)

// Judge returns the verdict on a claim:
//
//   - not run, without evidence or where some of it was skipped or refused;
//   - check failed, where a test failed, where nothing was measured, where the claim as corrected was not measured
//     within its tolerance, where the claim as printed was not and nothing explains it, or where a correction is not
//     borne out by the claim as printed failing and the corrected one holding;
//   - not run at paper scale, where a result is of fewer steps, or something that is claimed was not run;
//   - does not hold as printed, where another statement is so instead; holds with a correction, where it is so with
//     one;
//   - holds, with a note, where there is more to know; else holds.
//
// Of numbers of the paper (kind Number, and Behaviour) that results at its scale do not reproduce it says differs.
// Where each number was compared by [Record.Compared], it is the common word of those that are not reproduced, if they
// have one. A measurement that is open makes it cannot tell yet, unless another one certainly fails.
func (c Claim) Judge(evidence []Evidence) Verdict {
	if len(evidence) == 0 {
		return NotRun
	}
	outcomes, compared := map[Outcome]bool{}, map[Verdict]int{}
	fails, corrected, correctedAtAll, measured := false, true, false, false
	for _, e := range evidence {
		outcomes[e.Outcome] = true
		for v, n := range e.Comparisons {
			compared[v] += n
		}
		for _, m := range e.Measured {
			switch measured = true; {
			case !m.Printed:
				corrected, correctedAtAll = corrected && m.Within(), true
			case m.Open:
				compared[CannotTell]++
			case !m.Within():
				fails = true
			}
		}
	}
	amended := c.Correction != "" || c.Instead != ""
	switch {
	case outcomes[Failed] || !corrected:
		return Contradictory
	case outcomes[Skipped] || outcomes[Refused]:
		return NotRun
	case outcomes[Small]:
		return NotAtScale
	case !measured && len(compared) == 0 || amended && !correctedAtAll:
		return Contradictory
	case amended && fails && c.Instead != "":
		return NotAsPrinted
	case amended && fails:
		return HoldsWith
	case amended && compared[CannotTell] > 0:
		return CannotTell
	case amended:
		return Contradictory
	case fails && (c.Kind == Number || c.Kind == Behaviour):
		return Differs
	case fails:
		return Contradictory
	case len(compared) > 0:
		return common(compared)
	case c.Note != "":
		return HoldsNote
	}
	return Holds
}

// common is the word for numbers that were compared one by one: that of all which are not reproduced.
func common(compared map[Verdict]int) Verdict {
	word := Reproduced
	for _, v := range []Verdict{Better, Worse, Differs} {
		if compared[v] > 0 && word == Reproduced {
			word = v
		} else if compared[v] > 0 {
			return Differs
		}
	}
	if word == Reproduced && compared[CannotTell] > 0 {
		return CannotTell
	}
	return word
}
