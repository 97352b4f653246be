package ogb

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// number reads a non-negative whole number below limit; what names it in errors.
func number(text []byte, what string, limit int) (int, error) {
	if len(text) > 1 && text[0] == '-' {
		return 0, fmt.Errorf("%s is %s; it must not be negative", what, shown(text))
	}
	if len(text) == 0 {
		return 0, fmt.Errorf("%s is missing", what)
	}
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%s is %s, which is no whole number", what, shown(text))
		}
		if n = 10*n + int(c-'0'); n >= limit {
			return 0, fmt.Errorf("%s is %s; it must be below %d", what, shown(text), limit)
		}
	}
	return n, nil
}

// shown quotes a text for an error, not more than a few characters of it.
func shown(text []byte) string {
	const most = 24
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "…"
	}
	return strconv.Quote(string(text))
}

// pairs reads the edges of a block, "u,v" in each line, of a graph of so many nodes: u, v, u, v, ….
func pairs(b block, nodes int) ([]uint32, error) {
	list := make([]uint32, 0, 2*bytes.Count(b.text, []byte{'\n'}))
	err := b.lines(func(text []byte) error {
		from, to, found := bytes.Cut(text, []byte{','})
		if !found {
			return fmt.Errorf("%s is no edge; it must be two numbers with a comma between them", shown(text))
		}
		u, err := number(from, "the edge's first node", nodes)
		if err != nil {
			return err
		}
		v, err := number(to, "the edge's second node", nodes)
		list = append(list, uint32(u), uint32(v))
		return err
	})
	return list, err
}

// numbers reads one number in each line.
func numbers(b block, what string, limit int) (list []int, err error) {
	err = b.lines(func(text []byte) error {
		n, err := number(text, what, limit)
		list = append(list, n)
		return err
	})
	return list, err
}

// rows reads rows of numbers, row by row, as many in each as in the first.
func rows(b block) (list []float32, width int, err error) {
	list = make([]float32, 0, len(b.text)/8)
	err = b.lines(func(text []byte) error {
		if found := bytes.Count(text, []byte{','}) + 1; width == 0 {
			width = found
		} else if found != width {
			return fmt.Errorf("it has %d features, where others have %d", found, width)
		}
		for more := true; more; {
			var cell []byte
			cell, text, more = bytes.Cut(text, []byte{','})
			x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(cell), len(cell)), 32)
			if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%s is no finite number", shown(cell))
			}
			list = append(list, float32(x))
		}
		return nil
	})
	return list, width, err
}
