package claims

import (
	"slices"

	"omm-go/ommlx/artifact/report"
)

// Verdict is the result of checking a claim.
type Verdict string

// The six verdicts.
const (
	Holds          Verdict = "holds"
	HoldsCaveat    Verdict = "holds with a caveat"
	WrongAsPrinted Verdict = "wrong as printed"
	NotReproduced  Verdict = "not reproduced"
	Undecided      Verdict = "undecided"
	NotTested      Verdict = "not tested"
)

// CheckFailed is not a verdict: a test failed, or claims.json does not explain the measurements. A committed ledger
// never contains it.
const CheckFailed Verdict = "check failed"

// RuleChanged is the date since which averages over the paper's environments are judged with the environments fixed.
const RuleChanged = "2026-11-29"

// verdicts lists the six verdicts and their meanings.
func verdicts() []meaning {
	return []meaning{
		{Holds, "found as printed, within the tolerance"},
		{HoldsCaveat, "true, with a condition or restriction that the note names"},
		{WrongAsPrinted, "found to be false as printed; the note has the correct statement"},
		{NotReproduced, "found otherwise than printed"},
		{Undecided, "measured, but the interval is too wide to tell"},
		{NotTested, "not run at the paper's scale, or not a computation; the note gives the reason"},
	}
}

type meaning struct {
	Verdict Verdict
	Meaning string
}

// Evidence is the evidence for a claim from one test or one result.
type Evidence struct {
	Source   string   `json:"source"`             // the test or the file
	Protocol Protocol `json:"protocol,omitempty"` // the verdict that it belongs to; "" for every verdict
	Command  string   `json:"command"`            // command that repeats it
	Seconds  float64  `json:"seconds"`
	Outcome  Outcome  `json:"outcome"`
	Checked  How      `json:"checked,omitempty"` // "": [Measured]
	Reason   string   `json:"reason,omitempty"`  // why it was skipped or refused
	Runs     string   `json:"runs,omitempty"`    // our runs and the paper's, for example "1 run of 10"
	Results  string   `json:"results,omitempty"` // for a file: number and days of its trainings
	Record
}

// Outcome is how a check ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Small   Outcome = "done at a smaller scale than the paper's"
	Skipped Outcome = "skipped"
	Refused Outcome = "refused" // the program that made the result is not known
	Failed  Outcome = "failed"
)

// Decide returns the verdict on a claim from its evidence. The first rule that applies decides:
//
//  1. check failed: a test failed, or the corrected statement was measured outside its tolerance;
//  2. not tested: there is no evidence, some of it is skipped, refused or at a smaller scale, or the claim has a
//     NotTested;
//  3. wrong as printed (with a Correction) or holds with a caveat (with a Condition): by measurement the printed
//     statement fails and the amended one holds. If the printed statement does not fail, the check failed, or the claim
//     is undecided if that is open;
//  4. not reproduced: a number or a behaviour was measured outside its tolerance. For an identity or a theorem this is
//     a failed check;
//  5. undecided: a measurement is open;
//  6. check failed: the printed statement itself was not measured;
//  7. holds with a caveat if the claim has one, else holds.
func (c Claim) Decide(evidence []Evidence) Verdict {
	var fails, open, printed, amended bool
	held := true
	for _, e := range evidence {
		amended = amended || e.Checked != "" // its correction was read or derived, too
		for _, m := range e.Measured {
			switch {
			case !m.Printed:
				held, amended = held && m.Within(), true
			case m.Open:
				open, printed = true, true
			default:
				fails, printed = fails || !m.Within(), true
			}
		}
	}
	switch {
	case ended(evidence, Failed) || !held:
		return CheckFailed
	case len(evidence) == 0 || ended(evidence, Skipped, Refused, Small) || c.NotTested != "":
		return NotTested
	case c.Correction != "" && fails && amended:
		return WrongAsPrinted
	case c.Condition != "" && fails && amended:
		return HoldsCaveat
	case c.Correction+c.Condition != "" && !open:
		return CheckFailed
	case fails && (c.Kind == Number || c.Kind == Behaviour):
		return NotReproduced
	case fails:
		return CheckFailed
	case open:
		return Undecided
	case !printed:
		return CheckFailed
	case c.Caveat != "":
		return HoldsCaveat
	}
	return Holds
}

// ended reports whether some evidence has one of the outcomes.
func ended(evidence []Evidence, outcomes ...Outcome) bool {
	return slices.ContainsFunc(evidence, func(e Evidence) bool { return slices.Contains(outcomes, e.Outcome) })
}

// Agreement returns the verdict on a printed number by [report.Rule], from the spread of our runs and the paper's. If
// all our runs diverged the number is not reproduced; runs at a smaller scale do not test it.
func Agreement(ours, paper report.Spread, atScale bool) Verdict {
	var e Evidence
	e.AtScale(atScale)
	e.Compare("", ours, paper)
	return Claim{Kind: Number}.Decide([]Evidence{e})
}

// AtScale marks evidence as [Small] unless it was measured at the paper's scale.
func (e *Evidence) AtScale(atScale bool) {
	if !atScale {
		e.Outcome = Small
	}
}

// RanOn marks evidence without notes as [Small]: the table has no rows of the claim on this data.
func (e *Evidence) RanOn(data string) {
	if len(e.Notes) == 0 {
		e.AtScale(false)
		e.Note("not run on %s", data)
	}
}

// Compare records the distance of our mean from a printed number, with the bound of [report.Spread.Apart]. It does
// nothing for evidence at a smaller scale.
func (e *Evidence) Compare(what string, ours, paper report.Spread) {
	if e.Outcome != Small {
		distance, bound, open := ours.Apart(paper)
		e.Uncertain("distance from the printed number, "+what, distance, bound, open)
	}
}
