package artifact

import (
	"context"
	"fmt"
	"math"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/optim"

	"gonum.org/v1/gonum/stat"
)

// waveVariant is one way to solve a Schrödinger equation, beside that of a figure.
type waveVariant struct {
	about  string
	change func(*Schrodinger)
}

func unchanged(*Schrodinger) {}

// waveVariants are, for each system, what the paper says about alternatives, and what we found to matter. The first
// of a list is the experiment of the figure.
func waveVariants() []struct {
	base func(Profile) Schrodinger
	list []waveVariant
} {
	method := func(name string) func(*Schrodinger) { return func(s *Schrodinger) { s.Method = name } }
	lora := func(s *Schrodinger) { s.Method, s.OneSided = "lora_seq", true }
	return []struct {
		base func(Profile) Schrodinger
		list []waveVariant
	}{
		{func(p Profile) Schrodinger { return hydrogenExperiment(p, "sanger") }, []waveVariant{
			{"Sanger's variant (figures 2 and 4)", unchanged},
			{"LoRA-seq, one-sided as in its published code (figures 2 and 4)", lora},
			{"LoRA-seq, also through Tf, as in the paper's formula", method("lora_seq")},
			{"Sanger's variant, samples of variance 16, as printed", func(s *Schrodinger) { s.Sigma = 4 }},
			{"OMM-seq, no shift", method("omm_seq")},
			{"OMM-seq, shift κ = a tenth of the scale", func(s *Schrodinger) { s.Method, s.Shift = "omm_seq", s.Scale/10 }},
			{"Sanger's variant, weak form", func(s *Schrodinger) { s.Weak = true }},
			{"SpIN", method("spin")},
			{"NeuralEF, which asks for a positive operator", method("neuralef")},
			{"OMM-seq, no shift, finite differences", func(s *Schrodinger) { s.Method, s.Difference = "omm_seq", published }},
			{"Sanger's variant, RMSProp with α = 0.99", byRMSProp},
			{"LoRA-seq, one-sided, RMSProp with α = 0.99", func(s *Schrodinger) { lora(s); byRMSProp(s) }},
			{"Sanger's variant, RMSProp with α = 0.999, as in published code", ofLongMemory},
			{"the same, with a warm-up over a tenth of the steps", warmedUp},
		}},
		{firstSteps, []waveVariant{
			{"first steps of the paper's protocol, Sanger's variant", unchanged},
			{"the same, LoRA-seq", lora},
			{"the same, OMM-seq, no shift", method("omm_seq")},
			{"the same, OMM-seq, shift κ = the scale", func(s *Schrodinger) { s.Method, s.Shift = "omm_seq", s.Scale }},
		}},
		{oscillatorExperiment, []waveVariant{
			{"OMM-seq (figures 5 and 6)", unchanged},
			{"operator not scaled", func(s *Schrodinger) { s.Scale = 1 }},
			{"samples of standard deviation 4", func(s *Schrodinger) { s.Sigma = 4 }},
			{"a quarter of the batch", func(s *Schrodinger) { s.Batch /= 4 }},
			{"no mask", func(s *Schrodinger) { s.Box = 0 }},
			{"no mask, but its value at the centre as a factor", maskAsFactor},
			{"RMSProp with α = 0.99", byRMSProp},
			{"RMSProp with α = 0.999, as in published code", ofLongMemory},
		}},
		{wellExperiment, []waveVariant{
			{"OMM-seq (figures 7 and 8)", unchanged},
			{"finite differences, h = 0.01", func(s *Schrodinger) { s.Difference = published }},
			{"finite differences, h = 0.1", func(s *Schrodinger) { s.Difference = 0.1 }},
			{"RMSProp with α = 0.99", byRMSProp},
			{"RMSProp with α = 0.999, as in published code", ofLongMemory},
		}},
	}
}

// firstSteps is the beginning of the paper's own protocol for hydrogen: few steps, but with its networks, features and
// batches, and so with its functions at the start.
func firstSteps(p Profile) Schrodinger {
	if p == Smoke {
		return hydrogenExperiment(p, "sanger")
	}
	s := PaperHydrogen("sanger")
	s.Seeds = seeds(1)
	return s.withSteps(200)
}

// byRMSProp puts PyTorch's RMSProp in the place of Adam, at Adam's rate. The paper prints no rate for it; in the scripts
// that it builds on (Ryu et al. 2024, scripts/exps/pde) RMSProp has the 10⁻⁴ that the paper gives to Adam.
func byRMSProp(s *Schrodinger) {
	r := optim.RMSProp{LearningRate: s.Train.Adam.LearningRate, Schedule: s.Train.Adam.Schedule}.WithDefaults()
	s.Train.RMSProp, s.Train.Adam = &r, optim.Adam{}
}

// ofLongMemory is [byRMSProp] with the constants of those scripts (examples/operator/pde/main_pde.py, examples/utils.py).
func ofLongMemory(s *Schrodinger) {
	byRMSProp(s)
	s.Train.RMSProp.Decay, s.Train.RMSProp.Epsilon = 0.999, 1e-10
}

