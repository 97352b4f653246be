package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomlx/gomlx/support/xslices"
)

// Decide returns the verdict by the row's protocol.
func (r Row) Decide(evidence []Evidence) Verdict { return r.under(r.Protocol).Decide(evidence) }

// First reports whether the row is the first of its claim.
func (r Row) First() bool { return r.Protocol == "" || r.Protocol == r.Protocols[0] }

// Anchor is the anchor of the claim in tables/claims.md.
func (r Row) Anchor() string { return fmt.Sprintf("claim-%d", r.Number) }

// Words returns the verdict with its protocol, its runs and, if it differs, the verdict by the former rule, for example
// "as printed: not reproduced (4 runs of 4)".
func (r Row) Words() string {
	words := string(r.Verdict)
	if r.Protocol != "" {
		words = string(r.Protocol) + ": " + words
	}
	if runs := distinct(r.Evidence, func(e Evidence) string { return e.Runs }); runs != nil {
		words += " (" + strings.Join(runs, "; ") + ")"
	}
	if before := r.Before(); before != r.Verdict {
		words += fmt.Sprintf("; by the rule before %s: %s", RuleChanged, before)
	}
	return words
}

// Before returns the verdict by the rule for intervals that applied before [RuleChanged].
func (r Row) Before() Verdict {
	before := slices.Clone(r.Evidence)
	for i, e := range before {
		before[i].Measured = xslices.Map(e.Measured, func(m Measurement) Measurement {
			m.Open = *cmp.Or(m.Before, &m.Open)
			return m
		})
	}
	return r.Decide(before)
}

// How lists the ways in which the claim was checked.
func (r Row) How() []string {
	return distinct(r.Evidence, func(e Evidence) string { return string(cmp.Or(e.Checked, Measured)) })
}

// Remark joins the caveat, condition or correction, the reason for no check, and what this library does.
func (r Row) Remark() string {
	c, small, here := r.under(r.Protocol), "", ""
	switch {
	case ended(r.Evidence, Small) && ended(r.Evidence, Done):
		small = "Run only in part at the paper's scale"
	case ended(r.Evidence, Small):
		small = "Not run at the paper's scale"
	}
	if r.Here != "" {
		here = "Here: " + r.Here
	}
	var parts []string
	for _, text := range []string{small, c.Caveat, c.Condition, c.Correction, c.NotTested, here} {
		if text != "" {
			parts = append(parts, strings.TrimSuffix(text, ".")+".")
		}
	}
	return strings.Join(parts, " ")
}

// Measured lists the measurements, or the reason for none.
func (r Row) Measured() string {
	var parts []string
	for _, e := range r.Evidence {
		switch e.Outcome {
		case Skipped:
			return e.Reason
		case Refused:
			parts = append(parts, "refused: "+e.Reason)
		case Small:
			parts = append(parts, "at a smaller scale")
		}
		if e.Checked != "" {
			parts = append(parts, e.Source)
		}
		for _, m := range e.Measured {
			relation := "≤"
			if !m.Within() {
				relation = ">"
			}
			text := fmt.Sprintf("%s: %s %s %s", m.What, short(m.Value), relation, short(m.Tolerance))
			if m.Printed && r.under(r.Protocol).Correction+r.Condition != "" {
				text = "as printed, " + text
			}
			if m.Open {
				text += fmt.Sprintf(" (%s)", Undecided)
			}
			parts = append(parts, text)
		}
		parts = append(parts, e.Notes...)
	}
	return strings.Join(parts, "; ")
}

// Commands lists the commands that repeat the checks.
func (r Row) Commands() []string {
	return distinct(r.Evidence, func(e Evidence) string { return e.Command })
}

// Results lists the trainings of the evidence.
func (r Row) Results() []string {
	return distinct(r.Evidence, func(e Evidence) string { return e.Results })
}

// Time formats the total time of the checks. Times below a second vary too much between runs to be printed.
func (r Row) Time() string {
	sum := 0.0
	for _, e := range r.Evidence {
		sum += e.Seconds
	}
	d := time.Duration(sum * float64(time.Second))
	switch minutes := fmt.Sprintf("%.0f min", d.Minutes()); {
	case d < time.Second:
		return "< 1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case slices.ContainsFunc(r.Commands(), func(c string) bool { return strings.Contains(c, "PROFILE=paper") }):
		return minutes + " on the machines that trained the kept results"
	default:
		return minutes
	}
}

// short formats a number with three digits, or one digit and an exponent.
func short(x float64) string {
	if x == 0 || math.Abs(x) >= 0.01 && math.Abs(x) < 1e4 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'e', 0, 64)
}

// distinct returns the different texts of evidence, without "".
func distinct(evidence []Evidence, of func(Evidence) string) (all []string) {
	for _, e := range evidence {
		if text := of(e); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
