package rl

import (
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// spreadSeeds are the data sets, and the initial weights, over which the spread is taken.
var spreadSeeds = lab.Seeds(4)

// spreadEnvironments are those in which the draw of the data was seen to matter, then the hard ones.
var spreadEnvironments = append([]string{"GridRoomSym-4", "GridRoom-16"}, hardInstances...)

// Spread tells the two sources of a spread apart: initial weights with batches, on the data of the public code's seed,
// and the draw of the data, with the weights of one seed. The public code's runs share both.
func Spread() report.Entry {
	return entry(report.Entry{Kind: report.Table, Name: "spread_k11", Short: "spread",
		About:  "k = 11: the spread over the draw of the data and that over initial weights, apart",
		Report: spreadReport}, spreadPlan)
}

// spreadPlan lists, for each environment and method, the runs on the data of the public code, then those on each other
// data set.
func spreadPlan(p lab.Profile) (rows []row) {
	for i, environment := range spreadEnvironments {
		for _, method := range []string{"omm_seq", "allo"} {
			if p != lab.Paper && (i > 0 || method != "omm_seq") {
				continue
			}
			for _, data := range slices.Insert(slices.Clone(spreadSeeds), 0, PublicSeed) {
				e := May(environment, method, len(spreadSeeds))
				if data != PublicSeed {
					e = e.OnData(data).with(1)
				}
				rows = append(rows, row{experiment: e.under(p, 0, quickTrialSteps, 1), run: true})
			}
		}
	}
	return rows
}

// SpreadRow is a method in an environment.
type SpreadRow struct {
	Environment string `json:"environment"`
	Method      string `json:"method"`
	// Weights are the scores of the runs on the data of the public code; Data are those on other data, one each with
	// the same initial weights. Runs that diverged are left out.
	Weights []float64 `json:"over_weights"`
	Data    []float64 `json:"over_data"`
	Results []*Result `json:"results"`
}

// SpreadData is tables/spread_k11.json.
type SpreadData struct {
	TableHead
	Rows []SpreadRow `json:"rows"`
}

func spreadReport(l *lab.Lab) error {
	s, err := gather(l, spreadPlan(l.Profile))
	if err != nil {
		return err
	}
	d := SpreadData{TableHead: TableHead{Table: Spread().Name, Provenance: s.origin,
		Title: "Average cosine similarity at k = 11 by the public code's protocol: the spread over initial weights, " +
			"on the data of its seed 1234, and over other data sets, with one set of weights",
		Note: s.note(l.Profile, "4 runs OMM, 10 runs ALLO") + " ± is one sample standard deviation."}}
	for i, r := range s.results {
		if r == nil {
			continue
		}
		last := len(d.Rows) - 1
		if last < 0 || d.Rows[last].Environment != r.Config.Environment || d.Rows[last].Method != r.Config.Method {
			d.Rows = append(d.Rows, SpreadRow{Environment: r.Config.Environment, Method: r.Config.Method})
			last++
		}
		row := &d.Rows[last]
		row.Results = append(row.Results, r)
		if i%(len(spreadSeeds)+1) == 0 {
			row.Weights = averages(r)
		} else {
			row.Data = append(row.Data, averages(r)...)
		}
	}
	return report.WriteTable(l, d.Table, d, d.Text())
}

// Text is the table as it is written.
func (d SpreadData) Text() report.Text {
	t := report.Text{Title: d.Title, Note: d.Note, Header: []string{"Environment", "Method", "Over initial weights",
		"Runs", "Over the draw of the data", "Data sets", "Each data set"}}
	for _, r := range d.Rows {
		weights, data := "not run", "not run"
		if len(r.Weights) > 0 {
			weights = report.SpreadOf(r.Weights).Text(3)
		}
		if len(r.Data) > 0 {
			data = report.SpreadOf(r.Data).Text(3)
		}
		var each []string
		for _, x := range r.Data {
			each = append(each, fmt.Sprintf("%.3f", x))
		}
		name := placed(r.Environment, slices.ContainsFunc(r.Results, isStandIn))
		t.Rows = append(t.Rows, []string{name, r.Method, weights, fmt.Sprint(len(r.Weights)), data,
			fmt.Sprint(len(r.Data)), strings.Join(each, ", ")})
	}
	return t
}
