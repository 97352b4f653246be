package train

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
)

// chunkTarget is how long one call of the device should take: long enough that calls cost nothing, short enough that
// progress is seen and Ctrl-C is heard.
const chunkTarget = 500 * time.Millisecond

// resize adapts the steps of one call to [chunkTarget], at most fourfold at a time.
func resize(chunk int, took time.Duration) int {
	scale := float64(chunkTarget) / float64(max(took, time.Microsecond))
	return max(1, int(float64(chunk)*min(4, max(0.25, scale))))
}

// advance takes steps until there have been end of them, no run is alive, or no batch has come before ctx was done.
func (r *runner) advance(ctx context.Context, end int) error {
	if err := r.set(atEnd, tensors.FromScalar(int32(end))); err != nil {
		return err
	}
	for r.step < end && !r.dead() {
		batch, err := r.nextBatch(ctx)
		if err != nil || r.feeder != nil && batch == nil {
			return err
		}
		fed, err := r.spread(batch)
		if err != nil {
			return err
		}
		var args []any
		for device, list := range r.lists {
			for _, t := range slices.Concat(list, fed[device]) {
				args = append(args, t)
			}
		}
		out, err := r.exec.Call(args...)
		if err != nil {
			return built(fmt.Sprintf("training: step %d on %s", r.step, r.options.Backend.Name()), err)
		}
		r.release()
		for device, list := range r.lists {
			state := len(list) - r.layout.data
			r.lists[device] = append(out[device*state:(device+1)*state:(device+1)*state], list[state:]...)
		}
		r.owned = true
		next := ints(r.lists[0][atStep])[0]
		for _, parts := range append(fed, batch) {
			free(parts) // the device is done with it, since it has told the step
		}
		if next <= r.step {
			return fmt.Errorf("training: the device loop stayed at step %d", r.step)
		}
		r.step = next
	}
	return nil
}

// set puts a tensor in the place of an entry of the loop's list, whole on each device.
func (r *runner) set(at int, t *tensors.Tensor) error {
	parts, err := r.division.parts(r.options.Backend, t, -1)
	if err != nil {
		return err
	}
	for device, list := range r.lists {
		list[at] = parts[device]
	}
	return nil
}

// spread returns each device's part of a batch and, of several devices, the mark behind it.
func (r *runner) spread(batch []*tensors.Tensor) ([][]*tensors.Tensor, error) {
	axis := func(i int) int { return r.division.fedAxis(batch[i].Shape()) }
	fed, err := r.division.place(r.options.Backend, batch, axis)
	if err != nil {
		return nil, err
	}
	if r.division.mesh != nil {
		for device := range fed {
			fed[device] = append(fed[device], r.division.mark())
		}
	}
	return fed, nil
}

// nextBatch is nil without a Feed.
func (r *runner) nextBatch(ctx context.Context) (batch []*tensors.Tensor, err error) {
	if r.feeder == nil || r.batch != nil {
		batch, r.batch = r.batch, nil
		return batch, nil
	}
	began := time.Now()
	batch, err = r.feeder.next(ctx)
	r.waited += time.Since(began).Seconds()
	return batch, err
}

// release frees the device memory of lists that have been used. The first list of the first device holds tensors of
// the caller and is left alone.
func (r *runner) release() {
	for device, list := range r.lists {
		if r.owned || device > 0 {
			free(list[:len(list)-r.layout.data])
		}
	}
}
