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
		ALLO{}, ALLO{Graph: GraphMoments}, NeuralEF{}, SpIN{},
	}
}

// Names returns the ids that Lookup knows: OMM of order 1, 2 and 1+2, Sanger's variant, LoRA, ALLO, NeuralEF and SpIN,
// with their nestings and with the paper's printed variants.
func Names() []string {
	var names []string
	for _, o := range named() {
		names = append(names, o.Name())
	}
	return names
}

// Lookup returns the objective with that id, such as "omm_seq", in the paper's settings. The error for an unknown id
// lists those that exist.
func Lookup(name string) (Objective, error) {
	for _, o := range named() {
		if o.Name() == name {
			return o, nil
		}
	}
	return nil, fmt.Errorf("no objective is called %q: choose one of %s", name, strings.Join(Names(), ", "))
}
