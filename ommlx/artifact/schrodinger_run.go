package artifact

import (
	"context"
	"errors"
	"fmt"
	"math"

	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/train"
)

// SchrodingerResult is what one [Schrodinger] experiment gave.
type SchrodingerResult struct {
	Config     Schrodinger      `json:"config"`
	Provenance Provenance       `json:"provenance"`
	Runs       []SchrodingerRun `json:"runs"`
	History    []train.Point    `json:"history"` // value: mean relative error of the energies of each run
	// Picture is the first run's ψ on the points of [schrodinger.Grid] with PictureSide points per axis on the system's
	// region, one list for each mode, with four digits.
	Picture [][]float64 `json:"picture"`
}

// SchrodingerRun is one run, judged with its averaged parameters where there is an average.
type SchrodingerRun struct {
	Seed      int64     `json:"seed"`
	Diverged  int       `json:"diverged_at_step,omitempty"`
	Note      string    `json:"note,omitempty"`
	Energies  []float64 `json:"energies"`           // of H, [k], by Rayleigh quotients
	Errors    []float64 `json:"relative_errors"`    // of the energies, [k]
	Angles    []float64 `json:"angle_distances"`    // radians, [k]
	Subspaces []float64 `json:"subspace_distances"` // of each eigenspace
	Norms     []float64 `json:"norms"`              // of ψ, [k]
}

// pictureSide is the number of points per axis of a picture, which is drawn with interpolation between them.
const pictureSide = 32

// region is the half-width of the square that pictures show.
func (s Schrodinger) region() float64 {
	switch s.System {
	case "hydrogen": // level n comes after n² states, and its own lie within 3/2·(2n+1)²
		n := math.Ceil(math.Sqrt(float64(s.K))) - 1
		return 1.5 * (2*n + 1) * (2*n + 1)
	case "oscillator":
		return 5
	}
	return schrodinger.WellHalfWidth
}

// quadrature is where runs are judged.
func (s Schrodinger) quadrature() (schrodinger.Quadrature, error) {
	switch s.System {
	case "hydrogen": // the cusp needs polar coordinates
		return schrodinger.Disc(100, 40, 200)
	case "oscillator":
		return schrodinger.Grid(2, 64, 8)
	}
	return schrodinger.Grid(2, 64, schrodinger.WellHalfWidth)
}

func (s Schrodinger) label() string {
	return fmt.Sprintf("%s %s k=%d ×%d", s.System, s.Method, s.K, len(s.Seeds))
}

// TrainWaves returns the result of the experiment, from its file if it is kept, else by training, which goes on from the
// checkpoint of an interrupted one.
func (lab *Lab) TrainWaves(ctx context.Context, s Schrodinger) (*SchrodingerResult, error) {
	key, err := keyOf(s)
	if err != nil {
		return nil, err
	}
	result := &SchrodingerResult{}
	if found, err := lab.load(key, result); found || err != nil {
		return result, err
	}
	p, err := s.Problem()
	if err != nil {
		return nil, err
	}
	b, _, err := lab.engine()
	if err != nil {
		return nil, err
	}
	if err := s.check(b); err != nil {
		return nil, err
	}
	j, err := newWaveJudge(b, s)
	if err != nil {
		return nil, err
	}
	defer j.exec.Finalize()
	show, finished := lab.bar(s.label(), 1)
	trained, err := train.Run(ctx, p, s.Train.config(), train.Options{
		Backend: b, Dir: lab.runDir(key), Key: key, Progress: show, Warn: lab.Out,
		Eval: func(now train.Snapshot) ([]float64, error) { return j.errors(now.Params) },
	})
	if err != nil && !errors.Is(err, train.ErrDiverged) { // which is a result, too
		return nil, fmt.Errorf("%s: %w", s.label(), err)
	}
	finished()
	params := trained.Best()
	result.Config, result.History = s, trained.History
	psi, tpsi, err := j.functions(params, j.points)
	if err != nil {
		return nil, err
	}
	for i, seed := range s.Seeds {
		run := SchrodingerRun{Seed: seed, Diverged: trained.Diverged[i]}
		if run.Diverged > 0 {
			run.Note = fmt.Sprintf("diverged at step %d", run.Diverged)
		}
		// A run that diverged is frozen where it was last finite, which may be too large to be judged.
		if err := j.judge(&run, psi[i], tpsi[i]); err != nil && run.Diverged == 0 {
			return nil, fmt.Errorf("%s, seed %d: %w", s.label(), seed, err)
		}
		result.Runs = append(result.Runs, run)
	}
	if result.Picture, err = j.picture(params); err != nil {
		return nil, err
	}
	if result.Provenance, err = lab.provenance(trained.Seconds); err != nil {
		return nil, err
	}
	if err := lab.keep(key, result); err != nil {
		return nil, err
	}
	return result, train.Clear(lab.runDir(key))
}

// digits rounds to four of them, in place: a picture needs no more, and a file of many should be small.
func digits(values []float64) []float64 {
	for i, v := range values {
		if v != 0 {
			unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-3)
			values[i] = math.Round(v/unit) * unit
		}
	}
	return values
}
