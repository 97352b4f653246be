package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Decode reads the JSON of an entry, which is a T.
func Decode[T any](text []byte) (data T, err error) {
	if err := json.Unmarshal(text, &data); err != nil {
		return data, fmt.Errorf("it does not have the form that this version writes (%w); make it again", err)
	}
	return data, nil
}

// Headline is a line of the table of experiments in README.md.
type Headline struct {
	Name  string // of the experiment, as the reader knows it
	Claim string // the ID of the claim whose verdict stands beside the numbers
	Entry Entry  // that has the numbers
	// Numbers returns the paper's numbers and ours from the JSON of the entry.
	Numbers func(text []byte) (paper, ours string, err error)
}

// NewHeadline returns the line of an entry whose JSON is a T.
func NewHeadline[T any](name, claim string, entry Entry, numbers func(T) (paper, ours string, err error)) Headline {
	return Headline{name, claim, entry, func(text []byte) (string, string, error) {
		data, err := Decode[T](text)
		if err != nil {
			return "", "", err
		}
		return numbers(data)
	}}
}

// Printed is a number of the paper beside ours; nil where there is none.
type Printed struct {
	Label       string
	Paper, Ours *float64
}

// Beside writes numbers in per cent, the paper's with its data and ours with ours.
func Beside(numbers []Printed, paperData, ourData string) (paper, ours string, err error) {
	var printed, measured []string
	for _, n := range numbers {
		if n.Paper == nil || n.Ours == nil {
			return "", "", fmt.Errorf("it has no numbers of %q", n.Label)
		}
		printed = append(printed, fmt.Sprintf("%s %.4g", n.Label, *n.Paper))
		measured = append(measured, fmt.Sprintf("%s %.1f", n.Label, *n.Ours))
	}
	return paperData + ": " + strings.Join(printed, "; "), ourData + ": " + strings.Join(measured, "; "), nil
}

// RunsEach writes the least and the largest number of runs of what is averaged: "4 to 10 runs each". The error says
// that nothing is.
func RunsEach(counts []int) (string, error) {
	if len(counts) == 0 {
		return "", errors.New("it has no results")
	}
	least, most := slices.Min(counts), slices.Max(counts)
	switch {
	case most == 1:
		return "1 run each", nil
	case least == most:
		return fmt.Sprintf("%d runs each", most), nil
	}
	return fmt.Sprintf("%d to %d runs each", least, most), nil
}
