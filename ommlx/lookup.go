package ommlx

import (
	"fmt"
	"strings"
)

// named lists the objectives that go by a short id.
func named() []Objective {
	mixture := []float64{1, 1}
	return []Objective{
		OMM{}, OMM{Nesting: Joint}, OMM{Nesting: Sequential},
		OMM{Orders: []float64{0, 1}}, OMM{Orders: []float64{0, 1}, Nesting: Joint},
		OMM{Orders: mixture}, OMM{Orders: mixture, Nesting: Joint},
		OMM{Nesting: Joint, Printed: JointPseudocode}, OMM{Nesting: Joint, Printed: JointEquation},
		Sanger{}, Sanger{Printed: SangerDetached}, Sanger{Printed: SangerBothGradients},
		LoRA{}, LoRA{Nesting: Joint}, LoRA{Nesting: Sequential},
		ALLO{}, ALLO{Graph: GraphMoments}, NeuralEF{}, NeuralEigenmaps{}, SpIN{}, SimCLR{},
	}
}

// Names returns the ids that Lookup knows: OMM of order 1, 2 and 1+2, Sanger's variant, LoRA, ALLO, NeuralEF, Neural
// Eigenmaps, SpIN and SimCLR, with their nestings and with the paper's printed variants.
func Names() []string {
	var names []string
	for _, o := range named() {
		names = append(names, o.Name())
	}
	return names
}

// Lookup returns the objective with that id, such as "omm_seq", in the paper's settings. The error for an unknown id
// lists those that exist.
//
// On two views of images, which function CDK of package operator makes a batch of, these are the rows of the paper's
// Table 1:
//
//	OMM (p=1)             omm
//	OMM_jnt (p=1)         omm_jnt by the formula, omm_jnt_pseudocode by the listing
//	OMM_seq (p=1)         omm_seq
//	OMM (p=2)             omm2
//	OMM (p=1)+OMM (p=2)   omm12
//	SimCLR                simclr
//
// With features of norm 1 the two joint ones differ in more than scale: the loss of the listing is then 1/k² times that
// of the formula for features of norm √k.
func Lookup(name string) (Objective, error) {
	for _, o := range named() {
		if o.Name() == name {
			return o, nil
		}
	}
	return nil, fmt.Errorf("no objective is called %q: choose one of %s", name, strings.Join(Names(), ", "))
}
