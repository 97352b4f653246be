package gridworld

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/spectral"
)

// World is an environment with its truth.
type World struct {
	Grid  *Grid
	P     *mat.SymDense  // transition matrix, N×N
	Truth spectral.Truth // of P
}

var worlds sync.Map // name → func() (*World, error): the spectra take seconds on the large grids

// LoadWorld returns the environment with the spectrum of its transition matrix, computed once for a process.
func LoadWorld(name string) (*World, error) {
	once, _ := worlds.LoadOrStore(name, sync.OnceValues(func() (*World, error) {
		g, err := Load(name)
		if err != nil {
			return nil, err
		}
		p := g.Transition()
		truth, err := spectral.SymEigen(p)
		return &World{g, p, truth}, err
	}))
	return once.(func() (*World, error))()
}

// environment is a name and one of two ways to a layout.
type environment struct {
	name  string
	rooms *roomPlan // built from this description, or else
	maze  mazePlan  // read from a file; the size for when there is none
}

// environments lists the paper's twelve in the order of its figure 1. The doors of the room environments are those of
// the layouts in the public ALLO repository (see [dataset.Grids]).
func environments() []environment {
	return []environment{
		{name: "GridMaze-7", maze: mazePlan{7, 9, 11}},
		{name: "GridMaze-9", maze: mazePlan{9, 9, 13}},
		{name: "GridMaze-17", maze: mazePlan{17, 19, 87}},
		{name: "GridMaze-19", maze: mazePlan{19, 19, 161}},
		{name: "GridMaze-26", maze: mazePlan{26, 32, 388}},
		{name: "GridMaze-32", maze: mazePlan{32, 32, 475}},
		{name: "GridRoom-1", rooms: squareRooms(1, 1, 15, nil, nil)},
		{name: "GridRoom-4", rooms: &roomPlan{
			heights: []int{5, 5},
			widths:  [][]int{{5, 5}, {6, 4}},
			east:    []string{"1", "2"},
			south:   []string{"23"},
		}},
		{name: "GridRoom-16", rooms: squareRooms(4, 4, 4,
			[]string{"121", "12.", ".2.", "212"},
			[]string{"...2", "2.21", "1..2"})},
		{name: "GridRoom-32", rooms: squareRooms(8, 4, 4,
			[]string{"121", "12.", ".2.", "212", "121", "12.", ".2.", "212"},
			[]string{"...2", "2.21", "1..2", "1..2", "...2", "2.21", "1..2"})},
		{name: "GridRoom-64", rooms: squareRooms(8, 8, 4,
			[]string{"121.121", "12...21", ".2...2.", ".12321.", ".21012.", ".2...2.", "21...12", "212.212"},
			[]string{"...21...", "2.2121.1", "11.21.22", "2......1", "11.21.22", "2.2121.1", "...21..."})},
		{name: "GridRoomSym-4", rooms: squareRooms(2, 2, 5,
			[]string{"2", "2"},
			[]string{"22"})},
	}
}

// Names returns the names of the twelve environments in the order of the paper's figure 1.
func Names() []string {
	var names []string
	for _, e := range environments() {
		names = append(names, e.name)
	}
	return names
}

// Load returns an environment by name. The room environments are built in; a maze is read from its official layout
// file, looked for along [dataset.SearchPath] and verified by SHA-256. Where that file is absent the result is a maze
// of this project's own, of the same rows, columns and number of states, with Generated set. An error says that the
// name is unknown, with the valid ones, or that the file is altered or unreadable.
func Load(name string) (*Grid, error) {
	for _, e := range environments() {
		if e.name != name {
			continue
		}
		if e.rooms != nil {
			return e.rooms.build(name), nil
		}
		layout, path, err := dataset.Grids().Read(name + ".txt")
		if errors.Is(err, fs.ErrNotExist) {
			return e.maze.generate(name), nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot load %q: %w", name, err)
		}
		g, err := parse(path, string(layout))
		if err != nil {
			return nil, err
		}
		g.Name = name
		return g, nil
	}
	return nil, fmt.Errorf("there is no environment %q; the environments are %s", name, strings.Join(Names(), ", "))
}
