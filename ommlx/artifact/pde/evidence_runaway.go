package pde

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Losses and norms beyond these have run away: the minimum is above −10⁴ here, and eigenfunctions have norm 1.
const lowestLoss, longestNorm = -1e6, 10

// ranAway tells whether a run diverged, or its loss or a norm went beyond these bounds.
func (r VariantRow) ranAway(run int) bool {
	judged, lost := r.Result.Runs[run], false
	if history := r.Result.History; len(history) > 0 && run < len(history[len(history)-1].Loss) {
		lost = history[len(history)-1].Loss[run] < lowestLoss
	}
	for _, norm := range judged.Norms {
		lost = lost || norm > longestNorm
	}
	return lost || judged.Diverged > 0
}

// firstSteps tells whether an experiment is the paper's with another number of steps, runs or shift.
func (e Experiment) firstSteps() bool {
	p := e.paper()
	p.Train.Steps, p.Train.EvalEvery, p.Seeds, p.Shift = e.Train.Steps, e.Train.EvalEvery, e.Seeds, e.Shift
	return reflect.DeepEqual(p, e)
}

// runsAway records the share of the runs of OMM-seq on −H that did not run away, and with a shift the share of those
// that did. Without a shift, running away "quickly" shows in the first steps of the paper's experiment, so these count
// as its scale and smaller experiments are noted; with one, all of its steps would have to be run.
func runsAway(shifted bool) func(VariantsData, *claims.Evidence) error {
	return func(d VariantsData, e *claims.Evidence) error {
		rows, err := d.matching(func(c Experiment) bool {
			return c.Method == "omm_seq" && c.Difference == 0 && (c.Shift != 0) == shifted
		})
		if err != nil {
			return err
		}
		all, away, atScale := 0, 0, false
		var runs []string
		first := slices.ContainsFunc(rows, func(r VariantRow) bool { return r.Result.Config.firstSteps() })
		for _, r := range rows {
			noteHydrogen(r, e)
			if !shifted && first && !r.Result.Config.firstSteps() {
				continue
			}
			atScale = atScale || r.Result.Config.atPaperScale() || !shifted && r.Result.Config.firstSteps()
			for run := range r.Result.Runs {
				if all++; r.ranAway(run) {
					away++
				}
			}
			runs = append(runs, runsAndSteps(r.Result))
		}
		e.Runs = strings.Join(runs, "; ")
		e.AtScale(atScale)
		what, share := "share of the %d runs that did not run away", 1-float64(away)/float64(all)
		if shifted {
			what, share = "share of the %d runs that ran away", 1-share
		}
		e.Printed(fmt.Sprintf(what, all), share, 0)
		return nil
	}
}

// runsAndSteps writes the number of runs and of steps, and the paper's steps if these are its first.
func runsAndSteps(r *Result) string {
	c := r.Config
	steps := say.Thousands(c.Train.Steps)
	if paper := c.paper().Train.Steps; c.firstSteps() && c.Train.Steps < paper {
		return fmt.Sprintf("%s, first %s of %s steps", runsOf(r), steps, say.Thousands(paper))
	}
	return fmt.Sprintf("%s of k = %d, %s steps", runsOf(r), c.K, steps)
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
	loss := ""
	if history := r.Result.History; len(history) > 0 && len(history[len(history)-1].Loss) > 0 {
		loss = fmt.Sprintf(", lowest loss %.2g", slices.Min([]float64(history[len(history)-1].Loss)))
	}
	e.Note("k = %d, operator times %g%s, %d of %d steps: %d of %d finite%s, largest norm %.3g%s%s", c.K, c.Scale,
		run.If(c.Shift != 0, ", κ = %g of the scale", c.Shift/c.Scale), c.Train.Steps,
		PaperHydrogen(c.Method).Train.Steps,
		len(r.Result.Finished()), len(r.Result.Runs),
		run.If(first < math.MaxInt, " (the others lost from step %d)", first), r.Norm, loss, r.course())
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
