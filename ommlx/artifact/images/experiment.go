// Package images contains the paper's experiment on self-supervised image representations: Table 1 (Sections 3.3 and
// C.3).
package images

import (
	"cmp"
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Encoding selects the features that the objective gets.
type Encoding string

const (
	// Projected is a projector after the backbone, as in SimCLR.
	Projected Encoding = "projector"
	// Top is the first k features of the backbone, as in DirectCLR (Jing, Vincent, LeCun, Tian 2021).
	Top Encoding = "top"
)

// Pixels is the baseline for [Experiment.Method]: the features are the normalised pixels of the images.
const Pixels = "pixels"

// Experiment describes one training of an encoder and its evaluation.
type Experiment struct {
	Data     string   `json:"data"`     // [Set].Name
	Method   string   `json:"method"`   // a name of [ommlx.Lookup], "simclr" or [Pixels]
	Encoding Encoding `json:"encoding"` // features that the objective gets
	Norm     Norm     `json:"norm"`     // norm of these features
	K        int      `json:"k"`        // number of these features
	Width    int      `json:"width"`    // channels of the first ResNet-18 stage; 64 in the paper
	Blocks   int      `json:"blocks"`   // per stage; 2 in the paper
	Hidden   int      `json:"hidden"`   // width of the projector; 0 without one
	// SoloLearn selects solo-learn's projector for SimCLR, Linear-ReLU-Linear, instead of the one printed in Section
	// C.3, with two hidden layers and batch normalisation.
	SoloLearn bool `json:"solo_learn,omitempty"`
	// Frozen leaves the parameters at their initial values: a baseline. Its steps only update the running statistics.
	Frozen bool   `json:"frozen,omitempty"`
	Recipe Recipe `json:"recipe"` // of the views
	Batch  int    `json:"batch"`  // images per step, each with two views
	Epochs int    `json:"epochs"`
	// BFloat16 computes matrix products in bfloat16, where solo-learn's 16-mixed uses float16.
	BFloat16 bool       `json:"bfloat16,omitempty"`
	LARS     optim.LARS `json:"lars"`
	// Probe is the linear evaluation after training.
	Probe representation.Probe `json:"probe"`
	Seeds []int64              `json:"seeds"` // one run each: for initialisation, image order and views
}

const evaluations = 10

func (e Experiment) learns() bool { return e.Method != Pixels }

// Validate returns an error that names the invalid field. It reads no data.
func (e Experiment) Validate() error {
	learns, top := e.learns(), e.Encoding == Top
	if err := cmp.Or(
		run.Require(e.Data == CIFAR100Name || e.Data == GlyphsName, "data", e.Data, "CIFAR-100 or glyphs"),
		run.Require(len(e.Recipe.Mean) == colours && len(e.Recipe.Std) == colours, "recipe.mean", e.Recipe.Mean,
			"three numbers, as recipe.std"),
		run.Require(!learns || e.K >= 1, "k", e.K, "at least 1"),
		run.Require(!learns || slices.Contains([]Norm{Unit, Root, Free}, e.Norm), "norm", e.Norm, "1, √k or free"),
		run.Require(!learns || top || e.Encoding == Projected, "encoding", e.Encoding, "projector or top"),
		run.Require(!learns || top || e.Hidden >= 1, "hidden", e.Hidden, "at least 1"),
		run.Require(!learns || e.Batch >= 2, "batch", e.Batch, "at least 2"),
		run.Require(!learns || min(e.Epochs, e.Width, e.Blocks) >= 1, "epochs", e.Epochs,
			"at least 1, as width and blocks"),
		run.Require(!learns || !top || e.K <= e.backbone().Features(), "k", e.K, "at most the features of the ResNet"),
	); err != nil {
		return err
	}
	if err := e.Probe.Validate(); err != nil || !learns {
		return err
	}
	o, err := e.objective()
	if err != nil {
		return err
	}
	return cmp.Or(representation.CheckObjective(o, e.K), e.LARS.Validate())
}

func (e Experiment) backbone() representation.ResNet18 {
	return representation.ResNet18{Channels: colours, Width: e.Width, Blocks: e.Blocks}
}

// encoder has no projector if the objective gets features of the backbone.
func (e Experiment) encoder() representation.Encoder {
	n := representation.Encoder{Backbone: e.backbone(), Top: e.K, BFloat16: e.BFloat16}
	if e.Encoding == Projected {
		n.Projector = &representation.Projector{In: e.backbone().Features(), Hidden: e.Hidden, Layers: 2, Out: e.K}
		if e.SoloLearn {
			n.Projector.Layers, n.Projector.Plain = 1, true
		}
	}
	return n
}

func (e Experiment) minibatches(images int) representation.Minibatches {
	return representation.Minibatches{Samples: images, Batch: e.Batch}
}

func (e Experiment) config(images int) train.Config {
	steps := e.Epochs * e.minibatches(images).PerEpoch()
	return representation.TrainConfig(e.LARS, steps, max(1, steps/evaluations), e.Frozen)
}

// Label returns the name of the experiment for a progress bar.
func (e Experiment) Label() string {
	method, norm := e.Method, ""
	if e.Encoding == Top {
		method += "/top"
	}
	if e.learns() && e.Norm != Unit {
		norm = "norm " + string(e.Norm)
	}
	return run.Label(e.K, e.Seeds, e.Data, method, norm, run.Differs("untrained", e.Frozen, false),
		run.Differs("solo-learn's projector", e.SoloLearn, false))
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) run.Experiment {
	e.Seeds = seeds
	return e
}

// NewRun implements [run.Experiment].
func (e Experiment) NewRun() run.Evaluated { return new(Run) }

func (e Experiment) read() (*Set, error) {
	if e.Data == CIFAR100Name {
		return LoadCIFAR100()
	}
	return Glyphs(), nil
}

func (e Experiment) objective() (ommlx.Objective, error) {
	if o := (SimCLR{}); e.Method == o.Name() {
		return o, nil
	}
	return ommlx.Lookup(e.Method)
}

// problem returns the training problem. Its data are the pixels [N, H, W, C], uint8; its state is the position in the
// shuffled epochs (see [representation.Minibatches]) and the running statistics.
//
// Each view is normalised by its own batch statistics, as in solo-learn; the running statistics use both views.
func (e Experiment) problem(d *Set) (p train.Problem, err error) {
	objective, err := e.objective()
	if err != nil {
		return p, err
	}
	batches := e.minibatches(d.Train.Len())
	if err := batches.Validate(); err != nil {
		return p, fmt.Errorf("%s has %d training images: %w", d.Name, d.Train.Len(), err)
	}
	n := e.encoder()
	p.Seeds = e.Seeds
	p.Params, p.State = n.Init(e.Seeds)
	position := batches.Start(e.Seeds)
	p.State = append(position, p.State...)
	p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(d.Train.Pixels, d.Train.Len(), d.Height, d.Width,
		d.Channels)}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		samples, next := batches.Take(e.Seeds, in.State[:len(position)])
		first, second := d.Views(e.Recipe, in.Data[0], samples, in.Random) // [R, B, H, W, C]
		f, statistics := n.Train(in.Params, in.State, first, second)
		batch := CDK(f[0], f[1], e.Norm)
		loss, _ := objective.Loss(batch, nil)
		return loss, append(next, statistics...)
	}
	return p, nil
}
