package gridworld

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// World is an environment with its exact spectrum.
type World struct {
	Grid  *Grid
	P     *mat.SymDense  // transition matrix, N×N
	Truth spectral.Truth // spectrum of P
}

var worlds sync.Map // name → func() (*World, error): the spectra take seconds on the large grids

// LoadWorld returns an environment and the spectrum of its transition matrix, computed once per process.
func LoadWorld(name string) (*World, error) {
	once, _ := worlds.LoadOrStore(name, sync.OnceValues(func() (*World, error) {
		g, err := Load(name)
		if err != nil {
			return nil, err
		}
		p := g.Transition()
		truth, err := spectral.SymEigen(p)
		return &World{g, p, truth}, err
	}))
	return once.(func() (*World, error))()
}
