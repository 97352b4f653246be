package gridworld

import (
	"fmt"
	"slices"
	"strings"
)

// Parse reads a layout in the format of the official files: one line per row, all of the same length, 'X' for a wall
// and a blank for a state. file is named in errors and becomes the grid's Name. Refused, with the line and what to do:
// an empty layout, lines of different lengths, any other character, no state, states that no walk connects.
func Parse(file, layout string) (*Grid, error) {
	g, err := parse(file, layout)
	if err != nil {
		return nil, err
	}
	if parts := g.Components(); parts > 1 {
		return nil, fmt.Errorf("%s: the states fall into %d parts that no walk connects; open a wall between them",
			file, parts)
	}
	return g, nil
}

// parse is [Parse] without the test for connection, which the official GridMaze-32 would not pass.
func parse(file, layout string) (*Grid, error) {
	if layout == "" {
		return nil, fmt.Errorf("%s:1: the layout is empty; write one line per row, "+
			"'X' for a wall and a blank for a state", file)
	}
	lines := strings.Split(strings.TrimSuffix(layout, "\n"), "\n")
	rows, cols := len(lines), len(lines[0])
	open := make([]bool, 0, rows*cols)
	for row, line := range lines {
		for col, char := range []byte(line) {
			if char != 'X' && char != ' ' {
				return nil, fmt.Errorf("%s:%d: character %q in column %d is neither a wall 'X' nor a blank; replace it",
					file, row+1, char, col+1)
			}
			open = append(open, char == ' ')
		}
		if len(line) != cols {
			return nil, fmt.Errorf("%s:%d: this row has %d cells but the first has %d; make all rows equally long",
				file, row+1, len(line), cols)
		}
	}
	if !slices.Contains(open, true) {
		return nil, fmt.Errorf("%s:%d: up to this last row there is no state; put a blank where the agent may stand",
			file, rows)
	}
	return newGrid(file, rows, cols, open), nil
}
