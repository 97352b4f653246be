package ogb

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"unsafe"
)

// The text files of a graph in the form of the Open Graph Benchmark, below its folder, each compressed by gzip:
// "u,v" for each edge, in one direction; the features of node 0, 1, … row by row; their labels; the number of nodes;
// and the nodes of each part of a split.
const (
	edgesText    = "raw/edge.csv.gz"
	featuresText = "raw/node-feat.csv.gz"
	labelsText   = "raw/node-label.csv.gz"
	nodesText    = "raw/num-node-list.csv.gz"
)

// parts are the text files of a split: of the nodes for training, for validation and for the test.
func parts(split string) []string {
	of := func(part string) string { return "split/" + split + "/" + part + ".csv.gz" }
	return []string{of("train"), of("valid"), of("test")}
}

// files are the text files of a graph in the order in which they are read.
func files(split string) []string {
	return append([]string{nodesText, edgesText, featuresText, labelsText}, parts(split)...)
}

// maxLine is how long a line may be, in bytes: a row of features has some thousand.
const maxLine = 1 << 20

// unusable is the error of text files that are damaged or missing, or of another graph.
type unusable struct{ error }

func (u *unusable) Unwrap() error { return u.error }

// lines calls do with each line of a file, without its end; the text is valid until do returns. Blank lines at the end
// are none. Errors name the file, and the line where there is one. A file without a line is an error.
func (c *conversion) lines(ctx context.Context, file string, do func(text []byte) error) error {
	path, number, blank := filepath.Join(c.From, file), 0, 0
	packed, err := c.Open(file)
	if err != nil {
		return &unusable{err}
	}
	defer packed.Close()
	counted := reader(func(b []byte) (int, error) {
		n, err := packed.Read(b)
		c.read += int64(n)
		c.progress(file, float64(c.read)/float64(max(c.total, c.read, 1)))
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		return n, err
	})
	unpacked, err := gzip.NewReader(bufio.NewReaderSize(counted, 1<<16))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return &unusable{fmt.Errorf("%s is no gzip-compressed file (%w); get it again", path, err)}
	}
	scanner := bufio.NewScanner(unpacked)
	scanner.Buffer(make([]byte, 1<<16), maxLine)
	for scanner.Scan() {
		text := scanner.Bytes()
		if len(text) == 0 { // no line at all if nothing but such lines follows
			blank++
			continue
		}
		if number++; blank > 0 {
			text = nil
		}
		if err := do(text); err != nil {
			err = fmt.Errorf("%s, line %d: %w", path, number, err)
			if _, damage := io.Copy(io.Discard, unpacked); damage != nil && ctx.Err() == nil { // by its checksum
				err = &unusable{fmt.Errorf("%w; the file is damaged (%w), get it again", err, damage)}
			}
			return err
		}
	}
	switch err := scanner.Err(); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s, line %d: it has more than %d bytes; is this the right file?", path, number+1, maxLine)
	case err != nil:
		return &unusable{fmt.Errorf("%s cannot be read beyond line %d (%w); get it again", path, number, err)}
	case number == 0:
		return &unusable{fmt.Errorf("%s is empty; get it again", path)}
	}
	return nil
}

// numbers calls do with the number in each line, which must be below limit; what names it in errors.
func (c *conversion) numbers(ctx context.Context, file, what string, limit int, do func(n int) error) error {
	return c.lines(ctx, file, func(text []byte) error {
		n, err := number(text, what, limit)
		if err != nil {
			return err
		}
		return do(n)
	})
}

// reader is a function as an [io.Reader].
type reader func([]byte) (int, error)

func (r reader) Read(b []byte) (int, error) { return r(b) }

// number reads a non-negative whole number below limit; what names it in errors.
func number(text []byte, what string, limit int) (int, error) {
	n, err := strconv.ParseUint(string(text), 10, 63)
	if err != nil || n >= uint64(limit) {
		return 0, fmt.Errorf("%s is %s; it must be a whole number from 0 to %d", what, shown(text), limit-1)
	}
	return int(n), nil
}

// shown quotes a text for an error, not more than a few characters of it.
func shown(text []byte) string {
	const most = 24
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "…"
	}
	return strconv.Quote(string(text))
}

// appendRow appends the numbers of a row.
func appendRow(list []float32, text []byte) ([]float32, error) {
	for more := true; more; {
		var cell []byte
		cell, text, more = bytes.Cut(text, []byte{','})
		x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(cell), len(cell)), 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s is no finite number", shown(cell))
		}
		list = append(list, float32(x))
	}
	return list, nil
}
