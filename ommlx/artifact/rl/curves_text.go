package rl

import (
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/report"
)

// Text says who of two methods is ahead when, a row for each environment. The error names a method of which the figure
// has no comparison.
func (d CurvesData) Text(first, second string) (report.Text, error) {
	t := report.Text{
		Title:  first + " and " + second + " after equal steps",
		Header: []string{"environment", "ahead, after so many steps", first + " less " + second + " at the end"},
		Note: "Ahead is a mean by more than Welch's 95% interval of the difference and more than 0.01. At steps that " +
			"no lead has neither is ahead.",
	}
	if !slices.Contains(duels(), [2]string{first, second}) {
		return t, fmt.Errorf("the learning curves do not compare %q with %q; they compare %v", first, second, duels())
	}
	for _, env := range d.Environments {
		i := slices.IndexFunc(env.Duels, func(d Duel) bool { return d.First == first && d.Second == second })
		if i < 0 {
			t.Rows = append(t.Rows, []string{env.Name, "not run yet", ""})
			continue
		}
		duel, end := env.Duels[i], ""
		if s := duel.End; s != nil {
			if end = fmt.Sprintf("%+.3f", s.Difference); s.Interval != nil {
				end += fmt.Sprintf(" ± %.3f", *s.Interval)
			}
		}
		t.Rows = append(t.Rows, []string{env.Name, duel.leads(env.Steps), end})
	}
	return t, nil
}

// leads tells the leads of a training of so many steps in words.
func (d Duel) leads(steps int) string {
	if len(d.Leads) == 0 {
		return "neither"
	}
	var list []string
	for _, l := range d.Leads {
		text := l.Ahead + " " + thousands(l.From)
		switch {
		case l.To == steps && l.From < l.To:
			text += " to the end"
		case l.From < l.To:
			text += " to " + thousands(l.To)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}
