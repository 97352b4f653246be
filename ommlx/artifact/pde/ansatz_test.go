package pde

import (
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

func someAnsatz() Ansatz {
	return Ansatz{System: testkit.Must(schrodinger.Oscillator(2)), Sampler: schrodinger.Gaussian{Dim: 2, Sigma: 1.5},
		Fourier: net.Fourier{Dims: 2, Frequencies: 4, Scales: []float64{0.1}}, Hidden: []int{8}, Count: 2}
}

func energyOf(w Ansatz) func(f jet.Jet, x *Node) ommlx.Batch {
	return func(f jet.Jet, x *Node) ommlx.Batch { return w.Hamiltonian(x).Direct(f, -1) }
}

// For any density and mask, Hψ must be −∇²ψ + Vψ, here by differences on the host.
func TestEvaluatorReturnsPsiAndHPsi(t *testing.T) {
	gaussian, masked, plain := someAnsatz(), someAnsatz(), someAnsatz()
	masked.Mask = func(x jet.Jet) jet.Jet { return net.BoxMask(x, 3) }
	plain.Fourier, plain.Sampler = net.Fourier{}, schrodinger.Uniform{Dim: 2, HalfWidth: 2}
	differences := someAnsatz()
	differences.Difference = 0.05
	const n, h = 300, 0.05
	for name, w := range map[string]Ansatz{"Gaussian": gaussian, "with a mask": masked,
		"uniform, without features": plain, "differences": differences} {
		params, frequencies := w.Init([]int64{1, 2})
		psi, free := w.Wavefunctions(testkit.PureGo(t), frequencies, energyOf(w))
		points := testkit.Points(rand.New(rand.NewPCG(1, 2)), n, 2, 1.5)
		at := func(dx, dy float64) []Sampled {
			moved := mat.DenseCopyOf(points)
			moved.Apply(func(_, d int, x float64) float64 { return x + []float64{dx, dy}[d] }, moved)
			runs, err := psi(params, moved)
			require.NoError(t, err, name)
			return runs
		}
		here, stencil := at(0, 0), [][]Sampled{at(h, 0), at(-h, 0), at(0, h), at(0, -h)}
		require.Len(t, here, 2)
		for r, run := range here {
			var want, off mat.Dense
			want.Scale(4/(h*h), run.Psi)
			for _, there := range stencil {
				var term mat.Dense
				term.Scale(1/(h*h), there[r].Psi)
				want.Sub(&want, &term)
			}
			want.Apply(func(i, j int, v float64) float64 {
				return v + w.System.PotentialAt(points.RawRowView(i))*run.Psi.At(i, j)
			}, &want)
			off.Sub(&want, run.TPsi)
			assert.Less(t, mat.Norm(&off, 2), 0.02*mat.Norm(&want, 2), "%s, run %d", name, r)
			assert.Positive(t, mat.Norm(&want, 2), name)
		}
		free()
	}
}

// More points than fit in one call have the same values as a few points.
func TestWavesAreEvaluatedInBlocks(t *testing.T) {
	w := someAnsatz()
	params, frequencies := w.Init([]int64{3})
	psi, free := w.Wavefunctions(testkit.PureGo(t), frequencies, energyOf(w))
	defer free()
	points := testkit.Points(rand.New(rand.NewPCG(1, 2)), 1511, 2, 3) // a prime number
	all := testkit.Must(psi(params, points))
	few := testkit.Must(psi(params, mat.DenseCopyOf(points.Slice(1400, 1407, 0, 2))))
	assert.True(t, mat.EqualApprox(few[0].Psi, all[0].Psi.Slice(1400, 1407, 0, 2), 1e-6))
	assert.True(t, mat.EqualApprox(few[0].TPsi, all[0].TPsi.Slice(1400, 1407, 0, 2), 1e-4))
}
