package run

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"strconv"
	"sync"

	"omm-go/ommlx/backend"
)

// Pool trains experiments side by side in this process, so that small trainings use all cores.
type Pool struct {
	ctx     context.Context // ends after the first error
	stop    context.CancelFunc
	workers sync.WaitGroup
	done    map[string]chan struct{} // by key; closed when the experiment is trained
	failed  sync.Once
	err     error // the first of a training
}

// SideBySide starts to train experiments, in their order, one on each core that the engine would use. The caller calls
// Wait for each and Close at the end. A training that fails stops the others at a checkpoint.
func (l *Lab) SideBySide(ctx context.Context, list []Experiment) *Pool {
	p := &Pool{done: map[string]chan struct{}{}}
	p.ctx, p.stop = context.WithCancel(ctx)
	// Experiments that differ only in their seeds may share runs, so one worker trains them one after another.
	var order []string
	groups := map[string][]Experiment{}
	for _, e := range list {
		if key := Key(e); p.done[key] == nil {
			p.done[key] = make(chan struct{})
			without := Key(e.With(nil))
			if groups[without] == nil {
				order = append(order, without)
			}
			groups[without] = append(groups[without], e)
		}
	}
	_, _ = l.committed() // reads them before the workers share them; an error returns in a worker
	queue := make(chan []Experiment, len(order))
	for _, without := range order {
		queue <- groups[without]
	}
	close(queue)
	for worker := range l.workers(list, len(order)) {
		own := *l
		own.worker = worker
		p.workers.Go(func() {
			for group := range queue {
				for _, e := range group {
					if _, err := Run(p.ctx, &own, e); err != nil {
						p.failed.Do(func() { p.err = err })
						p.stop()
						return
					}
					close(p.done[Key(e)])
				}
			}
		})
	}
	return p
}

// Wait waits until an experiment is trained and its results are kept. It returns the first error of any training.
func (p *Pool) Wait(e Experiment) error {
	done, waiting := p.done[Key(e)]
	if !waiting { // its results were kept before
		return nil
	}
	select {
	case <-done:
		return nil
	case <-p.ctx.Done():
		p.workers.Wait() // for their checkpoints
		return cmp.Or(p.err, p.ctx.Err())
	}
}

// Close stops the trainings at a checkpoint and waits for them.
func (p *Pool) Close() {
	p.stop()
	p.workers.Wait()
}

// threads is the environment variable that limits the threads of the XLA CPU plugin, which reads it when it is opened.
const threads = "NPROC"

// limited reports whether the user limits the threads.
var limited = os.Getenv(threads) != ""

// workers returns the number of trainings to run side by side and divides the cores between them: at most one for each
// core and each of the trainings, and at most as many as fit into the free memory. It is 1 on a GPU, and if the user
// limits the threads.
func (l *Lab) workers(list []Experiment, trainings int) int {
	choice, _ := backend.Choose() // its error returns when a training opens the engine
	if limited || !l.PureGo && choice.Kind != backend.KindXLACPU {
		return 1
	}
	n := min(runtime.GOMAXPROCS(0), max(1, trainings))
	var most int64
	for _, e := range list {
		most = max(most, e.Cost().Memory)
	}
	if free := FreeMemory(); free > 0 && most > 0 {
		n = int(max(1, min(int64(n), free/most)))
	}
	if n > 1 {
		_ = os.Setenv(threads, strconv.Itoa(max(1, runtime.GOMAXPROCS(0)/n)))
	}
	return n
}
