package augment

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/train"
)

// hostView is a view of one image for given uniform numbers: the recipe from beginning to end, on the host.
func hostView(r Recipe, p picture, u []float64) picture {
	if r.Crop != (Crop{}) {
		top, left, h, w, _ := hostBox(r.Crop, u, p.height, p.width)
		p = hostResize(p, top, left, h, w)
	}
	if u[atJitter] < r.Jitter.Probability {
		order := []int{brightness, contrast, saturation, hue}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(u[atOrder+a], u[atOrder+b]) })
		for _, operation := range order {
			j := r.Jitter
			strength := []float64{j.Brightness, j.Contrast, j.Saturation, j.Hue}[operation]
			low, high := max(0, 1-strength), 1+strength
			if operation == hue {
				low, high = -strength, strength
			}
			p = hostJitter(p, operation, low+(high-low)*u[atBrightness+operation])
		}
	}
	if u[atGrey] < r.Grey {
		p = mix(p, 0, hostLuminance)
	}
	if u[atBlur] < r.Blur.Probability {
		p = hostBlur(p, r.Blur.Sigma.Low+(r.Blur.Sigma.High-r.Blur.Sigma.Low)*u[atSigma])
	}
	out := newPicture(p.height, p.width, p.channels)
	for y := range p.height {
		for x := range p.width {
			for c := range p.channels {
				from := x
				if u[atFlip] < r.Flip {
					from = p.width - 1 - x
				}
				v := *p.at(y, from, c)
				if r.Mean != nil {
					v = (v - r.Mean[c]) / r.Std[c]
				}
				*out.at(y, x, c) = v
			}
		}
	}
	return out
}

// given stands for a generator that draws these numbers, [R, 2, B, numbers].
type given struct{ u *Node }

func (g given) Uniform(dtypes.DType, ...int) *Node { return g.u }

// requireImages requires views without their normalisation to have intensities in [0, 1], and most to differ from the
// images of which they are.
func requireImages(t *testing.T, r Recipe, images, views graphtest.Array) {
	t.Helper()
	changed, list := 0, pictures(views)
	for i, p := range list {
		plain := make([]float64, len(p.data))
		for j, v := range p.data {
			plain[j] = v*r.Std[j%p.channels] + r.Mean[j%p.channels]
			require.InDelta(t, 0.5, plain[j], 0.5+1e-9)
		}
		if graphtest.Difference(column(images.Run(i).Data...), column(plain...)) > 0.01 {
			changed++
		}
	}
	require.Greater(t, changed, len(list)*3/4)
}

// TestViews are the recipe on the host, image by image, run by run and view by view, for images that runs share and for
// images of their own. No run has a part in the views of another.
func TestViews(t *testing.T) {
	const runs, batch = 2, 12
	rng := graphtest.NewRand(12)
	cifar := SoloLearn()
	digits := Digits()
	digits.Mean, digits.Std = []float64{0.3}, []float64{0.4}
	half := cifar
	half.Crop, half.Mean, half.Std, half.Jitter.Probability, half.Flip = Crop{}, nil, nil, 0, 0
	for _, c := range []struct {
		recipe                  Recipe
		height, width, channels int
	}{{cifar, 32, 32, 3}, {digits, 8, 8, 1}, {half, 10, 12, 3}, {Recipe{Flip: 0.4}, 6, 5, 2}, {Recipe{}, 6, 5, 2}} {
		own := testImages(rng, runs*batch, c.height, c.width, c.channels)
		own.Dims = []int{runs, batch, c.height, c.width, c.channels}
		u := uniform(rng, runs*2*batch)
		u.Dims = []int{runs, 2, batch, numbers}
		for _, images := range []graphtest.Array{own, own.Run(1)} {
			got := evaluate(t, func(in []*Node) []*Node {
				first, second := c.recipe.Views(in[0], given{in[1]})
				return []*Node{first, second}
			}, images, u)
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
					graphtest.RequireClose(t, join(want), got[v].Run(r), 1e-9, "views")
					if c.recipe.Mean != nil {
						requireImages(t, c.recipe, source, got[v].Run(r))
					}
				}
			}
		}
	}
}

