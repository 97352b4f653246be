package pde

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// Appendix C.2 finds finite differences slow in the well and supposes that f = Lg amplifies their error. The error is
// within h of the wall, where the mask has a kink: differences reach outside the box and have an error of about
// slope/h. This concerns a share of about 2h/5 of the samples, so the mean square grows like 1/h. Elsewhere there are
// only the rounding errors of float32.
func TestDifferencesFailAtTheWall(t *testing.T) {
	claim := papertest.Of(t, "well-finite-differences")
	s := Well(run.Quick)
	s.K, s.Hidden, s.Seeds = 2, []int{32, 32}, run.Seeds(1)
	params, _ := testkit.Must(s.networks()).Init(s.Seeds)
	points := testkit.Points(rand.New(rand.NewPCG(5, 5)), 20_000, 2, schrodinger.WellHalfWidth)
	steps := []float64{0, 0.1, 0.03, 0.01}
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) (out []*Node) {
		for _, h := range steps {
			s := s
			s.Difference = h
			x, networks := in[len(in)-1], testkit.Must(s.networks())
			out = append(out, s.batch(networks.Hamiltonian(x), networks.Jet(in[:len(in)-1], nil, x)).F)
		}
		return out
	}).Numbers(t, params, train.Table(points))
	exact, size := out[0], 0.0
	for _, v := range exact {
		size += v * v / float64(len(exact))
	}
	var logH, logError []float64
	for i, h := range steps[1:] {
		var all, inside float64 // mean squares relative to the mean square of Lg
		for j, v := range out[i+1] {
			e := math.Pow(v-exact[j], 2) / float64(len(exact)) / size
			all += e
			if schrodinger.WellHalfWidth-mat.Norm(points.RowView(j/s.K), math.Inf(1)) > h {
				inside += e
			}
		}
		claim.Corrected.Within(t,
			"share of the squared error of Lg that is not within h of the wall, h = 0.1, 0.03, 0.01", inside/all,
			0.01)
		logH, logError = append(logH, math.Log(h)), append(logError, math.Log(all))
	}
	_, slope := stat.LinearRegression(logH, logError, nil, false)
	claim.Corrected.Within(t, "slope of the logarithm of that error over log h, from −1", papertest.Distance(-1, slope),
		0.2)
	claim.Note("relative mean squared error of Lg for h = 0.1, 0.03, 0.01: %.2g, %.2g, %.2g",
		math.Exp(logError[0]), math.Exp(logError[1]), math.Exp(logError[2]))
}
