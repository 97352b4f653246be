package artifact

import (
	"errors"
	"io/fs"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
)

// Overview shows our numbers of figures 1, 4, 6 and 8 and of Table 2 with the paper's. It reads the committed files at
// the paper's scale and trains nothing.
func Overview() report.Entry {
	return report.Entry{
		Kind: report.Figure, Name: "overview", Short: "overview", About: "the paper's numbers and ours",
		Look: "Whether the open marks lie in the bars of our filled ones.", Write: drawOverview,
	}
}

// Schematic is the picture of the method.
func Schematic() report.Entry {
	e := report.Entry{Kind: report.Figure, Name: "schematic", Short: "schematic", About: "the method",
		Look: "How f enters the loss twice: by its own second moment and by the joint one with Tf."}
	e.Write = func(l *run.Lab) error {
		origin, err := report.Drawn(l)
		if err != nil {
			return err
		}
		return report.WriteFigure(l, e.Name, report.FigureHead{Figure: e.Name, Paper: "Section 2.", Provenance: origin,
			Note: "A batch x of B points goes through the network, which gives f, and through the operator, which " +
				"gives Tf. Their second moments give the loss. Its " +
				"gradient with respect to the weights trains the network."},
			draw.Schematic{})
	}
	return e
}

// OverviewData is the JSON of the overview, with every number that it draws.
type OverviewData struct {
	report.FigureHead
	Axes []draw.DotAxis `json:"axes"`
}

func drawOverview(l *run.Lab) error {
	data := OverviewData{FigureHead: report.FigureHead{Figure: Overview().Name,
		Paper: "Figures 1, 4, 6 and 8, and Table 2.",
		Note: "Rows with an open mark: the bar is ± half of the 95% interval, over the environments, of our mean " +
			"less the open mark. Other rows: the bar is ± 1 sample standard deviation over runs, and a single run " +
			"has none. The paper prints no numbers for figure 1. Its open marks are means of the authors' own " +
			"logged runs, which follow their code, so rows as printed have none. For eigenspaces the paper shows " +
			"curves only."}}
	cosines, spaces, err := overviewGroups(l.Root)
	if errors.Is(err, fs.ErrNotExist) {
		l.Say("%s: %v, so it is not drawn", data.Figure, err)
		return nil
	} else if err != nil {
		return err
	}
	data.Axes = []draw.DotAxis{{Label: "mean cosine similarity", Groups: cosines, Unit: true},
		{Label: "subspace distance, from 0 to 1", Groups: spaces, Unit: true}}
	if data.Provenance, err = report.Drawn(l); err != nil {
		return err
	}
	return report.WriteFigure(l, data.Figure, data, draw.Dots{Note: data.Note, Axes: data.Axes,
		Kinds: []string{string(rl.PublicProtocol), string(rl.PrintedProtocol)},
		Open:  "the paper's number (figure 1: the authors' logged runs)"})
}

// overviewGroups reads the rows from the committed files of a checkout.
func overviewGroups(root string) (cosines, spaces []draw.DotGroup, err error) {
	fig1, err := report.ReadUnder[rl.Fig1Data](root, rl.Figure1(), run.Paper)
	if err != nil {
		return nil, nil, err
	}
	tab2, err := report.ReadUnder[rl.Tab2Data](root, rl.Table2(), run.Paper)
	if err != nil {
		return nil, nil, err
	}
	var numbers [3]pde.Numbers
	for i, e := range []report.Entry{pde.Figure4(), pde.Figure6(), pde.Figure8()} {
		if numbers[i], err = report.ReadUnder[pde.Numbers](root, e, run.Paper); err != nil {
			return nil, nil, err
		}
	}
	return rl.Overview(fig1, tab2), []draw.DotGroup{pde.Overview(numbers[0], numbers[1], numbers[2])}, nil
}
