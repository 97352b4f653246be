package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
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
	l, err := load(path, f, b)
	if err != nil {
		return nil, fmt.Errorf("learn: load %s: %w", path, err)
	}
	return l, nil
}

func load(path string, f net.Functions, b compute.Backend) (l *Learned, err error) {
	s, err := read(path)
	if err != nil {
		return nil, err
	}
	rotation := s.Tensors["rotation"]
	if rotation == nil || rotation.Rank() != 3 || rotation.Size() == 0 {
		return nil, errors.New("tensor \"rotation\" is missing or empty: the file was not written by Save")
	}
	runs, trained, k := rotation.Shape().Dim(0), rotation.Shape().Dim(1), rotation.Shape().Dim(2)
	l = &Learned{k: k, Best: s.number("best", runs-1), Result: &train.Result{Causes: make([]string, runs)},
		Task:     Task{Volume: numbers[float64](s, "volume", 1)[0], Spare: trained - k},
		settings: Settings{Seeds: numbers[int64](s, "seeds", runs)}}
	l.Result.Step = s.number("steps", math.MaxInt)
	for s.Tensors[paramName(len(l.Result.Params))] != nil {
		l.Result.Params = append(l.Result.Params, s.Tensors[paramName(len(l.Result.Params))])
	}
	rotations := slices.Collect(slices.Chunk(numbers[float64](s, "rotation", runs*trained*k), trained*k))
	values := slices.Collect(slices.Chunk(numbers[float64](s, "values", runs*k), k))
	residuals := slices.Collect(slices.Chunk(numbers[float64](s, "residuals", runs*k), k))
	for r, step := range numbers[int64](s, "diverged", runs) {
		l.Result.Diverged = append(l.Result.Diverged, int(step))
		run := Run{Diverged: int(step), Cause: "the file has no values for it"}
		if step > 0 {
			run.Cause = "loss or gradient"
		} else if !math.IsNaN(values[r][0]) {
			run = Run{Values: values[r], Residuals: residuals[r], rotation: mat.NewDense(trained, k, rotations[r])}
		}
		l.Runs = append(l.Runs, run)
	}
	if s.err != nil {
		return nil, s.err
	}
	l.Run, l.Spread = l.Runs[l.Best], spread(l.Runs, k)
	if f == nil {
		if f, err = s.functions(l.Result.Params, trained); err != nil {
			return nil, err
		}
	}
	if kind, want := describe(f).kind, s.Metadata["functions"]; kind != want {
		return nil, fmt.Errorf("functions in the file are %q, not %q: pass the Functions of the operator's Task", want,
			kind)
	}
	if was, want := shapesOf(l.Result.Params), shapesOf(f.Init(l.settings.Seeds)); was != want {
		return nil, fmt.Errorf("parameters in the file are %s, want %s", was, want)
	}
	l.Task.Functions = f
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
	l.Engine, l.settings.Options.Backend = b.Name(), b
	return l, nil
}

// saved is a file; err is its first deviation from the format of [Learned.Save].
type saved struct {
	tensorx.Safetensors
	err error
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
	return s, nil
}

// number returns an integer in the metadata, in [0, most].
func (s *saved) number(name string, most int) int {
	n, err := strconv.Atoi(s.Metadata[name])
	if err != nil || n < 0 || n > most {
		s.err = cmp.Or(s.err, fmt.Errorf("metadata: %s is %q, want 0 to %d", name, s.Metadata[name], most))
	}
	return n
}

// numbers returns the entries of a tensor of that size; −1 accepts any size.
func numbers[T float64 | int64](s *saved, name string, size int) (flat []T) {
	err := errors.New("is missing")
	if t := s.Tensors[name]; t != nil {
		flat, err = tensors.CopyFlatData[T](t)
	}
	if err == nil && size >= 0 && len(flat) != size {
		err = fmt.Errorf("has %d numbers, want %d", len(flat), size)
	}
	if err != nil {
		s.err = cmp.Or(s.err, fmt.Errorf("tensor %q: the file was not written by Save: %w", name, err))
		return make([]T, max(0, size))
	}
	return flat
}

func shapesOf(params []*tensors.Tensor) string {
	return strings.Join(xslices.Map(params, func(t *tensors.Tensor) string { return t.Shape().String() }), ", ")
}
