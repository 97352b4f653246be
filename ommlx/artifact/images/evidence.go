package images

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/dataset"
)

// Evidence lists the claims that rest on Table 1: its numbers, and what the text says of them.
func Evidence() []ledger.Source {
	table := Table1()
	const gained, lost = "points of top-1 gained by", "points of top-1 lost by"
	ofOMM := []string{"omm", "omm_jnt", "omm_seq", "omm2", "omm12"}
	return []ledger.Source{
		ledger.From("tab1-omm", table, besidePrinted("omm")),
		ledger.From("tab1-nesting", table, besidePrinted("omm_jnt", "omm_seq")),
		ledger.From("tab1-order-2", table, besidePrinted("omm2")),
		ledger.From("tab1-mixture", table, besidePrinted("omm12")),
		ledger.From("tab1-simclr", table, besidePrinted("simclr")),
		ledger.From("ssl-nesting-no-improvement", table, ahead(gained, 1, "omm", "omm_jnt", "omm_seq")),
		ledger.From("ssl-higher-order-helps", table, ahead(lost, -1, "omm", "omm2", "omm12")),
		ledger.From("ssl-mixture-best", table, ahead(lost, -1, "omm2", "omm12")),
		ledger.From("ssl-below-simclr", table, ahead(gained, 1, "simclr", ofOMM...)),
		ledger.From("ssl-projector-not-needed", table, withoutProjector(ofOMM)),
	}
}

// besidePrinted counts what the rule says of the top-1 and top-5 accuracies of some methods beside the printed ones.
func besidePrinted(methods ...string) func(Tab1Data, *claims.Evidence) error {
	return func(d Tab1Data, e *claims.Evidence) error {
		found := false
		var each []string
		for _, r := range d.Rows {
			if r.PaperTop1 == nil || r.PaperTop5 == nil || !slices.Contains(methods, r.Method) {
				continue
			}
			found = true
			ledger.Compare(e, r.agreement(top1, *r.PaperTop1))
			ledger.Compare(e, r.agreement(top5, *r.PaperTop5))
			if r.Result != nil {
				each = append(each, fmt.Sprintf("%s %s and %s", r.name(),
					percent(r.Result, top1).Text(1), percent(r.Result, top5).Text(1)))
			}
		}
		e.Note("top-1 and top-5 on %s: %s", d.Data, strings.Join(each, "; "))
		return foundIn(found)
	}
}

// agreement is what the rule says of a printed accuracy in per cent.
func (r Tab1Row) agreement(of func(Run) float64, printed float64) claims.Verdict {
	if r.Result == nil {
		return claims.NotAtScale
	}
	paper := report.Spread{Mean: printed / 100, Std: math.NaN(), Runs: 1}
	return report.Over(r.Result, of).Against(paper, r.Result.Config.atPaperScale())
}

// find returns the row of a method of the paper.
func (d Tab1Data) find(method string, encoding Encoding) (Tab1Row, bool) {
	for _, r := range d.Rows {
		if r.Method == method && r.Encoding == encoding && r.PaperTop1 != nil {
			return r, true
		}
	}
	return Tab1Row{}, false
}

// ahead measures methods against another one, with the projector and without: sign times the points of top-1 by which
// they are ahead of it, which ought to be at most 0.
func ahead(what string, sign float64, other string, methods ...string) func(Tab1Data, *claims.Evidence) error {
	return func(d Tab1Data, e *claims.Evidence) error {
		found := false
		for _, encoding := range []Encoding{Projected, Top} {
			for _, method := range methods {
				a, thereA := d.find(method, encoding)
				b, thereB := d.find(other, encoding)
				if !thereA || !thereB {
					continue // SimCLR has no row without the projector
				}
				found = true
				record(e, fmt.Sprintf("%s %s over %s (%s)", what, a.Label, b.Label, encodings[encoding]), sign, 0, a, b)
			}
		}
		return foundIn(found)
	}
}

// withoutProjector measures what each method loses without the projector; at most 2 points are read as "comparable".
func withoutProjector(methods []string) func(Tab1Data, *claims.Evidence) error {
	return func(d Tab1Data, e *claims.Evidence) error {
		found := false
		for _, method := range methods {
			with, thereA := d.find(method, Projected)
			without, thereB := d.find(method, Top)
			if found = found || thereA && thereB; thereA && thereB {
				record(e, "points of top-1 lost by "+with.Label+" without the projector", 1, 2, with, without)
			}
		}
		return foundIn(found)
	}
}

// foundIn is an error where the table has no row to measure.
func foundIn(found bool) error {
	if found {
		return nil
	}
	return errors.New("it has no row of the paper's; make it again")
}

// record writes sign times the points of top-1 by which a is ahead of b, beside the printed ones; runs of a smaller
// scale and rows that were not run mark the evidence as small.
func record(e *claims.Evidence, what string, sign, tolerance float64, a, b Tab1Row) {
	for _, r := range []Tab1Row{a, b} {
		ledger.Small(e, r.Result != nil && r.Result.Config.atPaperScale())
	}
	if a.Top1 == nil || b.Top1 == nil {
		e.Note("%s: not run", what)
		return
	}
	ahead := *a.Top1 - *b.Top1
	e.Printed(what, sign*ahead, tolerance)
	e.Note("%s and %s: %+.1f points, printed %+.2f", a.name(), b.name(), ahead, *a.PaperTop1-*b.PaperTop1)
}

func (r Tab1Row) name() string { return r.Label + " (" + encodings[r.Encoding] + ")" }

// Headline is the line of README.md on Table 1: some of its rows.
func Headline() report.Headline {
	return report.NewHeadline("Table 1: images, linear probe, top-1 in %", "tab1-omm", Table1(),
		func(d Tab1Data) (paper, ours string, err error) {
			var numbers []report.Printed
			for _, method := range []string{"omm", "omm2", "simclr"} {
				row, _ := d.find(method, Projected)
				row.Label = cmp.Or(row.Label, method)
				numbers = append(numbers, report.Printed{Label: row.Label, Paper: row.PaperTop1, Ours: row.Top1})
			}
			return report.Beside(numbers, dataset.CIFAR100Name, d.Data)
		})
}
