package gridworld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

func TestTransitionIsSymmetricAndDoublyStochastic(t *testing.T) {
	claim := papertest.Of(t, "laplacian-definition")
	for _, name := range Names() {
		g := testkit.Must(Load(name))
		p := g.Transition()
		// Count moves, since P stores only one half.
		moves := map[[2]int]int{}
		for s := range g.N() {
			for _, to := range g.next[4*s : 4*s+4] {
				moves[[2]int{s, int(to)}]++
			}
		}
		for pair, count := range moves {
			require.Equal(t, count, moves[[2]int{pair[1], pair[0]}], "%s: moves between %v", name, pair)
			claim.Printed("largest difference of the moves from i to j and from j to i, 12 environments",
				math.Abs(float64(count-moves[[2]int{pair[1], pair[0]}])), 0)
			require.Equal(t, float64(count)/4, p.At(pair[0], pair[1]))
		}
		row := make([]float64, g.N())
		for i := range row {
			for j := range row {
				row[j] = p.At(i, j)
			}
			require.Equal(t, 1.0, floats.Sum(row), "%s: row %d", name, i)
			claim.Printed("largest distance of a row's sum from 1", math.Abs(floats.Sum(row)-1), 0)
		}
	}
}

func TestStatesAreInRowMajorOrderAndCoordinatesCentred(t *testing.T) {
	g := testkit.Must(Load("GridRoom-4"))
	xy := g.Coordinates()
	require.Len(t, xy, 2*g.N())
	last := -1
	for s := range g.N() {
		row, col := g.Cell(s)
		require.Greater(t, row*g.Cols+col, last)
		last = row*g.Cols + col
		assert.InDelta(t, float64(row)/13-0.5, xy[2*s], 1e-7)
		assert.InDelta(t, float64(col)/13-0.5, xy[2*s+1], 1e-7)
	}
}

// official lists the environments in the order of the paper's figure 1, each with the SHA-256 of its official file (see
// grids.txt).
var official = []struct {
	name       string
	states     int
	components int
	sum        string
}{
	{"GridMaze-7", 11, 1, "4682fbd1d923f792e27838d1c7e2bc8e70bfcf97c1bd32a676b87aec51fb5395"},
	{"GridMaze-9", 13, 1, "de1790a265932a6569dae9b78581193ea4b27b9d347fb6d7c736f73d80f1014e"},
	{"GridMaze-17", 87, 1, "3b1e8f124458b4aee1c8873d3e21fc138ea7b3650581e9042a1486fc479d2b7f"},
	{"GridMaze-19", 161, 1, "337b4906fbf5bd2e49b21668c985ffd363b61e13e02772efd2aca27e2cb9bfba"},
	{"GridMaze-26", 388, 1, "90f9d8eba0548d12ec2e5ebe28c4a0d216c73d5f346a9080a3df106bd87e3031"},
	{"GridMaze-32", 475, 2, "1e9945088d7022a9f422b513f5857f527a1735313892b0940dfb30da97e0ed84"},
	{"GridRoom-1", 225, 1, "6768bb8d1ead82cd1c89eb685781e964aab319b48aa8d29da7b604dad9148324"},
	{"GridRoom-4", 104, 1, "85a16e5373db15a3d18f05f625c49cbb0dfe05db6317562ae21dcf31369aabb1"},
	{"GridRoom-16", 271, 1, "70a1e3c974ea74c2ce1b76656dcff35464db8a8235ebf402bd235b7c66109f99"},
	{"GridRoom-32", 544, 1, "4e1886e5e827ab033bed86e6ab0250aff5d63b5ff5fe51a19afa7c2a09c3fc04"},
	{"GridRoom-64", 1088, 1, "9fdbe97802b24b059d200eaa704fadc2c22a68f268953f95990b9898b22f4b26"},
	{"GridRoomSym-4", 104, 1, "2f64ae219772ce066214dda31486b555d7e0fe44636ad210a6101fa6beb024c1"},
}

func TestLayoutsHaveTheOfficialChecksums(t *testing.T) {
	claim, modes := papertest.Of(t, "environments"), papertest.Of(t, "two-mazes-have-few-modes")
	differ := 0
	require.Len(t, Names(), len(official))
	for i, want := range official {
		assert.Equal(t, want.name, Names()[i])
		g := testkit.Must(Load(want.name))
		assert.Equal(t, want.states, g.N(), want.name)
		assert.Equal(t, want.components, g.Components(), want.name)
		if !assert.Equal(t, want.sum, fsx.SHA256Of([]byte(g.String())), "%s:\n%s", want.name, g) {
			differ++
		}
		if few := want.name == "GridMaze-7" || want.name == "GridMaze-9"; few {
			modes.Printed("largest number of eigenmodes of GridMaze-7 and -9", float64(g.N()), 49)
		} else {
			modes.Printed("50 less the number of eigenmodes of another environment", float64(50-g.N()), 0)
		}
	}
	claim.Printed("environments that differ from the official layout, of 12", float64(differ), 0)
	claim.Note("GridMaze-32 falls into two parts, so that its eigenvalue 1 is double")
	_, err := Load("GridRoom-2")
	assert.ErrorContains(t, err, "GridRoom-2")
}
