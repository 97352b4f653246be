//go:build linux && cgo

package main

import (
	"math"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
)

// The scratch memory of operations is not given back to the operating system: a program that runs again and again
// would get it page by page each time.
func TestScratchIsNotFetchedAgain(t *testing.T) {
	engine := testkit.Backend(t)
	if _, choice, err := backend.Open(); err != nil || choice.Kind != backend.KindXLACPU {
		t.Skip("the XLA CPU plugin is not what computes here")
	}
	exec := MustNewExec(engine, func(x, w *Node) []*Node {
		grads := Gradient(ReduceAllSum(Square(Convolve(x, w).PadSame().Done())), x, w)
		return []*Node{ReduceAllSum(grads[0]), ReduceAllSum(grads[1])}
	})
	x := tensors.FromFlatDataAndDimensions(make([]float32, 32*32*32*64), 32, 32, 32, 64)
	w := tensors.FromFlatDataAndDimensions(make([]float32, 3*3*64*64), 3, 3, 64, 64)
	const runs, rounds, few = 4, 12, 1_000
	least := int64(math.MaxInt64)
	for i := 0; i < rounds && least >= few; i++ { // the first fetch what there was not
		var before, after syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
		for range runs {
			for _, out := range exec.MustCall(x, w) {
				out.MustFinalizeAll()
			}
		}
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
		least = min(least, (after.Minflt-before.Minflt)/runs)
	}
	require.Less(t, least, int64(few), "pages fetched in a run of the program; 40,000 without the setting")
}

// A program that imports the library keeps its own malloc.
func TestTheLibraryLeavesMallocAlone(t *testing.T) {
	for set, want := range map[string]string{"OMM=": "true", "MALLOC_MMAP_MAX_=0": "false"} {
		program := exec.Command("go", "run", "./testdata/malloc")
		program.Env = append(os.Environ(), set)
		said := testkit.Must(program.Output())
		require.Equal(t, want, strings.TrimSpace(string(said)), "with %s", set)
	}
}
