package artifact

import (
	"errors"
	"fmt"
	"math"

	"operator-omm/ommlx/claims"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// overRuns is the mean over modes, or eigenspaces, of what a run has for each, as mean and standard deviation over the runs
// that did not diverge.
func overRuns(r *SchrodingerResult, of func(SchrodingerRun) []float64) (mean, std float64, err error) {
	var values []float64
	for _, run := range r.Runs {
		if run.Diverged == 0 {
			values = append(values, stat.Mean(of(run), nil))
		}
	}
	m, s, err := meanStdOrNil(values)
	return valueOrNaN(m), valueOrNaN(s), err
}

// waveMetrics are those of figures 4, 6 and 8.
var waveMetrics = []struct {
	name string
	of   func(SchrodingerRun) []float64
}{
	{"relative error of the energy", func(r SchrodingerRun) []float64 { return r.Errors }},
	{"angle distance", func(r SchrodingerRun) []float64 { return r.Angles }},
	{"subspace distance", func(r SchrodingerRun) []float64 { return r.Subspaces }},
}

// onPar compares Sanger's variant with LoRA-seq in the three metrics, by two standard deviations of both sets of runs.
func onPar(w WaveNumbers, e *claims.Evidence) error {
	byMethod := map[string]*SchrodingerResult{}
	for _, r := range w.Results {
		byMethod[r.Config.Method] = r
	}
	sanger, lora := byMethod["sanger"], byMethod["lora_seq"]
	if sanger == nil || lora == nil {
		return errors.New("it has not both methods; make it again")
	}
	for _, m := range waveMetrics {
		s, sStd, err := overRuns(sanger, m.of)
		if err != nil {
			return err
		}
		l, lStd, err := overRuns(lora, m.of)
		if err != nil {
			return err
		}
		e.Printed(fmt.Sprintf("%s: Sanger's %s less LoRA's %s", m.name, plusMinus(s, sStd), plusMinus(l, lStd)), s-l, 2*math.Hypot(sStd, lStd))
	}
	c := sanger.Config
	e.Note("k = %d, %d of %d steps, %d runs each, means over the modes", c.K, c.Train.Steps, PaperHydrogen(c.Method).Train.Steps, len(sanger.Runs))
	return nil
}

// energiesAreAccurate looks at the errors of a figure's modes; 5 % stands for the paper's "accurately".
func energiesAreAccurate(w WaveNumbers, e *claims.Evidence) error {
	if len(w.Results) == 0 {
		return errors.New("it has no result; make it again")
	}
	r := w.Results[0]
	worst, low := 0.0, min(6, r.Config.K) // 6 = 1 + 2 + 3 closes an eigenspace of the oscillator, and of the well
	lowest := 0.0
	for mode := range r.Config.K {
		mean, _, err := overRuns(r, func(run SchrodingerRun) []float64 { return run.Errors[mode : mode+1] })
		if err != nil {
			return err
		}
		worst = max(worst, mean)
		if mode < low {
			lowest = max(lowest, mean)
		}
	}
	e.Printed("largest relative error of an energy, mean over the runs", worst, 0.05)
	for _, m := range waveMetrics {
		mean, std, err := overRuns(r, m.of)
		if err != nil {
			return err
		}
		e.Note("%s %s", m.name, plusMinus(mean, std))
	}
	e.Note("of the energies of modes 1 to %d at most %.2g; k = %d, %d steps, %d runs", low, lowest, r.Config.K, r.Config.Train.Steps, len(r.Runs))
	return nil
}

// picturesMatch compares the aligned functions of a picture with the exact ones, point by point.
func picturesMatch(p WavePictures, e *claims.Evidence) error {
	e.Seconds = 0 // the training is that of the figure of errors beside this one
	for _, m := range p.Methods {
		smallest, sum, modes := 1.0, 0.0, min(pictured, len(m.Aligned))
		for i := range modes {
			c := floats.Dot(m.Aligned[i], m.Truth[i]) / (floats.Norm(m.Aligned[i], 2) * floats.Norm(m.Truth[i], 2))
			smallest, sum = min(smallest, c), sum+c
		}
		name := waveLabels[m.Result.Config.Method]
		e.Printed(fmt.Sprintf("%s: 1 − average cosine between the first %d pictures, aligned, and the exact ones", name, modes), 1-sum/float64(modes), 0.05)
		e.Note("%s, first run: cosine at least %.3f", name, smallest)
	}
	return nil
}
