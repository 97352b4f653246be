package rl

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
)

// paperMethods are the methods in the paper's figure 1.
var paperMethods = []string{labelSequential, labelJoint, labelALLO}

// compared has the paper's methods by one protocol, in each environment in which all of them have a run.
type compared [][]Fig1Value // [environment][method]

func (d Fig1Data) compare(p Protocol) (all compared) {
	for _, env := range d.Environments {
		var rows []Fig1Value
		for _, label := range paperMethods {
			if v := env.Row(p, label); v.Result != nil {
				rows = append(rows, v)
			}
		}
		if len(rows) == len(paperMethods) {
			all = append(all, rows)
		}
	}
	return all
}

// scored is compare without environments in which all runs of a method diverged.
func (d Fig1Data) scored(p Protocol) compared {
	return slices.DeleteFunc(d.compare(p), func(rows []Fig1Value) bool {
		return slices.ContainsFunc(rows, func(v Fig1Value) bool { return v.Mean == nil })
	})
}

// average returns the mean of a method over the environments. It is NaN if all its runs diverged in one of them.
func (c compared) average(method int) float64 {
	var means []float64
	for _, rows := range c {
		means = append(means, report.OrNaN(rows[method].Mean))
	}
	return stat.Mean(means, nil)
}

// theirs returns the known means of the authors' logged runs of a method.
func (c compared) theirs(method int) (means []float64) {
	for _, rows := range c {
		if rows[method].Theirs != nil {
			means = append(means, *rows[method].Theirs)
		}
	}
	return means
}

// runs describes the smallest and the largest number of runs, and the paper's.
func (c compared) runs() string {
	var counts []int
	for _, v := range slices.Concat(c...) {
		counts = append(counts, len(v.Result.Runs))
	}
	each, _ := report.RunsEach(counts)
	return strings.TrimSuffix(each, " each") + ", the paper 4 and 10"
}

func (c compared) hard() compared {
	return slices.DeleteFunc(slices.Clone(c), func(rows []Fig1Value) bool {
		return !slices.Contains(hardInstances, rows[0].Result.Config.Environment)
	})
}
