package probe

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/backend"
)

// KNN classifies a sample by its K nearest neighbours among the training features, in cosine similarity s; each votes
// for its class with the weight exp(s/T). It is the classifier of Wu et al. (2018, Unsupervised feature learning via
// non-parametric instance discrimination, Section 3.4), whose K and T zero fields take, and that of solo-learn
// (solo/utils/knn.py, WeightedKNNClassifier), where K is 20 by default. Nothing is trained, so it is a quick look at
// features while their network trains.
//
// Of neighbours, and of classes, that tie the one with the lower number comes first. A class that no neighbour has is
// never an answer: with neighbours of fewer than five classes, the answers are fewer than five.
type KNN struct {
	K           int     // 200 when zero; all training samples where there are fewer
	Temperature float64 // T, 0.07 when zero
}

func (k KNN) withDefaults() KNN {
	k.K, k.Temperature = cmp.Or(k.K, 200), cmp.Or(k.Temperature, 0.07)
	return k
}

// Score returns how often the neighbours among the training features are right about the test features. The
// similarities are computed on the device in float32 (with the precision that it has for products, TF32 on NVIDIA GPUs
// by default), block by block, and the neighbours are chosen on the host. A sample whose features are all zero is as
// far from each other one. An error says what does not fit.
func (k KNN) Score(b compute.Backend, training, test Features) (Accuracy, error) {
	c := newCosines(b)
	defer c.free()
	return k.score(c, training, test, mostSimilarities)
}

// mostSimilarities are blocks of 64 MiB, which are as much as is worth a call of the device.
const mostSimilarities = 16 << 20

// Scorer returns [KNN.Score] for sets of features, as those of several networks, each on the test of its place. What is
// compiled for them is compiled again only for other shapes. free gives it back; after it score must not be called.
func (k KNN) Scorer(b compute.Backend) (score func(training, test []Features) ([]Accuracy, error), free func()) {
	c := newCosines(b)
	return func(training, test []Features) ([]Accuracy, error) {
		all := make([]Accuracy, len(test))
		for i := range all {
			var err error
			if all[i], err = k.score(c, training[i], test[i], mostSimilarities); err != nil {
				return nil, err
			}
		}
		return all, nil
	}, c.free
}

// score has at most so many similarities at once, or those of one test sample.
func (k KNN) score(c cosines, training, test Features, most int) (Accuracy, error) {
	k = k.withDefaults()
	if training.Dim != test.Dim {
		return Accuracy{}, fmt.Errorf("probe: training features have dimension %d, test features %d", training.Dim,
			test.Dim)
	}
	n, samples := len(test.Labels), len(training.Labels)
	size := min(n, max(1, most/samples))
	unit, err := c.unit.Call1(tensors.FromFlatDataAndDimensions(training.X, samples, training.Dim))
	if err != nil {
		return Accuracy{}, fmt.Errorf("probe: the training features on %s: %w", c.backend.Name(), err)
	}
	defer release(unit)
	answers := make([]int, n)
	err = blocks(n, size, func(first int) error {
		rows := tensors.FromFlatDataAndDimensions(test.rows(first, first+size), size, test.Dim)
		out, err := c.product.Call1(unit, rows)
		if err != nil {
			return err
		}
		defer release(out)
		return tensors.ConstFlatData(out, func(similarities []float32) {
			k.vote(similarities, training.Labels, test.Labels[first:first+size], answers[first:])
		})
	})
	if err != nil {
		return Accuracy{}, fmt.Errorf("probe: nearest neighbours on %s: %w", c.backend.Name(), err)
	}
	return accuracyOf(answers), nil
}

// cosines computes cosine similarities to samples that stay on the device.
type cosines struct {
	backend compute.Backend
	unit    *Exec // [N, d] → the same with rows of length 1
	product *Exec // unit [N, d], rows [B, d] → similarities [B, N]
}

// toUnit divides the rows of x by their lengths. Zero stays zero, as with torch.nn.functional.normalize.
func toUnit(x *Node) *Node {
	return Div(x, BroadcastToShape(MaxScalar(L2Norm(x, 1), 1e-12), x.Shape()))
}

func newCosines(b compute.Backend) cosines {
	return cosines{b, MustNewExec(b, toUnit).SetMaxCache(-1), MustNewExec(b, func(unit, x *Node) *Node {
		return DotGeneral(toUnit(x), []int{1}, nil, unit, []int{1}, nil)
	}).SetMaxCache(-1)}
}

func (c cosines) free() {
	c.unit.Finalize()
	c.product.Finalize()
}

// release frees device memory now, which the garbage collector does not see. What cannot be freed now is freed by it.
func release(t *tensors.Tensor) { _ = t.FinalizeAll() }

// vote counts the answers before each of B labels, of similarities [B, N] to N voters. A label without a vote is beyond
// all answers.
func (k KNN) vote(similarities []float32, voters, labels, answers []int) {
	workers, classes := backend.Cores(), slices.Max(voters)+1
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			found, votes := make([]neighbour, min(k.K, len(voters))), make([]float64, classes)
			for row := worker; row < len(labels); row += workers {
				clear(votes)
				for _, n := range nearest(similarities[row*len(voters):(row+1)*len(voters)], found) {
					// Relative to the nearest one: exp(1/T) may overflow.
					votes[voters[n.sample]] += math.Exp(float64(n.similarity-found[0].similarity) / k.Temperature)
				}
				answers[row] = math.MaxInt
				if label := labels[row]; label < classes && votes[label] > 0 {
					answers[row] = ahead(votes, label)
				}
			}
		})
	}
	all.Wait()
}

// neighbour is a sample with its similarity to another.
type neighbour struct {
	similarity float32
	sample     int32
}

// nearer orders neighbours, nearest first; of two that are as near, the one with the lower number.
func nearer(a, b neighbour) int {
	if a.similarity != b.similarity {
		return -cmp.Compare(a.similarity, b.similarity)
	}
	return cmp.Compare(a.sample, b.sample)
}

// nearest returns the len(found) samples that are most similar, nearest first, in found. It goes through the
// similarities once, with a heap of the best so far, the furthest of them on top: nearly every sample costs one
// comparison with that.
func nearest(similarities []float32, found []neighbour) []neighbour {
	k := len(found)
	for i := range k {
		found[i] = neighbour{similarities[i], int32(i)}
	}
	slices.SortFunc(found, func(a, b neighbour) int { return nearer(b, a) }) // furthest first is a heap
	for i, s := range similarities[k:] {
		if s <= found[0].similarity {
			continue // one that is as near has a lower number
		}
		next, at := neighbour{s, int32(k + i)}, 0
		for child := 1; child < k; child = 2*at + 1 {
			if child+1 < k && nearer(found[child+1], found[child]) > 0 {
				child++
			}
			if nearer(next, found[child]) > 0 {
				break
			}
			found[at], at = found[child], child
		}
		found[at] = next
	}
	slices.SortFunc(found, nearer)
	return found
}
