package images

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/augment"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/train"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

func TestScratch(t *testing.T) {
	e := tiny(t)
	small := func(e Experiment) Experiment {
		e.Data, e.Recipe = dataset.DigitsName, augment.Digits()
		e.Recipe.Mean, e.Recipe.Std = []float64{digitsMean}, []float64{digitsStd}
		return e
	}
	bare := func(e Experiment) Experiment {
		e.Recipe = augment.Recipe{Mean: e.Recipe.Mean, Std: e.Recipe.Std}
		return e
	}
	_ = bare
	xla := graphtest.Backend(t)
	step := func(name string, b compute.Backend, e Experiment, steps int) {
		d, err := e.read()
		require.NoError(t, err)
		p, err := e.problem(d)
		require.NoError(t, err)
		c := e.config(60)
		c.Steps = steps
		was := cpu()
		_, err = train.Run(context.Background(), p, c, train.Options{Backend: b})
		require.NoError(t, err)
		fmt.Fprintf(os.Stderr, "%s %d steps: %.1f\n", name, steps, cpu()-was)
	}
	step("xla digits1", xla, small(e).with(1), 1)
}
