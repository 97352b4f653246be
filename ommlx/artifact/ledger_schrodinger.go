package artifact

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"operator-omm/ommlx/claims"
)

const (
	variantsFile    = "tables/schrodinger_variants.json"
	variantsCommand = "make tables PROFILE=paper ONLY=variants"
)

// keptSchrodinger are the claims about Schrödinger equations that rest on figures 2 and 4 to 8 and on the table of variants.
var keptSchrodinger = []kept{
	{"omm-seq-diverges-without-shift", variantsFile, variantsCommand, reading(staysFinite(false))},
	{"omm-seq-shift-repairs", variantsFile, variantsCommand, reading(staysFinite(true))},
	{"sanger-on-par-with-lora", "figures/fig2_hydrogen.json", "make figures PROFILE=paper ONLY=fig2", reading(picturesMatch)},
	{"sanger-on-par-with-lora", "figures/fig4_hydrogen_numerical.json", "make figures PROFILE=paper ONLY=fig4", reading(onPar)},
	{"sanger-on-par-with-lora", variantsFile, variantsCommand, reading(printedWidth)},
	{"lora-beats-spin-neuralef", variantsFile, variantsCommand, reading(loraAgainstOthers)},
	{"adam-beats-rmsprop", variantsFile, variantsCommand, reading(adamAgainstRMSProp)},
	{"inverse-unstable", variantsFile, variantsCommand, reading(inverseIsSensitive)},
	{"oscillator-figs", "figures/fig5_oscillator.json", "make figures PROFILE=paper ONLY=fig5", reading(picturesMatch)},
	{"oscillator-figs", "figures/fig6_oscillator_numerical.json", "make figures PROFILE=paper ONLY=fig6", reading(energiesAreAccurate)},
	{"dirichlet-mask-essential", variantsFile, variantsCommand, reading(maskIsEssential)},
	{"well-figs", "figures/fig7_well.json", "make figures PROFILE=paper ONLY=fig7", reading(picturesMatch)},
	{"well-figs", "figures/fig8_well_numerical.json", "make figures PROFILE=paper ONLY=fig8", reading(energiesAreAccurate)},
	{"well-finite-differences", variantsFile, variantsCommand, reading(differencesAreSlow)},
}

// matching returns the rows of the variants whose configuration is as asked for.
func (d VariantsData) matching(is func(Schrodinger) bool) (rows []VariantRow, err error) {
	for _, r := range d.Rows {
		if is(r.Result.Config) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("a variant that a claim rests on is not in it; make it again")
	}
	return rows, nil
}

// errorText is the mean relative error of the energies, with its spread.
func (r VariantRow) errorText() string {
	if r.Error == nil {
		return "all runs diverged"
	}
	return plusMinus(*r.Error, valueOrNaN(r.ErrorStd))
}

// finite counts runs and those that stayed finite, and finds the first step at which one did not.
func (r VariantRow) finite() (runs, finite, first int) {
	first = math.MaxInt
	for _, run := range r.Result.Runs {
		if run.Diverged == 0 {
			finite++
		} else {
			first = min(first, run.Diverged)
		}
	}
	return len(r.Result.Runs), finite, first
}

// hydrogenOMM are the runs of OMM-seq on −H of hydrogen with exact derivatives.
func hydrogenOMM(shifted bool) func(Schrodinger) bool {
	return func(s Schrodinger) bool {
		return s.System == "hydrogen" && s.Method == "omm_seq" && !s.Inverse && s.Difference == 0 && (s.Shift != 0) == shifted
	}
}

// noteHydrogen writes how the runs of a row went, whose functions should have the norm 1.
func noteHydrogen(r VariantRow, e *claims.Evidence) {
	c := r.Result.Config
	runs, finite, first := r.finite()
	ended := fmt.Sprintf("%d of %d finite", finite, runs)
	if finite < runs {
		ended += fmt.Sprintf(" (the others lost from step %d)", first)
	}
	about := ""
	if c.Shift != 0 {
		about = fmt.Sprintf(", κ = %g", c.Shift)
	}
	e.Note("k = %d, operator times %g%s, %d of %d steps: %s, largest norm %.3g%s", c.K, c.Scale, about,
		c.Train.Steps, PaperHydrogen(c.Method).Train.Steps, ended, r.Norm, r.course())
}

