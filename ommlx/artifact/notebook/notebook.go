// Package notebook shows progress, figures and tables below a cell of a GoNB notebook. Outside a notebook it shows
// nothing.
package notebook

import (
	"log"
	"os"

	"github.com/gomlx/compute"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
)

// Lab returns the lab of the checkout whose folder notebooks/ contains the notebook. Results are kept in .omm/results,
// so rerunning a cell reads them; progress is one line below the cell.
func Lab() *run.Lab {
	return &run.Lab{Root: "..", Profile: run.Quick, Out: os.Stdout,
		Display: func(line string) { show(pre([]string{line})) }}
}

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
