package learn

import (
	"bytes"
	"cmp"
	_ "embed"
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
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// Python is testdata/evaluate.py, a program whose at(path, x) evaluates the functions in a file of [Learned.Save] at
// points x, N×D, with only NumPy: N×k. It evaluates networks, not tables.
//
//go:embed testdata/evaluate.py
var Python string

// formatName is the "format" in the metadata of every file.
const formatName = "ommlx.learn/5"

// Save writes the functions to a safetensors file, which Python reads with safetensors.numpy.load_file. For R seeds, k
// functions and k' trained functions, its tensors are
//
//	params.0, params.1, …  [R, …]     float32  parameters of the functions, in the order of their Init
//	rotation               [R, k', k] float64  C: the Ritz functions are f C, with mean square 1 over the samples
//	values, residuals      [R, k]     float64  of the Ritz functions
//	diverged               [R]        int64    the step, 0 for none
//	seeds                  [R]        int64
//	volume                 []         float64  [Learned.At] returns f C/√volume
//	mean, scale            [D]        float64  of the default network: its input is (x − mean)·scale
//	box.lower, box.upper   [D]        float64  of functions in a box
//	frequencies            [F, D]     float64  of their Fourier features of x − (box.lower + box.upper)/2
//	roots                  [N]        float64  √(Nρ) of the nodes of a graph: the functions are params.0 / roots
//
// and its metadata
//
//	format     "ommlx.learn/5"
//	functions  "table", "weighted table", "mlp", "standardised mlp" (the default network), "waves" (in a box),
//	           "masked waves" (a caller's network in a box), "sampled waves" (√ρ f of a Sampler) or "other"
//	layers     of a network: "relu" or "softplus", the activation between its layers; the weights of layer l are
//	           params.2l, [R, out, in] or, for separate networks, [R, k', out, in], and its biases params.2l+1
//	best       the index of the best run
//	steps      of the training
//	checksum   SHA-256 of the file without this line
//
// [Python] evaluates such a file. An existing file is replaced only when the new one is complete.
func (l *Learned) Save(path string) error {
	content, err := l.content()
	if err == nil {
		err = fsx.Write(path, content)
	}
	if err != nil {
		return fmt.Errorf("learn: save %s: %w", path, err)
	}
	return nil
}

func (l *Learned) content() ([]byte, error) {
	if l.Best < 0 {
		return nil, errNotEvaluated
	}
	if l.Result == nil {
		return nil, errors.New("EDMD has no parameters to save; save the pairs and the degree")
	}
	runs, trained := len(l.Runs), l.k+l.Task.spare
	var rotation, values, residuals []float64
	var diverged []int64
	for _, r := range l.Runs {
		if !r.evaluated() {
			r.rotation = mat.NewDense(trained, l.k, unknown(trained*l.k))
			r.Values, r.Residuals = unknown(l.k), unknown(l.k)
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
		"volume":    tensors.FromScalar(cmp.Or(l.Task.volume, 1)),
	}
	kind, layers, constants := describe(l.Task.Functions)
	maps.Copy(named, constants)
	for i, t := range l.Result.Params {
		onHost, err := t.LocalClone()
		if err != nil {
			return nil, err
		}
		named[paramName(i)] = onHost
	}
	file := tensorx.Safetensors{Tensors: named, Metadata: map[string]string{"format": formatName, "functions": kind,
		"layers": layers, "best": strconv.Itoa(l.Best), "steps": strconv.Itoa(l.Result.Step)}}
	sum, err := file.Sum()
	if err != nil {
		return nil, err
	}
	file.Metadata["checksum"] = sum
	var content bytes.Buffer
	err = file.Write(&content)
	return content.Bytes(), err
}

func paramName(i int) string { return fmt.Sprintf("params.%d", i) }

// Load reads the functions, Values and Residuals from a file written by [Learned.Save], for [Learned.At].
// For functions other than a table, a net.MLP or the default networks of samples and of a Box, pass
// f, the Functions of the operator's Task. With a nil backend, tables use pure Go and everything else the default of
// [backend.Open].
func Load(path string, f net.Functions, b compute.Backend) (l *Learned, err error) {
	defer func() {
		if err != nil {
			l, err = nil, fmt.Errorf("learn: load %s: %w", path, err)
		}
	}()
	file, err := read(path)
	if err != nil {
		return nil, err
	}
	if l, err = learnedFrom(file, f); err != nil {
		return nil, err
	}
	f = l.Task.Functions
	want := file.Metadata["functions"]
	if kind, _, _ := describe(f); kind != want {
		return nil, fmt.Errorf("functions in the file are %q, not %q: pass the Functions of the operator's Task", want,
			kind)
	}
	if was, want := shapesOf(l.Result.Params), shapesOf(f.Init(l.settings.Seeds)); was != want {
		return nil, fmt.Errorf("parameters in the file are %s, want %s", was, want)
	}
	switch {
	case b != nil:
	case net.IsDiscrete(f) && !backend.Asked():
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

// read reads a file and verifies that it is complete.
func read(path string) (file tensorx.Safetensors, err error) {
	in, err := os.Open(path)
	if err != nil {
		return file, err
	}
	defer in.Close()
	if file, err = tensorx.ReadSafetensors(in); err != nil {
		return file, err
	}
	if format := file.Metadata["format"]; format != formatName {
		return file, fmt.Errorf("format is %q, want %q: save the functions again", format, formatName)
	}
	want := file.Metadata["checksum"]
	delete(file.Metadata, "checksum")
	if sum, err := file.Sum(); err != nil || sum != want {
		return file, cmp.Or(err, errors.New("file is damaged, or another program changed it: its checksum does not "+
			"match"))
	}
	return file, nil
}

// learnedFrom returns the content of a file with the functions f, by default as described in the file. A file with a
// right checksum is complete, unless it is of another program.
func learnedFrom(file tensorx.Safetensors, f net.Functions) (l *Learned, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the file was not written by Save: %v", fault)
		}
	}()
	rotation := file.Tensors["rotation"]
	if rotation == nil || rotation.Rank() != 3 || rotation.Size() == 0 {
		return nil, errors.New("tensor \"rotation\" is missing or empty: the file was not written by Save")
	}
	runs, trained, k := rotation.Shape().Dim(0), rotation.Shape().Dim(1), rotation.Shape().Dim(2)
	l = &Learned{k: k, Result: &train.Result{Causes: make([]string, runs)},
		Task:     Task{Functions: f, volume: numbers[float64](file, "volume")[0], spare: trained - k},
		settings: Settings{Seeds: numbers[int64](file, "seeds")}}
	for file.Tensors[paramName(len(l.Result.Params))] != nil {
		l.Result.Params = append(l.Result.Params, file.Tensors[paramName(len(l.Result.Params))])
	}
	rotations := slices.Collect(slices.Chunk(numbers[float64](file, "rotation"), trained*k))
	values := slices.Collect(slices.Chunk(numbers[float64](file, "values"), k))
	residuals := slices.Collect(slices.Chunk(numbers[float64](file, "residuals"), k))
	for r, step := range numbers[int64](file, "diverged") {
		l.Result.Diverged = append(l.Result.Diverged, int(step))
		run := Run{Diverged: int(step), Cause: "the file has no values for it"}
		if step > 0 {
			run.Cause = "loss or gradient"
		} else if !math.IsNaN(values[r][0]) {
			run = Run{Values: values[r], Residuals: residuals[r], rotation: mat.NewDense(trained, k, rotations[r])}
		}
		l.Runs = append(l.Runs, run)
	}
	if l.Result.Step, err = strconv.Atoi(file.Metadata["steps"]); err == nil {
		l.Best, err = strconv.Atoi(file.Metadata["best"])
	}
	l.Run, l.Spread = l.Runs[l.Best], spread(l.Runs, k)
	if err == nil && f == nil {
		l.Task.Functions, err = functions(file, l.Result.Params, trained)
	}
	return l, err
}

// numbers returns the entries of a tensor.
func numbers[T float64 | int64](file tensorx.Safetensors, name string) []T {
	return tensors.MustCopyFlatData[T](file.Tensors[name])
}

func shapesOf(params []*tensors.Tensor) string {
	return strings.Join(xslices.Map(params, func(t *tensors.Tensor) string { return t.Shape().String() }), ", ")
}
