package gridworld

import (
	"cmp"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// gridsText has the layouts of the twelve environments; its header describes the format, the source and the licence.
//
//go:embed grids.txt
var gridsText string

// environments returns the twelve environments in the order of the paper's figure 1.
var environments = sync.OnceValue(func() (all []*Grid) {
	paragraphs := strings.Split(strings.TrimSpace(gridsText), "\n\n")
	for _, text := range paragraphs[1:] { // after the header
		all = append(all, decode(text))
	}
	return all
})

// decode parses one environment of grids.txt. It panics if the file is damaged.
func decode(text string) *Grid {
	words := strings.Fields(text)
	var rows, cols int
	_, err := fmt.Sscanf(words[1], "%d×%d", &rows, &cols)
	var open []bool
	for _, word := range words[2:] {
		walls, failed := strconv.ParseUint(word, 16, 64)
		err = cmp.Or(err, failed)
		for col := cols - 1; col >= 0; col-- {
			open = append(open, walls>>col&1 == 0)
		}
	}
	if err != nil {
		panic(fmt.Errorf("gridworld: grids.txt: %s: %w", words[0], err))
	}
	return newGrid(words[0], rows, cols, open)
}

// Names returns the names of the twelve environments in the order of the paper's figure 1.
func Names() (names []string) {
	for _, g := range environments() {
		names = append(names, g.Name)
	}
	return names
}

// Load returns an environment by name.
func Load(name string) (*Grid, error) {
	for _, g := range environments() {
		if g.Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("gridworld: no environment %q; use one of %s", name, strings.Join(Names(), ", "))
}
