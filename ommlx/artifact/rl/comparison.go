package rl

import (
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// comparison is a table of OMM-seq with k functions, trained in several ways; for k = 50 beside part (c) of Table 2.
type comparison struct {
	name, short, about, title string
	k                         int
	list                      []variant
	// few are the environments of every variant at the paper's scale, more those that the first one has beside them.
	few, more []string
	first     int // runs of the first variant at the paper's scale, where it has more than the others
}

// scale returns the environments of every variant, those that the first one has beside them, and the runs of each.
func (c comparison) scale(p lab.Profile) (few, more []string, runs int) {
	if p != lab.Paper {
		return []string{"GridRoom-4"}, nil, 1
	}
	return c.few, c.more, 2
}

func (c comparison) entry() report.Entry {
	return report.Entry{Kind: report.Table, Name: c.name, Short: c.short, About: c.about, Partial: true,
		Data: mazes,
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			list, _ := c.plan(p)
			return lab.NewJobs[*Result](list)
		},
		Report: c.report,
	}
}

// plan returns the trainings of every variant, and the note of the table. Even the quick profile trains for the paper's
// 80,000 steps, since that is what tells the variants apart; it leaves out environments, runs and what takes more
// steps.
func (c comparison) plan(p lab.Profile) (list []Experiment, text string) {
	few, more, runs := c.scale(p)
	first := runs
	if p == lab.Paper {
		first = max(first, c.first)
	}
	for i, v := range c.list {
		if v.Steps > paperSteps && p != lab.Paper {
			continue
		}
		environments, n := few, runs
		if i == 0 {
			environments, n = slices.Concat(few, more), first
		}
		for _, name := range environments {
			e := v.in(name, c.k, n)
			switch p {
			case lab.Quick:
				e = e.Here()
			case lab.Smoke:
				e = e.smoke(1)
			}
			list = append(list, e)
		}
	}
	if p == lab.Smoke {
		return list, p.Note("")
	}
	about := fmt.Sprintf("OMM-seq, %s steps where no others are named, at most %d run(s) each.",
		thousands(paperSteps), first)
	if c.k != tab2Modes {
		return list, about + " The paper prints no numbers for them."
	}
	return list, fmt.Sprintf("%s The paper's column is part (c) of its Table 2 (5 runs). %s", about, report.Rule())
}

func (c comparison) report(l *lab.Lab) error {
	list, text := c.plan(l.Profile)
	results, origin, err := report.Gather[*Result](l, list)
	if err != nil {
		return err
	}
	data := ReadingsData{Table: c.name, Title: c.title, Note: text, Provenance: origin}
	for _, r := range results {
		if r != nil {
			data.Rows = append(data.Rows, newReadingRow(r))
		}
	}
	return report.WriteTable(l, data.Table, data, data.Text())
}
