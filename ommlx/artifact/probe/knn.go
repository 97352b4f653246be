package probe

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/blas/blas32"
)

// KNN classifies a sample by its K nearest training samples in cosine similarity s; each votes for its class with
// weight exp(s/T). Ties between neighbours and between classes go to the lower index. A class without a vote is never
// an answer.
type KNN struct {
	K           int     // at most all training samples
	Temperature float64 // T
}

// Neighbours is the classifier of Wu et al. (2018, Unsupervised feature learning via non-parametric instance
// discrimination, Section 3.4). solo-learn's has 20 neighbours (solo/utils/knn.py, WeightedKNNClassifier).
var Neighbours = KNN{K: 200, Temperature: 0.07}

// Score returns the accuracies on sets of test features, test[i] with training[i]. The device computes similarities in
// its precision for products (TF32 on NVIDIA GPUs by default). Features that are all zero have similarity 0.
func (k KNN) Score(b compute.Backend, training, test []Features) ([]Accuracy, error) {
	const most = 16 << 20 // 64 MiB of similarities amortise a call of the device
	return k.score(b, training, test, most)
}

// score computes at most `most` similarities at once, but at least one test sample.
func (k KNN) score(b compute.Backend, training, test []Features, most int) ([]Accuracy, error) {
	exec := MustNewExec(b, cosines).SetMaxCache(-1)
	defer exec.Finalize()
	all := make([]Accuracy, len(test))
	for i, f := range test {
		labels := training[i].Labels
		known := tensors.FromFlatDataAndDimensions(training[i].X, len(labels), f.Dim)
		var answers []int
		for first, size := 0, max(1, most/len(labels)); first < len(f.Labels); first += size {
			end := min(first+size, len(f.Labels))
			out, err := exec.Call1(known, tensors.FromFlatDataAndDimensions(f.rows(first, end), end-first, f.Dim))
			if err != nil {
				return nil, fmt.Errorf("probe: nearest neighbours on %s: %w", b.Name(), err)
			}
			similarities := tensors.MustCopyFlatData[float32](out)
			out.MustFinalizeAll() // the garbage collector does not see memory of the device
			for row := range slices.Chunk(similarities, len(labels)) {
				answers = append(answers, k.vote(row, labels, f.Labels[len(answers)]))
			}
		}
		known.MustFinalizeAll()
		all[i] = ranked(answers)
	}
	return all, nil
}

// cosines returns the cosine similarities [B, N] of x [B, d] to known samples [N, d].
func cosines(known, x *Node) *Node {
	unit := func(x *Node) *Node { return Div(x, MaxScalar(L2Norm(x, 1), 1e-12)) } // zero stays zero
	return DotGeneral(unit(x), []int{1}, nil, unit(known), []int{1}, nil)
}

// vote returns the number of answers ahead of a sample's label, given its similarities to the voters. A label without a
// vote ranks after all answers.
func (k KNN) vote(similarities []float32, voters []int, label int) int {
	votes := make([]float64, max(label, slices.Max(voters))+1)
	found := nearest(similarities, k.K)
	for _, i := range found {
		// Relative to the nearest one: exp(1/T) may overflow.
		votes[voters[i]] += math.Exp(float64(similarities[i]-similarities[found[0]]) / k.Temperature)
	}
	if votes[label] == 0 {
		return math.MaxInt
	}
	return ahead(votes, label)
}

// nearest returns the indices of the k largest similarities, largest first. A tie goes to the lower index.
func nearest(similarities []float32, k int) (found []int) {
	for i, s := range similarities {
		if len(found) == k && s <= similarities[found[k-1]] {
			continue
		}
		at := sort.Search(len(found), func(j int) bool { return similarities[found[j]] < s })
		found = slices.Insert(found, at, i)
		found = found[:min(k, len(found))]
	}
	return found
}

// Nearest returns the indices of the n training samples whose features have the largest cosine similarity to sample i,
// nearest first.
func (f Features) Nearest(i, n int, training Features) []int {
	vector := func(f Features, i int) blas32.Vector {
		return blas32.Vector{N: f.Dim, Inc: 1, Data: f.rows(i, i+1)}
	}
	similarities := make([]float32, len(training.Labels))
	for at := range similarities {
		y := vector(training, at)
		similarities[at] = blas32.Dot(vector(f, i), y) / max(blas32.Nrm2(y), math.SmallestNonzeroFloat32)
	}
	return nearest(similarities, n)
}
