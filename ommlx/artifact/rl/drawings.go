package rl

import (
	"cmp"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// TableDrawing is the JSON of the drawing of a table.
type TableDrawing struct {
	report.Head
	File    string `json:"table"`   // path of the table's JSON in the checkout
	Drawing any    `json:"drawing"` // a [draw.Fig1] or [draw.HeatMaps], with every number in the picture
}

// drawingOf completes the exhibit that draws a table at the paper's scale from its committed JSON, under its note.
func drawingOf[D any, P draw.Drawing](x, table report.Exhibit, drawing func(D) P) report.Exhibit {
	x.Kind = report.Figure
	x.Draw = func(k report.Kept) (report.Content, error) {
		head, err1 := report.ReadUnder[report.Head](k.Root, table, run.Paper)
		data, err2 := report.ReadUnder[D](k.Root, table, run.Paper)
		if err := cmp.Or(err1, err2); err != nil {
			return report.Content{}, err
		}
		k.Head.Note, k.Head.Title = head.Note, head.Title
		k.Head.Paper = "Drawing of " + table.Name + "."
		d := drawing(data)
		return report.Content{Drawing: d, Data: TableDrawing{k.Head, table.File(run.Paper), d}}, nil
	}
	return x
}

// Table2Dots draws Table 2.
func Table2Dots() report.Exhibit {
	return drawingOf(report.Exhibit{Name: "dots_tab2", ShortName: "dots_tab2",
		Description: "dot plot of " + Table2().Name + ": " + Table2().Description,
		Caption:     "Whether our filled marks lie in the open ones."}, Table2(), Tab2Data.Drawing)
}

// BeyondMap draws the trainings of [Beyond] that were run in each hard environment.
func BeyondMap() report.Exhibit {
	return drawingOf(report.Exhibit{Name: "map_beyond_rl", ShortName: "map_beyond_rl",
		Description: "average cosine similarity of each training beyond the paper in the hard environments",
		Caption:     "Which estimators and shifts make a whole row dark."}, Beyond(), BeyondData.Drawing)
}

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

// Drawing returns a row for each training that was run in all hard environments, with its means.
func (d BeyondData) Drawing() draw.HeatMaps {
	m, runs := draw.HeatMap{Title: "mean cosine similarity, k = 11", Numbers: true}, []int(nil)
	for _, name := range hardInstances {
		m.ColumnNames = append(m.ColumnNames, strings.Replace(strings.TrimPrefix(name, "Grid"), "-", "\n", 1))
	}
	for _, t := range trials() {
		row := d.of(spectrumModes, t.label)
		if !slices.Equal(t.environments, hardInstances) || len(row) < len(hardInstances) {
			continue
		}
		for _, one := range row {
			m.Values, runs = append(m.Values, one.Mean), append(runs, one.runs)
		}
		m.RowNames = append(m.RowNames, strings.ReplaceAll(t.label, "κ =", "shift")) // a PDF has no Greek letters
		m.Layout.Rows = append(m.Layout.Rows, strings.Repeat(" ", len(row)))
	}
	return draw.HeatMaps{Note: "At the paper's scale. Means over " + say.Runs(runs) + ", in GridMaze and GridRoom.",
		Columns: 1, Shares: true, Maps: []draw.HeatMap{m}}
}
