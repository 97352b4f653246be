package gridworld_test

import (
	"testing"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// BenchmarkLanczos compares the leading 11 eigenvectors of a grid world of sixteen rooms with the dense solver.
func BenchmarkLanczos(b *testing.B) {
	world := testkit.Must(gridworld.LoadWorld("GridRoom-16"))
	product := gridworld.Product(world.P)
	testkit.Compare(b, func() error {
		_, err := spectral.Lanczos{K: 11, Tolerance: 1e-10}.Solve(world.Grid.N(), product)
		return err
	}, func() error {
		_, err := spectral.SymEigen(world.P)
		return err
	})
}
