package learn_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
)

func show(l *learn.Learned, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Values, "res", l.Residuals, "bounds", l.Bounds, l.Result.Seconds)
	if l.HeldOut != nil {
		fmt.Println(*l.HeldOut)
	}
	for _, a := range l.Advice() {
		fmt.Println("   *", a)
	}
}

func TestTmpPetersen(t *testing.T) {
	var e [][2]int
	for i := range 5 {
		e = append(e, [2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{i + 5, (i+2)%5 + 5})
	}
	for _, k := range []int{3, 6, 8, 10} {
		l, err := learn.Learn(context.Background(), learn.Graph{Nodes: 10, Edges: e}, k, learn.Settings{Backend: graphtest.PureGo(t)})
		show(l, err)
	}
	var p [][2]int
	for i := range 299 {
		p = append(p, [2]int{i, i + 1})
	}
	l, err := learn.Learn(context.Background(), learn.Graph{Nodes: 300, Edges: p}, 4, learn.Settings{Backend: graphtest.PureGo(t)})
	show(l, err)
}

func TestTmpPairs(t *testing.T) {
	for _, n := range []int{60, 500, 2000} {
		l, err := learn.Learn(context.Background(), learn.Pairs{From: normal(n, 10, 1), To: normal(n, 10, 2)}, 4, learn.Settings{})
		show(l, err)
	}
	x := normal(5000, 2, 1)
	z := normal(5000, 2, 2)
	y := mat.NewDense(5000, 2, nil)
	y.Apply(func(i, j int, v float64) float64 { return x.At(i, j) + 3 }, y)
	l, err := learn.Learn(context.Background(), learn.Pairs{From: x, To: y}, 3, learn.Settings{Steps: 500})
	show(l, err)
	y.Apply(func(i, j int, v float64) float64 {
		c, s := math.Cos(math.Pi/6), math.Sin(math.Pi/6)
		return .9*(c*x.At(i, j)+map[int]float64{0: -s, 1: s}[j]*x.At(i, 1-j)) + math.Sqrt(1-.81)*z.At(i, j)
	}, y)
	l, err = learn.Learn(context.Background(), learn.Pairs{From: x, To: y}, 3, learn.Settings{Steps: 500})
	show(l, err)
}

func TestTmpWaves(t *testing.T) {
	box := func(w float64, d int) net.Box {
		b := net.Box{}
		for range d {
			b.Lower = append(b.Lower, -w)
			b.Upper = append(b.Upper, w)
		}
		return b
	}
	pt := func(x *Node) *Node { return MulScalar(Reciprocal(Square(MulScalar(Add(Exp(x), Exp(Neg(x))), .5))), -20) }
	for _, c := range []struct {
		v    func(x *Node) *Node
		w    float64
		k, d int
	}{
		{pt, 10, 4, 1}, {pt, 10, 5, 1},
		{func(x *Node) *Node { return MulScalar(Square(AddScalar(Square(x), -4)), .25) }, 6, 6, 1},
		{func(x *Node) *Node { return MulScalar(Square(AddScalar(Square(x), -9)), .25) }, 6, 4, 1},
		{func(x *Node) *Node {
			a, b := Slice(x, AxisRange(), AxisRange(), AxisRange(0, 1)), Slice(x, AxisRange(), AxisRange(), AxisRange(1, 2))
			cubic := Sub(Mul(Square(a), b), DivScalar(Mul(b, Square(b)), 3))
			return Add(Add(Square(a), Square(b)), MulScalar(cubic, 2*.111803))
		}, 7, 8, 2},
	} {
		l, err := learn.Learn(context.Background(), learn.Schrodinger{Potential: c.v, Box: box(c.w, c.d)}, c.k, learn.Settings{})
		show(l, err)
	}
}