// course writes how the relative error of the energies went, on average over the runs that stayed finite.
func (r VariantRow) course() string {
	var errors []float64
	for _, point := range r.Result.History {
		sum, runs := 0.0, 0
		for i, run := range r.Result.Runs {
			if run.Diverged == 0 {
				sum, runs = sum+point.Value[i], runs+1
			}
		}
		if runs == 0 {
			return ""
		}
		errors = append(errors, sum/float64(runs))
	}
	return fmt.Sprintf(", relative error of the energies %.2g at the start, %.2g at the least, %.2g at the end", errors[0], slices.Min(errors),
		errors[len(errors)-1])
}

// staysFinite records the share of the runs of OMM-seq on −H that stayed finite, or with a shift of those that did not.
func staysFinite(shifted bool) func(VariantsData, *claims.Evidence) error {
	return func(d VariantsData, e *claims.Evidence) error {
		rows, err := d.matching(hydrogenOMM(shifted))
		if err != nil {
			return err
		}
		all, stayed := 0, 0
		for _, r := range rows {
			runs, finite, _ := r.finite()
			all, stayed = all+runs, stayed+finite
			noteHydrogen(r, e)
		}
		what, share := "share of the %d runs that stayed finite", float64(stayed)/float64(all)
		if shifted {
			what, share = "share of the %d runs that did not stay finite", 1-share
		}
		e.Printed(fmt.Sprintf(what, all), share, 0)
		return nil
	}
}

// printedWidth says what the printed variance of the samples does.
func printedWidth(d VariantsData, e *claims.Evidence) error {
	sanger := func(sigma float64) func(Schrodinger) bool {
		return func(s Schrodinger) bool {
			return s.System == "hydrogen" && s.Method == "sanger" && s.Sigma == sigma && s.K < PaperHydrogen("sanger").K && !s.Weak
		}
	}
	narrow, err := d.matching(sanger(4))
	if err != nil {
		return err
	}
	wide, err := d.matching(sanger(16))
	if err != nil {
		return err
	}
	e.Note("Sanger's variant with samples of the printed variance 16: mean relative error of the energies %s; with the standard deviation 16 %s",
		narrow[0].errorText(), wide[0].errorText())
	return nil
}

// loraAgainstOthers compares the errors of the energies of LoRA-seq, SpIN and NeuralEF.
func loraAgainstOthers(d VariantsData, e *claims.Evidence) error {
	mean := map[string]float64{}
	for _, method := range []string{"lora_seq", "spin", "neuralef"} {
		rows, err := d.matching(func(s Schrodinger) bool {
			return s.System == "hydrogen" && s.Method == method && s.OneSided == (method == "lora_seq") && s.K < PaperHydrogen(method).K
		})
		if err != nil {
			return err
		}
		mean[method] = valueOrNaN(rows[0].Error)
		e.Note("%s: mean relative error of the energies %s", map[string]string{"lora_seq": "LoRA-seq", "spin": "SpIN", "neuralef": "NeuralEF"}[method], rows[0].errorText())
	}
	e.Printed("LoRA-seq's error over the smaller of the other two", mean["lora_seq"]/min(mean["spin"], mean["neuralef"]), 1)
	return nil
}

// inverseIsSensitive compares the experiments of the figures with the worst of their variants.
func inverseIsSensitive(d VariantsData, e *claims.Evidence) error {
	for _, system := range []string{"oscillator", "well"} {
		rows, err := d.matching(func(s Schrodinger) bool {
			return s.System == system && s.Difference == 0 && s.Train.RMSProp == nil && s.Box > 0 // those are other claims
		})
		if err != nil {
			return err
		}
		worst := rows[0]
		for _, r := range rows {
			if valueOrNaN(r.Error) > valueOrNaN(worst.Error) {
				worst = r
			}
		}
		e.Printed(system+": mean relative error of the energies in the figure", valueOrNaN(rows[0].Error), 0.05)
		if len(rows) == 1 { // as for the well
			e.Note("%s: %s", system, rows[0].errorText())
			continue
		}
		e.Printed(system+": that error over the one of the worst variant", valueOrNaN(rows[0].Error)/valueOrNaN(worst.Error), 0.5)
		e.Note("%s: %s; worst variant (%s) %s", system, rows[0].errorText(), worst.About, worst.errorText())
	}
	return nil
}

