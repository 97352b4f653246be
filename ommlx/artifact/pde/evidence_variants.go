package pde

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/say"
)

// matching returns the rows of the variants whose configuration is as asked for, of which there must be one. All rows
// must be whole.
func (d VariantsData) matching(is func(Experiment) bool) (rows []VariantRow, err error) {
	for _, r := range d.Rows {
		if err := whole(r.Result); err != nil {
			return nil, err
		}
		if is(r.Result.Config) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("a variant that a claim rests on is not in it; make it again")
	}
	return rows, nil
}

// asFigure is the first of those among the variants of the experiment that the figures show, which is the first row;
// other groups have another number of steps.
func (d VariantsData) asFigure(is func(Experiment) bool) (VariantRow, error) {
	rows, err := d.matching(func(e Experiment) bool {
		return e.Train.Steps == d.Rows[0].Result.Config.Train.Steps && is(e)
	})
	if err != nil {
		return VariantRow{}, err
	}
	return rows[0], nil
}

// first is [VariantsData.asFigure], whose scale marks the evidence.
func (d VariantsData) first(e *claims.Evidence, is func(Experiment) bool) (VariantRow, error) {
	row, err := d.asFigure(is)
	if err == nil {
		ledger.Small(e, row.Result.Config.atPaperScale())
	}
	return row, err
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
	ledger.Small(e, figure.Result.Config.atPaperScale())
	for _, r := range rows {
		if r.errorOrInf() > worst.errorOrInf() {
			worst = r
		}
	}
	e.Printed(d.System+": mean relative error of the energies in the figure", figure.errorOrInf(), 0.05)
	if len(rows) == 1 { // as for the well
		e.Note("%s: %s", d.System, figure.energyError())
		return nil
	}
	e.Printed(d.System+": that error over the one of the worst variant", figure.errorOver(worst), 0.5)
	e.Note("%s: %s; worst variant (%s) %s", d.System, figure.energyError(), worst.About, worst.energyError())
	return nil
}

// partner returns the other row whose configuration is that of r but for what adopt takes over from it, and for the
// seeds: where kept results are drawn, the rows may have as many as there are.
func (d VariantsData) partner(r VariantRow, adopt func(e *Experiment, other Experiment)) (VariantRow, error) {
	rows, err := d.matching(func(other Experiment) bool {
		own := r.Result.Config
		own.Seeds = other.Seeds
		adopted := own
		adopt(&adopted, other)
		return reflect.DeepEqual(adopted, other) && !reflect.DeepEqual(own, other)
	})
	if err != nil {
		return r, err
	}
	return rows[0], nil
}

// against gives each row that is as asked for, whose scale marks the evidence, to compare with its partner.
func (d VariantsData) against(e *claims.Evidence, is func(Experiment) bool, adopt func(e *Experiment, other Experiment),
	compare func(r, other VariantRow)) error {
	rows, err := d.matching(is)
	if err != nil {
		return err
	}
	for _, r := range rows {
		other, err := d.partner(r, adopt)
		if err != nil {
			return err
		}
		ledger.Small(e, r.Result.Config.atPaperScale())
		compare(r, other)
	}
	return nil
}

// againstExact is against the same experiment with exact derivatives, of each with finite differences.
func (d VariantsData) againstExact(e *claims.Evidence, compare func(r, exact VariantRow)) error {
	return d.against(e, func(e Experiment) bool { return e.Difference > 0 },
		func(e *Experiment, _ Experiment) { e.Difference = 0 }, compare)
}

// differencesAreSlow compares finite differences in the well with exact derivatives after equally many steps.
func differencesAreSlow(d VariantsData, e *claims.Evidence) error {
	return d.againstExact(e, func(r, exact VariantRow) {
		e.Corrected("error of the energies with exact derivatives over that with differences",
			exact.errorOver(r), 0.5)
		e.Note("h = %g: mean relative error of the energies %s, exact derivatives %s; %d and %s of %d steps",
			r.Result.Config.Difference, r.energyError(), exact.energyError(), len(r.Result.Runs),
			say.Count(len(exact.Result.Runs), "run"), r.Result.Config.Train.Steps)
	})
}

