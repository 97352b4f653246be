package optim_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/optim"
)

// TestEMAClosedForm: after n steps from θ_0, θ̄_n = dⁿθ_0 + (1−d) Σ_t d^{n−t} θ_t.
func TestEMAClosedForm(t *testing.T) {
	const n, d = 30, 0.9
	theta := func(step, i int) float64 { return math.Sin(float64(step)) * float64(1+i) }
	at := func(step int) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions([]float64{theta(step, 0), theta(step, 1)}, 2)
	}
	update := graphtest.Compiled(t, func(in []*Node) []*Node { return optim.EMA{Decay: d}.Update(in[:1], in[1:]) })
	average := at(0)
	for step := 1; step <= n; step++ {
		average = graphtest.Run(t, update, average, at(step))[0]
	}
	for i, got := range tensors.MustCopyFlatData[float64](average) {
		want := math.Pow(d, n) * theta(0, i)
		for step := 1; step <= n; step++ {
			want += (1 - d) * math.Pow(d, float64(n-step)) * theta(step, i)
		}
		assert.InDelta(t, want, got, 1e-14)
	}
}

func TestEMAValidate(t *testing.T) {
	for _, d := range []float64{0, 0.5, 0.9999} {
		require.NoError(t, optim.EMA{Decay: d}.Validate())
	}
	for _, d := range []float64{-0.1, 1, math.NaN()} {
		assert.ErrorContains(t, optim.EMA{Decay: d}.Validate(), "decay is")
	}
}
