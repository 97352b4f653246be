package learn

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/safetensors"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// judgedAlike is how far values of the same functions and operator may lie apart on two backends, relative to the
// largest.
const judgedAlike = 1e-3

// Load reads what [Learned.Save] wrote, in any process and on any backend. The operator, k and the settings are those
// that it was learned with, for a file holds numbers and no functions; the seeds are the file's. The functions are
// judged anew, so that everything but the loss history is as after [Learn].
//
// An error says that the file is damaged, or belongs to other functions, another k, other data or another operator. An
// operator is known by its data and by the values that the functions have: they are compared where Settings.Judge is
// that of the file.
func Load(path string, op Operator, k int, s Settings) (*Learned, error) {
	l, err := load(path, op, k, s)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", path, err)
	}
	return l, nil
}

func load(path string, op Operator, k int, s Settings) (*Learned, error) {
	file, err := read(path)
	if err != nil {
		return nil, err
	}
	s.Seeds = file.seeds
	l, err := prepare(op, k, s)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(l.fits(&file), l.take(file)); err != nil {
		return nil, err
	}
	evaluate, free := l.judging()
	defer free()
	if err := l.judge(evaluate); err != nil {
		return nil, err
	}
	if file.Metadata["judge"] != strconv.Itoa(l.settings.Judge) {
		return l, nil
	}
	for r, run := range l.Runs {
		for i, v := range run.Values {
			if was := file.values[r*l.k+i]; math.Abs(v-was) > judgedAlike*run.scale() {
				return nil, fmt.Errorf("value %d is %.6g for this operator, but was %.6g for the one that was saved; "+
					"give that operator, or evaluate the functions without one by LoadFunctions", i+1, v, was)
			}
		}
	}
	return l, nil
}

// saved is a file that is whole.
type saved struct {
	safetensors.File
	runs, trained, k                    int // R, k' and k
	seeds, diverged                     []int64
	rotation, values, residuals, volume []float64
	params                              []*tensors.Tensor
	best, steps                         int

	err error // the first of what is not as [Learned.Save] writes it
}

// read reads a file and checks that it is whole.
func read(path string) (saved, error) {
	var s saved
	in, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer in.Close()
	if s.File, err = safetensors.Read(in); err != nil {
		return s, err
	}
	if s.Metadata["format"] != formatName {
		return s, fmt.Errorf("the format is %q; only %q is known here", s.Metadata["format"], formatName)
	}
	if err := agrees("numbers", s.Metadata["checksum"], s.Tensors, nil); err != nil {
		return s, err
	}
	if sum, there := s.Metadata[metadataSum]; there {
		others := maps.Clone(s.Metadata)
		delete(others, metadataSum)
		if err := agrees("metadata", sum, nil, others); err != nil {
			return s, err
		}
	}
	rotation := s.Tensors["rotation"]
	if rotation == nil || rotation.Rank() != 3 {
		return s, errors.New("it has no rotation; it was not written by Save")
	}
	s.runs, s.trained, s.k = rotation.Shape().Dim(0), rotation.Shape().Dim(1), rotation.Shape().Dim(2)
	s.seeds, s.diverged = numbers[int64](&s, "seeds", s.runs), numbers[int64](&s, "diverged", s.runs)
	s.values, s.residuals = s.floats("values", s.runs*s.k), s.floats("residuals", s.runs*s.k)
	s.rotation, s.volume = s.floats("rotation", -1), s.floats("volume", 1)
	for s.Tensors[paramName(len(s.params))] != nil {
		s.params = append(s.params, s.Tensors[paramName(len(s.params))])
	}
	if s.steps, err = strconv.Atoi(s.Metadata["steps"]); err != nil {
		return s, fmt.Errorf("the metadata has %q steps; the file is damaged", s.Metadata["steps"])
	}
	if s.best, err = strconv.Atoi(s.Metadata["best"]); err != nil || s.best < 0 || s.best >= s.runs {
		return s, fmt.Errorf("the metadata has %q as the best of %d runs; the file is damaged", s.Metadata["best"],
			s.runs)
	}
	return s, s.err
}

// agrees returns an error where tensors and metadata do not have the checksum that was saved with them.
func agrees(what, saved string, named map[string]*tensors.Tensor, metadata map[string]string) error {
	sum, err := checksum(named, metadata)
	if err == nil && sum != saved {
		err = fmt.Errorf("its %s do not have the checksum that was saved with them; the file is damaged, take a copy "+
			"of it", what)
	}
	return err
}

func (s *saved) floats(name string, size int) []float64 { return numbers[float64](s, name, size) }

