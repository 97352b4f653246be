package rl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/spectral"
)

// rotatedCosineSimilarity is [gridworld.CosineSimilarity] as the code of ALLO computes it (Gomez, Bowling, Machado,
// ICLR 2024: compute_cosine_similarity in src/trainer/laplacian_encoder.py at commit b8156180). In an eigenspace with
// the true unit vectors u_1, …, u_m, the learned columns E of its modes, scaled to unit length, are first rotated
// towards the u_j in turn,
//
//	w_j ∝ Eᵀu_j − Σ_{i<j} w_i w_iᵀ Eᵀu_j,  ‖w_j‖ = 1,   cos_j = |u_jᵀ E w_j| / ‖E w_j‖;
//
// for a simple eigenvalue this is |⟨v, f⟩| / ‖f‖. It differs from CosineSimilarity in two ways. Columns that repeat one
// direction inside an eigenspace do not all score 1. And only the first k true modes count: if k cuts through an
// eigenspace, its learned functions are compared with the u_j that the solver happened to return first, so their score
// depends on chance.
//
// perMode has length k and values in [0, 1]; mean is its average. The shapes are as for CosineSimilarity.
func rotatedCosineSimilarity(t spectral.Eigenpairs, learned *mat.Dense) (perMode []float64, mean float64, err error) {
	const least = 1e-10 // a shorter direction or function counts as zero
	n, k := learned.Dims()
	for _, space := range t.Eigenspaces() {
		dim := min(space.End, k) - space.First
		if dim <= 0 {
			break
		}
		e := mat.NewDense(n, dim, nil)
		for j := range dim {
			if f := mat.Col(nil, space.First+j, learned); gridworld.Normalise(f) {
				e.SetCol(j, f)
			}
		}
		var directions []*mat.VecDense
		for j := range dim {
			u := t.Vectors.ColView(space.First + j)
			w, turned := mat.NewVecDense(dim, nil), mat.NewVecDense(n, nil)
			w.MulVec(e.T(), u)
			for _, before := range directions {
				w.AddScaledVec(w, -mat.Dot(before, w), before)
			}
			w.ScaleVec(1/math.Max(least, w.Norm(2)), w)
			directions = append(directions, w)
			turned.MulVec(e, w)
			perMode = append(perMode, min(1, math.Abs(mat.Dot(u, turned))/math.Max(least, turned.Norm(2))))
		}
	}
	return perMode, floats.Sum(perMode) / float64(k), nil
}
