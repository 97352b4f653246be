package pde

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
)

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper. Results contain only the
// functions that are drawn.
type Pictures struct {
	Numbers
	// Shown is a run whose functions are drawn instead, because modes of the first run are wrong. Those modes of the
	// first run are drawn as well.
	Shown *Result `json:"shown,omitempty"`
}

// picturedModes is the largest number of modes in a picture, as in figures 5 and 7 of the paper.
const picturedModes = 15

// newPictures expects a result for each method and perhaps [Pictures].Shown.
func newPictures(n Numbers) (report.Content, error) {
	p := Pictures{Numbers: n}
	p.Results = nil
	for _, r := range n.Results {
		if len(r.Picture) == 0 {
			return report.Content{}, fmt.Errorf("pde: %s: no functions of seed %d; train that run", r.Config.Label(),
				picturedSeed)
		}
		_, lowest, err := r.Config.lowest(min(picturedModes, r.Config.K)) // whole eigenspaces, as alignment needs
		if err != nil {
			return report.Content{}, err
		}
		short := *r
		short.Picture = r.Picture[:min(len(lowest.States), len(r.Picture))]
		if r.Config.Picture {
			p.Shown = &short
		} else {
			p.Results = append(p.Results, &short)
		}
	}
	which := "the first run"
	if p.Shown != nil {
		which = fmt.Sprintf("a repetition of the run of seed %d that kept its functions", p.Shown.Config.Seeds[0])
	}
	panels, wrong, err := p.panels(report.Stamp(n.Note) + " Below maps: energies, and ± the largest value.")
	p.Note += " The maps show " + which + ". Aligned means rotated within eigenspaces onto the exact functions. The " +
		"colours of a map end at ± its largest |value|." + wrong
	return report.Content{Data: p, Drawing: panels}, err
}

const far = 0.3 // radians between a wrong mode and the exact one

// farModes lists the wrong modes of a run, from 0.
func farModes(r Run) (modes []int) {
	for mode, angle := range r.Angles {
		if angle > far {
			modes = append(modes, mode)
		}
	}
	return modes
}

// panels draws the modes as learned (for a single method), aligned and exact, and the wrong modes of the first run if
// another is shown. It completes the note, also by wrong, which names the wrong modes.
func (p Pictures) panels(note string) (panels draw.Panels, wrong string, err error) {
	var results []*Result // of the rows, nil for exact functions
	var exact draw.PanelRow
	add := func(r *Result, row draw.PanelRow) {
		panels.Rows, results = append(panels.Rows, row), append(results, r)
	}
	for _, r := range p.Results {
		shown := r
		if p.Shown != nil && p.Shown.Config.Method == r.Config.Method {
			shown = p.Shown
		}
		wrong += wrongModes(r, shown)
		var learned draw.PanelRow
		if learned, exact, err = aligned(shown); err != nil {
			return panels, "", err
		}
		if len(p.Results) == 1 {
			add(shown, draw.PanelRow{Label: MethodName(r.Config.Method) + ", as learned", Titles: learned.Titles,
				Maps: slices.Clone(shown.Picture)})
			learned.Titles = nil // energies of the functions as learned
		}
		add(shown, learned)
	}
	add(nil, exact)
	if p.Shown != nil {
		first := p.Results[0]
		learned, _, err := aligned(first)
		if err != nil {
			return panels, "", err
		}
		if row := lost(first.Runs[0], learned.Maps); row.Maps != nil {
			add(first, row)
		}
	}
	panels.Note = note + wrong
	return panels, wrong, crop(&panels, results)
}

// wrongModes names the wrong modes of the run shown, and counts the runs of r with such modes; "" without any.
func wrongModes(r, shown *Result) string {
	runs := 0
	for _, one := range r.Finished() {
		if farModes(one) != nil {
			runs++
		}
	}
	if runs == 0 {
		return ""
	}
	numbered := func(r Run) string { // from 1
		modes := xslices.Map(farModes(r), func(mode int) string { return strconv.Itoa(mode + 1) })
		return cmp.Or(strings.Join(modes, ", "), "none")
	}
	also := ""
	if shown != r {
		also = fmt.Sprintf(", among them %s of seed %d in the last row", numbered(r.Runs[0]), picturedSeed)
	}
	return fmt.Sprintf(" %s: the run shown has seed %d. Its modes more than %g rad from the exact ones: %s. Such "+
		"modes appear in %d of %s%s.", MethodName(r.Config.Method), shown.Runs[0].Seed, far, numbered(shown.Runs[0]),
		runs, say.Count(len(r.Finished()), "run"), also)
}

