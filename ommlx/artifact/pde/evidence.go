package pde

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/say"
)

// Evidence lists the claims that rest on figures 2 and 4 to 8 and on the tables of variants.
func Evidence() []ledger.Source {
	return []ledger.Source{
		ledger.From("omm-seq-diverges-without-shift", HydrogenVariants(), staysFinite(false)),
		ledger.From("omm-seq-shift-repairs", HydrogenVariants(), staysFinite(true)),
		ledger.From("sanger-on-par-with-lora", Figure2(), picturesMatch),
		ledger.From("sanger-on-par-with-lora", Figure4(), onPar),
		ledger.From("sanger-on-par-with-lora", HydrogenVariants(), printedWidth),
		ledger.From("lora-beats-spin-neuralef", HydrogenVariants(), loraAgainstOthers),
		ledger.From("adam-beats-rmsprop", HydrogenVariants(), adamAgainstRMSProp),
		ledger.From("oscillator-rmsprop", OscillatorVariants(), adamAgainstRMSProp),
		ledger.From("well-rmsprop", WellVariants(), adamAgainstRMSProp),
		ledger.From("inverse-unstable", OscillatorVariants(), inverseIsSensitive),
		ledger.From("inverse-unstable", WellVariants(), inverseIsSensitive),
		ledger.From("oscillator-figs", Figure5(), picturesMatch),
		ledger.From("oscillator-figs", Figure6(), energiesAreAccurate),
		ledger.From("dirichlet-mask-essential", OscillatorVariants(), maskIsEssential),
		ledger.From("well-figs", Figure7(), picturesMatch),
		ledger.From("well-figs", Figure8(), energiesAreAccurate),
		ledger.From("finite-differences-elsewhere", HydrogenVariants(), differencesWork),
		ledger.From("well-finite-differences", WellVariants(), differencesAreSlow),
	}
}

// whole returns what a result in a figure or a table lacks of what is measured in it, as after an edit by hand.
func whole(r *Result) error {
	if r == nil {
		return errors.New("it has a place without a result; make it again")
	}
	if err := r.Config.scored(r.Runs); err != nil {
		return fmt.Errorf("%s: %w; make it again", r.Config.Label(), err)
	}
	for _, point := range r.History {
		if len(point.Value) != len(r.Runs) {
			return fmt.Errorf("%s: the history has %d values at step %d where there must be %d; make it again",
				r.Config.Label(), len(point.Value), point.Step, len(r.Runs))
		}
	}
	return nil
}

// onPar compares Sanger's variant with LoRA-seq in the three metrics, by two standard deviations of both sets of runs.
func onPar(n Numbers, e *claims.Evidence) error {
	byMethod := map[string]*Result{}
	for _, r := range n.Results {
		if err := whole(r); err != nil {
			return err
		}
		byMethod[r.Config.Method] = r
	}
	sanger, lora := byMethod["sanger"], byMethod["lora_seq"]
	if sanger == nil || lora == nil {
		return errors.New("it has not both methods; make it again")
	}
	ledger.Small(e, sanger.Config.atPaperScale() && lora.Config.atPaperScale())
	for _, m := range metrics() {
		s, l := overRuns(sanger, m.of), overRuns(lora, m.of)
		e.Printed(m.name+": Sanger's less LoRA's, less two standard deviations of both", s.Mean-l.Mean-
			2*math.Hypot(s.Std, l.Std), 0)
		e.Note("%s: Sanger's %s, LoRA's %s", m.name, s, l)
	}
	c := sanger.Config
	e.Note("k = %d, %d of %d steps, means over the modes; %d and %s", c.K, c.Train.Steps,
		PaperHydrogen(c.Method).Train.Steps, len(sanger.Runs), say.Count(len(lora.Runs), "run"))
	return nil
}

