package dataset

import (
	"math"
	"math/rand/v2"
)

// scene is what is random in a generated image, except its noise. Lengths are in pixels.
type scene struct {
	x, y     int               // centre of the shape
	size     int               // from the centre to the border of the shape
	u, v     int               // where the texture begins
	stripe   int               // width of a stripe of the texture
	speckles [cifarSide]uint32 // random bits
	colours  [3][3]int         // of the background, and the two of the texture: red, green, blue
}

// contrast is the least difference in brightness of two colours of a scene, of 255: enough to be told in a grey image
// with noise.
const contrast = 50

// noise bounds the random change of a value, of 255. It is the sum of two equal shares.
const noise = 24

func newScene(rng *rand.Rand) *scene {
	s := &scene{
		x: cifarSide/2 - 4 + rng.IntN(9), y: cifarSide/2 - 4 + rng.IntN(9), size: 9 + rng.IntN(6),
		u: rng.IntN(cifarSide), v: rng.IntN(cifarSide), stripe: 2 + rng.IntN(2),
	}
	for i := range s.speckles {
		s.speckles[i] = rng.Uint32()
	}
	for different := false; !different; {
		for i := range s.colours {
			s.colours[i] = [3]int{rng.IntN(256), rng.IntN(256), rng.IntN(256)}
		}
		a, b, c := brightness(s.colours[0]), brightness(s.colours[1]), brightness(s.colours[2])
		different = min(distance(a, b), distance(a, c), distance(b, c)) >= contrast
	}
	return s
}

// brightness is the luma of ITU-R BT.601, which greys images.
func brightness(colour [3]int) int { return (299*colour[0] + 587*colour[1] + 114*colour[2]) / 1000 }

func distance(a, b int) int { return max(a-b, b-a) }

// paint draws an image of the class, [32, 32, 3].
func (s *scene) paint(class int, rng *rand.Rand, image []uint8) {
	for p := range plane {
		for c, value := range s.colours[s.part(class, p%cifarSide, p/cifarSide)] {
			value += rng.IntN(noise+1) + rng.IntN(noise+1) - noise
			image[p*cifarChannels+c] = uint8(min(max(value, 0), 255))
		}
	}
}

// part tells whether a pixel is of the background (0) or of which part of the texture (1, 2).
func (s *scene) part(class, x, y int) int {
	shape, texture := parts(class)
	switch {
	case !shapes[shape].covers(x-s.x, y-s.y, s.size):
		return 0
	case textures[texture].dark(s, x, y):
		return 1
	}
	return 2
}

// parts returns the shape and the texture of a class. The first classes differ in both.
func parts(class int) (shape, texture int) {
	return class % len(shapes), (class + class/len(shapes)) % len(textures)
}

// shapes are their own mirror images. A pixel is given from the centre, to the right and down.
var shapes = [...]struct {
	name   string
	covers func(x, y, size int) bool
}{
	{"disc", func(x, y, size int) bool { return x*x+y*y <= size*size }},
	{"square", func(x, y, size int) bool { return largest(x, y) <= size*7/8 }},
	{"triangle", func(x, y, size int) bool { return y <= size && 2*distance(x, 0) <= y+size }},
	{"ring", func(x, y, size int) bool { return x*x+y*y <= size*size && 4*(x*x+y*y) >= size*size }},
	{"plus", func(x, y, size int) bool { return largest(x, y) <= size && 3*smallest(x, y) <= size }},
	{"frame", func(x, y, size int) bool { return largest(x, y) <= size && 2*largest(x, y) >= size }},
	{"cross", func(x, y, size int) bool { return largest(x, y) <= size && 3*(largest(x, y)-smallest(x, y)) <= size }},
	{"diamond", func(x, y, size int) bool { return largest(x, y)+smallest(x, y) <= size }},
	{"hourglass", func(x, y, size int) bool { return distance(x, 0) <= distance(y, 0) && distance(y, 0) <= size }},
	{"bars", func(x, y, size int) bool { return largest(x, y) <= size && 3*distance(x, 0) >= size }},
}

func largest(x, y int) int  { return max(distance(x, 0), distance(y, 0)) }
func smallest(x, y int) int { return min(distance(x, 0), distance(y, 0)) }

// textures are random shifts of their own mirror images, except speckles, which are random all over.
var textures = [...]struct {
	name string
	dark func(s *scene, x, y int) bool
}{
	{"plain", func(*scene, int, int) bool { return true }},
	{"rows", func(s *scene, _, y int) bool { return (y+s.v)/s.stripe%2 == 0 }},
	{"columns", func(s *scene, x, _ int) bool { return (x+s.u)/s.stripe%2 == 0 }},
	{"checks", func(s *scene, x, y int) bool { return ((x+s.u)/s.stripe+(y+s.v)/s.stripe)%2 == 0 }},
	{"circles", func(s *scene, x, y int) bool {
		return int(math.Sqrt(float64((x-s.x)*(x-s.x)+(y-s.y)*(y-s.y))))/s.stripe%2 == 0
	}},
	{"dots", func(s *scene, x, y int) bool { return (x+s.u)/s.stripe%2 == 0 && (y+s.v)/s.stripe%2 == 0 }},
	{"chevrons", func(s *scene, x, y int) bool {
		return (y+s.v+distance((x+s.u)%(4*s.stripe), 2*s.stripe))/s.stripe%2 == 0
	}},
	{"speckles", func(s *scene, x, y int) bool { return s.speckles[y]>>x&1 == 0 }},
	{"lines", func(s *scene, x, y int) bool { return (x+s.u)%(2*s.stripe) == 0 || (y+s.v)%(2*s.stripe) == 0 }},
	{"slopes", func(s *scene, x, y int) bool { return (distance(x, s.x)+y+s.v)/s.stripe%2 == 0 }},
}
