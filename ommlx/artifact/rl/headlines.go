package rl

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Headlines returns the lines of README.md on section 3.1, two for each experiment.
func Headlines() (all []claims.Headline) {
	for _, p := range protocols {
		of := func(name, claim string, entry report.Entry, hard bool) claims.Headline {
			name = fmt.Sprintf(name, p)
			h := claims.NewHeadline(name, claim, entry, fig1Means(p, hard))
			if entry.Name == Table2().Name {
				h = claims.NewHeadline(name, claim, entry, tab2Means(strings.TrimPrefix(claim, "tab2-"), p))
			}
			h.Protocol = verdicts[p]
			return h
		}
		all = append(all,
			of("Figure 1, %s: k = 11, mean cosine", "fig1-comparable", Figure1(), false),
			of("Figure 1, %s: the four hard environments", "fig1-comparable", Figure1(), true),
			of("Table 2 (a), %s: k = 50, ALLO tuned for k = 11", "tab2-a", Table2(), false),
			of("Table 2 (b), %s: ALLO re-tuned", "tab2-b", Table2(), false),
			of("Table 2 (c), %s: OMM-seq", "tab2-c", Table2(), false))
	}
	return all
}

func tab2Means(part string, p Protocol) func(Tab2Data) (paper, ours string, err error) {
	return func(d Tab2Data) (paper, ours string, err error) {
		a := d.Apart(part, p)
		if a.Environments == 0 {
			return "", "", fmt.Errorf("table 2 (%s), %s: no environment has a run", part, p)
		}
		each, _ := report.RunsEach(a.runs)
		return fmt.Sprintf("%.3f", a.Printed), fmt.Sprintf("%.3f; %d environments, %s, the paper %d", a.Ours,
			a.Environments, strings.TrimSuffix(each, " each"), map[string]int{"a": 4, "b": 3, "c": 5}[part]), nil
	}
}

// fig1Means averages each method by a protocol over the environments, or the hard ones, in which all methods have a
// run. It averages the authors' logged runs there, too. The paper prints no numbers.
func fig1Means(p Protocol, hard bool) func(Fig1Data) (paper, ours string, err error) {
	return func(d Fig1Data) (paper, ours string, err error) {
		rows := d.scored(p)
		if hard {
			rows = rows.hard()
		}
		if len(rows) == 0 {
			return "", "", fmt.Errorf("figure 1, %s: no environment has a run of each method", p)
		}
		var means, theirs []string
		for i, label := range paperMethods {
			means = append(means, fmt.Sprintf("%s %.3f", label, rows.average(i)))
			if their := rows.theirs(i); len(their) > 0 {
				theirs = append(theirs, fmt.Sprintf("%s %.3f", label, stat.Mean(their, nil)))
			}
		}
		paper = "no numbers" + run.If(len(theirs) > 0, "; authors' logged runs: %s", strings.Join(theirs, ", "))
		return paper, fmt.Sprintf("%s; %d environments, %s", strings.Join(means, ", "), len(rows), rows.runs()), nil
	}
}
