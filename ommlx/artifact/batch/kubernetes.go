package batch

import (
	_ "embed"
	"fmt"
)

//go:embed kubernetes.tmpl
var kubernetes string

// longest is the number of bytes that Linux takes in one argument of a command, in which a pod's tasks are listed.
const longest = 128 << 10

// Kubernetes returns the array as an Indexed Job with a claim for the volume of its results, in YAML. It needs
// Kubernetes 1.29 or later. A pod that is evicted, or whose node is lost, is started again; an index whose pod fails is
// tried six times. The error says that the list of tasks is too long for the command of a pod.
func (a Array) Kubernetes() (string, error) {
	text, err := a.fill(kubernetes)
	if err == nil && len(text) >= longest {
		return "", fmt.Errorf("the list of tasks has %d KiB, and Linux takes %d in a command; "+
			"name some figures and tables", len(text)>>10, longest>>10)
	}
	return text, err
}
