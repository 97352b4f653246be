package gridworld

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

func TestCollectIsReproducible(t *testing.T) {
	g := testkit.Must(Load("GridRoom-4"))
	e := testkit.Must(Collect(g, 99_999, 50, 7))
	assert.Equal(t, 2_000, e.Count, "rounded up to whole episodes")
	require.Len(t, e.States, 2_000*51)
	assert.Equal(t, e, testkit.Must(Collect(g, 99_999, 50, 7)))
	assert.NotEqual(t, e.States, testkit.Must(Collect(g, 99_999, 50, 8)).States)

	for _, bad := range [][2]int{{0, 50}, {50, 0}, {-1, 5}} {
		_, err := Collect(g, bad[0], bad[1], 1)
		assert.ErrorContains(t, err, "at least 1")
	}
}

func TestDiscountOutsideItsRangePanics(t *testing.T) {
	for _, gamma := range []float64{-0.1, 1, math.NaN()} {
		assert.Panics(t, func() { GeometricEigenvalue(1, gamma, 5) })
	}
}

// On one data set, the frequencies of sampled pairs converge to PairMatrix; the mean of PairMatrix over data sets is
// the exact mixture.
func TestSampledPairsPairMatrixAndExactMixtureAgree(t *testing.T) {
	g := testkit.Must(Load("GridMaze-7"))
	n := g.N()
	const draws = 400_000
	from, to := make([]int32, draws), make([]int32, draws)
	for _, gamma := range []float64{0, 0.9} {
		small := testkit.Must(Collect(g, 60, 6, 5))
		w := small.PairMatrix(gamma)
		assert.InDelta(t, 1, mat.Sum(w), 1e-12)
		small.SamplePairs(rand.New(rand.NewPCG(9, 0)), gamma, from, to)
		counts := make([]float64, n*n)
		for b := range from {
			counts[int(from[b])*n+int(to[b])]++
		}
		testkit.RequireLaw(t, w.RawMatrix().Data, counts, fmt.Sprint("pairs, γ = ", gamma))

		const length = 12
		large := testkit.Must(Collect(g, 2_000_000, length, 6))
		w = large.PairMatrix(gamma)
		exact := GeometricTransition(g.Transition(), gamma, length)
		for i := range n {
			for j := range n {
				assert.InDelta(t, exact.At(i, j)/float64(n), w.At(i, j), 0.001, "γ = %v, pair (%d, %d)", gamma, i, j)
			}
		}
	}
}

// The checksums are of the last 51 states of each episode, little-endian int32, in the replay buffer filled by the
// authors' code at commit 58e10cd (5·10⁶ steps: ce0a43f) with gymnasium 1.1.1, numpy 2.2.4 and Python 3.11.7.
func TestCollectAsAuthorsMatchesTheirData(t *testing.T) {
	for _, want := range []struct {
		name            string
		steps, episodes int
		sum             string
	}{
		{"GridMaze-7", 100_000, 1_960, "f8166f05af116fcc7e432132d0ea922d3321ce79fabb8fcbc385de6aba68a988"},
		{"GridMaze-9", 100_000, 1_960, "4e7343f180db09f1aa8b032d71c05afffa14641d13238f14196efa8e19884105"},
		{"GridMaze-17", 100_000, 1_960, "8da1d9090f66d46468fbd384d0dc5626ffa1b476041d62b1cb0d6d0583f0eba4"},
		{"GridMaze-19", 100_000, 1_960, "85db4b277c3046ac9f1303abd7a19621304de2fd4c05ee4355aba08b976a89f2"},
		{"GridMaze-26", 100_000, 1_960, "949152e0b75048a8a7ff5f7841a76ea2a13395567a7f4a5278cfe913607fa338"},
		{"GridMaze-32", 100_000, 1_960, "1ca6be15b16c6bf8fc4df9fe8107219e227b0c146449067891ba21159f97450a"},
		{"GridRoom-1", 100_000, 1_960, "c830e4a1c77c015d44b476af785a7c3c017447e5e89aa3ba591348fc40b5ed0c"},
		{"GridRoom-4", 100_000, 1_960, "54a66ff80c6e91b119117b1d52183841de3136f575811ef4c820e4b5f78de677"},
		{"GridRoom-16", 100_000, 1_960, "05ddde4c5f7a8fd81290769ba9c65329cab8891742d488ca7d9a6717ee69e517"},
		{"GridRoom-32", 100_000, 1_960, "ef7edcae9261f25176de1025fcc715fecd33848e8258a81841ad74685a616514"},
		{"GridRoom-64", 100_000, 1_960, "b4d9d7715027660a7383dd83e1760010f9a21a34e4fae275849fdb9bdef3f914"},
		{"GridRoomSym-4", 100_000, 1_960, "731373b0d0b8f4dbd88959a17b38fc035dbe99cbade11784e559cab48a8d30f6"},
		{"GridRoom-4", 1_000_000, 19_600, "cba80cd474d18a0518d6ad8366a5c55dcd94bde087105d6aae9e1433c69b3d5f"},
		{"GridRoomSym-4", 1_000_000, 19_600, "2857d5332f35bc753cf3d7f25e74e8d59aa262253148fefd7a482c67e5bbbb3b"},
		{"GridRoom-16", 5_000_000, 98_000, "3f71c34a597dba92057f07d70802c564789b80022eae1d48ff2d35752be24504"},
	} {
		g := testkit.Must(Load(want.name))
		e := testkit.Must(CollectAsAuthors(g, want.steps))
		assert.Equal(t, want.episodes, e.Count)
		digest := sha256.New()
		require.NoError(t, binary.Write(digest, binary.LittleEndian, e.States))
		assert.Equal(t, want.sum, hex.EncodeToString(digest.Sum(nil)), "%s, %d steps", want.name, want.steps)
	}
}

func TestCollectAsAuthorsSharesPrefixes(t *testing.T) {
	g := testkit.Must(Load("GridRoom-4"))
	all := testkit.Must(CollectAsAuthors(g, 30_000))
	// 20,101 steps end one state before the end of an episode, 20,102 at its end.
	for _, steps := range []int{51, 10_000, 20_101, 20_102} {
		e := testkit.Must(CollectAsAuthors(g, steps))
		assert.Equal(t, steps/10_000*196+steps%10_000/51, e.Count)
		assert.Equal(t, all.States[:len(e.States)], e.States, "%d steps", steps)
	}
	_, err := CollectAsAuthors(g, 50)
	assert.ErrorContains(t, err, "50 steps")
}
