package augment

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/train"
)

// hostLuminance is the grey level of a pixel.
func hostLuminance(rgb []float64) float64 { return 0.299*rgb[0] + 0.587*rgb[1] + 0.114*rgb[2] }

// mix is what brightness, contrast and saturation do, with the grey level that a factor of 0 leaves.
func mix(p picture, factor float64, grey func(rgb []float64) float64) picture {
	out := newPicture(p.height, p.width, 3)
	for i := 0; i < len(p.data); i += 3 {
		for c := range 3 {
			v := factor*p.data[i+c] + (1-factor)*grey(p.data[i:i+3])
			out.data[i+c] = min(max(v, 0), 1)
		}
	}
	return out
}

// turned adds a turn to the hue: the colour in the hexagon of hues by sectors, as textbooks write it.
func turned(p picture, turn float64) picture {
	out := newPicture(p.height, p.width, 3)
	for i := 0; i < len(p.data); i += 3 {
		r, g, b := p.data[i], p.data[i+1], p.data[i+2]
		value, least := max(r, g, b), min(r, g, b)
		hue := 0.0
		if value > least {
			switch value {
			case r:
				hue = (g - b) / (value - least)
			case g:
				hue = 2 + (b-r)/(value-least)
			case b:
				hue = 4 + (r-g)/(value-least)
			}
		}
		hue = math.Mod(hue+6*turn+12, 6)
		sector, rest := math.Modf(hue)
		falling, rising := value-(value-least)*rest, least+(value-least)*rest
		rgb := [][3]float64{{value, rising, least}, {falling, value, least}, {least, value, rising},
			{least, falling, value}, {rising, least, value}, {value, least, falling}}[int(sector)]
		copy(out.data[i:], rgb[:])
	}
	return out
}

// hostJitter applies one operation.
func hostJitter(p picture, operation int, strength float64) picture {
	switch operation {
	case brightness:
		return mix(p, strength, func([]float64) float64 { return 0 })
	case contrast:
		mean := 0.0
		for i := 0; i < len(p.data); i += 3 {
			mean += hostLuminance(p.data[i:i+3]) / float64(p.height*p.width)
		}
		return mix(p, strength, func([]float64) float64 { return mean })
	case saturation:
		return mix(p, strength, hostLuminance)
	default:
		return turned(p, strength)
	}
}

// jittered applies jitters: strengths [N] of the four operations, then their places [N].
func jittered(t *testing.T, images graphtest.Array, strengths, places [jitters]graphtest.Array) graphtest.Array {
	t.Helper()
	in := append(append([]graphtest.Array{images}, strengths[:]...), places[:]...)
	return evaluate(t, func(in []*Node) []*Node {
		j := &jitter{factor: [hue]*Node(in[1:4]), turn: in[4], place: [jitters]*Node(in[5:9])}
		return []*Node{onRows(in[0], j.apply)}
	}, in...)[0]
}

// orders lists the 24 orders of the operations.
func orders() (all [][jitters]int) {
	for i := range 256 {
		order := [jitters]int{i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6}
		seen := 0
		for _, operation := range order {
			seen |= 1 << operation
		}
		if seen == 15 {
			all = append(all, order)
		}
	}
	return all
}

// TestJitter is one operation after the other, in each of the 24 orders.
func TestJitter(t *testing.T) {
	rng := graphtest.NewRand(6)
	all := orders()
	require.Len(t, all, 24)
	const each = 4
	images := testImages(rng, each*len(all), 12, 9, 3)
	strengths, places := [jitters]graphtest.Array{}, [jitters]graphtest.Array{}
	for i := range jitters {
		strengths[i], places[i] = graphtest.NewArray(each*len(all)), graphtest.NewArray(each*len(all))
	}
	want := pictures(images.Clone())
	for n := range want {
		for place, operation := range all[n%len(all)] {
			strength := 0.2 + 1.6*rng.Float64()
			if operation == hue {
				strength = rng.Float64() - 0.5
			}
			strengths[operation].Data[n], places[operation].Data[n] = strength, float64(place)
			want[n] = hostJitter(want[n], operation, strength)
		}
	}
	graphtest.RequireClose(t, join(want), jittered(t, images, strengths, places), 1e-9, "jittered")
}

// TestJitterIdentity: factors of 1 and no turn change no bit; a full turn is none.
func TestJitterIdentity(t *testing.T) {
	images := testImages(graphtest.NewRand(7), 4, 8, 8, 3)
	one, zero := column(1, 1, 1, 1), column(0, 0, 0, 0)
	places := [jitters]graphtest.Array{column(2, 2, 1, 0), column(0, 3, 2, 1), column(1, 1, 0, 3), column(3, 0, 3, 2)}
	assert.Equal(t, images, jittered(t, images, [jitters]graphtest.Array{one, one, one, zero}, places))
	turn := jittered(t, images, [jitters]graphtest.Array{one, one, one, one}, places)
	graphtest.RequireClose(t, images, turn, 1e-12, "a full turn")
}

