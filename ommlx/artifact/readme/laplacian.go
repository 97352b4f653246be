package readme

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// runs is a kept result, of which the part counts the runs alone.
type runs struct {
	Runs []struct{} `json:"runs"`
}

// public is the protocol whose rows and cells the table has.
const public = "public code"

// readFigure1 averages the rows of each method by the public code's protocol over the environments in which all have a
// run, and the public code's own runs there. The paper prints no numbers.
func readFigure1(text []byte) (paper, ours string, err error) {
	var data struct {
		Environments []struct {
			Bars []struct {
				Label    string   `json:"label"`
				Protocol string   `json:"protocol"`
				Mean     *float64 `json:"mean"`
				Theirs   *float64 `json:"theirs"`
				Result   *runs    `json:"result"`
			} `json:"bars"`
		} `json:"environments"`
	}
	if err := decode(text, &data); err != nil {
		return "", "", err
	}
	methods := []string{"OMM-seq", "OMM-joint", "ALLO"}
	mean, their := map[string][]float64{}, map[string][]float64{}
	var counts []int
	for _, e := range data.Environments {
		here, theirs := map[string]float64{}, map[string]float64{}
		var n []int
		for _, b := range e.Bars {
			if b.Protocol == public && b.Mean != nil && b.Result != nil {
				here[b.Label], n = *b.Mean, append(n, len(b.Result.Runs))
				if b.Theirs != nil {
					theirs[b.Label] = *b.Theirs
				}
			}
		}
		if len(here) < len(methods) {
			continue
		}
		for _, m := range methods {
			if _, there := here[m]; !there {
				return "", "", fmt.Errorf("an environment has no row of %s", m)
			}
			mean[m] = append(mean[m], here[m])
			if x, there := theirs[m]; there {
				their[m] = append(their[m], x)
			}
		}
		counts = append(counts, n...)
	}
	if len(counts) == 0 {
		return "", "", errors.New("no environment has a run of each method by the public code's protocol")
	}
	paper = "bars alone"
	if len(their[methods[0]]) > 0 {
		paper += "; its code's runs " + averages(methods, their)
	}
	return paper, fmt.Sprintf("%s; %d of %d environments, %s", averages(methods, mean), len(mean[methods[0]]),
		len(data.Environments), span(counts)), nil
}

func averages(methods []string, of map[string][]float64) string {
	var words []string
	for _, m := range methods {
		words = append(words, fmt.Sprintf("%s %.3f", m, stat.Mean(of[m], nil)))
	}
	return strings.Join(words, ", ")
}

// readTable2 averages the cells of a part by the public code's protocol that have a run, ours and the paper's.
func readTable2(part string) func([]byte) (string, string, error) {
	return func(text []byte) (paper, ours string, err error) {
		var data struct {
			Cells []struct {
				Part     string   `json:"part"`
				Protocol string   `json:"protocol"`
				Paper    float64  `json:"paper_mean"`
				Mean     *float64 `json:"mean"`
				Result   *runs    `json:"result"`
			} `json:"cells"`
		}
		if err := decode(text, &data); err != nil {
			return "", "", err
		}
		var printed, measured []float64
		var counts []int
		of := 0
		for _, c := range data.Cells {
			if c.Part != part || c.Protocol != public {
				continue
			}
			if of++; c.Mean != nil && c.Result != nil {
				printed, measured = append(printed, c.Paper), append(measured, *c.Mean)
				counts = append(counts, len(c.Result.Runs))
			}
		}
		if len(measured) == 0 {
			return "", "", errors.New("no environment of part (" + part + ") has a run")
		}
		return fmt.Sprintf("%.3f", stat.Mean(printed, nil)), fmt.Sprintf("%.3f; %d of %d environments, %s",
			stat.Mean(measured, nil), len(measured), of, span(counts)), nil
	}
}
