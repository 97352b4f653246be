package augment

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// fixedNumbers is a generator that returns these numbers, [R, 2, B, numbers].
type fixedNumbers struct{ u *Node }

func (g fixedNumbers) Uniform(dtypes.DType, ...int) *Node { return g.u }

// requireImages requires unnormalised views to have intensities in [0, 1] and most of them to differ from the images.
func requireImages(t *testing.T, r Recipe, images, views testkit.Array) {
	t.Helper()
	changed, list := 0, pictures(views)
	for i, p := range list {
		plain := make([]float64, len(p.data))
		for j, v := range p.data {
			plain[j] = v*r.Std[j%p.channels] + r.Mean[j%p.channels]
			require.InDelta(t, 0.5, plain[j], 0.5+1e-9)
		}
		if testkit.Difference(column(images.Run(i).Data...), column(plain...)) > 0.01 {
			changed++
		}
	}
	require.Greater(t, changed, len(list)*3/4)
}

func viewsOf(t *testing.T, r Recipe, images, u testkit.Array) []testkit.Array {
	t.Helper()
	return testkit.NewProgram(t, func(in []*Node) []*Node {
		first, second := r.Views(in[0], fixedNumbers{in[1]})
		return []*Node{first, second}
	}).Call(t, images, u)
}

// TestViews compares views with the host's, by image, run and view, for images shared by all runs and for images per
// run, with no effect of one run on another. It also tests each operation separately: crops of non-square images,
// jitters in any order, and blurs of images smaller than the filter.
func TestViews(t *testing.T) {
	const runs, batch = 2, 12
	rng := testkit.NewRand(12)
	cifar := SoloLearn()
	digits := Digits()
	digits.Mean, digits.Std = []float64{0.3}, []float64{0.4}
	half := cifar
	half.Crop, half.Mean, half.Std, half.Jitter.Probability, half.Flip = Crop{}, nil, nil, 0, 0
	for _, c := range []struct {
		recipe                  Recipe
		height, width, channels int
	}{{cifar, 32, 32, 3}, {digits, 8, 8, 1}, {half, 10, 12, 3}, {Recipe{Flip: 0.4}, 6, 5, 2}, {Recipe{}, 6, 5, 2},
		{Recipe{Crop: Crop{Scale: Range{0.02, 1}, Ratio: Range{0.3, 3}}}, 9, 14, 2},
		{Recipe{Jitter: Jitter{0.9, 0.8, 1.5, 0.3, 0.5}}, 12, 9, 3}, {Recipe{Grey: 0.5}, 5, 6, 3},
		{Recipe{Blur: Blur{0.9, Range{0, 9}}}, 2, 5, 2}} {
		own := testImages(rng, runs*batch, c.height, c.width, c.channels)
		own.Dims = []int{runs, batch, c.height, c.width, c.channels}
		u := uniform(rng, runs*2*batch)
		u.Dims = []int{runs, 2, batch, numbers}
		for _, images := range []testkit.Array{own, own.Run(1)} {
			got := viewsOf(t, c.recipe, images, u)
			for r := range runs {
				source := images
				if len(images.Dims) == 5 {
					source = images.Run(r)
				}
				for v := range 2 {
					var want []picture
					for i, p := range pictures(source) {
						want = append(want, hostView(c.recipe, p, u.Run(r).Run(v).Run(i).Data))
					}
					require.Equal(t, own.Dims, got[v].Dims)
					testkit.RequireClose(t, join(want), got[v].Run(r), 1e-9, "views")
					if c.recipe.Mean != nil {
						requireImages(t, c.recipe, source, got[v].Run(r))
					}
				}
			}
		}
	}
}

// TestIdentityRecipes: these recipes change no bit: a crop of the whole image, where the kernel is 1 or 0, factors of 1
// with no turn of the hue, and a blur of width 0.
func TestIdentityRecipes(t *testing.T) {
	const batch = 4
	rng := testkit.NewRand(4)
	images, u := testImages(rng, batch, 10, 7, 3), uniform(rng, 2*batch)
	u.Dims = []int{1, 2, batch, numbers}
	for _, r := range []Recipe{{Crop: Crop{Scale: Range{1, 1}, Ratio: Range{0.7, 0.7}}},
		{Jitter: Jitter{Probability: 1}}, {Blur: Blur{Probability: 1}}} {
		for _, view := range viewsOf(t, r, images, u) {
			assert.Equal(t, images.Data, view.Data, "%+v", r)
		}
	}
}

