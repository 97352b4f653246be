package graphs

import (
	"bufio"
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"omm-go/ommlx/artifact/graphs/sparse"
	"omm-go/ommlx/artifact/probe"
)

// DebianName is the name of the graph of Debian's packages, which [Open] returns without a data folder.
const DebianName = "debian-packages"

// debian are the counts of the snapshot, and debianTraining is the number of its training nodes.
var debian = counts{nodes: 56_936, edges: 247_295, features: 500, classes: 51}

const debianTraining = 5_682

// debianNote leads the note of a table on the graph.
const debianNote = "This table shows how well each method learns functions of the words of Debian 12's packages " +
	"from their dependencies, and how well these functions predict a package's section; it cannot show the paper's " +
	"numbers or order, which belong to another graph and to larger networks. The rates of OMM, LoRA and Neural " +
	"Eigenmaps were chosen on the validation nodes; two of three trainings of Neural Eigenmaps diverged at its best " +
	"rate, so it has the next lower one, and OMM of S + I has OMM's. A leading eigenvector of S lives on few " +
	"packages (half of them on fewer than 14), so functions that capture more need not predict sections better. "

//go:embed debian/snapshot.z
var debianSnapshot []byte

// readDebian returns the dependency graph that debian/build.py wrote; debian/README.md describes it. Nodes are in order
// of decreasing degree. A feature is log(1 + n) for a word that occurs n times, scaled so that the features of a node
// have mean square 1 (0 if it has no word). Of the nodes with a class 10 % are for training and 10 % for validation, by
// a hash of the node.
// Nodes without a class are in no part and have label 0.
func readDebian(snapshot []byte) (*Dataset, error) {
	inflated, err := zlib.NewReader(bytes.NewReader(snapshot))
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", DebianName, err)
	}
	r := &varints{Reader: bufio.NewReader(inflated)}
	nodes, classes, words := r.next(1<<20), r.next(1_000), r.next(10_000)
	d := &Dataset{Features: words, Classes: classes, Labels: make([]int, nodes),
		Parts: make([]Part, nodes), X: make([]float32, nodes*words)}
	var ends []uint32
	for i := range nodes {
		for _, j := range r.ascending(i) {
			ends = append(ends, uint32(i), uint32(j))
		}
	}
	for i := range nodes {
		row, squares := d.X[i*words:(i+1)*words], 0.0
		for _, word := range r.ascending(words) {
			x := math.Log1p(float64(r.next(1 << 20)))
			row[word] = float32(x)
			squares += x * x
		}
		for word := range row {
			row[word] *= float32(math.Sqrt(float64(words) / max(squares, 1e-12)))
		}
	}
	for i := range nodes {
		class := r.next(classes + 1)
		if class == 0 {
			continue
		}
		d.Labels[i] = class - 1
		switch probe.SplitMix64(0, uint64(i)) % 10 {
		case 0:
			d.Parts[i] = Training
		case 1:
			d.Parts[i] = Validation
		default:
			d.Parts[i] = Test
		}
	}
	if r.err == nil { // reading to the end verifies the checksum
		if rest, err := io.Copy(io.Discard, r); err != nil || rest > 0 {
			r.err = errors.Join(err, fmt.Errorf("%d bytes after the end", rest))
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("graphs: %s: %w; build the snapshot again", DebianName, r.err)
	}
	d.Adjacency = sparse.FromEdges(nodes, ends)
	return d, nil
}

// varints reads unsigned integers as encoding/binary writes them. After an error it returns zeros.
type varints struct {
	*bufio.Reader
	err error
}

// next returns a number below limit.
func (r *varints) next(limit int) int {
	if r.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(r)
	if err == nil && x >= uint64(limit) {
		err = fmt.Errorf("number %d out of range [0, %d)", x, limit)
	}
	if r.err = err; err != nil {
		return 0
	}
	return int(x)
}

// ascending returns a list of increasing numbers below limit, written as its length and differences.
func (r *varints) ascending(limit int) []int {
	list, last := make([]int, r.next(limit+1)), 0
	for i := range list {
		last += r.next(max(limit-last, 1))
		list[i] = last
	}
	return list
}
