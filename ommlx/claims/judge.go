package claims

import "slices"

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
