// Package notebook shows progress, figures and tables below a cell of a GoNB notebook. Outside a notebook it shows
// nothing. Most functions return no error but end the cell with it.
package notebook

import (
	"context"
	"log"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Engine returns the backend that [backend.Open] chooses, or ends the cell with the error.
func Engine() compute.Backend {
	engine, _, err := backend.Open()
	Check(err)
	return engine
}

// Must returns the value, or ends the cell with the error.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check ends the cell with the error if err is not nil.
func Check(err error) {
	if err != nil {
		log.Fatalln(err)
	}
}

// Train is [train.Run] on the notebook's engine, with progress below the cell.
func Train(label string, p train.Problem, c train.Config, o train.Options) *train.Result {
	o.Backend = Engine()
	if o.Progress == nil {
		o.Progress = Progress(label)
	}
	return Must(train.Run(context.Background(), p, c, o))
}

// World is [gridworld.LoadWorld].
func World(name string) *gridworld.World { return Must(gridworld.LoadWorld(name)) }

// Eigen is [spectral.SymEigen].
func Eigen(a mat.Symmetric) spectral.Eigenpairs { return Must(spectral.SymEigen(a)) }

// Loss is [verify.OnMatrix] on the notebook's engine.
func Loss(o ommlx.Objective) verify.Loss { return Must(verify.OnMatrix(Engine(), o)) }

// Square is [pde.Midpoint] in the plane.
func Square(n int, a float64) pde.Quadrature { return Must(pde.Midpoint(n, a)) }

// Disc is [pde.Disc].
func Disc(n, m int, radius float64) pde.Quadrature { return Must(pde.Disc(n, m, radius)) }

// Method returns the name of an objective in text and pictures, such as OMM-seq; see [pde.MethodName].
func Method(o ommlx.Objective) string { return pde.MethodName(o.Name()) }
