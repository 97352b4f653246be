package rl

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/gridworld"
)

// standIns names the mazes whose official layouts are not on this machine, and what to do; "" for none.
func standIns() string {
	var names []string
	for _, name := range gridworld.Names() {
		if generated(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("the official layouts of %s are not here, and mazes of this project's own stand in for them; "+
		"`omm data get grids` downloads them", strings.Join(names, ", "))
}
