package notebook

import (
	"fmt"

	"operator-omm/ommlx/artifact/pde"
)

// Energies shows the exact energy of each mode, and below it the learned one of each method, with so many digits: mean
// ± standard deviation over the runs that did not diverge.
func Energies(n *pde.Numbers, digits int) { Table(Numbered("mode", len(n.Exact)), energies(n, digits)) }

func energies(n *pde.Numbers, digits int) [][]string {
	rows := [][]string{Cells("exact energy", fmt.Sprintf("%%.%df", digits), n.Exact...)}
	for _, r := range n.Results {
		rows = append(rows, append([]string{pde.MethodName(r.Config.Method)}, r.Energies(digits)...))
	}
	return rows
}
