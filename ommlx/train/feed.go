package train

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Feed returns the batch of a step, counted from 0, in new tensors of the same shapes at each step. [Run] calls it in a
// goroutine of its own, once for each step, in their order and a few steps ahead of the device. It frees the tensors
// after their use, and it ends no sooner than the call under way.
//
// A batch must depend on the step alone, so that a training that was taken up again from [Options].Dir is the same as
// one that was not interrupted. Checkpoints know the shapes of the batches but not their content, which [Options].Key
// should name. With a Feed every step is a call of the device.
type Feed func(step int) ([]*tensors.Tensor, error)

// ahead is how many batches wait for the device, beside the one that is being made.
const ahead = 2

// feeder makes batches ahead of their use.
type feeder struct {
	batches chan batch // closed after the last one
	stop    context.CancelFunc
}

type batch struct {
	tensors []*tensors.Tensor
	err     error
}

// newFeeder begins to make the batches of the steps from first to before end and to bring them to the device. Their
// shapes are to be want; nil: those of the first one.
func newFeeder(b compute.Backend, feed Feed, first, end int, want []shapes.Shape) *feeder {
	ctx, stop := context.WithCancel(context.Background())
	f := &feeder{batches: make(chan batch, ahead), stop: stop}
	go func() {
		defer close(f.batches)
		var recent []*tensors.Tensor // which may not be freed yet
		for step := first; step < end && ctx.Err() == nil; step++ {
			list, err := batchOf(b, feed, step, want, recent)
			if err == nil {
				want = shapesOf(list)
				recent = append(recent[max(0, len(recent)-(ahead+1)*len(list)):], list...)
			}
			select {
			case f.batches <- batch{list, err}:
			case <-ctx.Done():
				free(list)
			}
			if err != nil {
				return
			}
		}
	}()
	return f
}

// batchOf returns the batch of a step on the device, in other tensors than recent ones. The error names the step.
func batchOf(b compute.Backend, feed Feed, step int, want []shapes.Shape, recent []*tensors.Tensor) (
	list []*tensors.Tensor, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("Feed panicked: %v", cause)
		}
		if err != nil {
			list, err = nil, fmt.Errorf("training: the batch of step %d (from 0): %w", step, err)
		}
	}()
	if list, err = feed(step); err != nil {
		return nil, err
	}
	for _, t := range list {
		if slices.Contains(recent, t) || !t.Ok() {
			return nil, errors.New("Feed returned no new tensor; batches are freed after use, " +
				"so none can be returned again")
		}
	}
	got := shapesOf(list)
	switch {
	case len(list) == 0:
		return nil, errors.New("Feed returned no tensors")
	case want != nil && !slices.EqualFunc(got, want, shapes.Shape.Equal):
		return nil, fmt.Errorf("Feed returned the shapes %v; those of the batches before are %v", got, want)
	}
	for _, t := range list {
		if err := t.MaterializeOnDevice(b, true, 0); err != nil {
			return nil, errors.New(sentence(err))
		}
	}
	return list, nil
}

// next waits for the next batch; it is nil if ctx is done.
func (f *feeder) next(ctx context.Context) ([]*tensors.Tensor, error) {
	select {
	case <-ctx.Done():
		return nil, nil
	case next := <-f.batches:
		if next.err != nil && ctx.Err() != nil { // Feed heeds it, too
			return nil, nil
		}
		return next.tensors, next.err
	}
}

// close waits for the call of Feed under way and frees the batches that nobody used.
func (f *feeder) close() {
	f.stop()
	for b := range f.batches {
		free(b.tensors)
	}
}

// free frees device memory now, which the garbage collector does not see. A tensor that cannot be freed now is freed by
// the collector.
func free(list []*tensors.Tensor) {
	for _, t := range list {
		_ = t.FinalizeAll()
	}
}
