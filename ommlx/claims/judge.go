package claims

import "slices"

// Verdict is what was found of a claim.
type Verdict string

// The verdicts, from the one that says most for a claim to the one that says least.
const (
	Holds         Verdict = "holds"
	HoldsWith     Verdict = "holds with a correction"
	NotAsPrinted  Verdict = "does not hold as printed"
	Differs       Verdict = "differs"
	NotAtScale    Verdict = "not run at paper scale"
	NotRun        Verdict = "not run"
	Contradictory Verdict = "check failed" // a test failed, or measured what the list of claims does not explain
)

// Verdicts lists them in that order.
func Verdicts() []Verdict {
	return []Verdict{Holds, HoldsWith, NotAsPrinted, Differs, NotAtScale, NotRun, Contradictory}
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
	Reason  string  `json:"reason,omitempty"` // why it was not run, or failed
	Record
}

// Outcome is how a check ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Small   Outcome = "done at a smaller scale than the paper's"
	Skipped Outcome = "skipped"
	Failed  Outcome = "failed"
)

// Judge returns the verdict on a claim:
//
//   - not run, without evidence or where some of it was skipped;
//   - check failed, where a test failed, where the claim as corrected was not measured within its tolerance, or where
//     the claim as printed was not, and no correction explains it;
//   - not run at paper scale, where a result is of fewer runs or steps;
//   - does not hold as printed, where the printed claim was measured beyond its tolerance and a correction replaces it;
//   - holds with a correction, where there is another one; else holds.
//
// A number of the paper (kind Number) that a result at the paper's scale does not reproduce differs.
func (c Claim) Judge(evidence []Evidence) Verdict {
	if len(evidence) == 0 {
		return NotRun
	}
	outcomes := map[Outcome]bool{}
	printed, corrected := true, true
	for _, e := range evidence {
		outcomes[e.Outcome] = true
		for _, m := range e.Measured {
			if m.Printed {
				printed = printed && m.Within()
			} else {
				corrected = corrected && m.Within()
			}
		}
	}
	switch {
	case outcomes[Failed] || !corrected:
		return Contradictory
	case outcomes[Skipped]:
		return NotRun
	case outcomes[Small]:
		return NotAtScale
	case !printed && c.Correction == "":
		if c.Kind == Number || c.Kind == Behaviour {
			return Differs
		}
		return Contradictory
	case c.Correction == "":
		return Holds
	case c.Replaced && printed:
		return Contradictory // the list says that the printed statement is false, and nothing shows it
	case c.Replaced:
		return NotAsPrinted
	}
	return HoldsWith
}
