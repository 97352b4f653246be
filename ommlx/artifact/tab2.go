package artifact

import (
	"context"
	"math"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/gridworld"
)

// tab2Modes is the k of Table 2.
const tab2Modes = 50

// tab2Part is one of the three parts of the paper's Table 2, with the numbers printed there: average cosine
// similarity, mean and standard deviation over the runs, for each of tab2Environments.
type tab2Part struct {
	part, label          string
	method               string
	barrier, barrierRate float64 // ALLO's b and α_barrier
	runs                 int
	mean, std            []float64
}

// tab2Environments are the columns of Table 2: GridMaze-7 and -9 have fewer than 50 modes.
func tab2Environments() []string {
	return []string{"GridMaze-17", "GridMaze-19", "GridMaze-26", "GridMaze-32", "GridRoom-1",
		"GridRoom-4", "GridRoom-16", "GridRoom-32", "GridRoom-64", "GridRoomSym-4"}
}

func tab2Parts() []tab2Part {
	return []tab2Part{
		{"a", "ALLO, tuned for k = 11", "allo", 2.0, 0.01, 4,
			[]float64{0.8150, 0.7616, 0.4361, 0.3340, 0.8081, 0.6414, 0.6692, 0.4837, 0.3420, 0.6297},
			[]float64{0.0234, 0.0277, 0.0361, 0.0303, 0.0077, 0.0190, 0.0153, 0.0451, 0.0164, 0.0321}},
		{"b", "ALLO, re-tuned", "allo", 1.0, 0.1, 3,
			[]float64{0.9798, 0.9669, 0.8233, 0.7359, 0.9088, 0.8681, 0.8885, 0.7452, 0.7417, 0.7880},
			[]float64{0.0022, 0.0001, 0.0165, 0.0176, 0.0328, 0.0004, 0.0127, 0.0093, 0.0473, 0.0241}},
		{"c", "OMM-seq", "omm_seq", 0, 0, 5,
			[]float64{0.9435, 0.9594, 0.8226, 0.6536, 0.9532, 0.8697, 0.9191, 0.7433, 0.6985, 0.8107},
			[]float64{0.0111, 0.0128, 0.0150, 0.0370, 0.0090, 0.0045, 0.0015, 0.0219, 0.0350, 0.0041}},
	}
}

// tab2Experiment returns the experiment of a cell, and false where the profile leaves it out.
func tab2Experiment(p Profile, w *gridworld.World, part tab2Part) (Laplacian, bool) {
	l := PaperLaplacian(w.Grid.Name, part.method, tab2Modes, part.runs)
	l.Generated, l.Barrier, l.BarrierRate = w.Grid.Generated, part.barrier, part.barrierRate
	switch p {
	case Quick:
		l.Seeds = seeds(1)
		return l.withSteps(quickSteps(w.Grid.N()) / 2), true
	case Smoke:
		l.Seeds, l.Transitions, l.Batch, l.Hidden = seeds(1), 2_000, 64, []int{32, 32, 32}
		return l.withSteps(40), w.Grid.Name == "GridRoom-4"
	}
	return l, true
}

// Tab2Cell is one number of Table 2 beside ours.
type Tab2Cell struct {
	Part        string           `json:"part"`
	Environment string           `json:"environment"`
	PaperMean   float64          `json:"paper_mean"`
	PaperStd    float64          `json:"paper_std"`
	Mean        *float64         `json:"mean,omitempty"`
	Std         *float64         `json:"std,omitempty"`
	Verdict     Verdict          `json:"verdict"`
	Result      *LaplacianResult `json:"result,omitempty"`
}

// Tab2Data is tables/tab2_ablation_k50.json.
type Tab2Data struct {
	Table      string     `json:"table"`
	Paper      string     `json:"paper"`
	Note       string     `json:"note"`
	Provenance Provenance `json:"provenance"`
	Cells      []Tab2Cell `json:"cells"`
}

func tab2(ctx context.Context, lab *Lab) error {
	data := Tab2Data{Table: "tab2_ablation_k50", Paper: "Table 2 and appendix C.1",
		Note: lab.Profile.describe() + " " + Reproduces.describe()}
	var list []Laplacian
	var places []int
	for _, part := range tab2Parts() {
		for i, name := range tab2Environments() {
			w, err := gridworld.LoadWorld(name)
			if err != nil {
				return err
			}
			data.Cells = append(data.Cells, Tab2Cell{Part: part.part, Environment: name,
				PaperMean: part.mean[i], PaperStd: part.std[i], Verdict: NotAtScale})
			if l, run := tab2Experiment(lab.Profile, w, part); run {
				list, places = append(list, l), append(places, len(data.Cells)-1)
			}
		}
	}
	results, err := lab.TrainAll(ctx, list)
	if err != nil {
		return err
	}
	seconds := 0.0
	for i, r := range results {
		cell := &data.Cells[places[i]]
		cell.Result = r
		seconds += r.Provenance.Seconds
		finished, _ := r.Averages()
		if len(finished) == 0 {
			continue
		}
		mean, std, err := draw.MeanStd(finished)
		if err != nil {
			return err
		}
		cell.Mean = &mean
		if len(finished) > 1 {
			cell.Std = &std
			cell.Verdict = verdict(lab.Profile, mean, std, cell.PaperMean, cell.PaperStd)
		}
	}
	if data.Provenance, err = lab.provenance(seconds); err != nil {
		return err
	}
	return lab.table(data.Table, data, data.text())
}

func (d Tab2Data) text() tableText {
	t := tableText{Title: "Table 2: average cosine similarity at k = 50, the paper's beside ours",
		Header: []string{"Part", "Environment", "Paper", "Ours", "Steps", "Verdict"}, Note: d.Note}
	labels := map[string]string{}
	for _, part := range tab2Parts() {
		labels[part.part] = "(" + part.part + ") " + part.label
	}
	for _, c := range d.Cells {
		ours, steps := "not run", ""
		if c.Result != nil {
			steps, ours = itoa(c.Result.Config.Train.Steps), "all runs diverged"
			if c.Mean != nil {
				ours = plusMinus(*c.Mean, valueOrNaN(c.Std))
			}
		}
		t.Rows = append(t.Rows, []string{labels[c.Part], c.Environment, plusMinus(c.PaperMean, c.PaperStd), ours, steps, string(c.Verdict)})
	}
	return t
}

func valueOrNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
