package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Thresholds of [Diagnosis.Advice], between the numbers of good runs and of runs of notebooks/12_your_own_operator with
// one fault each.
const (
	vanished  = 0.25 // norms: at most 0.15 without an eigenvalue that is left, at least 0.76 with a batch of 32
	shortened = 0.95 // norms: 0.99 after batches of 1,024, 0.94 of 32
	runaway   = 2    // norms: 1 at convergence, 70 with a loss without lower bound
	oblique   = 0.05 // cosines: the noise of a thousand samples is 1/√N = 0.03
	copies    = 0.8  // cosines: at least 0.97 if two functions learn the same eigenfunction
	coupled   = 0.03 // at most 0.01 in good runs, 0.06 with too large a shift
	skewed    = 0.05 // asymmetry: at most 0.01 of self-adjoint operators, 0.54 of a skewed one
	stray     = 0.1  // residual, relative to the largest |R_i|: one digit of an eigenvalue is certain
)

// Advice returns a sentence for every symptom, "symptom: cause; remedy", and nil without symptoms. Functions count from
// 1, and weights must sum to 1. Norms are compared with 1, the optimum of OMM and Sanger's rule; LoRA's are √λ_i, and
// NeuralEF's are arbitrary.
func (d Diagnosis) Advice() []string {
	var sentences []string
	for _, sentence := range []string{d.ofNorms(), d.ofAngles(), d.ofResiduals(), d.ofAsymmetry()} {
		if sentence != "" {
			sentences = append(sentences, sentence)
		}
	}
	return sentences
}

func (d Diagnosis) ofNorms() string {
	if len(d.Norms) == 0 {
		return ""
	}
	least, most := floats.MinIdx(d.Norms), floats.MaxIdx(d.Norms)
	switch {
	case d.Norms[most] > runaway:
		return fmt.Sprintf("function %d has norm %.3g, far above 1: negative eigenvalues leave the loss without a "+
			"lower bound; start smaller, take smaller steps, or shift T by more than −λ_min", most+1, d.Norms[most])
	case d.Norms[least] < vanished:
		return fmt.Sprintf("function %d has norm %.2g and has nearly vanished: no positive eigenvalue is left for it, "+
			"or the batch is too small to see one; shift T by about λ_1/B, or by more than −λ_min, enlarge the batch, "+
			"or learn fewer functions", least+1, d.Norms[least])
	case d.Norms[least] < shortened:
		return fmt.Sprintf("function %d has norm %.3g, below 1: one batch for both factors of M[f] M[f,Tf] shortens "+
			"eigenfunctions, or the training is not done; enlarge the batch if norms matter, or train longer",
			least+1, d.Norms[least])
	}
	return ""
}

func (d Diagnosis) ofAngles() string {
	switch {
	case d.Cosine > copies:
		return fmt.Sprintf("two functions have a cosine of %.2g and are nearly the same: they learn one eigenfunction "+
			"twice; use a nested objective", d.Cosine)
	case d.Cosine > oblique:
		return fmt.Sprintf("two functions have a cosine of %.2g and are not orthogonal: the training is not done; "+
			"train longer, for functions with small gaps λ_i − λ_(i+1) come last", d.Cosine)
	case d.Coupling > coupled:
		return fmt.Sprintf("orthogonal functions are mixtures of eigenfunctions with a coupling of %.2g: the "+
			"objective is not nested, the training is not done, or a shift dwarfs the gaps; use a nested objective, "+
			"more steps and the smallest shift that works, or multiply the functions by Rotation", d.Coupling)
	}
	return ""
}

// ofResiduals applies if nothing else is wrong: large residuals then point out of the span of the functions.
func (d Diagnosis) ofResiduals() string {
	if len(d.Residuals) == 0 || d.Cosine > oblique || d.Coupling > coupled || d.ofAsymmetry() != "" {
		return ""
	}
	scale, most := 0.0, floats.MaxIdx(d.Residuals)
	for _, r := range d.Quotients {
		if size := math.Abs(r); size > scale { // not NaN
			scale = size
		}
	}
	if !(d.Residuals[most] > stray*scale) {
		return ""
	}
	cause, remedy := "the network cannot represent the eigenfunction or has not learned it",
		"add features such as net.Fourier, tighten the box, or train longer"
	if d.Table {
		cause, remedy = "the training is not done", "train longer"
	}
	return fmt.Sprintf("function %d has a residual of %.2g of the largest eigenvalue, though the cosine is small: "+
		"%s, unless Tf is a noisy sample or T is not self-adjoint; %s", most+1, d.Residuals[most]/scale, cause, remedy)
}

func (d Diagnosis) ofAsymmetry() string {
	if d.NotSymmetric != "" {
		return d.NotSymmetric
	}
	if !(d.Asymmetry > skewed) {
		return ""
	}
	return fmt.Sprintf("M[f,Tf] has an asymmetry of %.2g: T is not self-adjoint for the law of the samples, and its "+
		"symmetric part was learned, unless there are too few samples; weight the samples, take pairs in both "+
		"directions, or conjugate T with √ρ", d.Asymmetry)
}
