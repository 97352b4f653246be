package ommlx

import (
	"fmt"
	"strings"
)

// Lookup returns the objective with this [Objective.Name] in the paper's settings, such as "omm_seq". The error for an
// unknown name lists the known names.
func Lookup(name string) (Objective, error) {
	second, mixture := []float64{0, 1}, []float64{1, 1}
	var names []string
	for _, o := range []Objective{
		OMM{}, OMM{Nesting: Joint}, OMM{Nesting: Sequential},
		OMM{Orders: second}, OMM{Orders: second, Nesting: Joint},
		OMM{Orders: mixture}, OMM{Orders: mixture, Nesting: Joint},
		Sanger{}, LoRA{}, LoRA{Nesting: Joint}, LoRA{Nesting: Sequential},
		ALLO{}, ALLO{Graph: GraphMoments}, NeuralEF{}, SpIN{},
	} {
		if o.Name() == name {
			return o, nil
		}
		names = append(names, o.Name())
	}
	return nil, fmt.Errorf("ommlx: unknown objective %q; choose one of %s", name, strings.Join(names, ", "))
}
