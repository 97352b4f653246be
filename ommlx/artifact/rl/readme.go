package rl

import (
	"fmt"
	"math"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Finding is the [claims.Finding] on section 3.1: the largest distance of a mean over environments from the authors'
// runs or from Table 2, and the means of figure 1 with the printed protocol.
func Finding(root string) (string, error) {
	fig1, err := report.ReadUnder[Fig1Data](root, Figure1(), run.Paper)
	if err != nil {
		return "", err
	}
	tab2, err := report.ReadUnder[Tab2Data](root, Table2(), run.Paper)
	if err != nil {
		return "", err
	}
	most := 0.0
	for i, row := range fig1.methods(PublicProtocol) {
		most = max(most, math.Abs(row.apart().Difference),
			math.Abs(tab2.Apart(paperParts[i], PublicProtocol).Difference))
	}
	printed := fig1.methods(PrintedProtocol)
	allo, seq, untuned := printed[2], printed[0], tab2.Apart("a", PrintedProtocol)
	return fmt.Sprintf("**With the authors' code the means over the environments, of their logged runs for figure 1 "+
		"and of Table 2, are reproduced to within %.2f. With the printed protocol ALLO beats OMM-seq in figure 1**, "+
		"with a mean of %.3f against %.3f, and %.3f against %.3f in the four hard environments. ALLO without "+
		"re-tuning has %.3f in Table 2 (a), where the paper prints %.3f.",
		math.Ceil(100*most)/100, allo.apart().Ours, seq.apart().Ours, allo.hard().apart().Ours,
		seq.hard().apart().Ours, untuned.Ours, untuned.Printed), nil
}

// Headlines returns the lines of README.md on section 3.1, two of figure 1 and three of Table 2 for each protocol.
func Headlines() (all []claims.Headline) {
	for _, p := range protocols {
		fig1 := func(about string, of func(scores) scores) claims.Headline {
			return claims.NewHeadline(fmt.Sprintf("Figure 1, %s: %s", p, about), "fig1-comparable", Figure1(),
				func(d Fig1Data) (paper, ours string, err error) {
					paper, ours, err = headline(paperMethods, xslices.Map(d.methods(p), of), "4 and 10")
					return "no numbers" + run.If(p == PublicProtocol, "; authors' logged runs: %s", paper), ours, err
				})
		}
		lines := []claims.Headline{fig1("k = 11, mean cosine", func(c scores) scores { return c }),
			fig1("the four hard environments", scores.hard)}
		for i, about := range []string{"k = 50, ALLO tuned for k = 11", "ALLO re-tuned", "OMM-seq"} {
			part := paperParts[i]
			lines = append(lines, claims.NewHeadline(fmt.Sprintf("Table 2 (%s), %s: %s", part, p, about), "tab2-"+part,
				Table2(), func(d Tab2Data) (paper, ours string, err error) {
					return headline([]string{"(" + part + ")"}, common(d.scores(p, part)), fmt.Sprint(paperRuns[i]))
				}))
		}
		for _, h := range lines {
			h.Protocol = verdicts[p]
			all = append(all, h)
		}
	}
	return all
}

// headline formats the means of rows over their environments, the paper's and ours.
func headline(labels []string, rows []scores, paperRuns string) (paper, ours string, err error) {
	if len(rows[0]) == 0 {
		return "", "", fmt.Errorf("%s: no environment has a run", labels[0])
	}
	var papers, means []string
	for i, row := range rows {
		a := row.apart()
		papers = append(papers, fmt.Sprintf("%s %.3f", labels[i], a.Printed))
		means = append(means, fmt.Sprintf("%s %.3f", labels[i], a.Ours))
	}
	return strings.Join(papers, ", "), fmt.Sprintf("%s; %d environments, %s, the paper %s", strings.Join(means, ", "),
		len(rows[0]), runsOf(rows...), paperRuns), nil
}
