package artifact

import (
	"cmp"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
)

// Schematic is the picture of the method.
func Schematic() report.Entry {
	e := report.Entry{Name: "schematic", Short: "schematic", About: "the method",
		Look: "How f enters the loss twice: by its own second moment and by the joint one with Tf."}
	return report.Untrained(e, func(_ string, origin report.Origin) (report.Content, error) {
		head := report.FigureHead{Figure: e.Name, Paper: "Section 2.", Provenance: origin,
			Note: "The network gives f on a batch x of B points, and the operator T gives Tf. " +
				"Their second moments give the loss. Its gradient with respect to the weights trains the " +
				"network."}
		return report.Content{Data: head, Drawing: draw.Schematic{}}, nil
	})
}

// OverviewData is the JSON of the overview, with every number that it draws.
type OverviewData struct {
	report.FigureHead
	Axes []draw.DotAxis `json:"axes"`
}

// Overview shows our numbers of figures 1, 4, 6 and 8 and of Table 2 with the paper's. It reads the committed files at
// the paper's scale and trains nothing.
func Overview() report.Entry {
	return report.Untrained(report.Entry{
		Name: "overview", Short: "overview", About: "the paper's numbers and ours",
		Look: "Whether the open marks lie in the bars of our filled ones.",
	}, drawOverview)
}

func drawOverview(root string, origin report.Origin) (report.Content, error) {
	fig1, err1 := report.ReadUnder[rl.Fig1Data](root, rl.Figure1(), run.Paper)
	tab2, err2 := report.ReadUnder[rl.Tab2Data](root, rl.Table2(), run.Paper)
	spaces, err3 := pde.Overview(root)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return report.Content{}, err
	}
	data := OverviewData{FigureHead: report.FigureHead{Figure: "overview", Provenance: origin,
		Paper: "Figures 1, 4, 6 and 8, and Table 2.",
		Note: "Cosines: the bar is the 95% interval of our mean for these environments. Eigenspaces: the bar is ± 1 " +
			"sample standard deviation over runs, and a single run has none. \"Authors' settings (our code)\" are " +
			"our version of the authors' losses, settings and data; their program never ran here. The paper prints " +
			"no numbers for figure 1. Its open marks are means of the authors' own logged runs, which follow their " +
			"settings, so rows as printed have none; OMM-joint has no logged runs. For eigenspaces the paper shows " +
			"curves only. Hydrogen has samples of standard deviation 16, as in the base code; the paper prints " +
			"N(0, 16 I)."},
		Axes: []draw.DotAxis{{Label: "mean cosine similarity", Groups: rl.Overview(fig1, tab2), Unit: true},
			{Label: "subspace distance, from 0 to 1", Groups: []draw.DotGroup{spaces}, Unit: true}}}
	return report.Content{Data: data, Drawing: draw.Dots{Note: data.Note, Axes: data.Axes,
		Kinds: []string{string(rl.PublicProtocol), string(rl.PrintedProtocol), pde.BaseCode},
		Open:  "the paper's number (figure 1: the authors' logged runs)"}}, nil
}
