package notebook

import (
	"fmt"

	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
)

// loggedLosses are the losses at the end of the authors' runs by the settings of figure 1, from the files
// training_history.json at commit 3bf3a50 of samueltzhou/laplacian_dual_dynamics_omm: means over the runs and the last
// 100 entries. They are of OMM-seq and of the runs named joint with κ = ½, then of both names with κ = 1; 0 means that
// there are no runs. The last number is the mean score of the ten runs with the diagonal penalty.
var loggedLosses = map[string][5]float64{
	"GridMaze-7": {-169.0, -169.0, 0, 0, 0.9174}, "GridMaze-9": {-183.6, -183.6, 0, 0, 0.9992},
	"GridMaze-17": {-277.8, -277.8, 0, 0, 0.9931}, "GridMaze-19": {-283.3, -283.3, 0, 0, 0.9668},
	"GridMaze-26": {-284.4, -284.4, 0, 0, 0.7732}, "GridMaze-32": {-284.4, -284.4, 0, 0, 0.3171},
	"GridRoom-1": {-248.8, -248.8, -247.5, -440.7, 0.9954}, "GridRoom-4": {-243.7, -243.7, 0, 0, 0.9906},
	"GridRoom-16": {-281.4, -281.3, 0, -496.4, 0.9840}, "GridRoom-32": {-283.8, -283.7, 0, 0, 0.8799},
	"GridRoom-64": {-284.9, -284.8, -284.1, -502.3, 0.5006}, "GridRoomSym-4": {-242.2, -242.2, -241.4, -430.3, 0.8320},
}

// LoggedLosses returns the rows of a [Table]: for each environment of figure 1 the least losses of OMM-seq and of
// OMM-joint by the authors' settings, the four logged losses, and the score with the diagonal penalty. At the
// eigenfunctions the losses are −Σ w_i Σ_{j≤i} λ_j and −Σ w_i² λ_i with w_i = 12 − i, for every κ; λ is for pairs with
// lags of discount gamma in episodes of so many steps. The last row has the means of the score.
func LoggedLosses(d rl.Fig1Data, gamma float64, length int) (rows [][]string) {
	for _, e := range d.Environments {
		sequential, joint, space := 0.0, 0.0, 0.0
		for i, mu := range e.Spectrum { // of I − P
			lambda, weight := gridworld.GeometricEigenvalue(1-mu, gamma, length), float64(11-i)
			space += lambda
			sequential, joint = sequential-weight*space, joint-weight*weight*lambda
		}
		logged := loggedLosses[e.Name]
		row := Cells(e.Name, "%.1f", append([]float64{sequential, joint}, logged[:4]...)...)
		for i, cell := range row {
			if cell == "0.0" {
				row[i] = ""
			}
		}
		rows = append(rows, append(row, fmt.Sprintf("%.3f", logged[4])))
	}
	score := func(e rl.Fig1Environment) *float64 { return new(loggedLosses[e.Name][4]) }
	return append(rows, []string{"mean", "", "", "", "", "", "",
		fmt.Sprintf("%.3f, hard %.3f", meanOf(d.Environments, score), meanOf(hard(d), score))})
}
