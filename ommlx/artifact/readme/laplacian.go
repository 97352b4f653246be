package readme

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/report"
)

// runs is a kept result, of which the part counts the runs alone.
type runs struct {
	Runs []struct{} `json:"runs"`
}

// readFigure1 averages the bars of each method over the environments. The paper prints no numbers.
func readFigure1(text []byte) (paper, ours string, err error) {
	var data struct {
		Environments []struct {
			Bars []struct {
				Label  string   `json:"label"`
				Mean   *float64 `json:"mean"`
				Result *runs    `json:"result"`
			} `json:"bars"`
		} `json:"environments"`
	}
	if err := decode(text, &data); err != nil {
		return "", "", err
	}
	means := map[string][]float64{}
	var counts []int
	for _, e := range data.Environments {
		for _, b := range e.Bars {
			if b.Mean != nil && b.Result != nil {
				means[b.Label] = append(means[b.Label], *b.Mean)
				counts = append(counts, len(b.Result.Runs))
			}
		}
	}
	var words []string
	for _, label := range []string{"OMM-seq", "OMM-joint", "ALLO"} {
		if len(means[label]) != len(data.Environments) || len(means[label]) == 0 {
			return "", "", fmt.Errorf("not every environment has a bar of %s", label)
		}
		words = append(words, fmt.Sprintf("%s %.3f", label, stat.Mean(means[label], nil)))
	}
	return "bars alone", strings.Join(words, ", ") + "; " + span(counts), nil
}

// readTable2 averages the cells of a part that have a run, ours and the paper's, and counts their verdicts.
func readTable2(part string) func([]byte) (string, string, error) {
	return func(text []byte) (paper, ours string, err error) {
		var data struct {
			Cells []struct {
				Part    string           `json:"part"`
				Paper   float64          `json:"paper_mean"`
				Mean    *float64         `json:"mean"`
				Verdict report.Agreement `json:"verdict"`
				Result  *runs            `json:"result"`
			} `json:"cells"`
		}
		if err := decode(text, &data); err != nil {
			return "", "", err
		}
		var printed, measured []float64
		var counts []int
		verdicts := map[report.Agreement]int{}
		for _, c := range data.Cells {
			if c.Part == part && c.Mean != nil && c.Result != nil {
				printed, measured = append(printed, c.Paper), append(measured, *c.Mean)
				counts = append(counts, len(c.Result.Runs))
				verdicts[c.Verdict]++
			}
		}
		if len(measured) == 0 {
			return "", "", errors.New("no environment of part (" + part + ") has a run")
		}
		return fmt.Sprintf("%.3f", stat.Mean(printed, nil)), fmt.Sprintf("%.3f; %s; %s", stat.Mean(measured, nil),
			words(verdicts), span(counts)), nil
	}
}

// words lists verdicts with how many environments have each, most of them first.
func words(verdicts map[report.Agreement]int) string {
	var names []report.Agreement
	for v := range verdicts {
		names = append(names, v)
	}
	slices.SortFunc(names, func(a, b report.Agreement) int {
		return cmp.Or(verdicts[b]-verdicts[a], strings.Compare(string(a), string(b)))
	})
	var list []string
	for _, v := range names {
		list = append(list, fmt.Sprintf("%d %s", verdicts[v], v))
	}
	return strings.Join(list, ", ")
}