// warmedUp is [ofLongMemory] with small first steps, which without a warm-up are 1/√(1−α) ≈ 32 times the learning rate.
func warmedUp(s *Schrodinger) {
	ofLongMemory(s)
	s.Train.RMSProp.Schedule.Warmup = s.Train.Steps / 10
}

// maskAsFactor puts the mask's greatest value c = (√2 − 1)² in its place. The loss of c·f is that of f with the operator times
// c but for a factor, which Adam divides out.
func maskAsFactor(s *Schrodinger) {
	s.Box = 0
	s.Scale *= math.Pow(math.Sqrt2-1, 2)
}

// published is the step of finite differences in the scripts that the paper builds on (Ryu et al. 2024,
// scripts/exps/pde).
const published = 0.01

// VariantRow is one training of the table.
type VariantRow struct {
	About string `json:"about"`
	// Error and Subspace are means over modes or eigenspaces, and over the runs that did not diverge, with the standard
	// deviation over those runs; nil where there are too few.
	Error       *float64           `json:"mean_relative_error_of_energies"`
	ErrorStd    *float64           `json:"its_std_over_runs,omitempty"`
	Subspace    *float64           `json:"mean_subspace_distance"`
	SubspaceStd *float64           `json:"its_std_over_runs_,omitempty"`
	Norm        float64            `json:"largest_norm"` // of ψ, over modes and runs; 0: none could be computed
	Result      *SchrodingerResult `json:"result"`       // without the picture
}

// VariantsData is tables/schrodinger_variants.json.
type VariantsData struct {
	Table      string       `json:"table"`
	Note       string       `json:"note"`
	Provenance Provenance   `json:"provenance"`
	Rows       []VariantRow `json:"rows"`
}

// variants trains every variant with the configuration of its system's figure; a smoke run tries one of each system.
func variants(ctx context.Context, lab *Lab) error {
	data := VariantsData{Table: "schrodinger_variants", Note: lab.Profile.describeWaves() +
		" Means over all modes, ± 1 standard deviation over the runs. Nothing but what is named differs from the first line of each group. " +
		"At the minimum the norms of ψ are 1; those of LoRA are √(scale·|E|)."}
	var abouts []string
	var list []Schrodinger
	for _, system := range waveVariants() {
		tried := system.list
		if lab.Profile == Smoke {
			tried = tried[:2]
		}
		for _, v := range tried {
			s := system.base(lab.Profile)
			v.change(&s)
			abouts, list = append(abouts, v.about), append(list, s)
		}
	}
	results, err := lab.trainWavesAll(ctx, list)
	if err != nil {
		return err
	}
	for i, r := range results {
		row, err := variantRow(abouts[i], *r)
		if err != nil {
			return err
		}
		data.Rows = append(data.Rows, row)
	}
	data.Provenance = together(results)
	return lab.table(data.Table, data, data.text())
}

func variantRow(about string, r SchrodingerResult) (row VariantRow, err error) {
	r.Picture = nil
	row.About, row.Result = about, &r
	var errors, subspaces []float64
	for _, run := range r.Runs {
		for _, norm := range run.Norms {
			row.Norm = max(row.Norm, norm)
		}
		if run.Diverged == 0 {
			errors = append(errors, stat.Mean(run.Errors, nil))
			subspaces = append(subspaces, stat.Mean(run.Subspaces, nil))
		}
	}
	if row.Error, row.ErrorStd, err = meanStdOrNil(errors); err == nil {
		row.Subspace, row.SubspaceStd, err = meanStdOrNil(subspaces)
	}
	return row, err
}

func meanStdOrNil(x []float64) (mean, std *float64, err error) {
	if len(x) == 0 {
		return nil, nil, nil
	}
	m, s, err := draw.MeanStd(x)
	if len(x) == 1 {
		return &m, nil, err
	}
	return &m, &s, err
}

func (d VariantsData) text() tableText {
	t := tableText{Title: "Schrödinger equations: what else was tried", Note: d.Note,
		Header: []string{"System", "k", "Steps", "Variant", "Error of energies", "Subspace distance", "Largest norm", "Runs, not finite"}}
	for _, r := range d.Rows {
		c, diverged := r.Result.Config, 0
		for _, run := range r.Result.Runs {
			if run.Diverged > 0 {
				diverged++
			}
		}
		number := func(mean, std *float64) string {
			if mean == nil {
				return "all runs diverged"
			}
			return plusMinus(*mean, valueOrNaN(std))
		}
		t.Rows = append(t.Rows, []string{c.System, itoa(c.K), itoa(c.Train.Steps), r.About,
			number(r.Error, r.ErrorStd), number(r.Subspace, r.SubspaceStd),
			fmt.Sprintf("%.3g", r.Norm), fmt.Sprintf("%d, %d", len(r.Result.Runs), diverged)})
	}
	return t
}
