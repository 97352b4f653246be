package train

import (
	"fmt"
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

// advance takes steps until there have been end of them, or no run is alive.
func (r *runner) advance(end int) error {
	if err := r.set(atEnd, tensors.FromScalar(int32(end))); err != nil {
		return err
	}
	for r.step < end && !r.dead() {
		var args, marks []*tensors.Tensor
		for _, list := range r.lists {
			args = append(args, list...)
			if r.division.mesh != nil {
				mark := r.division.mark()
				marks, args = append(marks, mark), append(args, mark)
			}
		}
		out, err := r.exec.Call(args)
		if err != nil {
			return built(fmt.Sprintf("training: step %d on %s", r.step, r.options.Backend.Name()), err)
		}
		r.release()
		free(marks)
		for device, list := range r.lists {
			state := len(list) - r.layout.data
			r.lists[device] = append(out[device*state:(device+1)*state:(device+1)*state], list[state:]...)
		}
		r.owned = true
		next := ints(r.lists[0][atStep])[0]
		if next <= r.step {
			return fmt.Errorf("training: the device loop stayed at step %d", r.step)
		}
		r.step = next
	}
	return nil
}

// set puts a tensor in the place of an entry of the loop's list, whole on each device.
func (r *runner) set(at int, t *tensors.Tensor) error {
	parts, err := r.division.parts(r.options.Backend, t, false)
	if err != nil {
		return err
	}
	for device, list := range r.lists {
		list[at] = parts[device]
	}
	return nil
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

// free frees device memory now, which the garbage collector does not see. A tensor that cannot be freed now is freed by
// the collector.
func free(list []*tensors.Tensor) {
	for _, t := range list {
		_ = t.FinalizeAll()
	}
}