// TestTypes: bytes are intensities in steps of 1/255, in float32; float64 stays float64.
func TestTypes(t *testing.T) {
	const batch = 5
	rng := graphtest.NewRand(13)
	images := testImages(rng, batch, 8, 8, 3)
	bytes := make([][][][]uint8, batch)
	for n, p := range pictures(images) {
		for y := range 8 {
			bytes[n] = append(bytes[n], make([][]uint8, 8))
			for x := range 8 {
				for c := range 3 {
					bytes[n][y][x] = append(bytes[n][y][x], uint8(math.Round(255**p.at(y, x, c))))
				}
			}
		}
	}
	u := make([][][][]float32, 1)
	u[0] = make([][][]float32, 2)
	for i := range 2 * batch {
		row := make([]float32, numbers)
		for j := range row {
			row[j] = rng.Float32()
		}
		u[0][i%2] = append(u[0][i%2], row)
	}
	exec := graphtest.Compiled(t, func(in []*Node) []*Node {
		random := given{in[1]}
		floats := DivScalar(ConvertDType(in[0], dtypes.Float32), 255)
		a, b := SoloLearn().Views(in[0], random)
		c, d := SoloLearn().Views(floats, random)
		doubles := ConvertDType(floats, dtypes.Float64)
		return []*Node{a, b, c, d, SoloLearn().Normalise(in[0]), SoloLearn().Normalise(doubles)}
	})
	out := graphtest.Run(t, exec, bytes, u)
	values := graphtest.Numbers(out)
	for i := range 5 {
		assert.Equal(t, dtypes.Float32, out[i].DType())
	}
	assert.Equal(t, dtypes.Float64, out[5].DType())
	assert.Equal(t, values[0], values[2])
	assert.Equal(t, values[1], values[3])
	assert.InDelta(t, (images.Data[4]-0.4865)/0.2564, values[4][4], 1e-5)
	assert.InDeltaSlice(t, values[4], values[5], 1e-5)
}

// TestProbabilities of what happens to an image, and the range of the blur.
func TestProbabilities(t *testing.T) {
	t.Parallel()
	const draws = 40_000
	recipe := Recipe{Grey: 0.2, Flip: 0.45, Blur: Blur{Probability: 0.6, Sigma: Range{0.1, 2}}}
	table := drawn(t, 7, func(random *train.Random) []*Node {
		p := parametersOf(recipe, random, draws, 32, 32)
		number := func(x *Node) *Node { return ConvertDType(x, dtypes.Float32) }
		return []*Node{InsertAxes(Stack([]*Node{number(p.grey), number(p.flip), p.sigma}, 1), 0)}
	})[0]
	law, counts, blurs := map[any]float64{}, map[any]int{}, 0
	for i := range 8 {
		p := 1.0
		for bit, chance := range []float64{0.2, 0.45, 0.6} {
			if i>>bit&1 == 0 {
				chance = 1 - chance
			}
			p *= chance
		}
		law[i] = p
	}
	mean := 0.0
	for i := range draws {
		row := table.RawRowView(i)
		outcome := int(row[0]) + 2*int(row[1])
		if sigma := row[2]; sigma > 0 {
			outcome += 4
			blurs++
			mean += sigma
			require.True(t, sigma >= 0.0999999 && sigma <= 2, "σ = %g", sigma)
		}
		counts[outcome]++
	}
	requireLaw(t, law, counts)
	assert.InDelta(t, 1.05, mean/float64(blurs), 5*1.9/math.Sqrt(12*0.6*draws))
}

// TestIndependence: what is drawn for an image is not correlated with anything else that is drawn for it.
func TestIndependence(t *testing.T) {
	t.Parallel()
	const draws, size = 40_000, 32
	recipe := SoloLearn()
	recipe.Jitter.Probability, recipe.Blur.Probability = 1, 1
	table := drawn(t, 8, func(random *train.Random) []*Node {
		p := parametersOf(recipe, random, draws, size, size)
		number := func(x *Node) *Node { return ConvertDType(x, dtypes.Float32) }
		offCentre := func(start, length *Node) *Node { return AddScalar(Add(start, MulScalar(length, 0.5)), -size/2) }
		list := append([]*Node{Mul(p.box.height, p.box.width), Sub(p.box.height, p.box.width),
			offCentre(p.box.top, p.box.height), offCentre(p.box.left, p.box.width), p.jitter.turn, number(p.grey),
			p.sigma, number(p.flip)}, p.jitter.factor[:]...)
		return []*Node{InsertAxes(Stack(append(list, p.jitter.place[:]...), 1), 0)}
	})[0]
	var correlations mat.SymDense
	stat.CorrelationMatrix(&correlations, table, nil)
	_, columns := table.Dims()
	for i := range columns {
		for j := range i {
			want := 0.0
			if i >= columns-jitters && j >= columns-jitters {
				want = -1. / (jitters - 1) // places are different numbers with a given sum
			}
			assert.InDelta(t, want, correlations.At(i, j), 6/math.Sqrt(draws), "columns %d and %d", i, j)
		}
	}
}

