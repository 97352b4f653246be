package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/run"
)

// Make trains what the exhibits need and is not kept, and writes each exhibit when its results are there. The exhibit
// with the least training left comes first, so that a picture appears soon, and those without trainings come last. With
// [run.Lab.KeptOnly] it trains nothing and writes the exhibits that have enough kept results. The quick profile, and
// the smoke profile with a Target, first write the exhibits at the paper's scale from kept results.
func Make(ctx context.Context, l *run.Lab, exhibits []Exhibit) error {
	if l.Profile == run.Quick || l.Profile == run.Smoke && l.Target != "" {
		paper := *l
		paper.Profile, paper.KeptOnly = run.Paper, true
		if err := Make(ctx, &paper, exhibits); err != nil {
			return err
		}
		exhibits = slices.DeleteFunc(slices.Clone(exhibits), func(x Exhibit) bool {
			return !x.Trains() || x.OnRequest && l.Profile == run.Quick
		})
	}
	left, missing := map[string]float64{}, map[string][]run.Experiment{} // seconds and trainings, by name
	var open []run.Experiment
	for _, x := range exhibits {
		if !x.Trains() {
			left[x.Name] = math.Inf(1)
			continue
		}
		if l.KeptOnly {
			continue
		}
		for _, e := range x.Experiments(l.Profile) {
			own, err := l.Open([]run.Experiment{e})
			if err != nil {
				return err
			}
			if own != nil {
				missing[x.Name] = append(missing[x.Name], e)
			}
			left[x.Name], open = left[x.Name]+run.Seconds(own), append(open, own...)
		}
	}
	exhibits = slices.SortedStableFunc(slices.Values(exhibits), func(a, b Exhibit) int {
		return cmp.Compare(left[a.Name], left[b.Name])
	})
	var queue []run.Experiment
	for _, x := range exhibits {
		queue = append(queue, missing[x.Name]...)
	}
	trained := func(run.Experiment) error { return nil } // waits for a training
	if queue != nil {
		l.Expect(run.Singles(open)) // each run once
		pool := l.SideBySide(ctx, queue)
		defer pool.Close()
		trained = pool.Wait
	}
	for _, x := range exhibits {
		for _, e := range Planned(l.Profile, x) {
			if err := trained(e); err != nil { // perhaps of another exhibit's training
				return err
			}
		}
		if err := x.make(l); err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	return nil
}

// make draws and writes the exhibit from the kept results of its experiments, if there are enough.
func (x Exhibit) make(l *run.Lab) error {
	name := strings.TrimSuffix(path.Base(x.File(l.Profile)), ".json")
	k := Kept{Root: l.Root, Profile: l.Profile, Head: Head{Figure: name, Provenance: Origin{Trained: []Trained{},
		Drawn: Drawn{l.Profile, run.BuiltFrom(l.Root), time.Now().UTC().Truncate(time.Second)}}}}
	if x.Kind == Table {
		k.Head.Figure, k.Head.Table = "", name
	}
	list := Planned(l.Profile, x)
	var missing []run.Experiment
	for _, e := range list {
		r, _, err := run.Load(l, e)
		if err != nil {
			return err
		}
		if r == nil {
			missing = append(missing, e)
		} else {
			k.Head.Provenance.add(e, r)
		}
		k.Results = append(k.Results, r)
	}
	if missing != nil && (!x.Partial || len(missing) == len(list)) {
		l.Say("%s (%s profile): not drawn: no kept result of %s; run `%s`", x.Name, l.Profile, missing[0].Label(),
			x.CommandOf(l.Profile))
		return nil
	}
	content, err := x.Draw(k)
	if errors.Is(err, fs.ErrNotExist) && !x.Trains() {
		l.Say("%s (%s profile): not drawn: %v", x.Name, l.Profile, err)
		return nil
	}
	if err != nil {
		return err
	}
	return x.write(l, content)
}
