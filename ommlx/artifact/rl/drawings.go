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
	all, rows := d.points(), points(nil)
	for _, part := range []string{"c", "a", "b"} {
		for _, p := range protocols {
			rows = append(rows, all.of(p, part)...)
		}
	}
	return rows.drawing(draw.Fig1{Note: report.Stamp(d.Note) + " By the metric of ALLO's code.",
		Open: "printed in Table 2"})
}

// drawing adds the points to a figure, in a panel for each protocol and one beyond the paper, and under the titles of
// groups of environments. The hard environments are last.
func (c points) drawing(f draw.Fig1) draw.Fig1 {
	for _, one := range c {
		title := string(one.protocol)
		if one.beyond {
			title = "beyond the paper"
		}
		panel := slices.Index(f.Panels, title)
		if panel < 0 {
			panel, f.Panels = len(f.Panels), append(f.Panels, title)
		}
		at := slices.IndexFunc(f.Environments, func(e draw.Fig1Environment) bool { return e.Name == one.environment })
		if at < 0 {
			at = len(f.Environments)
			f.Environments = append(f.Environments, draw.Fig1Environment{Name: one.environment})
		}
		e := &f.Environments[at]
		if e.Group = "easy:"; slices.Contains(hardInstances, e.Name) {
			e.Group = "hard:"
		}
		if panel == len(e.Rows) {
			e.Rows = append(e.Rows, nil)
		}
		e.Rows[panel] = append(e.Rows[panel], draw.Fig1Row{Method: one.name, Runs: one.averages,
			Reference: report.Number(one.paper), Diverged: one.diverged})
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
		row := d.points(spectrumModes).of("", t.label)
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
