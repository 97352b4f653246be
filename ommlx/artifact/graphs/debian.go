package graphs

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// DebianName is the name of the graph of Debian's packages, which is part of the program.
const DebianName = "debian-packages"

// debian are the counts of the snapshot.
var debian = counts{nodes: 56_936, edges: 247_295, features: 500, classes: 51, training: 5_682}

//go:embed debian/snapshot.json.gz
var debianSnapshot []byte

// readDebian returns the dependency graph that debian/build.py wrote; debian/README.md describes it. Nodes are in order
// of decreasing degree. A feature is log(1 + n) for a word that occurs n times, scaled so that the features of a node
// have mean square 1 (0 if it has no word). Of the nodes with a class 10 % are for training and 10 % for validation, by
// a hash of the node. Nodes without a class are in no part and have label 0.
func readDebian(snapshot []byte) (*Dataset, error) {
	var packed struct {
		Features, Classes int
		Neighbours        [][]uint32 // of each node, those with a smaller index
		Words             [][]int    // of each node, each word as often as it occurs
		Class             []int      // of each node, counted from 1; 0 for none
	}
	text, err := gzip.NewReader(bytes.NewReader(snapshot))
	if err == nil {
		var content []byte
		if content, err = io.ReadAll(text); err == nil {
			err = json.Unmarshal(content, &packed)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w; build the snapshot again", DebianName, err)
	}
	nodes, words := len(packed.Class), packed.Features
	d := &Dataset{Features: words, Classes: packed.Classes, X: make([]float32, nodes*words),
		Labels: make([]int, nodes), Parts: make([]Part, nodes)}
	var ends []uint32
	hashes, hash := prng.NewSplitMix64(0), uint64(0) // of a node; 0 for the first one
	for i := range nodes {
		for _, j := range packed.Neighbours[i] {
			ends = append(ends, uint32(i), j)
		}
		row, squares := d.X[i*words:(i+1)*words], 0.0
		for _, word := range packed.Words[i] {
			row[word]++
		}
		for word, n := range row {
			x := math.Log1p(float64(n))
			row[word] = float32(x)
			squares += x * x
		}
		for word := range row {
			row[word] *= float32(math.Sqrt(float64(words) / max(squares, 1e-12)))
		}
		if class := packed.Class[i]; class > 0 {
			tenth := hash % 10 // 0 for training, 1 for validation
			d.Labels[i], d.Parts[i] = class-1, Training+Part(min(tenth, 2))
		}
		hash = hashes.Uint64()
	}
	d.Adjacency = FromEdges(nodes, ends)
	return d, nil
}
