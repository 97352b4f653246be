package run

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/train"
)

// board shows the progress of announced trainings. Several may run at the same time. Estimates are in seconds.
type board struct {
	mu    sync.Mutex
	began time.Time
	all   float64 // estimate of all announced runs
	ended float64 // estimate of the runs that are no longer to be trained
	done  float64 // estimate of the steps that this process took in trainings that have ended
	now   []*training
	line  say.Line
}

// training is a training in progress.
type training struct {
	board     *board
	label     string
	estimate  float64
	from, fit float64 // fractions of the steps: at the start of this session, and taken
	bar       train.Bar
}

// Expect announces the runs to be trained, as [Lab.Open] lists them, so that progress shows the time left for all.
func (l *Lab) Expect(open []Experiment) { l.board = &board{began: time.Now(), all: Seconds(open)} }

// begin starts to show a training; the caller calls end after it.
func (l *Lab) begin(e Experiment) *training {
	b := l.board
	if b == nil { // a single training
		b = &board{began: time.Now()}
	}
	t := &training{board: b, label: e.Label(), estimate: Seconds([]Experiment{e}), bar: train.Bar{W: l.Out}}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.line.W = l.Out
	b.now = append(b.now, t)
	return t
}

// end removes the training from the board.
func (t *training) end() {
	b := t.board
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = slices.DeleteFunc(b.now, func(other *training) bool { return other == t })
	b.done += t.estimate * (t.fit - t.from)
	b.ended += t.estimate
}

// show is the [train.Options].Progress of the training. It shows one training in detail, or several in one line. Each
// training ends with its own line.
func (t *training) show(s train.Status) {
	b := t.board
	b.mu.Lock()
	defer b.mu.Unlock()
	t.from, t.fit = float64(s.FirstStep)/float64(s.Steps), float64(s.Step)/float64(s.Steps)
	t.bar.Label = t.label
	switch left, known := b.left(); {
	case s.Stopped || s.Step >= s.Steps:
		t.bar.Show(s)
	case len(b.now) == 1:
		if known {
			t.bar.Label += fmt.Sprintf(" (all: left %s)", left)
		}
		t.bar.Show(s)
	default:
		b.line.Show(b.fraction(), false, func() string {
			text := "of all trainings, left " + left
			for _, one := range b.now {
				text += fmt.Sprintf("; %s %.0f%%", shortened(one.label), 100*one.fit)
			}
			return text
		})
	}
}

// shortened returns the first two words of a label: the environment and the method.
func shortened(label string) string {
	words := strings.Fields(label)
	return strings.Join(words[:min(2, len(words))], " ")
}

// fraction is the part of the announced work that is no longer to be done.
func (b *board) fraction() float64 {
	sum := b.ended
	for _, t := range b.now {
		sum += t.estimate * t.fit
	}
	return min(1, sum/b.all)
}

// left estimates the time left for all announced trainings, from the speed so far. It is unknown if none was announced.
func (b *board) left() (text string, known bool) {
	if b.all == 0 {
		return "", false
	}
	done := b.done
	for _, t := range b.now {
		done += t.estimate * (t.fit - t.from)
	}
	seconds, elapsed := b.all*(1-b.fraction()), time.Since(b.began)
	if elapsed >= say.Settling && done > 0 {
		seconds *= elapsed.Seconds() / done
	} else {
		seconds /= float64(max(1, len(b.now)))
	}
	return say.Left(seconds), true
}

// skip counts a run as ended that another process trains or has kept.
func (b *board) skip(e Experiment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended += Seconds([]Experiment{e})
}
