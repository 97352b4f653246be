package learn

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/tensorx"
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
	d := describe(l.Task.Functions)
	maps.Copy(named, d.constants)
	for i, t := range l.Result.Params {
		onHost, err := t.LocalClone()
		if err != nil {
			return nil, err
		}
		named[paramName(i)] = onHost
	}
	file := tensorx.Safetensors{Tensors: named, Metadata: map[string]string{"format": formatName, "functions": d.kind,
		"layers": d.layers, "best": strconv.Itoa(l.Best), "steps": strconv.Itoa(l.Result.Step)}}
	sum, err := checksum(file)
	if err != nil {
		return nil, err
	}
	file.Metadata["checksum"] = sum
	var content bytes.Buffer
	err = file.Write(&content)
	return content.Bytes(), err
}

// checksum is the SHA-256 of a file.
func checksum(f tensorx.Safetensors) (string, error) {
	hash := sha256.New()
	err := f.Write(hash)
	return hex.EncodeToString(hash.Sum(nil)), err
}

func paramName(i int) string { return fmt.Sprintf("params.%d", i) }
