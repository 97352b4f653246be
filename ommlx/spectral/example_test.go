package spectral_test

import (
	"fmt"

	"omm-go/ommlx/spectral"
)

// The Laplacian of a ring of twelve nodes, given only by its action, has a cosine and a sine of each frequency between
// its first and last eigenfunctions.
func ExampleLanczos() {
	ring := func(dst, src []float64) {
		n := len(src)
		for i := range src {
			dst[i] = 2*src[i] - src[(i+1)%n] - src[(i+n-1)%n]
		}
	}
	pairs, err := spectral.Lanczos{K: 5, Smallest: true}.Solve(12, ring)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, value := range pairs.Values {
		fmt.Printf("%.4f\n", max(0, value))
	}
	fmt.Println(pairs.Truth().Eigenspaces()[:3])
	// Output:
	// 0.0000
	// 0.2679
	// 0.2679
	// 1.0000
	// 1.0000
	// [{0 1} {1 3} {3 5}]
}
