package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// Load reads the functions, Values and Residuals from a file written by [Learned.Save], for [Learned.At] or
// [Settings].Start. For functions other than a table, a net.MLP or the default networks of samples and of a Box, pass
// f, the Functions of the operator's Task. With a nil backend, tables use pure Go and everything else the default of
// [backend.Open].
func Load(path string, f net.Functions, b compute.Backend) (*Learned, error) {
	s, err := read(path)
	var l *Learned
	if err == nil {
		l, err = s.learned(f, b)
	}
	if err != nil {
		return nil, fmt.Errorf("learn: load %s: %w", path, err)
	}
	return l, nil
}

// learned returns the functions f, by default as described in the file, with the values of the file.
func (s *saved) learned(f net.Functions, b compute.Backend) (l *Learned, err error) {
	if f == nil {
		if f, err = s.functions(); err != nil {
			return nil, err
		}
	}
	if kind := describe(f).kind; kind != s.kind {
		return nil, fmt.Errorf("functions in the file are %q, not %q: pass the Functions of the operator's Task",
			s.kind, kind)
	}
	if was, want := shapesOf(s.params), shapesOf(f.Init(s.seeds)); was != want {
		return nil, fmt.Errorf("parameters in the file are %s, want %s", was, want)
	}
	switch {
	case b != nil:
	case isDiscrete(f) && !backend.Asked():
		b, err = backend.PureGo() // nothing to compute
	default:
		b, _, err = backend.Open()
	}
	if err != nil {
		return nil, err
	}
	l = &Learned{Best: s.best, Engine: b.Name(), k: s.k, Result: &train.Result{Causes: make([]string, s.runs)},
		Task:     Task{Functions: f, Volume: s.volume[0], Spare: s.trained - s.k},
		settings: Settings{Seeds: s.seeds, Options: train.Options{Backend: b}}}
	l.Result.Params, l.Result.Step = s.params, s.steps
	for r, step := range s.diverged {
		l.Result.Diverged = append(l.Result.Diverged, int(step))
		part := func(of []float64) []float64 { return of[r*len(of)/s.runs : (r+1)*len(of)/s.runs] }
		run := Run{Diverged: int(step)}
		if !math.IsNaN(part(s.values)[0]) {
			run.Values, run.Residuals = part(s.values), part(s.residuals)
			run.rotation = mat.NewDense(s.trained, s.k, part(s.rotation))
		} else if run.Cause = "loss or gradient"; step == 0 {
			run.Cause = "the file has no values for it"
		}
		l.Runs = append(l.Runs, run)
	}
	l.Run, l.Spread = l.Runs[l.Best], spread(l.Runs, l.k)
	return l, nil
}

// saved is a complete file.
type saved struct {
	tensorx.Safetensors
	kind                                string // of functions
	runs, trained, k                    int    // R, k' and k
	seeds, diverged                     []int64
	rotation, values, residuals, volume []float64
	params                              []*tensors.Tensor
	best, steps                         int

	err error // the first deviation from the format of [Learned.Save]
}

// read reads a file and verifies that it is complete.
func read(path string) (*saved, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s := &saved{}
	if s.Safetensors, err = tensorx.ReadSafetensors(in); err != nil {
		return nil, err
	}
	if format := s.Metadata["format"]; format != formatName {
		return nil, fmt.Errorf("format is %q, want %q: save the functions again", format, formatName)
	}
	want := s.Metadata["checksum"]
	delete(s.Metadata, "checksum")
	if sum, err := checksum(s.Safetensors); err != nil || sum != want {
		return nil, cmp.Or(err, errors.New("file is damaged, or another program changed it: its checksum does "+
			"not match"))
	}
	s.kind = s.Metadata["functions"]
	rotation := s.Tensors["rotation"]
	if rotation == nil || rotation.Rank() != 3 || rotation.Size() == 0 {
		return nil, errors.New("tensor \"rotation\" is missing or empty: the file was not written by Save")
	}
	s.runs, s.trained, s.k = rotation.Shape().Dim(0), rotation.Shape().Dim(1), rotation.Shape().Dim(2)
	s.seeds, s.diverged = numbers[int64](s, "seeds", s.runs), numbers[int64](s, "diverged", s.runs)
	s.values, s.residuals = s.floats("values", s.runs*s.k), s.floats("residuals", s.runs*s.k)
	s.rotation, s.volume = s.floats("rotation", -1), s.floats("volume", 1)
	for s.Tensors[paramName(len(s.params))] != nil {
		s.params = append(s.params, s.Tensors[paramName(len(s.params))])
	}
	s.steps, s.best = s.number("steps", math.MaxInt), s.number("best", s.runs-1)
	return s, s.err
}

// number returns an integer in the metadata, in [0, most].
func (s *saved) number(name string, most int) int {
	n, err := strconv.Atoi(s.Metadata[name])
	if err != nil || n < 0 || n > most {
		s.err = cmp.Or(s.err, fmt.Errorf("metadata: %s is %q, want 0 to %d", name, s.Metadata[name], most))
	}
	return n
}

func (s *saved) floats(name string, size int) []float64 { return numbers[float64](s, name, size) }

// numbers returns the entries of a tensor of that size; −1 accepts any size.
func numbers[T float64 | int64](s *saved, name string, size int) []T {
	t := s.Tensors[name]
	if t == nil {
		s.err = cmp.Or(s.err, fmt.Errorf("tensor %q is missing: the file was not written by Save", name))
		return nil
	}
	flat, err := tensors.CopyFlatData[T](t)
	if err == nil && size >= 0 && len(flat) != size {
		err = fmt.Errorf("want %d numbers", size)
	}
	if err != nil {
		s.err = cmp.Or(s.err, fmt.Errorf("tensor %q is %s: %w", name, t.Shape(), err))
	}
	return flat
}

func shapesOf(params []*tensors.Tensor) string {
	return strings.Join(xslices.Map(params, func(t *tensors.Tensor) string { return t.Shape().String() }), ", ")
}
