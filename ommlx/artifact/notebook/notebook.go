// Package notebook shows progress, figures and tables below a cell of a GoNB notebook. Outside of a notebook it shows
// nothing.
package notebook

import (
	"fmt"
	"log"
	"math"
	"os"

	"github.com/gomlx/compute"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/learn"
)

// Lab returns the place for experiments of the checkout whose folder notebooks/ holds the notebook. What it trains is
// kept in .omm/results, so that a cell that is run again reads the result, and its progress is one line below the cell.
func Lab() *run.Lab {
	return &run.Lab{Root: "..", Profile: run.Quick, Out: os.Stdout,
		Display: func(line string) { show(display, pre([]string{line})) }}
}

// Engine returns the backend that [backend.Open] chooses, or ends the cell with the error's sentence.
func Engine() compute.Backend {
	engine, _, err := backend.Open()
	Check(err)
	return engine
}

// Must returns the value, or ends the cell with the error's sentence.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check ends the cell with the error's sentence, if there is one.
func Check(err error) {
	if err != nil {
		log.Fatalln(err)
	}
}

// Strict is the variable of the environment by which a sentence of [Require] ends its cell.
const Strict = "OMM_NOTEBOOK_STRICT"

// Require shows a sentence, written as by fmt.Sprintf, unless what the text of the notebook says of the numbers of the
// cell holds. A reader who changed a number reads on; `omm notebooks` sets [Strict], so that there the cell fails.
func Require(holds bool, sentence string, args ...any) {
	if holds {
		return
	}
	sentence = fmt.Sprintf("The text says otherwise: "+sentence, args...)
	if os.Getenv(Strict) != "" {
		log.Fatalln(sentence)
	}
	fmt.Println(sentence)
}

// Within requires that no learned eigenvalue errs by more than a share of the true one, in the order of learned.Values.
// See [Require].
func Within(learned *learn.Learned, truth []float64, share float64) {
	for i, v := range learned.Values {
		Require(math.Abs(v-truth[i]) <= share*math.Abs(truth[i]),
			"eigenvalue %d is %g, the truth %g: it errs by more than %g of it", i+1, v, truth[i], share)
	}
}
