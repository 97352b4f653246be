package rl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/gridworld"
)

// tab2Modes is the k of Table 2.
const tab2Modes = 50

// tab2Part is one of the three parts of the paper's Table 2, with the numbers printed there: average cosine similarity,
// mean and standard deviation over the runs, for each of tab2Environments.
type tab2Part struct {
	part, label          string
	method               string
	barrier, barrierRate float64 // ALLO's b and α_barrier
	reading              variant // OMM's
	runs                 int
	mean, std            []float64
	// ours is not 0 for a part that the paper does not have: another reading of a part, beside the same printed
	// numbers, in that many runs and at the paper's scale alone.
	ours int
}

// planned is the number of runs that are planned.
func (p tab2Part) planned() int { return cmp.Or(p.ours, p.runs) }

// name is the part as the table's first column has it.
func (p tab2Part) name() string { return "(" + p.part + ") " + p.label }

// tab2Environments are the columns of Table 2: GridMaze-7 and -9 have fewer than 50 modes.
func tab2Environments() []string {
	return []string{"GridMaze-17", "GridMaze-19", "GridMaze-26", "GridMaze-32", "GridRoom-1",
		"GridRoom-4", "GridRoom-16", "GridRoom-32", "GridRoom-64", "GridRoomSym-4"}
}

func tab2Parts() []tab2Part {
	parts := []tab2Part{
		{part: "a", label: "ALLO, tuned for k = 11", method: "allo",
			barrier: PaperBarrier, barrierRate: PaperBarrierRate, runs: 4,
			mean: []float64{0.8150, 0.7616, 0.4361, 0.3340, 0.8081, 0.6414, 0.6692, 0.4837, 0.3420, 0.6297},
			std:  []float64{0.0234, 0.0277, 0.0361, 0.0303, 0.0077, 0.0190, 0.0153, 0.0451, 0.0164, 0.0321}},
		{part: "b", label: "ALLO, re-tuned", method: "allo",
			barrier: retunedPair.Barrier, barrierRate: retunedPair.Rate, runs: 3,
			mean: []float64{0.9798, 0.9669, 0.8233, 0.7359, 0.9088, 0.8681, 0.8885, 0.7452, 0.7417, 0.7880},
			std:  []float64{0.0022, 0.0001, 0.0165, 0.0176, 0.0328, 0.0004, 0.0127, 0.0093, 0.0473, 0.0241}},
		{part: "c", label: "OMM-seq", method: "omm_seq", reading: nearest, runs: 5,
			mean: []float64{0.9435, 0.9594, 0.8226, 0.6536, 0.9532, 0.8697, 0.9191, 0.7433, 0.6985, 0.8107},
			std:  []float64{0.0111, 0.0128, 0.0150, 0.0370, 0.0090, 0.0045, 0.0015, 0.0219, 0.0350, 0.0041}},
	}
	// The public code's configuration has lr_barrier_coefs: 1.0 (Gomez et al. 2024, src/hyperparam/al.yaml at commit
	// b8156180), not the 0.01 that its paper and this one give.
	code := parts[0]
	code.part, code.label, code.barrierRate, code.ours = "a, code", "ALLO with α = 1, the default of its code", 1, 1
	noShift, batch := parts[2], parts[2]
	noShift.part, noShift.label, noShift.ours, noShift.reading = "c, κ = 0", "OMM-seq without the shift", 2, unshifted()
	batch.part, batch.label, batch.ours, batch.reading = "c, B = 4,096", "OMM-seq with a larger batch", 1, large()
	return append(parts, code, noShift, batch)
}

// tab2Paper is the printed mean of a part in an environment, with its deviation; without runs where the table has none.
func tab2Paper(part, environment string) report.Spread {
	for _, p := range tab2Parts() {
		if at := slices.Index(tab2Environments(), environment); p.part == part && at >= 0 {
			return report.Spread{Mean: p.mean[at], Std: p.std[at], Runs: p.runs}
		}
	}
	return report.Spread{Mean: math.NaN(), Std: math.NaN()}
}

// Table2 compares ALLO and OMM at k = 50.
func Table2() report.Entry {
	return report.Entry{Kind: report.Table, Name: "tab2_ablation_k50", Short: "tab2",
		About: "k = 50: ALLO tuned for k = 11, ALLO re-tuned, OMM, beside the paper's numbers",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			_, list, err := tab2Plan(p)
			if err != nil {
				return nil, err
			}
			return lab.NewJobs[*Result](list)
		}, Report: tab2Report, Partial: true, Data: mazes}
}

// tab2Experiment returns the experiment of a cell, and false where the profile leaves it out.
func tab2Experiment(p lab.Profile, g *gridworld.Grid, part tab2Part) (Experiment, bool) {
	if part.ours > 0 && p != lab.Paper {
		return Experiment{}, false
	}
	e := Paper(g.Name, part.method, tab2Modes, part.planned())
	if e.isALLO() {
		e.Barrier, e.BarrierRate = part.barrier, part.barrierRate
	} else {
		e = part.reading.in(g.Name, tab2Modes, part.planned())
	}
	switch p {
	case lab.Quick:
		e.Seeds = lab.Seeds(1)
		return e.Here().WithSteps(quickSteps(g.N()) / 2), true
	case lab.Smoke:
		return e.smoke(1), g.Name == "GridRoom-4"
	}
	return e, true
}

