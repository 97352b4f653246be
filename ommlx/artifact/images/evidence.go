package images

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
)

var ofOMM = []string{"omm", "omm_jnt", "omm_seq", "omm2", "omm12"}

// Evidence lists the claims about Table 1: its numbers, and the statements in the text.
func Evidence() []claims.Source {
	from := func(claim string, measure func(Tab1Data, *claims.Evidence)) claims.Source {
		return claims.From(claim, Table1(), func(d Tab1Data, e *claims.Evidence) error {
			measure(d, e)
			e.RanOn(d.Data)
			return nil
		})
	}
	return []claims.Source{
		from("tab1-omm", compareWithPrinted("omm")),
		from("tab1-nesting", compareWithPrinted("omm_jnt", "omm_seq")),
		from("tab1-order-2", compareWithPrinted("omm2")),
		from("tab1-mixture", compareWithPrinted("omm12")),
		from("tab1-simclr", compareWithPrinted("simclr")),
		from("ssl-projector-not-needed", func(d Tab1Data, e *claims.Evidence) {
			for _, method := range ofOMM {
				a, b := d.find(method, Projected), d.find(method, Top)
				record(e, fmt.Sprintf("points of top-1 lost by %s without the projector", a.Label), 2, a, b)
			}
		}),
		from("ssl-nesting-no-improvement", nonePositive("gained", "omm", "omm_jnt", "omm_seq")),
		from("ssl-higher-order-helps", nonePositive("lost", "omm", "omm2", "omm12")),
		from("ssl-mixture-best", nonePositive("lost", "omm2", "omm12")),
		from("ssl-below-simclr", nonePositive("gained", "simclr", ofOMM...)),
	}
}

// nonePositive is a claim of the text: the points of top-1 "gained" or "lost" by each method over other are at most 0,
// with and without the projector.
func nonePositive(change, other string, methods ...string) func(Tab1Data, *claims.Evidence) {
	return func(d Tab1Data, e *claims.Evidence) {
		for _, encoding := range []Encoding{Projected, Top} {
			for _, method := range methods {
				a, b := d.find(method, encoding), d.find(other, encoding)
				what := fmt.Sprintf("points of top-1 %s by %s over %s (%s)", change, a.Label, b.Label,
					encodings[encoding])
				if change == "lost" {
					a, b = b, a
				}
				record(e, what, 0, a, b)
			}
		}
	}
}

// record measures a's lead over b in top-1 points with its 95 % interval, if the paper has both rows.
func record(e *claims.Evidence, what string, tolerance float64, a, b Tab1Row) {
	if a.PaperTop1 == nil || b.PaperTop1 == nil {
		return
	}
	if a.Top1 == nil || b.Top1 == nil {
		e.AtScale(false)
		e.Note("%s: not run", what)
		return
	}
	lead, half := percent(a.Result, top1).Minus(percent(b.Result, top1))
	e.Printed(what, lead, tolerance)
	interval := ""
	if !math.IsNaN(half) {
		interval = fmt.Sprintf("95 %% interval ± %.1f, ", half)
	}
	e.Note("%sprinted %+.2f", interval, *a.PaperTop1-*b.PaperTop1)
}

func compareWithPrinted(methods ...string) func(Tab1Data, *claims.Evidence) {
	return func(d Tab1Data, e *claims.Evidence) {
		var each []string
		for _, r := range d.Rows {
			if r.PaperTop1 == nil || !slices.Contains(methods, r.Method) {
				continue
			}
			if r.Result == nil {
				e.AtScale(false)
				continue
			}
			name := fmt.Sprintf("%s (%s)", r.Label, encodings[r.Encoding])
			e.Compare(name+", top-1", report.Over(r.Result, top1), printed(*r.PaperTop1))
			e.Compare(name+", top-5", report.Over(r.Result, top5), printed(*r.PaperTop5))
			each = append(each, fmt.Sprintf("%s %s and %s", name, percent(r.Result, top1).Text(1),
				percent(r.Result, top5).Text(1)))
		}
		if len(each) == 0 {
			return
		}
		e.Note("top-1 and top-5 on %s: %s", d.Data, strings.Join(each, "; "))
	}
}

// printed returns a printed accuracy, in per cent, as a fraction. The paper prints no spread.
func printed(accuracy float64) report.Spread {
	return report.Spread{Mean: accuracy / 100, Std: math.NaN(), Runs: 1}
}

// find returns the row of a method in the paper, or an empty row if the paper has none, as for SimCLR without the
// projector.
func (d Tab1Data) find(method string, encoding Encoding) Tab1Row {
	for _, r := range d.Rows {
		if r.Method == method && r.Encoding == encoding && r.PaperTop1 != nil {
			return r
		}
	}
	return Tab1Row{}
}

// Headline returns the line for README.md about Table 1: some of its rows.
func Headline() claims.Headline {
	return claims.NewHeadline("Table 1: images, linear probe, top-1 in %", "tab1-omm", Table1(),
		func(d Tab1Data) (paper, ours string, err error) {
			numbers := xslices.Map([]string{"omm", "omm2", "simclr"}, func(method string) claims.Pair {
				row := d.find(method, Projected)
				return claims.Pair{Label: cmp.Or(row.Label, method), Paper: row.PaperTop1, Ours: row.Top1}
			})
			return claims.Pairs(numbers, CIFAR100Name, d.Data)
		})
}
