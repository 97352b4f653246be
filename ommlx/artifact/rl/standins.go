package rl

import (
	"context"
	"slices"

	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/gridworld"
)

// mazes are the data of the grid worlds: six layouts of other people.
var mazes = &report.Data{
	Name:     "the official mazes",
	StandIns: "mazes of this project's own",
	Command:  "omm data get grids",
	Here:     func() bool { return !slices.ContainsFunc(gridworld.Names(), generated) },
	Fetch:    func(ctx context.Context) error { return dataset.Grids().Get(ctx, "", "", nil) },
}
