package graphs

import "operator-omm/ommlx/artifact/lab"

// Cost estimates time and memory from the products of the networks, forward and backward, at both ends of each edge,
// from those of the moments, and from Correct & Smooth.
func (e Experiment) Cost() lab.Cost {
	const (
		fixed   = 2e-3   // seconds of a step
		rate    = 120e9  // operations per second
		gather  = 1.5e-9 // seconds for each number that Correct & Smooth reads
		program = 1 << 30
	)
	nodes, edges, features, of := float64(productsNodes), float64(productsEdges), 100.0, float64(classes)
	if g := e.Generation; g != nil {
		g := g.WithDefaults()
		nodes, features, of = float64(g.Nodes), float64(g.Features), float64(g.Classes)
		edges = nodes * float64(g.Degree) / 2
	}
	runs, tables := float64(len(e.Seeds)), 1.0
	var c lab.Cost
	if n := e.Network; n != nil {
		w, h, k, batch := float64(n.Width), float64(n.Hidden), float64(e.K), float64(2*n.Batch)
		weights := features*w + float64(n.Layers-1)*w*w + w*h + h*k
		step := 6*batch*weights + 12*batch*k*k
		activations := batch * (2*float64(n.Layers)*w + 2*h + 6*k)
		c.Seconds = float64(n.Steps) * (fixed + runs*step/rate)
		c.Memory = int64(4 * runs * (3*weights + 2*activations))
		tables = 2 * float64(e.Probe.Repetitions)
	}
	// 65 products with the answers of each probe.
	c.Seconds += runs * tables * 65 * 2 * edges * of * gather
	c.Memory += program + int64(nodes*(4*features+8*of*(tables*runs+4))+2*edges*8)
	return c
}
