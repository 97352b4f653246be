package lab

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/train"
)

// tidy removes the checkpoints of a process that was killed after it had kept the results of an experiment, of which r
// is the whole: those of each seed alone, of all of them, and of those that were trained together.
func tidy[E Experiment[E, R], R Judged](l *Lab, e E, r *Result[E, R]) error {
	of := append(each(e), e)
	for _, p := range append(r.Provenance.Parts, Part{Provenance: r.Provenance}) {
		if p.Provenance.Together != nil {
			of = append(of, e.With(p.Provenance.Together))
		}
	}
	for _, one := range of {
		if err := train.Clear(l.runDir(Key(one))); err != nil {
			return err
		}
	}
	return nil
}

// Sweep removes what processes left that were killed, whatever they were at: checkpoints of trainings whose results are
// in .omm/results, and files there that were never put in place. It leaves alone what another process works on, and
// what cannot be removed.
func (l *Lab) Sweep() {
	trained, _ := os.ReadDir(l.runDir(""))
	for _, of := range trained {
		if _, err := os.Stat(l.resultPath(of.Name())); err == nil {
			_ = train.Clear(l.runDir(of.Name()))
		}
	}
	results := filepath.Dir(l.resultPath(""))
	files, _ := os.ReadDir(results)
	for _, f := range files {
		info, err := f.Info()
		if err == nil && strings.HasSuffix(f.Name(), fsx.Unfinished) && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(results, f.Name()))
		}
	}
}
