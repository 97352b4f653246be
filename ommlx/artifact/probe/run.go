package probe

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/train"
)

// Outcome is the result of a linear evaluation.
type Outcome struct {
	// Accuracy on the test features, for each set and each seed; for a run that diverged, at its last finite step.
	Accuracy [][]Accuracy
	Training *train.Result // runs set by set, with a point of the history for each epoch
}

// Run trains a classifier for each set of training features and each seed, all in one program, and scores each after
// its last epoch on the test features of its set. It checks all features before training starts, passes its
// options to [train.Run], and returns its errors.
func (l Linear) Run(ctx context.Context, training, test []Features, seeds []int64, o train.Options) (*Outcome, error) {
	p, err := l.Problem(training, seeds)
	if err == nil {
		err = l.fits(len(p.Seeds), training[0].Dim, test)
	}
	if err != nil {
		return nil, err
	}
	result, err := train.Run(ctx, p, l.Config(len(training[0].Labels)), o)
	if err != nil {
		return nil, err
	}
	accuracy, err := l.Score(o.Backend, result.Snapshot, test)
	if err != nil {
		return nil, err
	}
	return &Outcome{Accuracy: accuracy, Training: result}, nil
}

// fits returns an error if classifiers of R runs on features of dimension dim cannot be scored on the test sets.
func (l Linear) fits(runs, dim int, test []Features) error {
	if len(test) == 0 || runs%len(test) != 0 || test[0].Dim != dim {
		return fmt.Errorf("probe: %d sets of test features do not fit %d runs on features of dimension %d", len(test),
			runs, dim)
	}
	return check(test, l.Classes)
}

// Score returns the accuracy of classifiers, during training ([train.Options].Eval) or after it, on the test features
// for each set and each seed.
func (l Linear) Score(b compute.Backend, now train.Snapshot, test []Features) ([][]Accuracy, error) {
	// Blocks of logits of 16 MiB amortise a call of the device.
	return l.score(b, now, test, 4<<20)
}

// score computes at most `most` logits at once, but at least one row of each set.
func (l Linear) score(b compute.Backend, now train.Snapshot, test []Features, most int) ([][]Accuracy, error) {
	runs, dim := now.Params[0].Shape().Dim(0), now.Params[0].Shape().Dim(2)
	if err := l.fits(runs, dim, test); err != nil {
		return nil, err
	}
	sets, seeds, n := len(test), runs/len(test), len(test[0].Labels)
	exec, err := NewExec(b, func(w, bias, x *Node) *Node {
		logits := DotGeneral(x, []int{2}, []int{0}, Reshape(w, sets, seeds, l.Classes, dim), []int{3}, []int{0})
		bias = Reshape(bias, sets, 1, seeds, l.Classes)
		return Add(logits, BroadcastToShape(bias, logits.Shape())) // [P, rows, S, C]
	})
	if err != nil {
		return nil, err
	}
	defer exec.Finalize()
	answers := make([][]int, runs) // ahead of the label of each sample
	for run := range answers {
		answers[run] = make([]int, n)
	}
	size := min(n, max(1, most/(runs*l.Classes)))
	err = blocks(n, size, func(first int) error {
		x := tensors.FromFlatDataAndDimensions(stacked(test, first, first+size), sets, size, dim)
		out, err := exec.Call1(now.Params[0], now.Params[1], x)
		if err != nil {
			return fmt.Errorf("probe: logits on %s: %w", b.Name(), err)
		}
		defer release(out)
		return tensors.ConstFlatData(out, func(logits []float32) {
			for i := range len(logits) / l.Classes {
				run, row := i/(size*seeds)*seeds+i%seeds, first+i/seeds%size
				label := test[run/seeds].Labels[row]
				answers[run][row] = ahead(logits[i*l.Classes:(i+1)*l.Classes], label)
			}
		})
	})
	if err != nil {
		return nil, err
	}
	all := make([][]Accuracy, sets)
	for run, of := range answers {
		all[run/seeds] = append(all[run/seeds], accuracyOf(of))
	}
	return all, nil
}
