package gridworld

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The expected numbers are of numpy 2.2.4, the authors' version, and Python 3.11.7:
//
//	Generator(PCG64(seed)).integers(0, n, size=1, dtype=int)[0], for each bound n in turn
//	Random(seed).randint(0, 3), 30 times
func TestGeneratorsAreThoseOfNumpyAndPython(t *testing.T) {
	// 1 draws nothing, and 3·10⁹ is refused three times in ten.
	bounds := []uint32{11, 10, 1, 208, 2, 1, 207, 3e9, 3e9, 3e9, 3e9, 1<<32 - 1}
	for _, want := range []struct {
		seed  int64
		raw   []uint64
		below []uint32
		moves []uint32
	}{
		{
			seed:  0,
			raw:   []uint64{11749869230777074271, 4976686463289251617, 755828109848996024},
			below: []uint32{9, 6, 0, 106, 0, 0, 63, 122920571, 225720425, 49582906, 525801878, 3492969079},
			moves: []uint32{3, 3, 0, 2, 3, 3, 2, 3, 2, 1, 1, 2, 1, 0, 2, 1, 2, 0, 0, 2, 3, 0, 2, 3, 2, 1, 3, 3, 2, 0},
		},
		{
			seed:  1234,
			raw:   []uint64{18016930633132456890, 7013373421822782593, 17030886991259909300},
			below: []uint32{10, 9, 0, 205, 0, 0, 35, 314677933, 785077271, 1608145053, 354273698, 3418182022},
			moves: []uint32{3, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 2, 3, 3, 1, 0, 1, 0, 0, 3, 1, 0, 3, 0, 0, 0, 2, 0, 2},
		},
		{
			seed:  1<<32 + 5,
			raw:   []uint64{14281546376153053393, 8683300866460616067, 12836726618003871680},
			below: []uint32{1, 7, 0, 161, 0, 0, 181, 2087641032, 2449612936, 2446317288, 1613810786, 2449118954},
			moves: []uint32{1, 3, 2, 0, 2, 1, 3, 2, 1, 2, 1, 1, 3, 3, 1, 3, 0, 0, 2, 1, 2, 2, 3, 1, 3, 0, 1, 1, 1, 0},
		},
		{
			seed:  1<<63 - 1,
			raw:   []uint64{3236778688619115796, 8668653565307110780, 15219254583519097992},
			below: []uint32{4, 1, 0, 46, 0, 0, 126, 100993577, 914797908, 1428498991, 2510275051, 3453615532},
			moves: []uint32{2, 1, 3, 3, 0, 3, 2, 1, 2, 0, 0, 0, 1, 1, 3, 1, 3, 3, 3, 3, 2, 0, 1, 2, 1, 2, 1, 0, 3, 3},
		},
	} {
		words, err := seedWords(want.seed)
		require.NoError(t, err)
		p := newPCG64(words)
		for i, x := range want.raw {
			assert.Equal(t, x, p.uint64(), "seed %d, output %d", want.seed, i)
		}
		p = newPCG64(words)
		for i, x := range want.below {
			assert.Equal(t, x, p.below(bounds[i]), "seed %d, draw %d", want.seed, i)
		}
		actions := newPython(words)
		for i, x := range want.moves {
			assert.Equal(t, x, actions.belowFour(), "seed %d, action %d", want.seed, i)
		}
	}
}
