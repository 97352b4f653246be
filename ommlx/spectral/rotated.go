package spectral

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// RotatedCosineSimilarity is [CosineSimilarity] as the code of ALLO computes it (Gomez, Bowling, Machado, ICLR 2024:
// compute_cosine_similarity in src/trainer/laplacian_encoder.py at commit b8156180). In an eigenspace with the true
// unit vectors u_1, …, u_m, the learned columns E of its modes, scaled to unit length, are first turned towards them,
// one vector after another,
//
//	w_j ∝ Eᵀu_j − Σ_{i<j} w_i w_iᵀ Eᵀu_j,  ‖w_j‖ = 1,   cos_j = |u_jᵀ E w_j| / ‖E w_j‖;
//
// for a simple eigenvalue this is |⟨v, f⟩| / ‖f‖. It differs from CosineSimilarity in two points. Columns that repeat
// one direction inside an eigenspace are not all scored 1. And only the first k true modes are looked at: where k cuts
// through an eigenspace, the learned functions of it are compared with those u_j that happen to come first in the basis
// that the solver returned, so that their score is one of chance.
//
// perMode has length k and values in [0, 1]; mean is its average. Columns and errors are as in CosineSimilarity.
func RotatedCosineSimilarity(t Truth, learned *mat.Dense) (perMode []float64, mean float64, err error) {
	_, k, err := judged(t, learned)
	if err != nil {
		return nil, 0, err
	}
	for _, space := range t.Eigenspaces() {
		if space.First < k {
			perMode = append(perMode, rotated(t, learned, Eigenspace{space.First, min(space.End, k)})...)
		}
	}
	return perMode, floats.Sum(perMode) / float64(k), nil
}

// rotated returns the scores of the modes of one space.
func rotated(t Truth, learned *mat.Dense, space Eigenspace) (scores []float64) {
	n, _ := learned.Dims()
	e := mat.NewDense(n, space.Dim(), nil)
	f := make([]float64, n)
	for j := range space.Dim() {
		if mat.Col(f, space.First+j, learned); normalise(f) {
			e.SetCol(j, f)
		}
	}
	var directions []*mat.VecDense
	for j := range space.Dim() {
		u := t.Vectors.ColView(space.First + j)
		w, turned := mat.NewVecDense(space.Dim(), nil), mat.NewVecDense(n, nil)
		w.MulVec(e.T(), u)
		for _, before := range directions {
			w.AddScaledVec(w, -mat.Dot(before, w), before)
		}
		const least = 1e-10 // below it a direction or a function is none
		w.ScaleVec(1/math.Max(least, w.Norm(2)), w)
		directions = append(directions, w)
		turned.MulVec(e, w)
		scores = append(scores, min(1, math.Abs(mat.Dot(u, turned))/math.Max(least, turned.Norm(2))))
	}
	return scores
}
