package pde

import (
	"fmt"
	"math"
	"slices"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/schrodinger"
)

// system is one of the paper's systems, with two figures of its lowest states: functions, and errors per mode.
type system struct {
	schrodinger.System
	name       string // in an experiment
	experiment func(p run.Profile, method string) Experiment
	// quadrature integrates products of these states. It extends beyond the samples and resolves the shortest
	// waves of the networks.
	quadrature func() (Quadrature, error)
	region     func(k int) float64 // half-width of a picture of k states, beyond their classical turning point

	methods           []string // in the figures
	functions, errors figure
	// drawn is a seed whose functions are drawn at the paper's scale instead of [picturedSeed]; 0 for none.
	drawn    int64
	title    string
	paper    string // where the figures are in the paper
	setting  string // in a note
	claim    string // that the figures test
	headline string // in the table of experiments
	protocol string // in the overview's legend
}

// figure names a figure and describes it.
type figure struct{ name, description, caption string }

const (
	inThreeRows = "eigenfunctions as learned, aligned and exact"
	perModes    = "errors of energies and eigenfunctions per mode"
)

// Neither fails with these dimensions.
var (
	oscillator2D, _ = schrodinger.Oscillator(2)
	well2D, _       = schrodinger.Well(2, schrodinger.WellHalfWidth)
)

var hydrogen = system{
	System: schrodinger.Hydrogen(), name: "hydrogen", experiment: Hydrogen,
	// The cusp at the nucleus needs polar coordinates. 100 radii up to 200 integrate the lowest 16 states to 1e-11, but
	// the energy of a cusp smoothed by a network needs 400. 40 angles resolve angular momenta up to 19; those states
	// have at most 3.
	quadrature: func() (Quadrature, error) { return Disc(400, 40, 200) },
	region: func(k int) float64 { // level n follows n² states, and its states lie within 3/2·(2n+1)²
		n := math.Ceil(math.Sqrt(float64(k))) - 1
		return 1.5 * (2*n + 1) * (2*n + 1)
	},
	methods: []string{"sanger", "lora_seq"},
	functions: figure{"fig2_hydrogen", "eigenfunctions of Sanger's variant and LoRA-seq, aligned, and exact",
		"The energy below mode 1, which is a profile because its map has too few points, and the centre of mode 7, a " +
			"spot inside a ring, in both methods and in the exact functions."},
	errors: figure{"fig4_hydrogen_numerical", perModes,
		"Whether the marks of one method lie below the other's in most modes, or whether they overlap."},
	title: "2D hydrogen",
	paper: "Figures 2 and 4, Section 3.2 and appendix C.2.",
	setting: "The 2D hydrogen atom, with samples of standard deviation 16 as in the base code, where the paper " +
		"prints N(0, 16 I), a standard deviation of 4",
	claim: "sanger-on-par-with-lora", headline: "Figures 2, 4: hydrogen, " + BaseCode, protocol: BaseCode,
}

var oscillator = system{
	System: oscillator2D, name: "oscillator",
	experiment: func(p run.Profile, _ string) Experiment { return Oscillator(p) },
	// The paper's 28 states have energies up to 14, with turning points up to √14 = 3.7. At 8 they are below 1e-9. The
	// spacing 1/4 is a seventh of their shortest wave, 2π/√14.
	quadrature: func() (Quadrature, error) { return Midpoint(64, 8) },
	region:     func(int) float64 { return 5 },
	methods:    []string{"omm_seq"},
	functions: figure{"fig5_oscillator", inThreeRows,
		"Modes of one eigenspace are learned up to a rotation; the aligned row must look like the exact one."},
	errors: figure{"fig6_oscillator_numerical", perModes,
		"Whether errors grow with the mode, and how large they are in the last eigenspace."},
	title:   "harmonic oscillator",
	paper:   "Figures 5 and 6, appendix C.2.",
	setting: "OMM-seq with the inverse-operator trick on the harmonic oscillator |x|²",
	claim:   "oscillator-figs", headline: "Figures 5, 6: oscillator", protocol: "as printed",
}

var well = system{
	System: well2D, name: "well",
	experiment: func(p run.Profile, _ string) Experiment { return Well(p) },
	// 64 points on each axis are 20 for each wave of the state n = 6.
	quadrature: func() (Quadrature, error) { return Midpoint(64, schrodinger.WellHalfWidth) },
	region:     func(int) float64 { return schrodinger.WellHalfWidth },
	methods:    []string{"omm_seq"},
	functions: figure{"fig7_well", inThreeRows,
		"Lines where the sign changes are straight in the exact row; bent ones in the aligned row are errors."},
	errors: figure{"fig8_well_numerical", perModes,
		"The last two modes, whose level is only 4 % below the next one, against all the others."},
	drawn:   2, // two modes of seed 1 are wrong
	title:   "infinite well",
	paper:   "Figures 7 and 8, appendix C.2 (their captions say harmonic oscillator).",
	setting: "OMM-seq with the inverse-operator trick on the infinite well [−5, 5]²",
	claim:   "well-figs", headline: "Figures 7, 8: well", protocol: "as printed",
}

// systems are in the order of the paper.
var systems = []system{hydrogen, oscillator, well}

// BaseCode is the protocol of the hydrogen figures, see [Hydrogen]. Its name is in the overview's legend.
const BaseCode = "base code's samples"

// lowest returns the experiment's system with its k lowest states, or more to complete an eigenspace.
func (e Experiment) lowest(k int) (of system, states schrodinger.Spectrum, err error) {
	i := slices.IndexFunc(systems, func(s system) bool { return s.name == e.System })
	if i < 0 {
		return of, states, fmt.Errorf("pde: unknown system %q; use hydrogen, oscillator or well", e.System)
	}
	states, err = systems[i].Lowest(k)
	return systems[i], states, err
}

// experiments lists the trainings of the figures of errors: one run in the quick figures, because a second costs as
// much time and gives the same maps.
func (s system) experiments(p run.Profile) (list []Experiment) {
	for _, method := range s.methods {
		e := s.experiment(p, method)
		if p == run.Quick {
			e.Seeds = run.Seeds(1)
		}
		list = append(list, e)
	}
	return list
}