// aligned returns the functions of the picture, rotated within eigenspaces onto the exact ones, and the exact ones,
// with their energies.
func aligned(r *Result) (learned, exact draw.PanelRow, err error) {
	k := len(r.Picture)
	of, lowest, err := r.Config.lowest(k)
	if err != nil {
		return learned, exact, err
	}
	q, err := Midpoint(pictureSide, of.region(r.Config.K))
	if err != nil {
		return learned, exact, err
	}
	truth, err := lowest.OnPoints(q.Points)
	if err != nil {
		return learned, exact, err
	}
	functions := mat.NewDense(len(q.Weights), k, nil)
	for i, values := range r.Picture {
		functions.SetCol(i, values)
	}
	rotated, target, err := spectral.Align(truth, functions, q.Weights, lowest.Spaces)
	if err != nil {
		return learned, exact, err
	}
	row := func(label string, energies []float64, maps mat.Matrix) draw.PanelRow {
		titles := xslices.Map(energies, func(e float64) string { return fmt.Sprintf("%#.3g", e) })
		return draw.PanelRow{Label: label, Titles: titles, Maps: columns(maps, k)}
	}
	return row(MethodName(r.Config.Method)+", aligned", r.Runs[0].Energies, rotated),
		row("exact", lowest.Energies(), target), nil
}

// columns returns the first k columns with the digits that a picture needs.
func columns(m mat.Matrix, k int) (all [][]float64) {
	for i := range k {
		all = append(all, run.Digits(mat.Col(nil, i, m)))
	}
	return all
}

// lost returns the row of a run whose last modes are wrong, from the first column of the block with the first of them,
// where a row has its label.
func lost(r Run, learned [][]float64) (row draw.PanelRow) {
	wrong := slices.DeleteFunc(farModes(r), func(mode int) bool { return mode >= len(learned) })
	if len(wrong) == 0 {
		return row
	}
	from := wrong[0] / draw.BlockPanels * draw.BlockPanels
	row.Label = fmt.Sprintf("seed %d: %s lost", r.Seed, say.Count(len(wrong), "mode"))
	row.Titles, row.Maps = make([]string, len(learned)), append(make([][]float64, from), learned[from:]...)
	for _, mode := range wrong {
		row.Titles[mode] = "lost"
	}
	return row
}

const fewest = 4 // points along a side of a map

// crop numbers the columns and cuts their maps to the part that is not white: all in the same way, but a state that is
// smaller than the region in its own way. Each map is then on [−h, h]², with h in the note or below the exact row. The
// first mode of such states is drawn as a profile up to |x| = h if its map has too few points.
func crop(panels *draw.Panels, results []*Result) error {
	config := results[0].Config
	of, _, err := config.lowest(1)
	if err != nil {
		return err
	}
	half, sides, ends := of.region(config.K), make([]int, len(panels.Rows[0].Maps)), []string(nil)
	for i := range sides {
		sides[i] = fewest
		for _, row := range panels.Rows {
			sides[i] = max(sides[i], coloured(row.Maps[i]))
		}
	}
	for i, points := range sides {
		if of.region(i+1) == half {
			points = slices.Max(sides)
		}
		panels.Head = append(panels.Head, strconv.Itoa(i+1))
		ends = append(ends, fmt.Sprintf("%.2g", half*float64(points-1)/pictureSide)) // the map ends at its last points
		for _, row := range panels.Rows {
			if row.Maps[i] != nil {
				from, end := (pictureSide-points)/2, (pictureSide+points)/2
				middle := mat.NewDense(pictureSide, pictureSide, row.Maps[i]).Slice(from, end, from, end)
				row.Maps[i] = mat.DenseCopyOf(middle).RawMatrix().Data
			}
		}
	}
	if sides[0] == fewest {
		ends[0] = strconv.Itoa(profileEnd)
		panels.Note += " Mode 1: its value against |x| up to h, over five decades below 1. Marks are the points of " +
			"the map, none closer to the nucleus; the line is exact."
		for i := range panels.Rows {
			img, err := profile(results[i], config)
			if err != nil {
				return err
			}
			panels.Rows[i].Images, panels.Rows[i].Maps = append(panels.Rows[i].Images, img), panels.Rows[i].Maps[1:]
		}
	}
	if len(slices.Compact(slices.Clone(ends))) == 1 {
		panels.Note += fmt.Sprintf(" Maps are on [−%s, %s]².", ends[0], ends[0])
		return nil
	}
	panels.Note += " h: the map is on [−h, h]²."
	for i, end := range ends {
		panels.Rows[slices.Index(results, nil)].Titles[i] += "\nh = " + end
	}
	return nil
}

// coloured returns how many points along a side, around the centre, contain all of a map that is not drawn in white.
func coloured(m []float64) (points int) {
	white := floats.Norm(m, math.Inf(1)) / draw.PanelColours
	for p, value := range m {
		for _, at := range []int{p / pictureSide, p % pictureSide} {
			if math.Abs(value) > white {
				points = max(points, int(math.Abs(float64(2*at+1-pictureSide)))+1)
			}
		}
	}
	return points
}
