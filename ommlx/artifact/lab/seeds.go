package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"

	"operator-omm/ommlx/train"
)

// Load reads the kept result of an experiment: the whole, or else those of its seeds, each alone, which are joined.
// found is false if a seed is missing. The error names a damaged file.
//
// Runs are independent, so both are the same experiment. They have the same bits only if the same seeds were trained
// in one program, as [Provenance] says: products of another shape are rounded in another way, which a long training
// amplifies: on GridRoom-4, with 4,000 steps, average cosine similarities of two seeds moved by 0.0006 and 0.0015.
func Load[R Result](l *Lab, e Experiment[R]) (result R, found bool, err error) {
	result, found, err = loadOne(l, e)
	if found || err != nil || len(e.RunSeeds()) < 2 {
		return result, found, err
	}
	parts, missing, err := loadEach(l, e)
	if err != nil || len(missing) > 0 {
		return result, false, err
	}
	if result, err = assemble(e, parts); err != nil {
		return result, false, fmt.Errorf("%s: the kept results of its seeds do not fit together: %w", e.Label(), err)
	}
	return result, true, nil
}

// loadOne reads the file of an experiment.
func loadOne[R Result](l *Lab, e Experiment[R]) (result R, found bool, err error) {
	key, err := Key(e)
	if err != nil {
		return result, false, err
	}
	for _, path := range []string{l.resultPath(key), l.committedPath(key)} {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			result, err = Decode[R](text, key)
		}
		if err != nil {
			return result, false, fmt.Errorf("the kept result %s cannot be read (%w); "+
				"remove it to compute it again", path, err)
		}
		return result, true, nil
	}
	return result, false, nil
}

// loadEach reads the kept results of the seeds of an experiment, each alone, and lists the seeds that have none.
func loadEach[R Result](l *Lab, e Experiment[R]) (parts []R, missing []int64, err error) {
	for _, seed := range e.RunSeeds() {
		r, found, err := loadOne(l, e.With([]int64{seed}))
		switch {
		case err != nil:
			return nil, nil, err
		case found:
			parts = append(parts, r)
		default:
			missing = append(missing, seed)
		}
	}
	return parts, missing, nil
}

// loadSome is the result of the seeds that there are; nil without one.
func loadSome[R Result](l *Lab, e Experiment[R]) (result R, err error) {
	parts, missing, err := loadEach(l, e)
	if err != nil || len(parts) == 0 {
		return result, err
	}
	seeds := slices.DeleteFunc(slices.Clone(e.RunSeeds()), func(s int64) bool { return slices.Contains(missing, s) })
	return assemble(e.With(seeds), parts)
}

// assemble joins the results of all seeds. Each part keeps its provenance; that of the whole is of the part that was
// finished last, with the seconds of all.
func assemble[R Result](e Experiment[R], parts []R) (whole R, err error) {
	whole = e.Join(parts)
	origin, seeds := whole.Trained()
	*origin = Provenance{}
	seconds, list := 0.0, make([]Part, len(parts))
	for i, p := range parts {
		from, _ := p.Trained()
		list[i] = Part{Seeds: seeds[i : i+1], Provenance: *from}
		if list[i].Key, err = Key(e.With(list[i].Seeds)); err != nil {
			return whole, err
		}
		if seconds += from.Seconds; i == 0 || from.Finished.After(origin.Finished) {
			*origin = *from
		}
	}
	origin.Seconds, origin.Parts = seconds, list
	key, err := Key(e)
	if err != nil {
		return whole, err
	}
	return whole, whole.Check(key)
}

// JoinRuns joins the runs and the histories of the results of some seeds each.
func JoinRuns[P, R any](parts []P, of func(P) ([]R, []train.Point)) (runs []R, history []train.Point) {
	var histories [][]train.Point
	for _, p := range parts {
		some, points := of(p)
		runs, histories = append(runs, some...), append(histories, points)
	}
	return runs, JoinHistories(histories)
}

// JoinHistories puts the histories of runs that were trained apart beside each other, in their order. A run that
// diverged may have ended before the others; from there on its numbers are NaN.
func JoinHistories(parts [][]train.Point) []train.Point {
	var joined []train.Point
	for _, part := range parts {
		if len(part) > len(joined) {
			joined = append(joined, part[len(joined):]...)
		}
	}
	for i := range joined {
		first := joined[i]
		joined[i] = train.Point{Step: first.Step}
		for _, part := range parts {
			var p train.Point
			if i < len(part) {
				p = part[i]
			}
			joined[i].Loss = beside(joined[i].Loss, p.Loss, len(first.Loss) > 0)
			joined[i].Value = beside(joined[i].Value, p.Value, len(first.Value) > 0)
		}
	}
	return joined
}

// beside appends the numbers of one run, NaN if they should be there but are not.
func beside(all, one train.PerRun, there bool) train.PerRun {
	if there && len(one) == 0 {
		one = train.PerRun{math.NaN()}
	}
	return append(all, one...)
}

// HistoryOf is the part of a history that is of one run.
func HistoryOf(history []train.Point, run int) []train.Point {
	part := make([]train.Point, len(history))
	for i, p := range history {
		part[i].Step = p.Step
		if p.Loss != nil {
			part[i].Loss = p.Loss[run : run+1]
		}
		if p.Value != nil {
			part[i].Value = p.Value[run : run+1]
		}
	}
	return part
}
