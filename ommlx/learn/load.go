package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/safetensors"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/train"
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
	if s.Seeds, err = flat[int64](file, "seeds", -1); err != nil {
		return nil, err
	}
	l, err := prepare(op, k, s)
	if err != nil {
		return nil, err
	}
	if err := l.take(file); err != nil {
		return nil, err
	}
	evaluate, free := l.judging()
	defer free()
	if err := l.judge(evaluate); err != nil {
		return nil, err
	}
	return l, l.compare(file)
}

// read reads a file and checks that it is whole.
func read(path string) (safetensors.File, error) {
	in, err := os.Open(path)
	if err != nil {
		return safetensors.File{}, err
	}
	defer in.Close()
	file, err := safetensors.Read(in)
	if err != nil {
		return safetensors.File{}, err
	}
	if file.Metadata["format"] != formatName {
		return safetensors.File{}, fmt.Errorf("the format is %q; only %q is known here", file.Metadata["format"],
			formatName)
	}
	sum, err := checksum(file.Tensors)
	if err == nil && sum != file.Metadata["checksum"] {
		err = errors.New("its numbers do not have the checksum that was saved with them; the file is damaged, take a " +
			"copy of it")
	}
	return file, err
}

// compare says where the values are others than those that were saved.
func (l *Learned) compare(file safetensors.File) error {
	if file.Metadata["judge"] != strconv.Itoa(l.settings.Judge) {
		return nil
	}
	saved, err := flat[float64](file, "values", len(l.Runs)*l.k)
	if err != nil {
		return err
	}
	for r, run := range l.Runs {
		for i, v := range run.Values {
			if was := saved[r*l.k+i]; math.Abs(v-was) > judgedAlike*run.scale() {
				return fmt.Errorf("value %d is %.6g for this operator, but was %.6g for the one that was saved; give "+
					"that operator, or evaluate the functions without one by LoadFunctions", i+1, v, was)
			}
		}
	}
	return nil
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
	l := &Learned{Task: Task{Functions: f}}
	if l.settings.Seeds, err = flat[int64](file, "seeds", -1); err != nil {
		return nil, err
	}
	if l.settings.Backend, _, err = backend.Open(); err != nil {
		return nil, err
	}
	if _, ok := f.(net.Table); ok && !backend.Asked() {
		if l.settings.Backend, err = backend.PureGo(); err != nil { // it has nothing to compute
			return nil, err
		}
	}
	l.Engine = l.settings.Backend.Name()
	rotation := file.Tensors["rotation"]
	if rotation == nil || rotation.Rank() != 3 {
		return nil, errors.New("it has no rotation; it was not written by Save")
	}
	runs, trained := len(l.settings.Seeds), rotation.Shape().Dim(1)
	l.k = rotation.Shape().Dim(2)
	l.Task.Spare = trained - l.k
	if err := l.takeFunctions(file); err != nil {
		return nil, err
	}
	numbers := numbersOf(file, &err)
	volume, rotations := numbers("volume", 1), numbers("rotation", runs*trained*l.k)
	values, residuals := numbers("values", runs*l.k), numbers("residuals", runs*l.k)
	if err != nil {
		return nil, err
	}
	l.Task.Volume = volume[0]
	for r := range runs {
		part := func(of []float64) []float64 { return of[r*len(of)/runs : (r+1)*len(of)/runs] }
		run := Run{Diverged: l.Result.Diverged[r]}
		if !math.IsNaN(part(values)[0]) {
			run.Values, run.Residuals = part(values), part(residuals)
			run.rotation = mat.NewDense(trained, l.k, part(rotations))
		}
		l.Runs = append(l.Runs, run)
	}
	if l.Best, err = strconv.Atoi(file.Metadata["best"]); err != nil || l.Best < 0 || l.Best >= runs {
		return nil, fmt.Errorf("the metadata has %q as the best of %d runs; the file is damaged", file.Metadata["best"],
			runs)
	}
	l.Run, l.Spread = l.Runs[l.Best], spread(l.Runs, l.k)
	return l, nil
}

