package claims

import (
	"fmt"
	"strings"

	"omm-go/ommlx/artifact/report"
)

// Findings are the results in the committed files of a checkout, for README.md and tables/README.md.
type Findings struct {
	Sentences  []string    // for README.md
	Details    []string    // for tables/README.md
	Highlights []Highlight // rows of the table in README.md
}

// Highlight is a row of the table in README.md.
type Highlight struct {
	Name     string // of the experiment
	Measure  string // what the numbers are
	File     string // the figure or table, relative to the checkout
	Claim    string // ID of the claim whose verdict is shown
	Protocol Protocol
	Paper    float64 // or of the authors' logged runs; NaN for none
	Ours     float64
	Row      Row // set by [WritePages]: the claim with its verdict
}

// Headline is a line of the table of experiments in tables/README.md.
type Headline struct {
	Name     string         // name of the experiment
	Claim    string         // ID of the claim whose verdict is shown with the numbers
	Exhibit  report.Exhibit // the source of the numbers
	Protocol Protocol       // selects one of several verdicts
	// Numbers returns the paper's numbers and ours from the JSON of the exhibit.
	Numbers func(text []byte) (paper, ours string, err error)
}

// NewHeadline returns the line of an exhibit whose JSON is a T.
func NewHeadline[T any](name, claim string, exhibit report.Exhibit,
	numbers func(T) (paper, ours string, err error)) Headline {
	return Headline{Name: name, Claim: claim, Exhibit: exhibit, Numbers: func(text []byte) (string, string, error) {
		data, err := report.Decode[T](text)
		if err != nil {
			return "", "", err
		}
		return numbers(data)
	}}
}

// Pair is a number from the paper and our number; nil if missing.
type Pair struct {
	Label       string
	Paper, Ours *float64
}

// Pairs formats pairs of numbers in per cent, each side with the name of its data.
func Pairs(numbers []Pair, paperData, ourData string) (paper, ours string, err error) {
	var printed, measured []string
	for _, n := range numbers {
		if n.Paper == nil {
			return "", "", fmt.Errorf("no numbers for %q", n.Label)
		}
		printed = append(printed, fmt.Sprintf("%s %.4g", n.Label, *n.Paper))
		if n.Ours == nil {
			measured = append(measured, n.Label+" not run")
			continue
		}
		measured = append(measured, fmt.Sprintf("%s %.1f", n.Label, *n.Ours))
	}
	return paperData + ": " + strings.Join(printed, "; "), ourData + ": " + strings.Join(measured, "; "), nil
}
