package learn

import (
	"github.com/gomlx/compute"

	"operator-omm/ommlx/backend"
)

const (
	// denseEntries of a dense matrix cost the pure-Go engine as much as one entry of a sparse one (1/4 ns and 55 ns).
	denseEntries = 200
	// fewNumbers take the pure-Go engine half a second, which is less than XLA takes to compile the three programs of a
	// training (0.7 s of a core of 2021, whatever the size). BenchmarkSmallTables measures both.
	fewNumbers = 10_000_000
)

// small reports whether the pure-Go engine is done before XLA has compiled.
func (t Task) small(s Settings) bool {
	return t.touched > 0 && s.Dir == "" && t.touched*s.Steps*len(s.Seeds) <= fewNumbers
}

// engine is the backend for a task where none is given: open, or the pure-Go one.
func (t Task) engine(s Settings, open compute.Backend) (compute.Backend, error) {
	if backend.Asked() || !t.small(s) {
		return open, nil
	}
	return backend.PureGo()
}
