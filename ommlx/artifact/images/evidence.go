package images

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Evidence lists the claims that rest on Table 1: its numbers, and what the text says of them.
func Evidence() []claims.Source {
	from := func(claim string, measure func(Tab1Data, *claims.Evidence)) claims.Source {
		return claims.From(claim, Table1(), func(d Tab1Data, e *claims.Evidence) error {
			if !slices.ContainsFunc(d.Rows, func(r Tab1Row) bool { return r.PaperTop1 != nil && r.PaperTop5 != nil }) {
				return errors.New("it has no row of the paper's; make it again")
			}
			measure(d, e)
			return nil
		})
	}
	const gained, lost = "points of top-1 gained by", "points of top-1 lost by"
	ofOMM := []string{"omm", "omm_jnt", "omm_seq", "omm2", "omm12"}
	return []claims.Source{
		from("tab1-omm", besidePrinted("omm")),
		from("tab1-nesting", besidePrinted("omm_jnt", "omm_seq")),
		from("tab1-order-2", besidePrinted("omm2")),
		from("tab1-mixture", besidePrinted("omm12")),
		from("tab1-simclr", besidePrinted("simclr")),
		from("ssl-nesting-no-improvement", ahead(gained, 1, "omm", "omm_jnt", "omm_seq")),
		from("ssl-higher-order-helps", ahead(lost, -1, "omm", "omm2", "omm12")),
		from("ssl-mixture-best", ahead(lost, -1, "omm2", "omm12")),
		from("ssl-below-simclr", ahead(gained, 1, "simclr", ofOMM...)),
		from("ssl-projector-not-needed", withoutProjector(ofOMM)),
	}
}

// besidePrinted compares the top-1 and top-5 accuracies of some methods with the printed ones.
func besidePrinted(methods ...string) func(Tab1Data, *claims.Evidence) {
	return func(d Tab1Data, e *claims.Evidence) {
		var each []string
		for _, r := range d.Rows {
			if r.PaperTop1 == nil || r.PaperTop5 == nil || !slices.Contains(methods, r.Method) {
				continue
			}
			r.compare(e, "top-1", top1, *r.PaperTop1)
			r.compare(e, "top-5", top5, *r.PaperTop5)
			if r.Result != nil {
				each = append(each, fmt.Sprintf("%s %s and %s", r.name(),
					percent(r.Result, top1).Text(1), percent(r.Result, top5).Text(1)))
			}
		}
		e.Note("top-1 and top-5 on %s: %s", d.Data, strings.Join(each, "; "))
	}
}

// printed is a printed accuracy in per cent, whose spread the paper does not print, as a fraction.
func printed(accuracy float64) report.Spread {
	return report.Spread{Mean: accuracy / 100, Std: math.NaN(), Runs: 1}
}

// compare compares an accuracy with the printed one.
func (r Tab1Row) compare(e *claims.Evidence, what string, of func(Run) float64, accuracy float64) {
	if r.Result == nil {
		e.AtScale(false)
		return
	}
	e.Compare(r.name()+", "+what, report.Over(r.Result, of), printed(accuracy), r.Result.Config.atPaperScale())
}

// agreement is the verdict on a printed accuracy in per cent.
func (r Tab1Row) agreement(of func(Run) float64, accuracy float64) claims.Verdict {
	if r.Result == nil {
		return claims.NotTested
	}
	return claims.Agreement(report.Over(r.Result, of), printed(accuracy), r.Result.Config.atPaperScale())
}

// find returns the row of a method of the paper; an empty one where there is none, as of SimCLR without the projector.
func (d Tab1Data) find(method string, encoding Encoding) Tab1Row {
	for _, r := range d.Rows {
		if r.Method == method && r.Encoding == encoding && r.PaperTop1 != nil {
			return r
		}
	}
	return Tab1Row{}
}

// ahead measures methods against another one, with the projector and without: sign times the points of top-1 by which
// they are ahead of it, which ought to be at most 0.
func ahead(what string, sign float64, other string, methods ...string) func(Tab1Data, *claims.Evidence) {
	return func(d Tab1Data, e *claims.Evidence) {
		for _, encoding := range []Encoding{Projected, Top} {
			for _, method := range methods {
				a, b := d.find(method, encoding), d.find(other, encoding)
				record(e, fmt.Sprintf("%s %s over %s (%s)", what, a.Label, b.Label, encodings[encoding]), sign, 0, a, b)
			}
		}
	}
}

// withoutProjector measures what each method loses without the projector; at most 2 points are read as "comparable".
func withoutProjector(methods []string) func(Tab1Data, *claims.Evidence) {
	return func(d Tab1Data, e *claims.Evidence) {
		for _, method := range methods {
			with, without := d.find(method, Projected), d.find(method, Top)
			record(e, "points of top-1 lost by "+with.Label+" without the projector", 1, 2, with, without)
		}
	}
}

// record writes sign times the points of top-1 by which a is ahead of b, beside the printed ones, where the paper has
// both; runs of a smaller scale and rows that were not run mark the evidence as small.
func record(e *claims.Evidence, what string, sign, tolerance float64, a, b Tab1Row) {
	if a.PaperTop1 == nil || b.PaperTop1 == nil {
		return
	}
	for _, r := range []Tab1Row{a, b} {
		e.AtScale(r.Result != nil && r.Result.Config.atPaperScale())
	}
	if a.Top1 == nil || b.Top1 == nil {
		e.Note("%s: not run", what)
		return
	}
	ahead := *a.Top1 - *b.Top1
	e.Printed(what, sign*ahead, tolerance)
	e.Note("%s and %s: %+.1f points, printed %+.2f", a.name(), b.name(), ahead, *a.PaperTop1-*b.PaperTop1)
}

func (r Tab1Row) name() string {
	return r.Label + run.If(!r.Baseline, " (%s)", encodings[r.Encoding])
}

// Headline is the line of README.md on Table 1: some of its rows.
func Headline() claims.Headline {
	return claims.NewHeadline("Table 1: images, linear probe, top-1 in %", "tab1-omm", Table1(),
		func(d Tab1Data) (paper, ours string, err error) {
			var numbers []claims.Pair
			for _, method := range []string{"omm", "omm2", "simclr"} {
				row := d.find(method, Projected)
				row.Label = cmp.Or(row.Label, method)
				numbers = append(numbers, claims.Pair{Label: row.Label, Paper: row.PaperTop1, Ours: row.Top1})
			}
			return claims.Beside(numbers, CIFAR100Name, d.Data)
		})
}
