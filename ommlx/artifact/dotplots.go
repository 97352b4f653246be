package artifact

import (
	"cmp"
	"strings"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// dotPlots draw the tables. They read the committed JSON of the tables and train nothing.
func dotPlots() []report.Entry {
	open := "Whether our filled marks lie in the open ones."
	return []report.Entry{
		dotPlot(rl.Table2(), run.Paper, open, rl.Tab2Data.Drawing),
		dotPlot(rl.Beyond(), run.Paper, "Which estimators and shifts do best in the hard environments.",
			rl.BeyondData.Drawing),
		dotPlot(pde.Beyond(), run.Paper, "How many times larger an error is than in the first row of its system.",
			pde.VariantsData.Drawing),
		dotPlot(images.Table1(), run.Quick, "Which rows lie to the right of the untrained network.", drawTable1),
		dotPlot(graphs.Table3(), run.Quick, "Which rows lie to the right of the baselines.", drawTable3),
	}
}

// TableDrawing is the JSON of the dot plot of a table.
type TableDrawing struct {
	report.FigureHead
	Table   string `json:"table"`   // path of its JSON in the checkout
	Drawing any    `json:"drawing"` // a [draw.Dots] or [draw.Fig1], with every number in the picture
}

// dotPlot returns the drawing of a table at one scale. It has the note of the table.
func dotPlot[D any, P draw.Drawing](table report.Entry, p run.Profile, look string, drawing func(D) P) report.Entry {
	short := "dots_" + table.Short
	e := report.Entry{Name: short, Short: short, Look: look,
		About: "dot plot of " + table.NameUnder(p) + ": " + table.About}
	if p == run.Quick {
		e.Name = "quick/" + short
	}
	return report.Untrained(e, func(root string, origin report.Origin) (report.Content, error) {
		head, err1 := report.ReadUnder[report.FigureHead](root, table, p)
		data, err2 := report.ReadUnder[D](root, table, p)
		if err := cmp.Or(err1, err2); err != nil {
			return report.Content{}, err
		}
		head.Figure, head.Paper, head.Provenance = short, "Drawing of "+table.NameUnder(p)+".", origin
		d := drawing(data)
		return report.Content{Drawing: d, Data: TableDrawing{head, table.File(p), d}}, nil
	})
}

// drawTable1 has a group for each features of the paper and one for ours; the baselines are lines.
func drawTable1(d images.Tab1Data) draw.Dots {
	axis := draw.DotAxis{Label: "top-1 accuracy on " + d.Data + ", per cent"}
	for _, r := range d.Rows {
		title := map[images.Encoding]string{images.Projected: "with the projector", images.Top: "DirectCLR"}[r.Encoding]
		switch {
		case r.Top1 == nil:
		case r.Baseline:
			axis.Lines = append(axis.Lines, draw.DotLine{Name: r.Label, At: *r.Top1})
		default:
			if r.PaperTop1 == nil {
				title = "not in the paper"
			}
			axis.Groups = draw.Grouped(axis.Groups, title, draw.DotRow{Ours: *r.Top1, Half: r.Top1Std,
				Paper: r.PaperTop1, Name: strings.ReplaceAll(r.Label, "√k", "sqrt(k)"),
				Runs: say.Count(len(r.Result.Runs), "run")})
		}
	}
	return draw.Dots{Note: "Quick. " + report.Stamp(d.Note) + " Bars: ± 1 sample standard deviation.",
		Kinds: []string{""}, Open: "the paper's number, on CIFAR-100", Axes: []draw.DotAxis{axis}}
}

// drawTable3 has a group for each method, with the probe on each kind of functions, alone and after Correct & Smooth.
func drawTable3(d graphs.Tab3Data) draw.Dots {
	kinds := []string{"linear probe", "with Correct & Smooth"}
	axis := draw.DotAxis{Label: "accuracy on " + d.Graph + ", per cent"}
	for _, r := range d.Rows {
		baseline := r.Functions != "embedding" && r.Functions != "representation"
		for i, c := range []graphs.Cell{r.Probe, r.Smoothed} {
			switch {
			case c.Ours == nil || baseline && i == 1 && r.Probe.Ours != nil:
			case baseline:
				axis.Lines = append(axis.Lines, draw.DotLine{Name: r.Label, At: *c.Ours})
			default:
				axis.Groups = draw.Grouped(axis.Groups, r.Label, draw.DotRow{Name: r.Functions, Kind: kinds[i],
					Runs: say.Count(r.Runs, "run"), Ours: *c.Ours, Half: c.OursStd, Paper: c.Paper})
			}
		}
	}
	return draw.Dots{Note: "Quick. " + report.Stamp(d.Note) + " Bars: ± 1 sample standard deviation.",
		Kinds: kinds, Open: "the paper's number, on ogbn-products", Axes: []draw.DotAxis{axis}}
}
