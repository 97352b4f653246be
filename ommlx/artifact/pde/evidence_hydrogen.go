package pde

import (
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

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
func hydrogenOMM(shifted bool) func(Experiment) bool {
	return func(e Experiment) bool {
		return e.Method == "omm_seq" && !e.Inverse && e.Difference == 0 &&
			(e.Shift != 0) == shifted
	}
}

// noteHydrogen writes how the runs of a row went. Their functions should have the norm 1.
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
	if len(errors) == 0 {
		return ""
	}
	return fmt.Sprintf(", relative error of the energies %.2g at the start, %.2g at the least, %.2g at the end",
		errors[0], slices.Min(errors), errors[len(errors)-1])
}

// staysFinite records the share of the runs of OMM-seq on −H that stayed finite, and with a shift the share of those
// that did not. The first steps of the protocol count beside the figure's experiment, since its scale decides.
func staysFinite(shifted bool) func(VariantsData, *claims.Evidence) error {
	return func(d VariantsData, e *claims.Evidence) error {
		rows, err := d.matching(hydrogenOMM(shifted))
		if err != nil {
			return err
		}
		all, stayed, atScale := 0, 0, false
		for _, r := range rows {
			runs, finite, _ := r.finite()
			all, stayed, atScale = all+runs, stayed+finite, atScale || r.Result.Config.atPaperScale()
			noteHydrogen(r, e)
		}
		ledger.Small(e, atScale)
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
	sanger := func(sigma float64) func(Experiment) bool {
		return func(e Experiment) bool {
			return e.Method == "sanger" && e.Sigma == sigma && !e.Weak && e.Train.RMSProp == nil
		}
	}
	narrow, err := d.first(e, sanger(4))
	if err != nil {
		return err
	}
	wide, err := d.first(e, sanger(PaperHydrogen("sanger").Sigma))
	if err != nil {
		return err
	}
	e.Note("Sanger's variant with samples of the printed variance 16: mean relative error of the energies %s; "+
		"with the standard deviation 16 %s", narrow.energyError(), wide.energyError())
	return nil
}

// loraAgainstOthers compares the errors of the energies of LoRA-seq, SpIN and NeuralEF.
func loraAgainstOthers(d VariantsData, e *claims.Evidence) error {
	mean := map[string]float64{}
	for _, method := range []string{"lora_seq", "spin", "neuralef"} {
		row, err := d.first(e, func(e Experiment) bool {
			return e.Method == method && e.OneSided == (method == "lora_seq") && e.Train.RMSProp == nil
		})
		if err != nil {
			return err
		}
		mean[method] = row.errorOrInf()
		e.Note("%s: mean relative error of the energies %s", MethodName(method), row.energyError())
	}
	e.Printed("LoRA-seq's error over the smaller of the other two",
		mean["lora_seq"]/min(mean["spin"], mean["neuralef"]), 1)
	return nil
}