// numbers returns those of a tensor of that size; −1 is any.
func numbers[T float64 | int64](s *saved, name string, size int) []T {
	t := s.Tensors[name]
	if t == nil {
		s.err = cmp.Or(s.err, fmt.Errorf("it has no tensor %q; it was not written by Save", name))
		return nil
	}
	flat, err := tensors.CopyFlatData[T](t)
	if err == nil && size >= 0 && len(flat) != size {
		err = fmt.Errorf("%d numbers are wanted", size)
	}
	if err != nil {
		s.err = cmp.Or(s.err, fmt.Errorf("tensor %q is %s: %w", name, t.Shape(), err))
	}
	return flat
}

// fits says how the task is not that of the file.
func (l *Learned) fits(file *saved) error {
	if trained := l.k + l.Task.Spare; file.k != l.k || file.trained != trained {
		return fmt.Errorf("it has %d functions, of %d that were trained, but %d of %d are asked for; it was saved "+
			"with another k", file.k, file.trained, l.k, trained)
	}
	if l.Task.fingerprint() != file.Metadata["data"] {
		return errors.New("the data of this operator, its samples, entries or edges, are not those it was learned " +
			"from; give the operator that was saved, or evaluate the functions without one by LoadFunctions")
	}
	_, _, constants := l.Task.describe()
	for name, constant := range constants {
		want := tensors.MustCopyFlatData[float64](constant)
		for i, v := range file.floats(name, len(want)) {
			if file.err != nil {
				return file.err
			}
			// Another backend rounds the estimates of sizes differently.
			if !(math.Abs(want[i]-v) <= 1e-4*(1+math.Abs(want[i]))) {
				return fmt.Errorf("number %d of %s is %g in the file but %g for this operator; give the operator "+
					"that was saved", i, name, v, want[i])
			}
		}
	}
	return file.err
}

// take checks the functions against the file and takes the parameters.
func (l *Learned) take(file saved) error {
	name, _, _ := l.Task.describe()
	if was := file.Metadata["functions"]; was != name {
		return fmt.Errorf("the functions in it are %s, but %s are given; give the functions that were saved", was, name)
	}
	if was, want := shapesOf(file.params), shapesOf(l.Task.Functions.Init(file.seeds)); was != want {
		return fmt.Errorf("the parameters are %s in the file, but %s in these functions; give the network that was "+
			"saved", was, want)
	}
	l.Result = &train.Result{Causes: make([]string, file.runs)}
	l.Result.Params, l.Result.Step = file.params, file.steps
	for _, step := range file.diverged {
		l.Result.Diverged = append(l.Result.Diverged, int(step))
	}
	return nil
}

func shapesOf(params []*tensors.Tensor) string {
	var all []string
	for _, t := range params {
		all = append(all, t.Shape().String())
	}
	return strings.Join(all, ", ")
}

// LoadFunctions reads the functions that [Learned.Save] wrote, to be evaluated by [Learned.At] without the operator and
// its data; Values and Residuals are those of the file. f are the functions that were saved. nil stands for those that
// the file describes: a table, a net.MLP, and the default networks of this package.
//
// An error says that the file is damaged, or that f is not what was saved.
func LoadFunctions(path string, f Functions) (*Learned, error) {
	l, err := loadFunctions(path, f)
	if err != nil {
		return nil, fmt.Errorf("loading the functions of %s: %w", path, err)
	}
	return l, nil
}

func loadFunctions(path string, f Functions) (*Learned, error) {
	file, err := read(path)
	if err != nil {
		return nil, err
	}
	if f == nil {
		if f, err = described(file); err != nil {
			return nil, err
		}
	}
	l := &Learned{Best: file.best, Task: Task{Functions: f, Spare: file.trained - file.k, Volume: file.volume[0]},
		settings: Settings{Seeds: file.seeds}, k: file.k}
	if err := l.take(file); err != nil {
		return nil, err
	}
	if _, ok := f.(net.Table); ok && !backend.Asked() {
		l.settings.Backend, err = backend.PureGo() // it has nothing to compute
	} else {
		l.settings.Backend, _, err = backend.Open()
	}
	if err != nil {
		return nil, err
	}
	l.Engine = l.settings.Backend.Name()
	for r := range file.runs {
		part := func(of []float64) []float64 { return of[r*len(of)/file.runs : (r+1)*len(of)/file.runs] }
		run := Run{Diverged: l.Result.Diverged[r]}
		if !math.IsNaN(part(file.values)[0]) {
			run.Values, run.Residuals = part(file.values), part(file.residuals)
			run.rotation = mat.NewDense(file.trained, l.k, part(file.rotation))
		}
		l.Runs = append(l.Runs, run)
	}
	l.Run, l.Spread = l.Runs[l.Best], spread(l.Runs, l.k)
	return l, nil
}