// differencesAreSlow compares finite differences in the well with exact derivatives after equally many steps.
func differencesAreSlow(d VariantsData, e *claims.Evidence) error {
	rows, err := d.matching(func(s Schrodinger) bool { return s.System == "well" && s.Difference == 0 && s.Train.RMSProp == nil })
	if err != nil {
		return err
	}
	differences, err := d.matching(func(s Schrodinger) bool { return s.System == "well" && s.Difference > 0 })
	if err != nil {
		return err
	}
	for _, r := range differences {
		e.Corrected("error of the energies with exact derivatives over that with differences", valueOrNaN(rows[0].Error)/valueOrNaN(r.Error), 0.5)
		e.Note("h = %g: mean relative error of the energies %s, exact derivatives %s", r.Result.Config.Difference, r.errorText(), rows[0].errorText())
	}
	return nil
}

// partner returns the other row whose configuration is that of r but for what adopt takes over from it.
func (d VariantsData) partner(r VariantRow, adopt func(s *Schrodinger, other Schrodinger)) (VariantRow, error) {
	rows, err := d.matching(func(other Schrodinger) bool {
		s := r.Result.Config
		adopt(&s, other)
		return reflect.DeepEqual(s, other) && !reflect.DeepEqual(r.Result.Config, other)
	})
	if err != nil {
		return r, err
	}
	return rows[0], nil
}

// errorOver is the error of the energies of r over that of other, which counts as infinite where all of its runs diverged.
func (r VariantRow) errorOver(other VariantRow) float64 {
	if other.Error == nil {
		return 0
	}
	return valueOrNaN(r.Error) / *other.Error
}

// adamAgainstRMSProp compares each experiment with RMSProp with the same one with Adam.
func adamAgainstRMSProp(d VariantsData, e *claims.Evidence) error {
	rows, err := d.matching(func(s Schrodinger) bool { return s.Train.RMSProp != nil })
	if err != nil {
		return err
	}
	for _, r := range rows {
		adam, err := d.partner(r, func(s *Schrodinger, other Schrodinger) { s.Train.RMSProp, s.Train.Adam = nil, other.Train.Adam })
		if err != nil {
			return err
		}
		c, tolerance := r.Result.Config, 1.0
		about := fmt.Sprintf("%s, %s, α = %g", c.System, waveLabels[c.Method], c.Train.RMSProp.Decay)
		if c.Inverse {
			tolerance = 0.5 // "not at all" is more than worse
		}
		if c.Train.RMSProp.Schedule.Warmup > 0 { // which is not what the paper speaks of
			e.Note("%s, with a warm-up: %s", about, r.errorText())
			continue
		}
		e.Printed(fmt.Sprintf("%s: Adam's error of the energies %s over RMSProp's %s", about, adam.errorText(), r.errorText()), adam.errorOver(r), tolerance)
	}
	e.Note("%d runs each, RMSProp at Adam's learning rate; 0.99 is PyTorch's α, 0.999 that of the code that the paper builds on", len(rows[0].Result.Runs))
	return nil
}

// maskIsEssential compares the oscillator without the mask with the figure's, and with a constant in its place.
func maskIsEssential(d VariantsData, e *claims.Evidence) error {
	rows, err := d.matching(func(s Schrodinger) bool { return s.System == "oscillator" && s.Box == 0 })
	if err != nil {
		return err
	}
	if len(rows) != 2 {
		return fmt.Errorf("it has %d variants without the mask instead of 2; make it again", len(rows))
	}
	bare, constant := rows[0], rows[1]
	with, err := d.partner(bare, func(s *Schrodinger, other Schrodinger) { s.Box = other.Box })
	if err != nil {
		return err
	}
	e.Printed("error of the energies with the mask over that without", with.errorOver(bare), 0.5)
	e.Corrected("error of the energies with the mask's greatest value as a constant factor over that without", constant.errorOver(bare), 0.5)
	runs, finite, _ := bare.finite()
	e.Note("mean relative error of the energies %s without the mask (%d of %d runs finite), %s with it, %s with the constant",
		bare.errorText(), finite, runs, with.errorText(), constant.errorText())
	c := with.Result.Config
	e.Note("k = %d, %d of %d steps; the share of the samples that lie outside the box is %.1g", c.K, c.Train.Steps, PaperOscillator().Train.Steps,
		1-math.Pow(math.Erf(c.Box/(c.Sigma*math.Sqrt2)), 2))
	return nil
}
