package bench

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// fieldProblem is a problem of field.py.
type fieldProblem struct {
	k      int
	tables map[string]*mat.Dense // x: samples, or the frames of a trajectory; edges; points
}

// operators lists the operators that are learned, by the names of the methods.
var operators = map[string]func(fieldProblem) learn.Operator{
	"pairs":       func(p fieldProblem) learn.Operator { return must(learn.Trajectories(1, p.tables["x"])) },
	"kernel":      kernel,
	"graph":       graph,
	"schrodinger": henonHeiles,
}

func kernel(p fieldProblem) learn.Operator {
	return learn.Kernel{Samples: p.tables["x"], K: func(x, y *Node) *Node {
		return Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -1/(2*0.7*0.7)))
	}}
}

func graph(p fieldProblem) learn.Operator {
	edges, walk := p.tables["edges"], learn.Graph{}
	for i := range edges.RawMatrix().Rows {
		from, to := int(edges.At(i, 0)), int(edges.At(i, 1))
		walk.Nodes, walk.Edges = max(walk.Nodes, from+1, to+1), append(walk.Edges, [2]int{from, to})
	}
	return walk
}

// henonHeiles returns 2H for H = −½∇² + V.
func henonHeiles(fieldProblem) learn.Operator {
	twice := func(x *Node) *Node { // 2V
		u, v := Slice(x, AxisRange().Spacer(), AxisElem(0)), Slice(x, AxisRange().Spacer(), AxisElem(1))
		cubic := Sub(Mul(Square(u), v), DivScalar(Mul(Square(v), v), 3))
		return Add(Add(Square(u), Square(v)), MulScalar(cubic, 2*0.111803))
	}
	return learn.Schrodinger{Potential: twice, Box: net.Box{Lower: []float64{-7, -7}, Upper: []float64{7, 7}}}
}

// Field is this project's side of field/field.py, which compares it with deeptime, kooplearn and SciPy on four
// problems. It reads the problem in a folder, solves it by a method without settings, and writes the same files as
// theirs.py: values, functions and seconds. It panics on errors.
func Field(method, dir string) {
	p, start := readProblem(dir), time.Now()
	var l *learn.Learned
	if method == "edmd" {
		l = must(must(learn.Trajectories(1, p.tables["x"])).EDMD(6, p.k))
	} else {
		l = must(learn.Learn(context.Background(), operators[method](p), p.k, learn.Settings{}))
	}
	functions, training := must(l.At(p.tables["points"])), time.Since(start).Seconds()
	if l.Result != nil {
		training = l.Result.Seconds // of the steps only
	}
	if method == "schrodinger" {
		floats.Scale(0.5, l.Values)
	}
	answer := map[string]any{"values": l.Values, "fit": time.Since(start).Seconds(), "training": training}
	numbers := must(binary.Append(nil, binary.LittleEndian, functions.RawMatrix().Data))
	must(0, os.WriteFile(filepath.Join(dir, "functions.f64"), numbers, 0o644))
	must(0, os.WriteFile(filepath.Join(dir, "answer.json"), must(json.Marshal(answer)), 0o644))
}

func readProblem(dir string) fieldProblem {
	var about struct {
		K       int
		Columns map[string]int
	}
	must(0, json.Unmarshal(must(os.ReadFile(filepath.Join(dir, "problem.json"))), &about))
	p := fieldProblem{about.K, map[string]*mat.Dense{}}
	for name, columns := range about.Columns {
		text := must(os.ReadFile(filepath.Join(dir, name+".f64")))
		numbers := make([]float64, len(text)/8)
		must(binary.Decode(text, binary.LittleEndian, numbers))
		p.tables[name] = mat.NewDense(len(numbers)/columns, columns, numbers)
	}
	return p
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
