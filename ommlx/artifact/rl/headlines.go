package rl

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// Headlines are the lines of README.md on section 3.1.
func Headlines() []report.Headline {
	return []report.Headline{
		report.NewHeadline("Figure 1: grid worlds, k = 11, mean cosine", "fig1-comparable", Figure1(), fig1Means),
		report.NewHeadline("Table 2 (a): k = 50, ALLO tuned for k = 11", "tab2-a", Table2(), tab2Means("a")),
		report.NewHeadline("Table 2 (b): k = 50, ALLO re-tuned", "tab2-b", Table2(), tab2Means("b")),
		report.NewHeadline("Table 2 (c): k = 50, OMM-seq", "tab2-c", Table2(), tab2Means("c")),
	}
}

// fig1Means averages the rows of each method by the public code's protocol over the environments in which all have a
// run, and the public code's own runs there. The paper prints no numbers.
func fig1Means(d Fig1Data) (paper, ours string, err error) {
	labels := []string{labelSequential, labelJoint, labelALLO}
	ran := d.environmentsWith(PublicProtocol, labels...)
	ran.Environments = slices.DeleteFunc(ran.Environments, func(e Fig1Environment) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return e.Row(PublicProtocol, label).Mean == nil })
	})
	var means, theirs []string
	var counts []int
	for _, label := range labels {
		var their []float64
		for _, env := range ran.Environments {
			v := env.Row(PublicProtocol, label)
			if counts = append(counts, len(v.Result.Runs)); v.Theirs != nil {
				their = append(their, *v.Theirs)
			}
		}
		means = append(means, fmt.Sprintf("%s %.3f", label, ran.average(PublicProtocol, label)))
		if len(their) > 0 {
			theirs = append(theirs, fmt.Sprintf("%s %.3f", label, stat.Mean(their, nil)))
		}
	}
	runs, err := report.RunsEach(counts)
	if err != nil {
		return "", "", fmt.Errorf("no environment has a run of each method by the public code's protocol: %w", err)
	}
	paper = "bars alone" + lab.If(len(theirs) > 0, "; its code's runs %s", strings.Join(theirs, ", "))
	return paper, fmt.Sprintf("%s; %d of %d environments, %s", strings.Join(means, ", "), len(ran.Environments),
		len(d.Environments), runs), nil
}

// tab2Means averages the cells of a part by the public code's protocol that have a run, ours and the paper's.
func tab2Means(part string) func(Tab2Data) (paper, ours string, err error) {
	return func(d Tab2Data) (paper, ours string, err error) {
		var printed, measured []float64
		var counts []int
		cells := d.Part(part, PublicProtocol)
		for _, c := range cells {
			if c.Mean != nil && c.Result != nil {
				printed, measured = append(printed, c.PaperMean), append(measured, *c.Mean)
				counts = append(counts, len(c.Result.Runs))
			}
		}
		runs, err := report.RunsEach(counts)
		if err != nil {
			return "", "", fmt.Errorf("no environment of part (%s) has a run: %w", part, err)
		}
		return fmt.Sprintf("%.3f", stat.Mean(printed, nil)), fmt.Sprintf("%.3f; %d of %d environments, %s",
			stat.Mean(measured, nil), len(measured), len(cells), runs), nil
	}
}