// energiesAreAccurate looks at the errors of a figure's modes; 5 % stands for the paper's "accurately".
func energiesAreAccurate(n Numbers, e *claims.Evidence) error {
	if len(n.Results) == 0 {
		return errors.New("it has no result; make it again")
	}
	r := n.Results[0]
	if err := whole(r); err != nil {
		return err
	}
	ledger.Small(e, r.Config.atPaperScale())
	worst, lowest, means := math.NaN(), math.NaN(), Mean(r).Errors
	low := min(6, len(means)) // 6 = 1 + 2 + 3 closes an eigenspace of the oscillator, and of the well
	if low > 0 {
		worst, lowest = floats.Max(means), floats.Max(means[:low])
	}
	e.Printed("largest relative error of an energy, mean over the runs", worst, 0.05)
	for _, m := range metrics() {
		e.Note("%s %s", m.name, overRuns(r, m.of))
	}
	lost := 0
	for _, run := range r.Finished() {
		if floats.Max(run.Subspaces) > 0.25 { // a quarter of a space: one function of up to four
			lost++
		}
	}
	e.Note("a function of some eigenspace is not learned in %d of %s", lost, say.Count(len(r.Finished()), "run"))
	e.Note("of the energies of modes 1 to %d at most %.2g; k = %d, %d steps, %s",
		low, lowest, r.Config.K, r.Config.Train.Steps, say.Count(len(r.Runs), "run"))
	return nil
}

// picturesMatch compares the functions of a picture's modes with the exact eigenspaces, in all runs that did not
// diverge, and notes how near the pictures themselves are, which are of the first run and aligned.
func picturesMatch(p Pictures, e *claims.Evidence) error {
	e.Seconds = 0 // the training is that of the figure of errors beside this one
	for _, r := range p.Results {
		if err := whole(r); err != nil {
			return err
		}
		learned, truth, err := aligned(r)
		if err != nil {
			return err
		}
		ledger.Small(e, r.Config.atPaperScale())
		smallest, modes := 1.0, min(picturedModes, len(learned))
		for i, f := range learned[:modes] {
			smallest = min(smallest, floats.Dot(f, truth[i])/(floats.Norm(f, 2)*floats.Norm(truth[i], 2)))
		}
		cosines := overRuns(r, func(run Run) (all []float64) {
			for _, angle := range run.Angles[:modes] {
				all = append(all, math.Cos(angle))
			}
			return all
		})
		name := MethodName(r.Config.Method)
		e.Printed(fmt.Sprintf("%s: 1 − average cosine of the angles between the first %d functions and the exact "+
			"eigenspaces, mean over the runs", name, modes), 1-cosines.Mean, 0.05)
		e.Note("%s: average cosine %s over %s; of the pictures of the first run, aligned, at least %.3f",
			name, cosines.Text(3), say.Count(cosines.Runs, "run"), smallest)
	}
	return nil
}

// Headlines are the lines of README.md on section 3.2.1.
func Headlines() []report.Headline {
	return []report.Headline{
		report.NewHeadline("Figures 2, 4: hydrogen, error of energies", "sanger-on-par-with-lora", Figure4(),
			meanErrors),
		report.NewHeadline("Figures 5, 6: oscillator, error of energies", "oscillator-figs", Figure6(), meanErrors),
		report.NewHeadline("Figures 7, 8: well, error of energies", "well-figs", Figure8(), meanErrors),
	}
}

// meanErrors averages the relative errors of the energies over modes and runs, by method.
func meanErrors(n Numbers) (paper, ours string, err error) {
	var list []string
	var counts []int
	for _, r := range n.Results {
		var errs []float64
		for _, run := range r.Runs {
			errs = append(errs, run.Errors...)
		}
		if len(errs) == 0 {
			return "", "", fmt.Errorf("the method %q has no errors", r.Config.Method)
		}
		list = append(list, fmt.Sprintf("%s %.4f", MethodName(r.Config.Method), stat.Mean(errs, nil)))
		counts = append(counts, len(r.Runs))
	}
	runs, err := report.RunsEach(counts)
	return "curves alone", strings.Join(list, ", ") + "; " + runs, err
}
