package spectral_test

import (
	"fmt"

	"omm-go/ommlx/spectral"
)

// The random walk on a ring of twelve nodes, given only by its action, has a cosine and a sine of each frequency.
func ExampleLanczos() {
	ring := func(dst, src []float64) {
		n := len(src)
		for i := range src {
			dst[i] = (src[(i+1)%n] + src[(i+n-1)%n]) / 2
		}
	}
	pairs, err := spectral.Lanczos{K: 5}.Solve(12, ring)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", pairs.Values)
	// Output: [1.0000 0.8660 0.8660 0.5000 0.5000]
}
