package verify

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// trained trains V on A from each start. It returns V of each run, and the objective's last state.
func (s spectrum) trained(t *testing.T, o ommlx.Objective, by optim.Optimiser, steps int,
	starts ...*mat.Dense) (runs []*mat.Dense, state []*tensors.Tensor) {
	_, k := starts[0].Dims()
	p := train.Problem{Seeds: make([]int64, len(starts)), Params: []*tensors.Tensor{Stacked(starts)},
		State: o.InitState(len(starts), k), Data: []*tensors.Tensor{Tensor(s.a)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			f, tf := operator.Matrix(in.Params[0], in.Data[0])
			return o.Loss(ommlx.Batch{F: f, TF: tf}, in.State)
		}}
	result, err := train.Run(t.Context(), p, train.Config{Steps: steps, Optimiser: by}, train.Options{Backend: engine})
	require.NoError(t, err)
	return Runs(result.Params[0]), result.State
}

// starts draws n matrices V, d×k.
func (s spectrum) starts(n int, deviation float64, k int) (starts []*mat.Dense) {
	for range n {
		starts = append(starts, s.gaussian(deviation, k))
	}
	return starts
}

// Section 2.2.5: an optimiser such as Adam may use Sanger's update, or the gradient of OMM_seq, as a gradient.
func TestSangersRuleWithAdam(t *testing.T) {
	claim := papertest.Of(t, "sanger-with-adam").Printed
	const k, steps = 3, 1000
	adam := optim.Adam{LearningRate: 0.02, Schedule: optim.Schedule{Decay: optim.Cosine, Steps: steps}}
	for _, o := range []ommlx.Objective{ommlx.Sanger{}, ommlx.OMM{Nesting: ommlx.Sequential}} {
		s := newSpectrum(testkit.NewRand(65), 4, 3, 2, 1, 0.5, 0.25)
		runs, _ := s.trained(t, o, adam, steps, s.starts(4, 0.3, k)...)
		for _, v := range runs {
			claim.Within(t, "distance from ±w_i after 1,000 steps, "+o.Name(), s.fromEigenvectors(v, one), 1e-3)
		}
	}
}

// Training takes f to the eigenvectors of the smallest eigenvalues of I − T, in order and with norm 1, and the duals to
// their multipliers: the gradient of 2⟨f_i, (I−T)f_i⟩ + sg(β_ii)⟨f_i, sg f_i⟩ vanishes for β_ii = −4(1 − λ_i).
func TestALLOFindsOrderedEigenvectors(t *testing.T) {
	claim := papertest.Of(t, "allo-is-an-augmented-lagrangian").Printed
	const k, steps = 3, 6000
	s := newSpectrum(testkit.NewRand(83), 0.95, 0.7, 0.4, 0.1, -0.2, -0.5)
	allo := ommlx.ALLO{Graph: ommlx.GraphMoments, DualRate: 0.02}
	runs, state := s.trained(t, allo, optim.SGD{LearningRate: 0.02}, steps, s.starts(3, 0.3, k)...)
	for r, duals := range Runs(state[0]) {
		claim.Within(t, "distance of the norms of v_i, and of their parts along w_i, from 1, 3 starts",
			s.fromEigenvectors(runs[r], one), 1e-4)
		for i := range k {
			claim.Near(t, "distance of the duals β_ii from −4(1 − λ_i)", -4*(1-s.values[i]), duals.At(i, i), 1e-3)
		}
	}
}

// NeuralEF finds the eigenvectors in order, and SpIN their spaces, even with negative eigenvalues.
func TestSpINAndNeuralEFFindTheEigenvectors(t *testing.T) {
	positive, indefinite := []float64{4, 3, 2, 1, 0.5}, []float64{2, 1, -0.5, -2, -4}
	own := func(v *mat.Dense) *mat.Dense { return v }
	for _, c := range []struct {
		objective   ommlx.Objective
		eigenvalues []float64
		basis       func(v *mat.Dense) *mat.Dense
	}{
		{ommlx.SpIN{Decay: 0.3}, positive, OrthonormalBasis},
		{ommlx.SpIN{Decay: 0.3}, indefinite, OrthonormalBasis},
		{ommlx.NeuralEF{}, positive, own},
	} {
		s := newSpectrum(testkit.NewRand(103), c.eigenvalues...)
		runs, _ := s.trained(t, c.objective, optim.SGD{LearningRate: 0.02}, 2000, s.gaussian(1, 3))
		angles := Angles(c.basis(runs[0]), s.w)
		require.Less(t, floats.Max(angles), 1.4e-4, "%s, %v", c.objective.Name(), c.eigenvalues)
	}
}
