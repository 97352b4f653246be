package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// words lists phrases of package learn, each followed by the phrase for a command line with files.
var words = []string{
	"set Shift", "set --shift", "lower Shift", "lower --shift", "lower Rate", "lower --rate",
	"set Steps to more", "give more --steps", "train for more steps", "give more --steps", "fewer steps",
	"fewer --steps", "lower k ", "lower --k ", "or k to", "or --k to",
	"spectral.Lanczos", "scipy.sparse.linalg.eigsh",
	", or use functions that fit better, such as a network of net.Fourier features", "",
	"leave HeldOut at 0, use more pairs, or spread Weights over more of them", "use more frames or pairs",
	"learn a directed one as a Joint of the flow", "a directed graph needs the library, learn.Joint",
	"or a Graph, otherwise a Joint", "or --graph, otherwise singular values",
	"use Joint for singular functions", "singular functions need the library, learn.Joint",
	"or Joint, for absolute values", "or the library's learn.Joint, for absolute values",
	"from From to To", "between the files", "whose From and To", "whose files",
	"or in Trajectories replace them by NaN", "or in a --trajectory replace them by NaN",
	" of From", "", "From and To", "x and x'", "From is", "x is", "To is", "x' is",
	"learn: ", "", "k is", "--k is", "Neighbours is", "--neighbours is",
}

var replacer = strings.NewReplacer(words...)

// numbered is a column or a file in a sentence.
var numbered = regexp.MustCompile(`coordinate (\d+)|x\[(\d+)\]`)

// reworded is an error of package learn in terms of the command line, after the name of the file.
type reworded struct {
	error
	s subject
}

func (e reworded) Error() string { return e.s.file + ": " + e.s.inWords(e.error.Error()) }

func (e reworded) Unwrap() error { return e.error }

// inWords returns a sentence of package learn in terms of the command line and of the columns and files.
func (s subject) inWords(sentence string) string {
	return numbered.ReplaceAllStringFunc(replacer.Replace(sentence), func(found string) string {
		number, names, format := numbered.FindStringSubmatch(found), s.axes, "column %q"
		if number[2] != "" {
			names, format = s.parts, "%s"
		}
		if i, _ := strconv.Atoi(number[1] + number[2]); i < len(names) {
			return fmt.Sprintf(format, names[i])
		}
		return found
	})
}
