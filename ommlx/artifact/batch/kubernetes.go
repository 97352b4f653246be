package batch

import _ "embed"

//go:embed kubernetes.tmpl
var kubernetes string

// Kubernetes returns the array as an Indexed Job with a claim for the volume of its results, in YAML. It needs
// Kubernetes 1.29 or later. A pod that is evicted, or whose node is lost, is started again; an index whose pod fails is
// tried six times.
func (a Array) Kubernetes() (string, error) { return a.fill(kubernetes) }
