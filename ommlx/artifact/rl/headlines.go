package rl

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat"

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
	mean, their := map[string][]float64{}, map[string][]float64{}
	var counts []int
	for _, env := range d.Environments {
		var rows []Fig1Value
		for _, label := range labels {
			if v := env.Row(PublicProtocol, label); v.Mean != nil && v.Result != nil {
				rows = append(rows, v)
			}
		}
		if len(rows) < len(labels) {
			continue
		}
		for _, v := range rows {
			mean[v.Label] = append(mean[v.Label], *v.Mean)
			counts = append(counts, len(v.Result.Runs))
			if v.Theirs != nil {
				their[v.Label] = append(their[v.Label], *v.Theirs)
			}
		}
	}
	runs, err := report.RunsEach(counts)
	if err != nil {
		return "", "", fmt.Errorf("no environment has a run of each method by the public code's protocol: %w", err)
	}
	averages := func(of map[string][]float64) string {
		var words []string
		for _, label := range labels {
			words = append(words, fmt.Sprintf("%s %.3f", label, stat.Mean(of[label], nil)))
		}
		return strings.Join(words, ", ")
	}
	paper = "bars alone"
	if len(their) > 0 {
		paper += "; its code's runs " + averages(their)
	}
	return paper, fmt.Sprintf("%s; %d of %d environments, %s", averages(mean), len(mean[labelALLO]),
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