// tab2Plan returns the cells without results, part after part, with the place in list of the experiment behind each.
func tab2Plan(p lab.Profile) (cells []Tab2Cell, list []Experiment, err error) {
	for _, part := range tab2Parts() {
		for i, name := range tab2Environments() {
			g, err := gridworld.Load(name)
			if err != nil {
				return nil, nil, err
			}
			cell := Tab2Cell{Part: part.part, Environment: name, PaperMean: part.mean[i], PaperStd: part.std[i],
				Verdict: report.NotAtScale, place: -1}
			e, run := tab2Experiment(p, g, part)
			if run {
				cell.place = len(list)
				list = append(list, e)
			}
			if run || part.ours == 0 {
				cells = append(cells, cell)
			}
		}
	}
	return cells, list, nil
}

func tab2Report(l *lab.Lab) error {
	cells, list, err := tab2Plan(l.Profile)
	if err != nil {
		return err
	}
	results, origin, err := report.Gather[*Result](l, list)
	if err != nil {
		return err
	}
	var runs []string
	for _, part := range tab2Parts() {
		if part.ours == 0 {
			runs = append(runs, fmt.Sprintf("%d runs of (%s)", part.runs, part.part))
		}
	}
	data := Tab2Data{Table: Table2().Name, Paper: "Table 2 and appendix C.1", Provenance: origin, Cells: cells,
		Note: fmt.Sprintf("%s OMM: %s. ALLO: γ = %g. %s",
			note(l.Profile, strings.Join(runs, ", "), results), Reproduces.describe(), Reproduces.Gamma,
			report.Rule())}
	for i := range data.Cells {
		if at := data.Cells[i].place; at >= 0 && results[at] != nil {
			data.Cells[i].fill(results[at])
		}
	}
	return report.WriteTable(l, data.Table, data, data.Text())
}

// Tab2Cell is one number of Table 2 beside ours.
type Tab2Cell struct {
	Part        string   `json:"part"`
	Environment string   `json:"environment"`
	PaperMean   float64  `json:"paper_mean"`
	PaperStd    float64  `json:"paper_std"`
	Mean        *float64 `json:"mean,omitempty"`
	Std         *float64 `json:"std,omitempty"`
	OtherScores
	Verdict report.Agreement `json:"verdict"`
	Result  *Result          `json:"result,omitempty"`

	place int // of its experiment in the plan; −1 for none
}

// Tab2Data is tables/tab2_ablation_k50.json.
type Tab2Data struct {
	Table      string        `json:"table"`
	Paper      string        `json:"paper"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Cells      []Tab2Cell    `json:"cells"`
}

func (c *Tab2Cell) fill(r *Result) {
	s := r.spread()
	c.Result = r
	c.Mean, c.Std = s.Numbers()
	c.OtherScores = r.otherScores()
	c.Verdict = r.against(c.Paper(), r.Config.atPaperScale())
}

// paperRuns is the number of runs that the paper has for the cell.
func (c Tab2Cell) paperRuns() int {
	for _, part := range tab2Parts() {
		if part.part == c.Part {
			return part.runs
		}
	}
	return 0
}

// Ours is the spread of our runs.
func (c Tab2Cell) Ours() report.Spread {
	runs := 0
	if c.Result != nil {
		runs = len(c.Result.finished())
	}
	return report.FromNumbers(c.Mean, c.Std, runs)
}

// Paper is the printed mean with its deviation.
func (c Tab2Cell) Paper() report.Spread {
	return report.Spread{Mean: c.PaperMean, Std: c.PaperStd, Runs: c.paperRuns()}
}

// Part returns the cells of a part, an environment each.
func (d Tab2Data) Part(part string) (cells []Tab2Cell) {
	for _, c := range d.Cells {
		if c.Part == part {
			cells = append(cells, c)
		}
	}
	return cells
}

// Text is the table as it is written.
func (d Tab2Data) Text() report.Text {
	t := report.Text{Title: "Table 2: average cosine similarity at k = 50, the paper's beside ours",
		Header: append([]string{"Part", "Environment", "Paper", "Ours", "Runs", "Steps", "Verdict"},
			otherHeader()...), Note: d.Note}
	names := map[string]string{}
	for _, part := range tab2Parts() {
		names[part.part] = part.name()
	}
	for _, c := range d.Cells {
		ours, runs, steps := "not run", "", ""
		if c.Result != nil {
			ours, runs = c.Ours().Text(4), c.Result.tally()
			steps = fmt.Sprint(c.Result.Config.Train.Steps)
		}
		t.Rows = append(t.Rows, append([]string{names[c.Part], c.Environment, c.Paper().String(), ours, runs, steps,
			string(c.Verdict)}, c.cells()...))
	}
	return t
}