func TestViewsOfWrongImages(t *testing.T) {
	random := func(in []*Node) Random { return given{in[1]} }
	for _, c := range []struct {
		words  string
		recipe Recipe
		dims   []int
		runs   int
	}{
		{"probability must be from 0 to 1", Recipe{Flip: 2}, []int{2, 4, 4, 3}, 1},
		{"the images are (Float64)[4, 4, 3]; give [B, H, W, C]", SoloLearn(), []int{4, 4, 3}, 1},
		{"the images have 1×4 pixels; give at least 2×2", Digits(), []int{2, 1, 4, 1}, 1},
		{"which says 3 runs, and the random numbers are for 2", SoloLearn(), []int{3, 2, 4, 4, 3}, 2},
		{"the images have 1 channels, and the recipe changes colours", SoloLearn(), []int{2, 4, 4, 1}, 1},
		{"have 1 channels, and the recipe has a mean and a standard deviation for 3",
			Recipe{Mean: []float64{1, 2, 3}, Std: []float64{1, 2, 3}}, []int{2, 4, 4, 1}, 1},
	} {
		_, err := graphtest.NewProgram(t, func(in []*Node) []*Node {
			first, _ := c.recipe.Views(in[0], random(in))
			return []*Node{first}
		}).TryCall(graphtest.NewArray(c.dims...), graphtest.NewArray(c.runs, 2, 2, numbers))
		assert.ErrorContains(t, err, c.words)
	}
	_, err := graphtest.NewProgram(t, func(in []*Node) []*Node {
		return []*Node{SoloLearn().Normalise(ConvertDType(in[0], dtypes.Int32))}
	}).TryCall(graphtest.NewArray(2, 4, 4, 3))
	assert.ErrorContains(t, err, "the images are (Int32)[2, 4, 4, 3]; give")
	assert.PanicsWithError(t, "augment.Normalise: the images are nil; give [B, H, W, C] or [R, B, H, W, C], uint8, or "+
		"float32 or float64 in [0, 1]", func() { SoloLearn().Normalise(nil) })
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for words, spoil := range map[string]func(r *Recipe){
		"Grey is -0.1; a probability must be from 0 to 1": func(r *Recipe) { r.Grey = -0.1 },
		"Flip is NaN":                                            func(r *Recipe) { r.Flip = nan },
		"Jitter.Probability is 2":                                func(r *Recipe) { r.Jitter.Probability = 2 },
		"Blur.Probability is 1.5":                                func(r *Recipe) { r.Blur.Probability = 1.5 },
		"Crop.Scale is from 0 to 1; bounds must be":              func(r *Recipe) { r.Crop.Scale.Low = 0 },
		"Crop.Scale is from 0.08 to 1.2":                         func(r *Recipe) { r.Crop.Scale.High = 1.2 },
		"Crop.Scale is from 0 to 0":                              func(r *Recipe) { r.Crop.Scale = Range{} },
		"Crop.Ratio is from 2 to 1.3":                            func(r *Recipe) { r.Crop.Ratio.Low = 2 },
		"Crop.Ratio is from 0.75 to +Inf; bounds must be":        func(r *Recipe) { r.Crop.Ratio.High = math.Inf(1) },
		"Jitter.Hue is 0.6; it must be from 0 to 0.5":            func(r *Recipe) { r.Jitter.Hue = 0.6 },
		"Jitter.Contrast is -1; it must be finite and":           func(r *Recipe) { r.Jitter.Contrast = -1 },
		"Jitter.Brightness is +Inf; it must be finite":           func(r *Recipe) { r.Jitter.Brightness = math.Inf(1) },
		"Jitter.Saturation is NaN":                               func(r *Recipe) { r.Jitter.Saturation = nan },
		"Blur.Sigma is from -1 to 2":                             func(r *Recipe) { r.Blur.Sigma.Low = -1 },
		"3 numbers in Mean and 2 in Std":                         func(r *Recipe) { r.Std = r.Std[:2] },
		"channel 1 has mean 0.4865 and standard deviation 0":     func(r *Recipe) { r.Std[1] = 0 },
		"channel 2 has mean NaN and standard deviation 0.2762; ": func(r *Recipe) { r.Mean[2] = nan },
	} {
		r := SoloLearn()
		require.NoError(t, r.Validate())
		spoil(&r)
		assert.ErrorContains(t, r.Validate(), words)
	}
}
