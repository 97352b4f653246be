package rl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
)

// Drawing returns Table 2 in the form of figure 1, by the metric of ALLO's code. Open marks are the printed means.
func (d Tab2Data) Drawing() draw.Fig1 {
	f := draw.Fig1{Note: report.Stamp(d.Note) + " By the metric of ALLO's code.", Open: "printed in Table 2"}
	for _, name := range tab2Environments() {
		f.Environments = append(f.Environments, draw.Fig1Environment{Name: name,
			Rows: make([][]draw.Fig1Row, len(protocols))})
	}
	names := []string{"(c) OMM-seq", "(a) ALLO, tuned for k = 11", "(b) ALLO, re-tuned"}
	for panel, p := range protocols {
		f.Panels = append(f.Panels, string(p))
		for i, part := range []string{"c", "a", "b"} {
			for at, c := range d.part(part, p) {
				rows := &f.Environments[at].Rows[panel]
				*rows = append(*rows, draw.Fig1Row{Method: names[i], Runs: averages(c.Result, Run.rotated),
					Reference: &c.PaperMean, Diverged: diverged(c.Result)})
			}
		}
	}
	return easyFirst(f)
}

// easyFirst titles the groups of environments, and moves the hard ones to the end.
func easyFirst(f draw.Fig1) draw.Fig1 {
	for i, e := range f.Environments {
		f.Environments[i].Group = "easy:"
		if slices.Contains(hardInstances, e.Name) {
			f.Environments[i].Group = "hard:"
		}
	}
	slices.SortStableFunc(f.Environments, func(a, b draw.Fig1Environment) int { return cmp.Compare(a.Group, b.Group) })
	return f
}

// Drawing returns a row for each training, with the mean over its environments.
func (d BeyondData) Drawing() draw.Dots {
	const text, code = "by the text", string(PublicProtocol)
	var groups []draw.DotGroup
	for _, t := range trials() {
		of := common(d.of(t.train.K, t.label))[0]
		if len(of) == 0 {
			continue
		}
		kind, name := text, strings.ReplaceAll(t.label, "κ =", "shift") // a PDF has no Greek letters
		if rest, is := strings.CutPrefix(name, byAuthors); is {
			kind, name = code, rest
		}
		name, _, _ = strings.Cut(name, ":")
		title := fmt.Sprintf("k = %d: mean over %d environments", t.train.K, len(t.environments))
		switch {
		case slices.Equal(t.environments, hardInstances):
			title = fmt.Sprintf("k = %d: mean over the %d hard environments", t.train.K, len(of))
		case len(t.environments) < 4:
			title = fmt.Sprintf("k = %d: %s", t.train.K, strings.Join(t.environments, ", "))
		}
		of[0].name = name
		groups = draw.Grouped(groups, title, of.dots(Protocol(kind), len(t.environments), d.noiseAt(t.train.K))...)
	}
	return draw.Dots{Kinds: []string{code, text}, Open: "printed in Table 2 (c)",
		Axes: []draw.DotAxis{{Label: "mean cosine similarity", Groups: groups, Unit: true}},
		Note: report.Stamp(d.Note) + " Bars: 95% intervals for these environments. At k = 50 cosines are by the " +
			"metric of ALLO's code, as printed."}
}