// TestHueKeeps the largest and the smallest colour of each pixel, and a third of a turn moves red to green to blue.
func TestHueKeeps(t *testing.T) {
	images := testImages(graphtest.NewRand(8), 3, 6, 6, 3)
	program := graphtest.NewProgram(t, func(in []*Node) []*Node {
		return []*Node{onRows(in[0], func(x *Node) *Node { return turnHue(x, in[1]) })}
	})
	got := program.Call(t, images, column(0.1, -0.2, 0.47))[0]
	third := program.Call(t, images, column(1./3, 1./3, 1./3))[0]
	for i := 0; i < len(images.Data); i += 3 {
		a, b := images.Data[i:i+3], got.Data[i:i+3]
		assert.InDelta(t, max(a[0], a[1], a[2]), max(b[0], b[1], b[2]), 1e-12)
		assert.InDelta(t, min(a[0], a[1], a[2]), min(b[0], b[1], b[2]), 1e-12)
		assert.InDeltaSlice(t, []float64{a[2], a[0], a[1]}, third.Data[i:i+3], 1e-12)
	}
}

// TestGrey: images that are drawn become grey, the others stay as they are.
func TestGrey(t *testing.T) {
	images := testImages(graphtest.NewRand(9), 2, 5, 6, 3)
	got := evaluate(t, func(in []*Node) []*Node {
		return []*Node{Recipe{}.apply(in[0], parameters{grey: GreaterThan(in[1], ZerosLike(in[1]))})}
	}, images, column(1, 0))[0]
	want := images.Clone()
	for i := 0; i < len(want.Run(0).Data); i += 3 {
		rgb := want.Run(0).Data[i : i+3]
		v := hostLuminance(rgb)
		copy(rgb, []float64{v, v, v})
	}
	graphtest.RequireClose(t, want, got, 1e-14, "grey")
	assert.Equal(t, images.Run(1).Data, got.Run(1).Data)
}

// TestEqualNumbers still give each operation a place of its own.
func TestEqualNumbers(t *testing.T) {
	places := evaluate(t, func(in []*Node) []*Node { return SoloLearn().Jitter.draw(in[0]).place[:] },
		graphtest.NewArray(1, numbers))
	for operation, place := range places {
		assert.Equal(t, []float64{float64(operation)}, place.Data)
	}
}

// TestLawOfJitter: the 24 orders are equally likely, factors and turns are uniform in their ranges, and an image
// without jitter has factors of 1 and no turn.
func TestLawOfJitter(t *testing.T) {
	t.Parallel()
	const draws = 40_000
	recipe := Recipe{Jitter: Jitter{Probability: 0.7, Brightness: 0.8, Contrast: 1.5, Saturation: 0.3, Hue: 0.2}}
	ranges := []Range{{0.2, 1.8}, {0, 2.5}, {0.7, 1.3}, {-0.2, 0.2}}
	table := drawn(t, 6, func(random *train.Random) []*Node {
		j := parametersOf(recipe, random, draws, 32, 32).jitter
		list := append(append(j.factor[:], j.turn), j.place[:]...)
		return []*Node{InsertAxes(Stack(list, 1), 0)}
	})[0]
	law, counts, on := map[any]float64{}, map[any]int{}, 0
	for _, order := range orders() {
		law[order] = 1. / 24
	}
	tenths, tenthsSeen := map[any]float64{}, map[any]int{}
	for i := range draws {
		row := table.RawRowView(i)
		var order [jitters]int
		for operation := range jitters {
			order[int(row[jitters+operation])] = operation
		}
		counts[order]++
		if row[3] == 0 {
			require.Equal(t, []float64{1, 1, 1}, row[:3])
			continue
		}
		on++
		for operation, r := range ranges {
			tenths[[2]int{operation, int(10 * (row[operation] - r.Low) / (r.High - r.Low) * (1 - 1e-7))}] = 0.1 / 4
			tenthsSeen[[2]int{operation, int(10 * (row[operation] - r.Low) / (r.High - r.Low) * (1 - 1e-7))}]++
		}
	}
	requireLaw(t, law, counts)
	require.Len(t, tenths, 40)
	requireLaw(t, tenths, tenthsSeen)
	assert.InDelta(t, 0.7, float64(on)/draws, 5*0.5/math.Sqrt(draws))
}
