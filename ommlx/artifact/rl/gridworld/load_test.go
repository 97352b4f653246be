package gridworld

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// withoutData hides every official layout and returns the empty data folder for grids.
func withoutData(t *testing.T) string {
	data, home := t.TempDir(), t.TempDir()
	t.Setenv(dataset.DataVariable, data)
	t.Setenv(fsx.CacheVariable, "")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("LocalAppData", home)
	t.Chdir(home)
	return filepath.Join(data, "grids")
}

// SHA-256 of the official layouts, from the public ALLO repository at the commit that [dataset.Grids] names.
var officialRooms = map[string]string{
	"GridRoom-1":    "6768bb8d1ead82cd1c89eb685781e964aab319b48aa8d29da7b604dad9148324",
	"GridRoom-4":    "85a16e5373db15a3d18f05f625c49cbb0dfe05db6317562ae21dcf31369aabb1",
	"GridRoom-16":   "70a1e3c974ea74c2ce1b76656dcff35464db8a8235ebf402bd235b7c66109f99",
	"GridRoom-32":   "4e1886e5e827ab033bed86e6ab0250aff5d63b5ff5fe51a19afa7c2a09c3fc04",
	"GridRoom-64":   "9fdbe97802b24b059d200eaa704fadc2c22a68f268953f95990b9898b22f4b26",
	"GridRoomSym-4": "2f64ae219772ce066214dda31486b555d7e0fe44636ad210a6101fa6beb024c1",
}

func TestRoomsAreTheOfficialOnes(t *testing.T) {
	claim, modes := papertest.Of(t, "environments"), papertest.Of(t, "two-mazes-have-few-modes")
	withoutData(t)
	differ := 0
	for name, want := range officialRooms {
		g := testkit.Must(Load(name))
		if !assert.Equal(t, want, fsx.SHA256Of([]byte(g.String())), "%s:\n%s", name, g) {
			differ++
		}
		assert.False(t, g.Generated)
		assert.Equal(t, 1, g.Components(), name)
		modes.Printed("50 less the number of eigenmodes of a room", float64(50-g.N()), 0)
	}
	claim.Printed("rooms that differ from the official layout, of 6", float64(differ), 0)
}

func TestMazesAreTheOfficialOnesWhereTheFilesAre(t *testing.T) {
	claim, modes := papertest.Of(t, "environments"), papertest.Of(t, "two-mazes-have-few-modes")
	for _, e := range environments() {
		if e.rooms != nil {
			continue
		}
		g := testkit.Must(Load(e.name))
		if g.Generated {
			t.Skip("the official maze layouts are not on this machine; `omm data get grids` downloads them")
		}
		layout, _ := testkit.Must2(dataset.Grids().Read(e.name + ".txt"))
		assert.Equal(t, string(layout), g.String())
		assert.Equal(t, e.name, g.Name)
		assert.Equal(t, e.maze, mazePlan{g.Rows, g.Cols, g.N()}, "the size of the stand-in for %s", e.name)
		parts := 1
		if e.name == "GridMaze-32" {
			parts = 2
		}
		assert.Equal(t, parts, g.Components(), e.name)
		differ := 1.0
		if string(layout) == g.String() {
			differ = 0
		}
		claim.Printed("mazes that differ from the official layout", differ, 0)
		if few := e.name == "GridMaze-7" || e.name == "GridMaze-9"; few {
			modes.Printed("largest number of eigenmodes of GridMaze-7 and -9", float64(g.N()), 49)
		} else {
			modes.Printed("50 less the number of eigenmodes of another maze", float64(50-g.N()), 0)
		}
	}
	claim.Note("the six mazes are read from files whose checksums are verified; GridMaze-32 falls into two parts, " +
		"so that its eigenvalue 1 is double")
}

func TestWithoutFilesMazesAreGenerated(t *testing.T) {
	withoutData(t)
	all := ""
	for _, e := range environments() {
		if e.rooms != nil {
			continue
		}
		g := testkit.Must(Load(e.name))
		all += g.String()
		assert.True(t, g.Generated)
		assert.Equal(t, e.name, g.Name)
		assert.Equal(t, e.maze, mazePlan{g.Rows, g.Cols, g.N()}, e.name)
		assert.Equal(t, 1, g.Components(), e.name)
		again := testkit.Must(Load(e.name))
		assert.Equal(t, g, again, "the same maze at every call")
		// The outer wall has no notches: where a size is even, the wall beyond the last odd row or column is two cells
		// thick.
		for r, row := range strings.Split(strings.TrimSuffix(g.String(), "\n"), "\n") {
			for c, cell := range row {
				inner := r > 0 && c > 0 && r <= (g.Rows-1)/2*2-1 && c <= (g.Cols-1)/2*2-1
				assert.True(t, inner || cell == 'X', "%s: row %d, column %d is open", e.name, r, c)
			}
		}
	}
	assert.Equal(t, "c9e9360453821ffd5b8457d3127cadb4cdc4311d8c2ea76e841b378f4e39d587", fsx.SHA256Of([]byte(all)),
		"keys of results on mazes of ours mean these ones")
}

func TestLoadReportsAnAlteredFile(t *testing.T) {
	dir := withoutData(t)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	path := filepath.Join(dir, "GridMaze-7.txt")
	require.NoError(t, os.WriteFile(path, []byte("X X\n"), 0o644))
	_, err := Load("GridMaze-7")
	assert.ErrorContains(t, err, `cannot load "GridMaze-7": `+path+" is altered")
}

func TestLoadNamesTheTwelveEnvironments(t *testing.T) {
	assert.Equal(t, []string{
		"GridMaze-7", "GridMaze-9", "GridMaze-17", "GridMaze-19", "GridMaze-26", "GridMaze-32",
		"GridRoom-1", "GridRoom-4", "GridRoom-16", "GridRoom-32", "GridRoom-64", "GridRoomSym-4",
	}, Names())
	_, err := Load("GridRoom-2")
	assert.EqualError(t, err, `there is no environment "GridRoom-2"; the environments are `+strings.Join(Names(), ", "))
}
