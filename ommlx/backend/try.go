package backend

import (
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx/internal/say"
)

// Try compiles and runs a small graph with a gradient on b and checks its value: for f(x) = Σ x_i² at x = (1, 2, 3) the
// gradient adds up to 2 Σ x_i = 12. The error says what failed.
func Try(b compute.Backend) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a test graph cannot be built: %s", say.FirstLine(fmt.Errorf("%v", r)))
		}
	}()
	exec, err := NewExec(b, func(x *Node) *Node {
		return ReduceAllSum(Gradient(ReduceAllSum(Square(x)), x)[0])
	})
	if err != nil {
		return fmt.Errorf("a test graph cannot be compiled: %s", say.FirstLine(err))
	}
	defer exec.Finalize()
	out, err := exec.Call1([]float32{1, 2, 3})
	if err != nil {
		return fmt.Errorf("a test graph does not run: %s", say.FirstLine(err))
	}
	if got := out.Value().(float32); got != 12 {
		return fmt.Errorf("a test graph gives %g instead of 12", got)
	}
	return nil
}
