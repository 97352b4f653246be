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

// KNN classifies a sample by its K nearest training samples in cosine similarity s; each votes for its class with
// weight exp(s/T). It is the classifier of Wu et al. (2018, Unsupervised feature learning via non-parametric instance
// discrimination, Section 3.4), which gives the defaults, and of solo-learn (solo/utils/knn.py, WeightedKNNClassifier),
// where K is 20 by default. It needs no training, so it is a quick check of features while their network trains.
//
// Ties between neighbours and between classes go to the lower index. A class without a vote is never an answer.
type KNN struct {
	K           int     // at most all training samples; 200 when zero
	Temperature float64 // T, 0.07 when zero
}

func (k KNN) withDefaults() KNN {
	k.K, k.Temperature = cmp.Or(k.K, 200), cmp.Or(k.Temperature, 0.07)
	return k
}

// Score returns the accuracy on the test features. The similarities are computed block by block on the device, in
// float32 with the device's precision for products (TF32 on NVIDIA GPUs by default), and the neighbours are chosen on
// the host. A sample whose features are all zero has similarity 0 to every other one.
func (k KNN) Score(b compute.Backend, training, test Features) (Accuracy, error) {
	c := newCosines(b)
	defer c.free()
	return k.score(c, training, test, mostSimilarities)
}

// mostSimilarities is the size of a block: 64 MiB amortise a call of the device.
const mostSimilarities = 16 << 20

// Scorer returns [KNN.Score] for several sets: test[i] is scored with training[i]. Programs are compiled once for each
// shape. free releases them; do not call score after it.
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

// score computes at most `most` similarities at once, but at least one test sample.
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
		return Accuracy{}, fmt.Errorf("probe: training features on %s: %w", c.backend.Name(), err)
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
	unit    *Exec // [N, d] → [N, d] with rows of length 1
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

// release frees device memory now: the garbage collector does not see it, and would free it too late.
func release(t *tensors.Tensor) { _ = t.FinalizeAll() }

// vote writes the number of answers ahead of each of B labels, given similarities [B, N] to N voters. A label without a
// vote ranks after all answers.
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

// nearer orders neighbours, nearest first; a tie goes to the lower index.
func nearer(a, b neighbour) int {
	if a.similarity != b.similarity {
		return -cmp.Compare(a.similarity, b.similarity)
	}
	return cmp.Compare(a.sample, b.sample)
}

// nearest returns the len(found) most similar samples in found, nearest first. It passes over the similarities once
// with a heap of the best so far, furthest on top, so most samples cost a single comparison.
func nearest(similarities []float32, found []neighbour) []neighbour {
	k := len(found)
	for i := range k {
		found[i] = neighbour{similarities[i], int32(i)}
	}
	slices.SortFunc(found, func(a, b neighbour) int { return nearer(b, a) }) // furthest first is a heap
	for i, s := range similarities[k:] {
		if s <= found[0].similarity {
			continue // a tie goes to the lower index, which is already there
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
