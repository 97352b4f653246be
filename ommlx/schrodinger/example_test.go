package schrodinger_test

import (
	"fmt"

	"omm-go/ommlx/schrodinger"
)

// The hydrogen atom in space has n² states of the energy −1/(4n²). Levels are returned whole: asked for 10 states,
// Lowest returns all 14 of the lowest three levels.
func ExampleHydrogen() {
	atom, err := schrodinger.Hydrogen(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	spectrum, err := atom.Lowest(10)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, space := range spectrum.Spaces {
		fmt.Printf("E = %.4f, %d states, the first with n, ℓ, m = %v\n", spectrum.States[space.First].Energy,
			space.End-space.First, spectrum.States[space.First].Numbers)
	}
	// Output:
	// E = -0.2500, 1 states, the first with n, ℓ, m = [1 0 0]
	// E = -0.0625, 4 states, the first with n, ℓ, m = [2 0 0]
	// E = -0.0278, 9 states, the first with n, ℓ, m = [3 0 0]
}
