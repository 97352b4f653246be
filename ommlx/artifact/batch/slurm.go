package batch

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed slurm.tmpl
var slurm string

// Slurm returns the array as a script for sbatch. A task that Slurm warns of its limit saves a checkpoint and queues
// again, as does one that was killed. Logs go to .omm in the checkout, which compute nodes must have at the same path.
//
// The error says that the path of the checkout cannot stand in a script.
func (a Array) Slurm() (string, error) {
	if strings.ContainsAny(a.Root, "\"\\\n") {
		return "", fmt.Errorf("the checkout is at %q; move it to a path without quotes and backslashes", a.Root)
	}
	return a.fill(slurm)
}
