package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"operator-omm/ommlx/train"
)

// ErrUnknown is wrapped by the error of [Lab.Finish] for a key that no training has.
var ErrUnknown = errors.New("no training has this key")

// waitFor is the time between two looks at what another process trains.
const waitFor = 2 * time.Second

// Finish trains those seeds of jobs whose own key, or that of a job of theirs, is among keys. Unlike [Lab.Work] it
// waits for what another process is at work on, and trains it if that process ends without a result: after Finish each
// of the results is kept. Errors are those of Work; that of a key which nothing in jobs has wraps [ErrUnknown].
func (l *Lab) Finish(ctx context.Context, jobs []Job, keys []string) (done Worked, err error) {
	list, err := queue(jobs)
	if err != nil {
		return done, err
	}
	known := map[string]bool{}
	list = slices.DeleteFunc(list, func(q queued) bool {
		chosen := false
		for _, j := range append([]Job{q.Job}, q.of...) {
			if slices.Contains(keys, j.Key) {
				known[j.Key], chosen = true, true
			}
		}
		return !chosen
	})
	for _, key := range keys {
		if !known[key] {
			return done, fmt.Errorf("%w: %q", ErrUnknown, key)
		}
	}
	for said := false; ; said = true {
		some, err := l.train(ctx, list)
		done.Trained, done.Left = done.Trained+some.Trained, some.Left
		if err != nil || some.Elsewhere == 0 {
			return done, err
		}
		if !said {
			l.Say("waiting for another process, which is at work on %d of these trainings", some.Elsewhere)
		}
		select {
		case <-ctx.Done():
			done.Left = some.Elsewhere
			return done, fmt.Errorf("%w while another process was at work on the rest", train.ErrInterrupted)
		case <-time.After(waitFor):
		}
	}
}
