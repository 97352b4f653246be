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

func pairs(p fieldProblem) *learn.Learned {
	trajectory := must(learn.Trajectories(1, p.tables["x"]))
	return must(learn.Learn(context.Background(), trajectory, p.k, learn.Settings{}))
}

func edmd(p fieldProblem) (values []float64, functions *mat.Dense) {
	learned := must(must(learn.Trajectories(1, p.tables["x"])).EDMD(6, p.k))
	return learned.Values, must(learned.At(p.tables["points"]))
}

func kernel(p fieldProblem) *learn.Learned {
	gaussian := func(x, y *Node) *Node {
		return Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -1/(2*0.7*0.7)))
	}
	return must(learn.Learn(context.Background(), learn.Kernel{Samples: p.tables["x"], K: gaussian}, p.k,
		learn.Settings{}))
}

func graph(p fieldProblem) *learn.Learned {
	edges, walk := p.tables["edges"], learn.Graph{}
	for i := range edges.RawMatrix().Rows {
		from, to := int(edges.At(i, 0)), int(edges.At(i, 1))
		walk.Nodes, walk.Edges = max(walk.Nodes, from+1, to+1), append(walk.Edges, [2]int{from, to})
	}
	return must(learn.Learn(context.Background(), walk, p.k, learn.Settings{}))
}

func henonHeiles(p fieldProblem) *learn.Learned {
	twice := func(x *Node) *Node { // 2V, for H = −½∇² + V
		u, v := Slice(x, AxisRange().Spacer(), AxisElem(0)), Slice(x, AxisRange().Spacer(), AxisElem(1))
		cubic := Sub(Mul(Square(u), v), DivScalar(Mul(Square(v), v), 3))
		return Add(Add(Square(u), Square(v)), MulScalar(cubic, 2*0.111803))
	}
	box := net.Box{Lower: []float64{-7, -7}, Upper: []float64{7, 7}}
	learned := must(learn.Learn(context.Background(), learn.Schrodinger{Potential: twice, Box: box}, p.k,
		learn.Settings{}))
	floats.Scale(0.5, learned.Values)
	return learned
}

// Field is this project's side of field/field.py, which compares it with deeptime, kooplearn and SciPy on four
// problems. It reads the problem in a folder, solves it by a method without settings, and writes the same files as
// theirs.py: values, functions and seconds. It panics on errors.
func Field(method, dir string) {
	p, start := readProblem(dir), time.Now()
	var values []float64
	var functions *mat.Dense
	var training float64 // seconds of the steps only
	if method == "edmd" {
		values, functions = edmd(p)
		training = time.Since(start).Seconds()
	} else {
		f := map[string]func(fieldProblem) *learn.Learned{"pairs": pairs, "kernel": kernel, "graph": graph,
			"schrodinger": henonHeiles}[method](p)
		values, functions, training = f.Values, must(f.At(p.tables["points"])), f.Result.Seconds
	}
	answer := map[string]any{"values": values, "fit": time.Since(start).Seconds(), "training": training}
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