// differencesWork compares finite differences on hydrogen with exact derivatives after equally many steps.
func differencesWork(d VariantsData, e *claims.Evidence) error {
	return d.againstExact(e, func(r, exact VariantRow) {
		method := MethodName(r.Result.Config.Method)
		e.Printed("hydrogen, "+method+": error of the energies with differences over that with exact derivatives",
			r.errorOver(exact), 1.5)
		e.Note("%s, h = %g: mean relative error of the energies %s, exact derivatives %s", method,
			r.Result.Config.Difference, r.energyError(), exact.energyError())
	})
}

// adamAgainstRMSProp compares each experiment with RMSProp with the same one with Adam.
func adamAgainstRMSProp(d VariantsData, e *claims.Evidence) error {
	fewest := math.MaxInt
	err := d.against(e, func(e Experiment) bool { return e.Train.RMSProp != nil },
		func(e *Experiment, other Experiment) { e.Train.RMSProp, e.Train.Adam = nil, other.Train.Adam },
		func(r, adam VariantRow) {
			fewest = min(fewest, len(r.Result.Runs), len(adam.Result.Runs))
			c, tolerance := r.Result.Config, 1.0
			about := fmt.Sprintf("%s, %s, α = %g", c.System, MethodName(c.Method), c.Train.RMSProp.Decay)
			if c.Inverse {
				tolerance = 0.5 // "not effective" is more than worse
			}
			if c.Train.RMSProp.Schedule.Warmup > 0 { // which is not what the paper speaks of
				e.Note("%s, with a warm-up: %s", about, r.energyError())
				return
			}
			e.Printed(about+": Adam's error of the energies over RMSProp's", adam.errorOver(r), tolerance)
			e.Note("%s: Adam's error of the energies %s, RMSProp's %s", about, adam.energyError(), r.energyError())
		})
	if err == nil {
		e.Note("%s: at least %s of each", d.System, say.Count(fewest, "run"))
	}
	return err
}

// maskIsEssential compares the oscillator without the mask with the same samples and the mask, and the figure's also
// with a constant in its place.
func maskIsEssential(d VariantsData, e *claims.Evidence) error {
	rows, err := d.matching(func(e Experiment) bool { return e.Box == 0 })
	if err != nil {
		return err
	}
	var bare, constant []VariantRow
	for _, r := range rows {
		with, err := d.partner(r, func(e *Experiment, other Experiment) { e.Box = other.Box })
		if err != nil { // it differs by the constant as well
			constant = append(constant, r)
			continue
		}
		bare = append(bare, r)
		c := with.Result.Config
		ledger.Small(e, c.atPaperScale())
		e.Printed(fmt.Sprintf("samples of standard deviation %g: error of the energies with the mask over that without",
			c.Sigma), with.errorOver(r), 0.5)
		e.Note("standard deviation %g, of whose samples %.1g lie outside the box: mean relative error of the energies "+
			"%s without the mask (%d of %d runs finite), %s with it", c.Sigma,
			1-math.Pow(math.Erf(c.Box/(c.Sigma*math.Sqrt2)), 2), r.energyError(), len(r.Result.Finished()),
			len(r.Result.Runs), with.energyError())
	}
	if len(bare) == 0 || len(constant) != 1 {
		return fmt.Errorf("it has %d variants without the mask and %d with a constant in its place; make it again",
			len(bare), len(constant))
	}
	e.Corrected("error of the energies with the mask's greatest value as a constant factor over that without",
		constant[0].errorOver(bare[0]), 0.5)
	c := bare[0].Result.Config
	e.Note("%s with the constant; k = %d, %d of %d steps", constant[0].energyError(), c.K, c.Train.Steps,
		PaperOscillator().Train.Steps)
	return nil
}