// Bytes become intensities in steps of 1/255, in float32; float64 stays float64.
func TestTypes(t *testing.T) {
	const batch = 5
	rng := testkit.NewRand(13)
	images := testImages(rng, batch, 8, 8, 3)
	bytes := make([]uint8, len(images.Data))
	for i, v := range images.Data {
		bytes[i] = uint8(math.Round(255 * v))
	}
	u := uniform(rng, 2*batch)
	u.Dims = []int{1, 2, batch, numbers}
	exec := testkit.Compile(t, testkit.Backend(t), func(in []*Node) []*Node {
		random := fixedNumbers{in[1]}
		floats := DivScalar(ConvertDType(in[0], dtypes.Float32), 255)
		a, b := SoloLearn().Views(in[0], random)
		c, d := SoloLearn().Views(floats, random)
		doubles := ConvertDType(floats, dtypes.Float64)
		return []*Node{a, b, c, d, SoloLearn().Normalise(in[0]), SoloLearn().Normalise(doubles)}
	})
	out := testkit.Run(t, exec, tensors.FromFlatDataAndDimensions(bytes, images.Dims...), u.Tensor(dtypes.Float32))
	values := testkit.Numbers(out)
	for i := range 5 {
		assert.Equal(t, dtypes.Float32, out[i].DType())
	}
	assert.Equal(t, dtypes.Float64, out[5].DType())
	assert.Equal(t, values[0], values[2])
	assert.Equal(t, values[1], values[3])
	assert.InDelta(t, (images.Data[4]-0.4865)/0.2564, values[4][4], 1e-5)
	assert.InDeltaSlice(t, values[4], values[5], 1e-5)
}

// Numbers drawn for an image are not correlated with any other drawn number.
func TestIndependence(t *testing.T) {
	t.Parallel()
	const draws, size = 40_000, 32
	recipe := SoloLearn()
	recipe.Jitter.Probability, recipe.Blur.Probability = 1, 1
	p := train.Problem{
		Seeds:  []int64{8},
		Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{0}, 1)},
		Loss:   func(train.Inputs) (*Node, []*Node) { return nil, nil },
	}
	tables := testkit.Must(p.Evaluate(testkit.Backend(t), train.Snapshot{Params: p.Params},
		func(in train.Inputs) []*Node {
			p := recipe.draw(Reshape(in.Random.Uniform(dtypes.Float32, draws, numbers), draws, numbers), size, size)
			number := func(x *Node) *Node { return ConvertDType(x, dtypes.Float32) }
			offCentre := func(start, length *Node) *Node {
				return AddScalar(Add(start, MulScalar(length, 0.5)), -size/2)
			}
			list := append([]*Node{Mul(p.box.height, p.box.width), Sub(p.box.height, p.box.width),
				offCentre(p.box.top, p.box.height), offCentre(p.box.left, p.box.width), p.jitter.turn, number(p.grey),
				p.sigma, number(p.flip)}, p.jitter.factor[:]...)
			return []*Node{InsertAxes(Stack(append(list, p.jitter.place[:]...), 1), 0)}
		}))
	table := tables[0][0]
	var correlations mat.SymDense
	stat.CorrelationMatrix(&correlations, table, nil)
	_, columns := table.Dims()
	for i := range columns {
		for j := range i {
			want := 0.0
			if i >= columns-jitters && j >= columns-jitters {
				want = -1. / (jitters - 1) // positions are distinct, so their sum is fixed
			}
			assert.InDelta(t, want, correlations.At(i, j), 6/math.Sqrt(draws), "columns %d and %d", i, j)
		}
	}
}

func TestViewsPanicsOnInvalidImages(t *testing.T) {
	for _, c := range []struct {
		recipe Recipe
		dims   []int
	}{
		{SoloLearn(), []int{4, 4, 3}}, {Digits(), []int{2, 1, 4, 1}}, {SoloLearn(), []int{3, 2, 4, 4, 3}},
		{SoloLearn(), []int{2, 4, 4, 1}},
		{Recipe{Mean: []float64{1, 2, 3}, Std: []float64{1, 2, 3}}, []int{2, 4, 4, 1}},
	} {
		_, err := testkit.NewProgram(t, func(in []*Node) []*Node {
			first, _ := c.recipe.Views(in[0], fixedNumbers{in[1]})
			return []*Node{first}
		}).TryCall(testkit.NewArray(c.dims...), testkit.NewArray(1, 2, 2, numbers))
		assert.ErrorContains(t, err, "augment")
	}
}

func TestValidate(t *testing.T) {
	require.NoError(t, SoloLearn().Validate())
	require.NoError(t, Recipe{}.Validate())
	for name, spoil := range map[string]func(r *Recipe){
		"grey": func(r *Recipe) { r.Grey = -0.1 }, "flip": func(r *Recipe) { r.Flip = math.NaN() },
		"jitter.probability": func(r *Recipe) { r.Jitter.Probability = 2 },
		"crop.scale":         func(r *Recipe) { r.Crop.Scale.Low = 0 },
		"crop.ratio":         func(r *Recipe) { r.Crop.Ratio.Low = 2 },
		"jitter.hue":         func(r *Recipe) { r.Jitter.Hue = 0.6 },
		"jitter.brightness":  func(r *Recipe) { r.Jitter.Brightness = math.Inf(1) },
		"blur.sigma":         func(r *Recipe) { r.Blur.Sigma.Low = -1 },
		"std":                func(r *Recipe) { r.Std[1] = 0 },
	} {
		r := SoloLearn()
		spoil(&r)
		assert.ErrorContains(t, r.Validate(), name)
	}
}
