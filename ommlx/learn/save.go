package learn

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/safetensors"
	"operator-omm/ommlx/train"
)

// formatName is in the metadata of every file, under "format".
const formatName = "ommlx.learn/1"

// Save writes what was learned to a file in the safetensors format, which Python reads with
// safetensors.numpy.load_file. With R seeds, k functions, and k' that were trained, its tensors are
//
//	params.0, params.1, …  [R, …]     float32  parameters of the functions, in the order of their Init
//	rotation               [R, k', k] float64  C: the Ritz functions are f C, with mean square 1 over the samples
//	values, residuals      [R, k]     float64  of the Ritz functions
//	diverged               [R]        int64    the step, 0 for none
//	seeds                  [R]        int64
//	volume                 []         float64  [Learned.At] returns f C/√volume
//	box.lower, box.upper   [D]        float64  of [Wave]
//	frequencies            [F, D]     float64  of [Wave]
//
// and its metadata "format" ("ommlx.learn/1"), "functions" (their Go type), "best" (the index of the best run) and
// "steps". An existing file is replaced only once the new one is whole.
func (l *Learned) Save(path string) error {
	file, err := l.file()
	var content bytes.Buffer
	if err == nil {
		err = safetensors.Write(&content, file)
	}
	if err == nil {
		err = fsx.Write(path, content.Bytes())
	}
	if err != nil {
		return fmt.Errorf("saving what was learned: %w", err)
	}
	return nil
}

func (l *Learned) file() (safetensors.File, error) {
	if l.Best < 0 {
		return safetensors.File{}, errNotJudged
	}
	runs, trained := len(l.Runs), l.k+l.Task.Spare
	rotation, values, residuals := make([]float64, 0, runs*trained*l.k), []float64{}, []float64{}
	var diverged []int64
	for _, r := range l.Runs {
		if !r.judged() {
			r.rotation, r.Values, r.Residuals = mat.NewDense(trained, l.k, nil), make([]float64, l.k),
				make([]float64, l.k)
			forget(r.rotation.RawMatrix().Data)
			forget(r.Values)
			forget(r.Residuals)
		}
		rotation = append(rotation, r.rotation.RawMatrix().Data...)
		values, residuals = append(values, r.Values...), append(residuals, r.Residuals...)
		diverged = append(diverged, int64(r.Diverged))
	}
	named := map[string]*tensors.Tensor{
		"rotation":  tensors.FromFlatDataAndDimensions(rotation, runs, trained, l.k),
		"values":    tensors.FromFlatDataAndDimensions(values, runs, l.k),
		"residuals": tensors.FromFlatDataAndDimensions(residuals, runs, l.k),
		"diverged":  tensors.FromFlatDataAndDimensions(diverged, runs),
		"seeds":     tensors.FromFlatDataAndDimensions(slices.Clone(l.settings.Seeds), runs),
		"volume":    tensors.FromScalar(l.Task.sqrtVolume() * l.Task.sqrtVolume()),
	}
	for name, t := range l.Task.constants() {
		named[name] = t
	}
	for i, t := range l.Result.Best() {
		onHost, err := t.LocalClone()
		if err != nil {
			return safetensors.File{}, err
		}
		named[paramName(i)] = onHost
	}
	return safetensors.File{Tensors: named, Metadata: map[string]string{"format": formatName,
		"functions": fmt.Sprintf("%T", l.Task.Functions), "best": strconv.Itoa(l.Best),
		"steps": strconv.Itoa(l.Result.Step)}}, nil
}

func paramName(i int) string { return fmt.Sprintf("params.%d", i) }

// constants are what the functions depend on beside their parameters.
func (t Task) constants() map[string]*tensors.Tensor {
	w, ok := t.Functions.(Wave)
	if !ok {
		return nil
	}
	named := map[string]*tensors.Tensor{
		"box.lower": tensors.FromFlatDataAndDimensions(slices.Clone(w.Box.Lower), len(w.Box.Lower)),
		"box.upper": tensors.FromFlatDataAndDimensions(slices.Clone(w.Box.Upper), len(w.Box.Lower)),
	}
	if len(w.Frequencies) > 0 {
		named["frequencies"] = tensors.FromFlatDataAndDimensions(slices.Concat(w.Frequencies...), len(w.Frequencies),
			len(w.Box.Lower))
	}
	return named
}

// Load reads what [Learned.Save] wrote, in any process and on any backend. The operator, k and the settings are those
// that it was learned with, for a file holds numbers and no functions; the seeds are the file's. The functions are
// judged anew, so that everything but the loss history is as after [Learn].
//
// An error says that the file is damaged, or belongs to other functions, another k or another operator.
func Load(path string, op Operator, k int, s Settings) (*Learned, error) {
	l, err := load(path, op, k, s)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", path, err)
	}
	return l, nil
}

func load(path string, op Operator, k int, s Settings) (*Learned, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	file, err := safetensors.Read(in)
	if err != nil {
		return nil, err
	}
	if file.Metadata["format"] != formatName {
		return nil, fmt.Errorf("the format is %q; only %q is known here", file.Metadata["format"], formatName)
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
	return l, l.judge()
}

// take checks the file against the task and takes the parameters.
func (l *Learned) take(file safetensors.File) error {
	runs := len(l.settings.Seeds)
	if _, err := flat[float64](file, "rotation", runs*(l.k+l.Task.Spare)*l.k); err != nil {
		return fmt.Errorf("%w; it was saved with another k", err)
	}
	diverged, err := flat[int64](file, "diverged", runs)
	if err != nil {
		return err
	}
	steps, err := strconv.Atoi(file.Metadata["steps"])
	if err != nil {
		return fmt.Errorf("the metadata has %q steps; the file is damaged", file.Metadata["steps"])
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
					"that was saved",
					i, name, saved[i], v)
			}
		}
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
