package pde

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/internal/say"
)

func (d VariantsData) results() (all []*Result) {
	for _, r := range d.Rows {
		all = append(all, r.Result)
	}
	return all
}

// matching returns the rows of the variants whose configuration is as asked for, of which there must be one.
func (d VariantsData) matching(is func(Experiment) bool) (rows []VariantRow, err error) {
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

// against compares each row whose configuration is as asked for with the first row that fits it. The scale of the
// former marks the evidence, which gets the runs of both unless it has some already.
func (d VariantsData) against(e *claims.Evidence, is func(Experiment) bool, fits func(c, other Experiment) bool,
	compare func(r, other VariantRow)) error {
	rows, err := d.matching(is)
	if err != nil {
		return err
	}
	var compared []*Result
	for _, r := range rows {
		c := r.Result.Config
		others, err := d.matching(func(o Experiment) bool { return fits(c, o) })
		if err != nil {
			return err
		}
		e.AtScale(c.atPaperScale())
		compare(r, others[0])
		compared = append(compared, r.Result, others[0].Result)
	}
	e.Runs = cmp.Or(e.Runs, runsOf(compared...))
	return nil
}

// errorOrInf is the mean relative error of the energies, infinite where all runs diverged.
func (r VariantRow) errorOrInf() float64 {
	if r.Error == nil {
		return math.Inf(1)
	}
	return *r.Error
}

// errorOver is the error of the energies of r over that of other. It is no number where all runs of both diverged.
func (r VariantRow) errorOver(other VariantRow) float64 { return r.errorOrInf() / other.errorOrInf() }

// printedWidth says what the printed variance of the samples does. It is a remark, at whatever scale it was run.
func printedWidth(d VariantsData, e *claims.Evidence) error {
	narrow, err := d.Row(narrowSamples)
	if err != nil {
		return err
	}
	c := narrow.Result.Config
	e.Note("Sanger's variant with samples of the printed variance 16, k = %d, %d steps: mean relative error of the "+
		"energies %s; with the standard deviation 16 %s", c.K, c.Train.Steps, narrow.energyError(),
		d.Rows[0].energyError())
	return nil
}

func loraAgainstOthers(d VariantsData, e *claims.Evidence) error {
	var errs []float64
	var compared []*Result
	for _, about := range []string{oneSidedLoRA, spin, neuralEF} {
		r, err := d.Row(about)
		if err != nil {
			return err
		}
		e.AtScale(r.Result.Config.atPaperScale())
		errs, compared = append(errs, r.errorOrInf()), append(compared, r.Result)
		e.Note("%s: mean relative error of the energies %s", MethodName(r.Result.Config.Method), r.energyError())
	}
	e.Runs = runsOf(compared...)
	e.Printed("LoRA-seq's error over the smaller of the other two", errs[0]/min(errs[1], errs[2]), 1)
	return nil
}

// inverseIsSensitive compares the experiment of the figures with the worst of its variants.
func inverseIsSensitive(d VariantsData, e *claims.Evidence) error {
	rows, err := d.matching(func(e Experiment) bool {
		figure := d.Rows[0].Result.Config // differences, other optimisers, masks and spare functions are other claims
		return e.Difference == 0 && reflect.DeepEqual(e.Train, figure.Train) && e.Box > 0 && e.Spare == 0
	})
	if err != nil {
		return err
	}
	figure, worst := rows[0], rows[0]
	e.AtScale(figure.Result.Config.atPaperScale())
	var compared []*Result
	for _, r := range rows {
		compared = append(compared, r.Result)
		if r.errorOrInf() > worst.errorOrInf() {
			worst = r
		}
	}
	if len(rows) == 1 {
		return errors.New("it has no variant to compare with; make it again")
	}
	e.Runs = figure.System + " variants " + runsOf(compared...)
	e.Printed(figure.System+": that error over the one of the worst variant", figure.errorOver(worst), 0.5)
	e.Note("%s: %s; worst variant (%s) %s", figure.System, figure.energyError(), worst.About, worst.energyError())
	return nil
}

func byDifferences(c Experiment) bool { return c.Difference > 0 }

func exactly(c, other Experiment) bool { return other.Method == c.Method && other.Difference == 0 }

func differencesAreSlow(d VariantsData, e *claims.Evidence) error {
	return d.against(e, byDifferences, exactly, func(r, exact VariantRow) {
		e.Printed("error of the energies with exact derivatives over that with differences",
			exact.errorOver(r), 0.5)
		e.Note("h = %g: mean relative error of the energies %s, exact derivatives %s; %d and %s of %d steps",
			r.Result.Config.Difference, r.energyError(), exact.energyError(), len(r.Result.Runs),
			say.Count(len(exact.Result.Runs), "run"), r.Result.Config.Train.Steps)
	})
}

func differencesWork(d VariantsData, e *claims.Evidence) error {
	return d.against(e, byDifferences, exactly, func(r, exact VariantRow) {
		method := MethodName(r.Result.Config.Method)
		e.Printed("hydrogen, "+method+": error of the energies with differences over that with exact derivatives",
			r.errorOver(exact), 1.5)
		e.Note("%s, h = %g: mean relative error of the energies %s, exact derivatives %s", method,
			r.Result.Config.Difference, r.energyError(), exact.energyError())
	})
}

// baseDecay is α of RMSProp in the code that the paper builds on; PyTorch has 0.99. The paper prints neither.
const baseDecay = 0.999

func adamAgainstRMSProp(d VariantsData, e *claims.Evidence) error {
	var adams, others []*Result
	byRMSProp := func(c Experiment) bool { return c.Train.RMSProp != nil }
	err := d.against(e, byRMSProp, func(c, other Experiment) bool {
		return other.Method == c.Method && !byRMSProp(other)
	}, func(r, adam VariantRow) {
		c, tolerance := r.Result.Config, 1.0
		about := fmt.Sprintf("%s, %s, α = %g", c.System, MethodName(c.Method), c.Train.RMSProp.Decay)
		if c.Inverse {
			tolerance = 0.5 // "not effective" is more than worse
		}
		if c.Train.RMSProp.Schedule.Warmup > 0 { // which is not what the paper speaks of
			e.Note("%s, with a warm-up: %s", about, r.energyError())
			return
		}
		adams, others = append(adams, adam.Result), append(others, r.Result)
		record := e.Printed
		if c.System == "well" && c.Train.RMSProp.Decay == baseDecay { // the condition of that claim
			record = e.Corrected
		}
		record(about+": Adam's error of the energies over RMSProp's", adam.errorOver(r), tolerance)
		e.Note("%s: Adam's error of the energies %s, RMSProp's %s", about, adam.energyError(), r.energyError())
	})
	if err == nil && len(adams) > 0 {
		e.Runs = fmt.Sprintf("Adam %s, RMSProp %s", runsOf(adams...), runsOf(others...))
	}
	return err
}

// maskIsEssential compares the oscillator without the mask with the same samples and the mask, and with a constant in
// the place of the mask.
func maskIsEssential(d VariantsData, e *claims.Evidence) error {
	scale := d.Rows[0].Result.Config.Scale
	bare := func(c Experiment) bool { return c.Box == 0 && c.Scale == scale }
	err := d.against(e, bare, func(c, other Experiment) bool {
		return other.Box > 0 && other.Sigma == c.Sigma
	}, func(r, with VariantRow) {
		c := with.Result.Config
		e.Printed(fmt.Sprintf("samples of standard deviation %g: error of the energies with the mask over that without",
			c.Sigma), with.errorOver(r), 0.5)
		e.Note("standard deviation %g, of whose samples %.1g lie outside the box: mean relative error of the energies "+
			"%s without the mask (%d of %d runs finite), %s with it", c.Sigma,
			1-math.Pow(math.Erf(c.Box/(c.Sigma*math.Sqrt2)), 2), r.energyError(), len(r.Result.Finished()),
			len(r.Result.Runs), with.energyError())
	})
	if err != nil {
		return err
	}
	return d.against(e, func(c Experiment) bool { return c.Box == 0 && !bare(c) }, func(c, other Experiment) bool {
		return bare(other) && other.Sigma == c.Sigma
	}, func(constant, without VariantRow) {
		c := constant.Result.Config
		e.Corrected("error of the energies with the mask's greatest value as a constant factor over that without",
			constant.errorOver(without), 0.5)
		e.Note("%s with the constant; k = %d, %d of %d steps", constant.energyError(), c.K, c.Train.Steps,
			PaperOscillator().Train.Steps)
	})
}
