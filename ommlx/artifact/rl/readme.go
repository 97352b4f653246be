package rl

import (
	"fmt"
	"math"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Findings returns the sentence of README.md on section 3.1.
func Findings() []claims.Finding { return []claims.Finding{finding} }

// finding states the largest distance of a mean over environments from the authors' runs or from Table 2, and the means
// of figure 1 by the printed protocol.
func finding(root string) (string, error) {
	fig1, err := report.ReadAtScale[Fig1Data](root, Figure1())
	if err != nil {
		return "", err
	}
	tab2, err := report.ReadAtScale[Tab2Data](root, Table2())
	if err != nil {
		return "", err
	}
	most := 0.0
	for i, rows := range fig1.methods(PublicProtocol) {
		most = max(most, math.Abs(rows.apart().Difference),
			math.Abs(tab2.Apart(paperParts[i], PublicProtocol).Difference))
	}
	printed := fig1.methods(PrintedProtocol)
	return fmt.Sprintf("**By the authors' code figure 1 and Table 2 are reproduced to within %.2f in the mean over the "+
		"environments. By the printed protocol ALLO has %.3f and OMM-seq %.3f in figure 1**, and ALLO without "+
		"re-tuning has %.3f in Table 2 (a), where %.3f is printed.", math.Ceil(100*most)/100, printed[2].mean(),
		printed[0].mean(), tab2.Apart("a", PrintedProtocol).Ours, tab2.Apart("a", PrintedProtocol).Printed), nil
}

// Headlines returns the lines of README.md on section 3.1, two of figure 1 and three of Table 2 for each protocol.
func Headlines() (all []claims.Headline) {
	for _, p := range protocols {
		fig1 := func(about string, hard bool) claims.Headline {
			return claims.NewHeadline(fmt.Sprintf("Figure 1, %s: %s", p, about), "fig1-comparable", Figure1(),
				func(d Fig1Data) (string, string, error) { return d.headline(p, hard) })
		}
		lines := []claims.Headline{fig1("k = 11, mean cosine", false), fig1("the four hard environments", true)}
		for i, about := range []string{"k = 50, ALLO tuned for k = 11", "ALLO re-tuned", "OMM-seq"} {
			part := paperParts[i]
			lines = append(lines, claims.NewHeadline(fmt.Sprintf("Table 2 (%s), %s: %s", part, p, about), "tab2-"+part,
				Table2(), func(d Tab2Data) (paper, ours string, err error) {
					rows := common(d.scores(part, p))[0]
					if len(rows) == 0 {
						return "", "", fmt.Errorf("table 2 (%s), %s: no environment has a run", part, p)
					}
					return fmt.Sprintf("%.3f", rows.paper()), fmt.Sprintf("%.3f; %d environments, %s, the paper %d",
						rows.mean(), len(rows), runsOf(rows), paperRuns[i]), nil
				}))
		}
		for _, h := range lines {
			h.Protocol = verdicts[p]
			all = append(all, h)
		}
	}
	return all
}

// headline averages each method by a protocol over the environments, or the hard ones, in which all methods have a run.
// It averages the authors' logged runs there, too. The paper prints no numbers.
func (d Fig1Data) headline(p Protocol, hard bool) (paper, ours string, err error) {
	rows := d.methods(p)
	if len(rows[0]) == 0 {
		return "", "", fmt.Errorf("figure 1, %s: no environment has a run of each method", p)
	}
	var means, theirs []string
	for i, label := range paperMethods {
		if hard {
			rows[i] = rows[i].hard()
		}
		means = append(means, fmt.Sprintf("%s %.3f", label, rows[i].mean()))
		theirs = append(theirs, fmt.Sprintf("%s %.3f", label, rows[i].paper()))
	}
	paper = "no numbers" + run.If(p == PublicProtocol, "; authors' logged runs: %s", strings.Join(theirs, ", "))
	return paper, fmt.Sprintf("%s; %d environments, %s, the paper 4 and 10", strings.Join(means, ", "), len(rows[0]),
		runsOf(rows...)), nil
}