// take checks the file against the task and takes the parameters.
func (l *Learned) take(file safetensors.File) error {
	runs := len(l.settings.Seeds)
	if _, err := flat[float64](file, "rotation", runs*(l.k+l.Task.Spare)*l.k); err != nil {
		return fmt.Errorf("%w; it was saved with another k", err)
	}
	if l.Task.fingerprint() != file.Metadata["data"] {
		return errors.New("the data of this operator, its samples, entries or edges, are not those it was learned " +
			"from; give the operator that was saved, or evaluate the functions without one by LoadFunctions")
	}
	for name, want := range l.Task.constants() {
		numbers := tensors.MustCopyFlatData[float64](want)
		saved, err := flat[float64](file, name, len(numbers))
		if err != nil {
			return err
		}
		for i, v := range numbers {
			// Another backend rounds the estimates of sizes differently.
			if !(math.Abs(v-saved[i]) <= 1e-4*(1+math.Abs(v))) {
				return fmt.Errorf("number %d of %s is %g in the file but %g for this operator; give the operator "+
					"that was saved", i, name, saved[i], v)
			}
		}
	}
	return l.takeFunctions(file)
}

// takeFunctions checks the file against the functions and takes the parameters.
func (l *Learned) takeFunctions(file safetensors.File) error {
	runs := len(l.settings.Seeds)
	if saved := file.Metadata["functions"]; saved != l.Task.describe() {
		return fmt.Errorf("the functions in it are %s, but %s are given; give the functions that were saved", saved,
			l.Task.describe())
	}
	diverged, err := flat[int64](file, "diverged", runs)
	if err != nil {
		return err
	}
	steps, err := strconv.Atoi(file.Metadata["steps"])
	if err != nil {
		return fmt.Errorf("the metadata has %q steps; the file is damaged", file.Metadata["steps"])
	}
	result := &train.Result{Causes: make([]string, runs)}
	result.Step = steps
	for _, d := range diverged {
		result.Diverged = append(result.Diverged, int(d))
	}
	for i, want := range l.Task.Functions.Init(l.settings.Seeds) {
		t := file.Tensors[paramName(i)]
		if t == nil || !t.Shape().Equal(want.Shape()) {
			shape := "missing"
			if t != nil {
				shape = t.Shape().String()
			}
			return fmt.Errorf("%s is %s in the file, but %s in these functions; give the network that was saved",
				paramName(i), shape, want.Shape())
		}
		result.Params = append(result.Params, t)
	}
	if file.Tensors[paramName(len(result.Params))] != nil {
		return fmt.Errorf("the file has more parameters than the %d of these functions; give the network that was "+
			"saved", len(result.Params))
	}
	l.Result = result
	return nil
}

// flat returns the numbers of a tensor of that size; −1 is any.
func flat[T float64 | int64](file safetensors.File, name string, size int) ([]T, error) {
	t := file.Tensors[name]
	if t == nil {
		return nil, fmt.Errorf("it has no tensor %q; it was not written by Save", name)
	}
	numbers, err := tensors.CopyFlatData[T](t)
	if err != nil {
		return nil, fmt.Errorf("tensor %q is %s: %w", name, t.Shape(), err)
	}
	if size >= 0 && len(numbers) != size {
		return nil, fmt.Errorf("tensor %q is %s, but %d numbers are wanted", name, t.Shape(), size)
	}
	return numbers, nil
}

// numbersOf is flat for many tensors, of which err takes the first error.
func numbersOf(file safetensors.File, err *error) func(name string, size int) []float64 {
	return func(name string, size int) []float64 {
		numbers, failed := flat[float64](file, name, size)
		*err = cmp.Or(*err, failed)
		return numbers
	}
}
