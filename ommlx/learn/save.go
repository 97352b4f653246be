package learn

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/safetensors"
	"omm-go/ommlx/net"
)

// formatName is in the metadata of every file, under "format".
const formatName = "ommlx.learn/2"

// Save writes what was learned to a file in the safetensors format, which Python reads with
// safetensors.numpy.load_file. With R seeds, k functions, and k' that were trained, its tensors are
//
//	params.0, params.1, …  [R, …]     float32  parameters of the functions, in the order of their Init
//	rotation               [R, k', k] float64  C: the Ritz functions are f C, with mean square 1 over the samples
//	values, residuals      [R, k]     float64  of the Ritz functions
//	diverged               [R]        int64    the step, 0 for none
//	seeds                  [R]        int64
//	volume                 []         float64  [Learned.At] returns f C/√volume
//	mean, scale            [D]        float64  of the default network: it is given (x − mean)·scale
//	box.lower, box.upper   [D]        float64  of [Wave]
//	frequencies            [F, D]     float64  of [Wave]
//
// and its metadata
//
//	format     "ommlx.learn/2"
//	functions  their Go type, as "net.MLP"
//	layers     of a network: "relu" or "softplus", the activation between its layers; the weights of layer l are
//	           params.2l, [R, out, in] or, for separate networks, [R, k', out, in], and its biases params.2l+1
//	best       the index of the best run
//	steps      that were trained, and
//	judge      the number of samples on which the functions were judged
//	checksum   SHA-256 of all tensors
//	data       SHA-256 of the operator's tables
//	metadata   SHA-256 of the other metadata; a file without it is older
//
// A program in Python that evaluates such a file is testdata/evaluate.py. An existing file is replaced only once the
// new one is whole.
func (l *Learned) Save(path string) error {
	content, err := l.content()
	if err == nil {
		err = fsx.Write(path, content)
	}
	if err != nil {
		return fmt.Errorf("saving what was learned: %w", err)
	}
	return nil
}

func (l *Learned) content() ([]byte, error) {
	if l.Best < 0 {
		return nil, errNotJudged
	}
	runs, trained := len(l.Runs), l.k+l.Task.Spare
	var rotation, values, residuals []float64
	var diverged []int64
	for _, r := range l.Runs {
		if !r.judged() {
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
		"volume":    tensors.FromScalar(cmp.Or(l.Task.Volume, 1)),
	}
	functions, layers, constants := l.Task.describe()
	maps.Copy(named, constants)
	for i, t := range l.Result.Best() {
		onHost, err := t.LocalClone()
		if err != nil {
			return nil, err
		}
		named[paramName(i)] = onHost
	}
	sum, err := checksum(named, nil)
	if err != nil {
		return nil, err
	}
	metadata := map[string]string{"format": formatName, "functions": functions, "layers": layers,
		"best": strconv.Itoa(l.Best), "steps": strconv.Itoa(l.Result.Step), "judge": strconv.Itoa(l.settings.Judge),
		"checksum": sum, "data": l.Task.fingerprint()}
	if metadata[metadataSum], err = checksum(nil, metadata); err != nil {
		return nil, err
	}
	var content bytes.Buffer
	err = safetensors.Write(&content, safetensors.File{Tensors: named, Metadata: metadata})
	return content.Bytes(), err
}

// metadataSum is the name of the checksum of the other metadata.
const metadataSum = "metadata"

// checksum is the SHA-256 of a file of these tensors and metadata.
func checksum(named map[string]*tensors.Tensor, metadata map[string]string) (string, error) {
	hash := sha256.New()
	if err := safetensors.Write(hash, safetensors.File{Tensors: named, Metadata: metadata}); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// fingerprint is the checksum of the operator's data; empty where a Task has data that such a file cannot hold.
func (t Task) fingerprint() string {
	named := map[string]*tensors.Tensor{}
	for i, data := range t.Data {
		named[strconv.Itoa(i)] = data
	}
	sum, err := checksum(named, nil)
	if err != nil {
		return ""
	}
	return sum
}

// describe returns what a file says of the functions: their Go type and that of a network of the user's in them, the
// activation between the layers of networks that this package knows, and what they depend on beside their parameters.
func (t Task) describe() (name, layers string, constants map[string]*tensors.Tensor) {
	vector := func(x []float64) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions(slices.Clone(x), len(x))
	}
	name = fmt.Sprintf("%T", t.Functions)
	switch f := t.Functions.(type) {
	case net.MLP:
		layers = "relu"
	case standardised:
		layers = "relu"
		constants = map[string]*tensors.Tensor{"mean": vector(f.mean), "scale": vector(f.scale)}
	case values:
		name = fmt.Sprintf("%s of %T", name, f.Waves)
	case Wave:
		layers = "softplus"
		if f.Network != nil {
			name, layers = fmt.Sprintf("%s of %T", name, f.Network), ""
		}
		constants = map[string]*tensors.Tensor{"box.lower": vector(f.Box.Lower), "box.upper": vector(f.Box.Upper)}
		if count, dims := len(f.Frequencies), len(f.Box.Lower); count > 0 {
			constants["frequencies"] = tensors.FromFlatDataAndDimensions(slices.Clone(f.Frequencies), count/dims, dims)
		}
	}
	return name, layers, constants
}

// described makes the functions of a file from what it says of them.
func described(file saved) (f Functions, err error) {
	var widths []int // of a network: inputs, layers
	for l := 0; l < len(file.params) && file.params[l].Rank() > 1; l += 2 {
		shape := file.params[l].Shape()
		if l == 0 {
			widths = append(widths, shape.Dim(-1))
		}
		widths = append(widths, shape.Dim(-2))
	}
	name := file.Metadata["functions"]
	unknown := fmt.Errorf("its functions are %s, which the file does not describe; give them", name)
	if len(widths) == 0 {
		return nil, unknown
	}
	last := len(widths) - 1
	mlp := net.MLP{In: widths[0], Hidden: widths[1:last], Out: widths[last]}
	switch name {
	case fmt.Sprintf("%T", net.Table{}):
		f = table(widths[1], widths[0])
	case fmt.Sprintf("%T", mlp):
		f = mlp
	case fmt.Sprintf("%T", standardised{}):
		f = standardised{MLP: mlp, mean: file.floats("mean", -1), scale: file.floats("scale", -1)}
	case fmt.Sprintf("%T", Wave{}):
		w := Wave{Box: net.Box{Lower: file.floats("box.lower", -1), Upper: file.floats("box.upper", -1)},
			Hidden: mlp.Hidden, Count: file.trained}
		if file.Tensors["frequencies"] != nil {
			w.Frequencies = file.floats("frequencies", -1)
		}
		f = w
	default:
		return nil, unknown
	}
	return f, file.err
}

func paramName(i int) string { return fmt.Sprintf("params.%d", i) }
