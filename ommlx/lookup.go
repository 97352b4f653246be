package ommlx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
)

// named lists the objectives that [Lookup] finds, in the paper's settings.
func named() []Objective {
	second, mixture := []float64{0, 1}, []float64{1, 1}
	return []Objective{
		OMM{}, OMM{Nesting: Joint}, OMM{Nesting: Sequential},
		OMM{Orders: second}, OMM{Orders: second, Nesting: Joint},
		OMM{Orders: mixture}, OMM{Orders: mixture, Nesting: Joint},
		Sanger{}, LoRA{}, LoRA{Nesting: Joint}, LoRA{Nesting: Sequential},
		ALLO{}, ALLO{Graph: GraphMoments}, NeuralEF{}, SpIN{},
	}
}

// Lookup returns the objective with this [Objective.Name] in the paper's settings, such as "omm_seq". The error for an
// unknown name lists the known names.
func Lookup(name string) (Objective, error) {
	names := xslices.Map(named(), Objective.Name)
	if i := slices.Index(names, name); i >= 0 {
		return named()[i], nil
	}
	return nil, fmt.Errorf("ommlx: unknown objective %q; choose one of %s", name, strings.Join(names, ", "))
}
