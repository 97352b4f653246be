package artifact

import (
	"encoding/json"
	"fmt"
)

// checked is a result that knows whether it is whole.
type checked interface {
	// check returns what keeps it from being the result of the configuration that key names.
	check(key string) error
}

// decodeResult reads what [Lab.keep] wrote for key. It refuses the result of another configuration, and one in which
// something that is drawn or averaged is missing.
func decodeResult(text []byte, key string, result checked) error {
	if err := json.Unmarshal(text, result); err != nil {
		return err
	}
	return result.check(key)
}

// isOf compares the key of a kept configuration with the name that it is kept under.
func isOf(config any, key string) error {
	own, err := keyOf(config)
	if err == nil && own != key {
		err = fmt.Errorf("it is the result of another configuration, %s", own)
	}
	return err
}

func (r *LaplacianResult) check(key string) error {
	if err := isOf(r.Config, key); err != nil {
		return err
	}
	if err := sameSeeds(r.Config.Seeds, len(r.Runs), func(i int) int64 { return r.Runs[i].Seed }); err != nil {
		return err
	}
	for i, run := range r.Runs {
		if err := lengths(i, r.Config.K, run.PerMode); err != nil {
			return err
		}
	}
	return nil
}

func (r *SchrodingerResult) check(key string) error {
	if err := isOf(r.Config, key); err != nil {
		return err
	}
	system, err := r.Config.system()
	if err != nil {
		return err
	}
	spectrum, err := system.Lowest(r.Config.K)
	if err != nil {
		return err
	}
	if err := sameSeeds(r.Config.Seeds, len(r.Runs), func(i int) int64 { return r.Runs[i].Seed }); err != nil {
		return err
	}
	for i, run := range r.Runs {
		if run.Diverged > 0 {
			continue // it may have ended before it could be judged, and is left out of every drawing
		}
		if err := lengths(i, r.Config.K, run.Energies, run.Errors, run.Angles, run.Norms); err != nil {
			return err
		}
		if err := lengths(i, len(spectrum.Spaces), run.Subspaces); err != nil {
			return err
		}
	}
	if got := len(r.Picture); got != r.Config.K {
		return fmt.Errorf("its picture has %d functions instead of %d", got, r.Config.K)
	}
	for i, values := range r.Picture {
		if got, want := len(values), pictureSide*pictureSide; got != want {
			return fmt.Errorf("function %d of its picture has %d values instead of %d", i, got, want)
		}
	}
	return nil
}

// sameSeeds compares the number of runs and their seeds with those of the configuration.
func sameSeeds(want []int64, runs int, of func(run int) int64) error {
	if runs != len(want) {
		return fmt.Errorf("it holds %d runs instead of %d", runs, len(want))
	}
	for i, seed := range want {
		if of(i) != seed {
			return fmt.Errorf("run %d has the seed %d instead of %d", i, of(i), seed)
		}
	}
	return nil
}

// lengths compares those of the scores of a run with what they must be.
func lengths(run, want int, scores ...[]float64) error {
	for _, s := range scores {
		if len(s) != want {
			return fmt.Errorf("run %d has %d scores where there must be %d", run, len(s), want)
		}
	}
	return nil
}
