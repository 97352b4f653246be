package pde

import (
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/schrodinger"
)

// PaperWell returns the paper's protocol for the infinite well (Section C.2): OMM-seq with the inverse-operator trick,
// k = 15 disjoint softplus networks of 3×128 without Fourier features, Dirichlet mask on the box, 512 uniform samples,
// 5,000 Adam steps at the constant rate 10⁻³.
//
// The runs are judged with the average of the parameters with decay 0.995, as in the setting that the paper inherits
// (Ryu et al. 2024, scripts/exps/pde). The paper does not say how many runs there are; ten as for hydrogen.
func PaperWell() Experiment {
	e := Experiment{System: "well", Method: "omm_seq", K: 15, Inverse: true, Scale: 1, Batch: 512,
		Hidden: []int{128, 128, 128}, Box: schrodinger.WellHalfWidth, Seeds: lab.Seeds(10)}
	e.Train = lab.Training{Adam: optim.Adam{LearningRate: 1e-3}.WithDefaults(), EMA: optim.EMA{Decay: 0.995}}
	return e.withSteps(5_000)
}

func wellExperiment(p lab.Profile) Experiment {
	e := PaperWell()
	switch p {
	case lab.Quick:
		e.Hidden, e.Batch, e.Seeds = []int{64, 64, 64}, 256, lab.Seeds(2)
		return e.withSteps(2_000)
	case lab.Smoke:
		return e.smoke(0).withSteps(20)
	}
	return e
}

// well is figures 7 and 8.
func well() waves {
	return waves{
		picture: report.Entry{Name: "fig7_well", Short: "fig7",
			About: "infinite well: eigenfunctions as learned, aligned and exact"},
		numbers: report.Entry{Name: "fig8_well_numerical", Short: "fig8",
			About: "infinite well: errors of energies and eigenfunctions per mode"},
		paper:       "Figures 7 and 8, appendix C.2 (their captions say harmonic oscillator).",
		experiments: one(wellExperiment),
		about:       byInverse("the infinite well [-5, 5]²"),
	}
}

// Figure7 shows what was learned of the well.
func Figure7() report.Entry { return well().pictureEntry() }

// Figure8 shows how well.
func Figure8() report.Entry { return well().numbersEntry() }
