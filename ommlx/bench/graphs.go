package bench

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"time"

	graphs "operator-omm/ommlx/sparse"
)

// What graphs are like ogbn-products: the classes, as many as the columns of a table of predictions, and the edges of a
// node.
const (
	classes = 47
	degree  = 50
)

// community draws a graph as [ogb.Generation] does, but in memory: six of ten edges join nodes of one of the classes,
// and degrees follow a power law with exponent 3. Edges that are drawn twice count once.
func community(nodes int) graphs.Adjacency {
	rng := rand.New(rand.NewPCG(uint64(nodes), 0x9a4))
	id := rng.Perm(nodes)
	skewed := func(n int) int {
		x := rng.Float64()
		return int(x * x * float64(n))
	}
	b := graphs.NewBuilder(nodes)
	const together = 1 << 16
	for left := nodes * degree / 2; left > 0; left -= together {
		ends := make([]uint32, 0, 2*together)
		for range min(left, together) {
			u, v := skewed(nodes), skewed(nodes)
			if class := u % classes; rng.IntN(10) < 6 {
				v = skewed((nodes-class+classes-1)/classes)*classes + class
			}
			ends = append(ends, uint32(id[u]), uint32(id[v]))
		}
		b.Add(ends)
	}
	a, _ := b.Build()
	return a
}

// adjacency is what scipy_graph.py is told: where a graph is, and what is asked of its normalised adjacency.
type adjacency struct {
	Offsets    string `json:"offsets"`    // file of N+1 uint64
	Neighbours string `json:"neighbours"` // file of 2E uint32
	// Columns of the table that is multiplied, float32, or 1 for a vector, float64; 0 asks for eigenvectors.
	Columns   int     `json:"columns"`
	K         int     `json:"k"`
	Tolerance float64 `json:"tolerance"`
}

// filed writes a graph into a folder.
func filed(dir string, a graphs.Adjacency) (*adjacency, error) {
	to := &adjacency{Offsets: filepath.Join(dir, "offsets"), Neighbours: filepath.Join(dir, "neighbours")}
	for path, x := range map[string]any{to.Offsets: a.Offsets, to.Neighbours: a.Neighbours} {
		var text bytes.Buffer
		if err := binary.Write(&text, binary.NativeEndian, x); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// inFolder calls do with a folder that goes away afterwards.
func inFolder(do func(dir string) error) error {
	dir, err := os.MkdirTemp("", "omm-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return do(dir)
}

// memoryOf returns how many bytes of memory Go's heap and stacks grew by at most while do was at work, looked at each
// millisecond. Mapped files, and what is given back before it is looked at, do not count.
func memoryOf(do func() error) (most int64, err error) {
	held := func() int64 {
		all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(all)
		return int64(all[0].Value.Uint64() - all[1].Value.Uint64())
	}
	debug.FreeOSMemory()
	before, stop, found := held(), make(chan struct{}), make(chan int64)
	go func() {
		most := before
		for tick := time.NewTicker(time.Millisecond); ; {
			select {
			case <-tick.C:
				most = max(most, held())
			case <-stop:
				tick.Stop()
				found <- max(most, held())
				return
			}
		}
	}()
	err = do()
	close(stop)
	return <-found - before, err
}
