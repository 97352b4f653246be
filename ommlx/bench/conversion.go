package bench

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"operator-omm/ommlx/dataset/ogb"
)

// textGraph is a generated graph in text files.
type textGraph struct {
	ogb.Generation
	dir   string // of the texts, and of the arrays in its folder graph
	bytes int64  // of the texts, unpacked
}

// textOf generates text files of a graph in dir.
func (s *session) textOf(dir string, g ogb.Generation) (textGraph, error) {
	t := textGraph{Generation: g.WithDefaults(), dir: dir}
	if err := t.Generate(s.ctx, dir, nil); err != nil {
		return t, err
	}
	err := t.unpack(&t.bytes)
	return t, err
}

// unpack reads all texts and adds the number of their bytes.
func (t textGraph) unpack(total *int64) error {
	return filepath.WalkDir(t.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".gz" {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		text, err := gzip.NewReader(file)
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, text)
		*total += n
		return err
	})
}

// convert makes the arrays anew.
func (s *session) convert(t textGraph) error {
	to := filepath.Join(t.dir, "graph")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return ogb.Conversion{From: t.dir, To: to, Name: ogb.GeneratedName, Split: ogb.Split,
		Classes: t.Classes}.Convert(s.ctx)
}

// onOneCore is a round of work on one core.
func onOneCore(work func() error) func() (lap, error) {
	round := repeated(1, work)
	return func() (lap, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		return round()
	}
}

// conversion compares the conversion of text files of a graph with unpacking them alone, each on one core, and on all
// cores. Target: on one core 50 MB/s of unpacked text, or the speed of unpacking where that is less.
func (s *session) conversion() error {
	g := ogb.Generation{}
	if s.options.scale < 1 {
		g = ogb.Generation{Nodes: 1000, Degree: 10, Features: 5}
	}
	return inFolder(func(dir string) error {
		t, err := s.textOf(dir, g)
		if err != nil {
			return err
		}
		convert := func() error { return s.convert(t) }
		unpack := func() error { return t.unpack(new(int64)) }
		laps, err := s.compare("one core", onOneCore(convert), contender{label: "gzip alone, one core",
			round: onOneCore(unpack)}, contender{label: "itself on all cores", round: repeated(1, convert)})
		if err != nil {
			return err
		}
		var speed [3]float64 // MB/s
		for i := range speed {
			speed[i] = float64(t.bytes) / 1e6 / median(walls(laps[i])).Seconds()
		}
		target := min(50, speed[1])
		verdict := "reached"
		if speed[0] < target {
			verdict = fmt.Sprintf("missed by %.0f %%", 100*(1-speed[0]/target))
		}
		fmt.Fprintf(s.out, "%.1f MB of text: converted at %.0f MB/s on one core and %.0f MB/s on %d, unpacked at %.0f "+
			"MB/s on one; target ≥ %.0f MB/s on one core, %s\n", float64(t.bytes)/1e6, speed[0], speed[2],
			runtime.GOMAXPROCS(0), speed[1], target, verdict)
		return nil
	})
}
