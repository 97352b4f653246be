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
func Schematic() report.Exhibit {
	return report.Exhibit{Kind: report.Figure, Name: "schematic", ShortName: "schematic", Description: "the method",
		Caption: "How f enters the loss twice: by its own second moment and by the joint one with Tf.",
		Draw: func(k report.Kept) (report.Content, error) {
			k.Head.Paper = "Section 2."
			k.Head.Note = "The network gives f on a batch x of B points, and the operator T gives Tf. Their second " +
				"moments give the loss. Its gradient with respect to the weights trains the network."
			return report.Content{Data: k.Head, Drawing: draw.Schematic{}}, nil
		}}
}

// OverviewData is the JSON of the overview, with every number that it draws.
type OverviewData struct {
	report.Head
	Axes []draw.DotAxis `json:"axes"`
}

// Overview shows our numbers of figures 1, 4, 6 and 8 and of Table 2 with the paper's. It reads the committed files at
// the paper's scale and trains nothing.
func Overview() report.Exhibit {
	return report.Exhibit{Kind: report.Figure, Name: "overview", ShortName: "overview",
		Description: "the paper's numbers and ours",
		Caption:     "Whether the open marks lie in the bars of our filled ones.", Draw: drawOverview}
}

func drawOverview(k report.Kept) (report.Content, error) {
	fig1, err1 := report.ReadUnder[rl.Fig1Data](k.Root, rl.Figure1(), run.Paper)
	tab2, err2 := report.ReadUnder[rl.Tab2Data](k.Root, rl.Table2(), run.Paper)
	spaces, err3 := pde.Overview(k.Root)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return report.Content{}, err
	}
	k.Head.Paper = "Figures 1, 4, 6 and 8, and Table 2."
	k.Head.Note = "Cosines: the bar is the 95% interval of our mean for these environments. Eigenspaces: the bar is " +
		"± 1 sample standard deviation over runs, and a single run has none. \"Authors' settings (our code)\" are " +
		"our version of the authors' losses, settings and data; their program never ran here. The paper prints no " +
		"numbers for figure 1. Its open marks are means of the authors' own logged runs, which follow their " +
		"settings, so rows as printed have none; OMM-joint has no logged runs. For eigenspaces the paper shows " +
		"curves only. Hydrogen has samples of standard deviation 16, as in the base code; the paper prints N(0, 16 I)."
	data := OverviewData{Head: k.Head,
		Axes: []draw.DotAxis{{Label: "mean cosine similarity", Groups: rl.Overview(fig1, tab2)},
			{Label: "subspace distance, from 0 to 1", Groups: []draw.DotGroup{spaces}}}}
	return report.Content{Data: data, Drawing: draw.Dots{Note: data.Note, Axes: data.Axes,
		Kinds: []string{string(rl.PublicProtocol), string(rl.PrintedProtocol), pde.BaseCode},
		Open:  "the paper's number (figure 1: the authors' logged runs)"}}, nil
}
