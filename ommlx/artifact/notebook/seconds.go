package notebook

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/train"
)

// Seconds calls fn repeatedly for at least 0.2 s and returns the shortest time of a call, in seconds.
func Seconds(fn func()) float64 {
	best := math.Inf(1)
	for total := 0.; total < 0.2; {
		start := time.Now()
		fn()
		took := time.Since(start).Seconds()
		best, total = min(best, took), total+took
	}
	return best
}

// LossSeconds returns the time of each objective's loss and its gradients for k functions on a batch of samples. It
// measures them in turns, so that another program slows all of them.
func LossSeconds(samples, k int, objectives ...ommlx.Objective) []float64 {
	rng := rand.New(rand.NewPCG(1, 0))
	f, tf := train.Table(linalg.RandomGaussian(rng, samples, k)), train.Table(linalg.RandomGaussian(rng, samples, k))
	engine := Engine()
	best, once := make([]float64, len(objectives)), make([]func(), len(objectives))
	for i, o := range objectives {
		exec := Must(graph.NewExec(engine, func(f, tf *graph.Node) []*graph.Node {
			loss, _ := o.Loss(ommlx.Batch{F: f, TF: tf}, nil)
			return append(graph.Gradient(loss, f, tf), loss)
		}))
		defer exec.Finalize()
		once[i] = func() {
			out := Must(exec.Call(f, tf))
			_ = out[2].Value() // waits for it
			for _, t := range out {
				_ = t.FinalizeAll()
			}
		}
		once[i]() // compiles
		best[i] = math.Inf(1)
	}
	for range 3 {
		for i := range objectives {
			best[i] = min(best[i], Seconds(once[i]))
		}
	}
	return best
}
