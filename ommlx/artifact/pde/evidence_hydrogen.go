package pde

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

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
	first := math.MaxInt
	for _, run := range r.Result.Runs {
		if run.Diverged > 0 {
			first = min(first, run.Diverged)
		}
	}
	e.Note("k = %d, operator times %g%s, %d of %d steps: %d of %d finite%s, largest norm %.3g%s", c.K, c.Scale,
		lab.If(c.Shift != 0, ", κ = %g", c.Shift), c.Train.Steps, PaperHydrogen(c.Method).Train.Steps,
		len(r.Result.Finished()), len(r.Result.Runs),
		lab.If(first < math.MaxInt, " (the others lost from step %d)", first), r.Norm, r.course())
}

// course writes how the relative error of the energies went, on average over the runs that stayed finite.
func (r VariantRow) course() string {
	var errors []float64
	for _, point := range r.Result.History {
		var values []float64
		for i, run := range r.Result.Runs {
			if run.Diverged == 0 {
				values = append(values, point.Value[i])
			}
		}
		errors = append(errors, stat.Mean(values, nil))
	}
	if len(errors) == 0 || len(r.Result.Finished()) == 0 {
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
			all, stayed = all+len(r.Result.Runs), stayed+len(r.Result.Finished())
			atScale = atScale || r.Result.Config.atPaperScale()
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

// printedWidth says what the printed variance of the samples does. It is a remark, at whatever scale it was run.
func printedWidth(d VariantsData, e *claims.Evidence) error {
	sanger := func(sigma float64) func(Experiment) bool {
		return func(e Experiment) bool {
			return e.Method == "sanger" && e.Sigma == sigma && !e.Weak && e.Train.RMSProp == nil
		}
	}
	narrow, err := d.asFigure(sanger(4))
	if err != nil {
		return err
	}
	wide, err := d.asFigure(sanger(PaperHydrogen("sanger").Sigma))
	if err != nil {
		return err
	}
	c := narrow.Result.Config
	e.Note("Sanger's variant with samples of the printed variance 16, k = %d, %d steps: mean relative error of the "+
		"energies %s; with the standard deviation 16 %s", c.K, c.Train.Steps, narrow.energyError(), wide.energyError())
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
