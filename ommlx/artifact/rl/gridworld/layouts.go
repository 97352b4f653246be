package gridworld

import (
	_ "embed"
	"fmt"
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
	if _, err := fmt.Sscanf(words[1], "%d×%d", &rows, &cols); err != nil || len(words) != 2+rows {
		panic(fmt.Sprintf("gridworld: grids.txt: damaged at %q", words[0]))
	}
	open := make([]bool, 0, rows*cols)
	for _, word := range words[2:] {
		var walls uint64
		if _, err := fmt.Sscanf(word, "%x", &walls); err != nil {
			panic(fmt.Sprintf("gridworld: grids.txt: damaged at %q", word))
		}
		for col := cols - 1; col >= 0; col-- {
			open = append(open, walls>>col&1 == 0)
		}
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
