package schrodinger_test

import (
	"fmt"

	"omm-go/ommlx/schrodinger"
)

// The hydrogen atom in the plane has 2n + 1 states of the energy −1/(2n + 1)². Levels are returned whole: asked for 5
// states, Lowest returns all 9 of the lowest three levels.
func ExampleHydrogen() {
	spectrum, err := schrodinger.Hydrogen().Lowest(5)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, space := range spectrum.Spaces {
		fmt.Printf("E = %.4f, %d states, the first with n, ℓ = %v\n", spectrum.States[space.First].Energy,
			space.End-space.First, spectrum.States[space.First].Numbers)
	}
	// Output:
	// E = -1.0000, 1 states, the first with n, ℓ = [0 0]
	// E = -0.1111, 3 states, the first with n, ℓ = [1 -1]
	// E = -0.0400, 5 states, the first with n, ℓ = [2 -2]
}
