package learn

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// judgedAlike is the tolerance between two backends for values of the same functions, relative to the largest value.
const judgedAlike = 1e-3

// Load reads a file written by [Learned.Save], on any backend.
//
// With the operator, k and settings of the training, Load evaluates the functions again and returns what [Learn] did,
// without the loss history. Seeds come from the file. It is an error if the operator's data differ from the file's, or
// if the values differ and Settings.Judge is the same.
//
// With a nil operator, Load reads only the functions, Values and Residuals, for [Learned.At], and ignores k and all
// settings except the backend. For functions other than a table, a net.MLP or the default networks, pass
// Task{Functions: f} without Draw.
func Load(path string, op Operator, k int, s Settings) (*Learned, error) {
	file, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("learn: load %s: %w", path, err)
	}
	var l *Learned
	if t, is := op.(Task); op == nil || is && t.Draw == nil {
		l, err = file.withoutOperator(t.Functions, s.Options.Backend)
	} else {
		l, err = file.with(op, k, s)
	}
	if err != nil {
		return nil, fmt.Errorf("learn: load %s: %w", path, err)
	}
	return l, nil
}

// with returns the functions, evaluated again with their operator.
func (s *saved) with(op Operator, k int, settings Settings) (*Learned, error) {
	settings.Seeds = s.seeds
	l, err := prepare(op, k, settings)
	if err != nil {
		return nil, err
	}
	if err := s.fits(l.Task, k); err != nil {
		return nil, err
	}
	if l.Result, err = s.result(l.Task.Functions); err != nil {
		return nil, err
	}
	evaluate, free := l.judging()
	defer free()
	if err := l.judge(evaluate); err != nil {
		return nil, err
	}
	if s.Metadata["judge"] != strconv.Itoa(l.settings.Judge) {
		return l, nil
	}
	for r, run := range l.Runs {
		for i, v := range run.Values {
			if was := s.values[r*k+i]; math.Abs(v-was) > judgedAlike*run.scale() {
				return nil, fmt.Errorf("value %d is %.6g for this operator, want %.6g: use the operator of the "+
					"training, or nil to evaluate the functions only", i+1, v, was)
			}
		}
	}
	return l, nil
}

// withoutOperator returns the functions f, by default as described in the file, with the values of the file.
func (s *saved) withoutOperator(f net.Functions, b compute.Backend) (l *Learned, err error) {
	if f == nil {
		if f, err = s.functions(); err != nil {
			return nil, err
		}
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
	t := Task{Functions: f, Volume: s.volume[0], builtIn: builtIn{Spare: s.trained - s.k}}
	l = &Learned{Best: s.best, Task: t, Engine: b.Name(), k: s.k,
		settings: Settings{Seeds: s.seeds, Options: train.Options{Backend: b}}}
	if l.Result, err = s.result(f); err != nil {
		return nil, err
	}
	for r := range s.runs {
		part := func(of []float64) []float64 { return of[r*len(of)/s.runs : (r+1)*len(of)/s.runs] }
		run := Run{Diverged: l.Result.Diverged[r]}
		if !math.IsNaN(part(s.values)[0]) {
			run.Values, run.Residuals = part(s.values), part(s.residuals)
			run.rotation = mat.NewDense(s.trained, s.k, part(s.rotation))
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
	if rotation == nil || rotation.Rank() != 3 {
		return nil, errors.New("tensor \"rotation\" is missing: the file was not written by Save")
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

// fits returns an error if the task differs from the saved one.
func (s *saved) fits(t Task, k int) error {
	if trained := k + t.Spare; s.k != k || s.trained != trained {
		return fmt.Errorf("k is %d, with %d trained functions, want %d and %d as in the file", k, trained, s.k,
			s.trained)
	}
	if kind := describe(t.Functions).kind; kind != s.kind {
		return fmt.Errorf("functions in the file are %q, not %q", s.kind, kind)
	}
	if t.fingerprint() != s.Metadata["data"] {
		return errors.New("data of this operator differ from those in the file: use the operator of the training, or " +
			"nil to evaluate the functions only")
	}
	constants := describe(t.Functions).constants
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		want := tensors.MustCopyFlatData[float64](constants[name])
		got := s.floats(name, len(want))
		if s.err != nil {
			return s.err
		}
		for i, v := range got {
			// Another backend rounds the estimates of sizes differently.
			if !(math.Abs(want[i]-v) <= 1e-4*(1+math.Abs(want[i]))) {
				return fmt.Errorf("%s[%d] is %g for this operator, want %g: use the operator of the training",
					name, i, want[i], v)
			}
		}
	}
	return nil
}

// result returns the parameters in the file if they fit functions of this kind and shape.
func (s *saved) result(f net.Functions) (*train.Result, error) {
	if kind := describe(f).kind; kind != s.kind {
		return nil, fmt.Errorf("functions in the file are %q, not %q", s.kind, kind)
	}
	if was, want := shapesOf(s.params), shapesOf(f.Init(s.seeds)); was != want {
		return nil, fmt.Errorf("parameters in the file are %s, want %s", was, want)
	}
	result := &train.Result{Causes: make([]string, s.runs)}
	result.Params, result.Step = s.params, s.steps
	for _, step := range s.diverged {
		result.Diverged = append(result.Diverged, int(step))
	}
	return result, nil
}

func shapesOf(params []*tensors.Tensor) string {
	var all []string
	for _, t := range params {
		all = append(all, t.Shape().String())
	}
	return strings.Join(all, ", ")
}
