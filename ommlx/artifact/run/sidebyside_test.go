package run

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// onCores pretends that the machine has n cores and that the user does not limit the threads.
func onCores(t *testing.T, n int) {
	t.Setenv(threads, "")
	before, cores := limited, runtime.GOMAXPROCS(n)
	limited = false
	t.Cleanup(func() { limited = before; runtime.GOMAXPROCS(cores) })
}

// TestSideBySide: two trainings run at the same time on two cores, and a third does not begin after the first failed.
func TestSideBySide(t *testing.T) {
	onCores(t, 2)
	l := &Lab{Root: t.TempDir(), PureGo: true}
	a, b, c := newFake("a", 1), newFake("b", 1), newFake("c", 1)
	here, there := make(chan bool), make(chan bool)
	a.onStart = func() { here <- true; <-there }
	b.onStart = func() { <-here; there <- true }
	c.onStart = func() { t.Error("began after an error") }
	p := l.SideBySide(t.Context(), []Experiment{a, b, c})
	defer p.Close()
	require.ErrorIs(t, p.Wait(c), train.ErrHeld)
	require.NoError(t, p.Wait(newFake("kept before", 1)))
}

// TestSeparateEngines: trainings side by side have an engine each, since they share the threads of one engine, of which
// there is only one if each training is to have one core.
func TestSeparateEngines(t *testing.T) {
	testkit.XLA(t)
	onCores(t, 2)
	a, b, engines := newFake("a", 1), newFake("b", 1), make(chan compute.Backend)
	both := func(own compute.Backend) {
		select { // each training sends its engine to the other
		case engines <- own:
		case other := <-engines:
			assert.NotSame(t, own, other)
		}
	}
	a.onEngine, a.onStart, b.onEngine, b.onStart = both, func() {}, both, func() {}
	p := (&Lab{Root: t.TempDir()}).SideBySide(t.Context(), []Experiment{a, b})
	defer p.Close()
	require.ErrorIs(t, p.Wait(a), train.ErrHeld)
}

// TestSharedRunsOneAfterAnother: experiments that share runs do not train at the same time.
func TestSharedRunsOneAfterAnother(t *testing.T) {
	onCores(t, 2)
	l := &Lab{Root: t.TempDir(), PureGo: true}
	a := newFake("a", 1)
	a.onStart = func() { t.Error("began while another with the same run was training") }
	b := a
	b.Seeds = Seeds(2)
	ctx, cancel := context.WithCancel(t.Context())
	b.onStart = cancel // ends the pool, so that a does not begin
	p := l.SideBySide(ctx, []Experiment{b, a})
	defer p.Close()
	require.Error(t, p.Wait(a))
}

// TestWorkers: one training per core, at most as many as fit into the memory; the threads of the engine share the
// cores.
func TestWorkers(t *testing.T) {
	l := &Lab{PureGo: true}
	large := newFake("large", 1)
	large.Takes.Memory = FreeMemory() * 2 / 3
	require.Positive(t, large.Takes.Memory)
	for _, c := range []struct {
		cores, trainings, want int
		fake                   fake
		threads                string
	}{{4, 9, 4, newFake("small", 1), "1"}, {4, 2, 2, newFake("small", 1), "2"}, {4, 1, 1, newFake("small", 1), ""},
		{4, 9, 1, large, ""}} {
		onCores(t, c.cores)
		require.Equal(t, c.want, l.workers([]Experiment{c.fake}, c.trainings))
		require.Equal(t, c.threads, os.Getenv(threads))
	}
	limited = true
	require.Equal(t, 1, l.workers(nil, 9))
}
