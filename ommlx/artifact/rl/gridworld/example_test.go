package gridworld_test

import (
	"fmt"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/spectral"
)

// Two rooms of your own, with a door between them: the second eigenvector of their transition matrix tells them apart.
func ExampleParse() {
	grid, err := gridworld.Parse("two rooms", ""+
		"XXXXXXX\n"+
		"X  X  X\n"+
		"X     X\n"+
		"X  X  X\n"+
		"XXXXXXX\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	truth, err := spectral.SymEigen(grid.Transition())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d states, eigenvalues %.4f and %.4f\n", grid.N(), truth.Values[0], truth.Values[1])
	first, last := truth.Vectors.At(0, 1), truth.Vectors.At(grid.N()-1, 1)
	fmt.Println("opposite corners have opposite signs:", first*last < 0)
	// Output:
	// 13 states, eigenvalues 1.0000 and 0.9673
	// opposite corners have opposite signs: true
}
