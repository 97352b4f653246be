package bench

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

var (
	//go:embed memory.py
	memory string
	//go:embed scipy_scale.py
	scipyScale string
	//go:embed torch_scale.py
	torchScale string
)

// scaling is a generated graph in a file and the work on it.
type scaling struct {
	Path     string `json:"path"` // uint32 u, v, u, v, …, in any order, with loops and repetitions
	Nodes    int    `json:"nodes"`
	Columns  int    `json:"columns"`  // of F in the product S F, and outputs of the network
	Features int    `json:"features"` // of a node
	Batch    int    `json:"batch"`    // edges of a step
	Width    int    `json:"width"`    // of three hidden layers
	Work     string `json:"work"`     // "open", "product" or "step"
}

// scale measures how the work on a graph grows with its edges, from 10⁵ to 6.2·10⁷, the size of ogbn-products: to build
// compressed rows from a list of edges in a file ("open"), to multiply 47 functions by the normalised adjacency, and to
// train on batches of edges. A memory is the peak while opening, beyond what the process had before. Target: the other
// side, missed by the product, which takes 1.4 to 3.7 times PyTorch's time. Vector instructions save 27 % with 10⁵
// edges and nothing with 10⁷; one pass for all columns and huge pages change nothing there.
func (s *session) scale() error {
	scipy, torch := s.script("SciPy", memory+scipyScale), s.script("PyTorch", memory+torchOMM+torchScale)
	sizes := []int{100_000, 1_000_000, 10_000_000, 62_000_000}
	set := scaling{Columns: 47, Features: 100, Batch: 1024, Width: 256}
	if s.Edges > 0 {
		sizes = []int{s.Edges}
	}
	if s.small {
		sizes, set = []int{1_000}, scaling{Columns: 3, Features: 2, Batch: 8, Width: 4}
	}
	for _, edges := range sizes {
		dir, err := os.MkdirTemp("", "omm-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		set.Path, set.Nodes = filepath.Join(dir, "edges.u32"), edges/31
		if err := set.generate(edges); err != nil {
			return err
		}
		if err := s.scaleTo(edges, set, scipy, torch); err != nil {
			return err
		}
	}
	return nil
}

// generate writes edges between nodes whose degrees fall by a power law, as in [graphs.Generate].
func (g scaling) generate(edges int) error {
	file, err := os.Create(g.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	out, rng := bufio.NewWriter(file), rand.New(rand.NewPCG(1, 1))
	var word [4]byte
	for range 2 * edges {
		x := rng.Float64()
		binary.LittleEndian.PutUint32(word[:], uint32(float64(g.Nodes)*x*x))
		_, _ = out.Write(word[:]) // Flush returns its error
	}
	return out.Flush()
}

// open reads the graph.
func (g scaling) open() (graphs.Adjacency, error) {
	file, err := os.Open(g.Path)
	if err != nil {
		return graphs.Adjacency{}, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return graphs.Adjacency{}, err
	}
	ends := make([]uint32, about.Size()/4)
	for at := 0; at < len(ends); at += 1 << 20 {
		if err := binary.Read(file, binary.LittleEndian, ends[at:min(at+1<<20, len(ends))]); err != nil {
			return graphs.Adjacency{}, err
		}
	}
	return graphs.FromEdges(g.Nodes, ends), nil
}

// scaleTo measures one size. Each side opens the graph before the other work.
func (s *session) scaleTo(edges int, set scaling, scipy, torch *framework) error {
	contenders := func(work string, steps int, sides ...*framework) (all []contender) {
		of := set
		of.Work = work
		for _, f := range sides {
			all = append(all, contender{f.name, 1, f.round(steps, of)})
		}
		return all
	}
	label := fmt.Sprintf("%.2g edges, ", float64(edges))
	var a graphs.Adjacency
	peak := 0.0
	scipy.memory, torch.memory = 0, 0
	if err := s.compare(label+"open", contenders("open", 1, scipy, torch), func(turn func(time.Duration)) (err error) {
		for range s.Rounds {
			a = graphs.Adjacency{}
			before := resetPeak()
			began := time.Now()
			if a, err = set.open(); err != nil {
				return err
			}
			took := time.Since(began)
			peak = max(peak, resident("VmHWM")-before)
			turn(took)
		}
		return nil
	}); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%-20s  ours %.3f GiB, SciPy %.3f GiB, PyTorch %.3f GiB\n", label+"memory", peak, scipy.memory,
		torch.memory)
	m := a.Symmetric()
	src, dst := make([]float32, set.Nodes*set.Columns), make([]float32, set.Nodes*set.Columns)
	for i := range src {
		src[i] = float32(i%97) / 97
	}
	if err := s.compare(label+"product", contenders("product", 1, scipy, torch), func(turn func(time.Duration)) error {
		for range s.Rounds {
			began := time.Now()
			graphs.Multiply(m, dst, src, set.Columns)
			turn(time.Since(began))
		}
		return nil
	}); err != nil {
		return err
	}
	p, err := set.problem(a)
	if err != nil {
		return err
	}
	steps := s.steps(20)
	return s.train(label+"step", p, 20, contenders("step", steps, torch)...)
}

// problem trains by OMM-seq of S + I on batches of edges.
func (g scaling) problem(a graphs.Adjacency) (train.Problem, error) {
	table, err := graphs.NewEdgeTable(a)
	if err != nil {
		return train.Problem{}, err
	}
	features := make([]float32, g.Nodes*g.Features)
	for i := range features {
		features[i] = float32(i%1000)/1000 - 0.5
	}
	seeds := []int64{1}
	network := net.MLP{In: g.Features, Hidden: []int{g.Width, g.Width, g.Width}, Out: g.Columns}
	return train.Problem{
		Seeds:  seeds,
		Params: network.Init(seeds),
		Data: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(features, g.Nodes, g.Features), table.Offsets,
			table.Neighbours},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			ends, weights := graphs.SampleEdges(in.Data[1], in.Data[2], in.Random.Uniform(dtypes.Float64, g.Batch),
				table.MeanDegree)
			f := network.Apply(in.Params, Gather(in.Data[0], InsertAxes(ends, -1)))
			batch := graphs.GraphEdges(f, weights)
			return ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, Kappa: 1}.Loss(batch, nil)
		},
	}, nil
}
