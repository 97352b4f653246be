package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"omm-go/ommlx/train"
)

// Seconds returns the estimated time of experiments one after another. It is the sum over single seeds, so that sums
// over parts of experiments agree.
func Seconds(list []Experiment) (sum float64) {
	for _, e := range list {
		for _, single := range singles(e) {
			sum += single.Cost().Seconds
		}
	}
	return sum
}

// Singles lists the single seeds of experiments, each once: the first seed of every experiment, in order, then the
// second seeds, and so on. The experiments thus gain runs at the same rate.
//
// Seeds are not trained together, since that saves no time with a worker on each core: in the six smallest grid worlds
// training three together took 0.92 to 1.03 times as long per run.
func Singles(list []Experiment) []Experiment {
	var rounds [][]Experiment
	for _, e := range list {
		for i, one := range singles(e) {
			if i == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[i] = append(rounds[i], one)
		}
	}
	listed := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(rounds...), func(e Experiment) (twice bool) {
		key := Key(e)
		twice, listed[key] = listed[key], true
		return twice
	})
}

// Open lists the single seeds of experiments without a kept result, in the order in which [Lab.Work] trains them. A
// damaged result is an error.
func (l *Lab) Open(list []Experiment) (open []Experiment, err error) {
	for _, e := range Singles(list) {
		kept, err := loadSeed(l, e, Key(e))
		if err != nil {
			return nil, err
		}
		if kept == nil {
			open = append(open, e)
		}
	}
	return open, nil
}

// Work trains the missing seeds of experiments one at a time, in the order of [Singles]. It skips seeds that another
// process is training, so several processes may share a folder. The error wraps [train.ErrInterrupted] if ctx ended the
// work; the same call then resumes. It wraps [train.ErrForeign] if a checkpoint belongs to another training: Work skips
// that seed and trains the others.
func (l *Lab) Work(ctx context.Context, list []Experiment) error {
	open, err := l.Open(list)
	if err != nil {
		return err
	}
	l.Expect(open)
	var foreign error // the first one
	for i, e := range open {
		if ctx.Err() != nil {
			return fmt.Errorf("%w before %s seed %d", train.ErrInterrupted, e.Label(), e.RunSeeds()[0])
		}
		key := Key(e)
		kept, err := loadSeed(l, e, key)
		if err != nil {
			return err
		}
		if held, _ := train.FolderStatus(l.runDir(key)); held || kept != nil {
			l.board.skip(e)
			continue // another process trains it or has kept it
		}
		l.Say("%d of %d: %s seed %d", i+1, len(open), e.Label(), e.RunSeeds()[0])
		switch _, err := Run(ctx, l, e); {
		case errors.Is(err, train.ErrHeld), errors.Is(err, train.ErrForeign):
			l.board.skip(e)
			l.Say("skipped: %v", err)
			if errors.Is(err, train.ErrForeign) {
				foreign = cmp.Or(foreign, err)
			}
		case err != nil:
			return err
		}
	}
	return foreign
}
