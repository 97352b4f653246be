package images

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Evidence lists the claims that rest on Table 1: its numbers, and what the text says of them.
func Evidence() []ledger.Source {
	table := Table1()
	return []ledger.Source{
		ledger.From("tab1-omm", table, besidePrinted("omm")),
		ledger.From("tab1-nesting", table, besidePrinted("omm_jnt", "omm_seq")),
		ledger.From("tab1-order-2", table, besidePrinted("omm2")),
		ledger.From("tab1-mixture", table, besidePrinted("omm12")),
		ledger.From("tab1-simclr", table, besidePrinted("simclr")),
		ledger.From("ssl-nesting-no-improvement", table, compared(improves(false), [][2]string{
			{"omm_jnt", "omm"}, {"omm_seq", "omm"}})),
		ledger.From("ssl-higher-order-helps", table, compared(improves(true), [][2]string{
			{"omm2", "omm"}, {"omm12", "omm"}})),
		ledger.From("ssl-mixture-best", table, compared(improves(true), [][2]string{{"omm12", "omm2"}})),
		ledger.From("ssl-below-simclr", table, compared(improves(false), [][2]string{
			{"omm", "simclr"}, {"omm_jnt", "simclr"}, {"omm_seq", "simclr"}, {"omm2", "simclr"}, {"omm12", "simclr"}})),
		ledger.From("ssl-projector-not-needed", table, withoutProjector),
	}
}

// besidePrinted counts what the rule says of the top-1 and top-5 accuracies of some methods beside the printed ones.
func besidePrinted(methods ...string) func(Tab1Data, *claims.Evidence) error {
	return func(d Tab1Data, e *claims.Evidence) error {
		printed := 0
		var each []string
		for _, r := range d.Rows {
			if r.PaperTop1 == nil || r.PaperTop5 == nil || !slices.Contains(methods, r.Method) {
				continue
			}
			printed++
			ledger.Compare(e, r.agreement(top1, *r.PaperTop1))
			ledger.Compare(e, r.agreement(top5, *r.PaperTop5))
			if r.Result != nil {
				each = append(each, fmt.Sprintf("%s %s and %s", r.name(),
					percent(r.Result, top1).Text(1), percent(r.Result, top5).Text(1)))
			}
		}
		if printed == 0 {
			return errNoRow
		}
		e.Note("top-1 and top-5 on %s: %s", d.Data, strings.Join(each, "; "))
		return nil
	}
}

var errNoRow = errors.New("it has no row of the paper's; make it again")

// agreement is what the rule says of a printed accuracy in per cent.
func (r Tab1Row) agreement(of func(Run) float64, printed float64) claims.Verdict {
	if r.Result == nil {
		return claims.NotAtScale
	}
	paper := report.Spread{Mean: printed / 100, Std: math.NaN(), Runs: 1}
	return over(r.Result, of).Against(paper, r.Result.Config.atPaperScale())
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

// gain is by how many points of top-1 a is ahead of b, here and as printed; ours is NaN where one was not run.
func gain(a, b Tab1Row) (ours, printed float64) {
	ours, printed = math.NaN(), *a.PaperTop1-*b.PaperTop1
	if a.Top1 != nil && b.Top1 != nil {
		ours = *a.Top1 - *b.Top1
	}
	return ours, printed
}

// improves turns a gain into what ought to be at most 0: its negative where an improvement is claimed.
func improves(claimed bool) func(gain float64) (what string, deviation float64) {
	if claimed {
		return func(gain float64) (string, float64) { return "points of top-1 lost by", -gain }
	}
	return func(gain float64) (string, float64) { return "points of top-1 gained by", gain }
}

// compared measures pairs of methods, the first against the second, with the projector and without.
func compared(side func(float64) (string, float64), pairs [][2]string) func(Tab1Data, *claims.Evidence) error {
	return func(d Tab1Data, e *claims.Evidence) error {
		found := 0
		for _, encoding := range []Encoding{Projected, Top} {
			for _, pair := range pairs {
				a, thereA := d.find(pair[0], encoding)
				b, thereB := d.find(pair[1], encoding)
				if !thereA || !thereB {
					continue // SimCLR has no row without the projector
				}
				found++
				ours, printed := gain(a, b)
				what, deviation := side(ours)
				record(e, fmt.Sprintf("%s %s over %s (%s)", what, a.Label, b.Label, encodings[encoding]), deviation, 0,
					ours, printed, a, b)
			}
		}
		if found == 0 {
			return errNoRow
		}
		return nil
	}
}

// comparable is how many points of top-1 the text's "comparable" is read as.
const comparable = 2

// withoutProjector measures what each method loses without the projector.
func withoutProjector(d Tab1Data, e *claims.Evidence) error {
	found := 0
	for _, method := range []string{"omm", "omm_jnt", "omm_seq", "omm2", "omm12"} {
		with, thereA := d.find(method, Projected)
		without, thereB := d.find(method, Top)
		if !thereA || !thereB {
			continue
		}
		found++
		ours, printed := gain(with, without)
		record(e, "points of top-1 lost by "+with.Label+" without the projector", ours, comparable, ours, printed, with,
			without)
	}
	if found == 0 {
		return errNoRow
	}
	return nil
}

// record writes a comparison beside the printed one; runs of a smaller scale and rows that were not run mark the
// evidence as small.
func record(e *claims.Evidence, what string, deviation, tolerance, ours, printed float64, rows ...Tab1Row) {
	for _, r := range rows {
		ledger.Small(e, r.Result != nil && r.Result.Config.atPaperScale())
	}
	if math.IsNaN(ours) {
		e.Note("%s: not run", what)
		return
	}
	e.Printed(what, deviation, tolerance)
	e.Note("%s and %s: %+.1f points, printed %+.2f", rows[0].name(), rows[1].name(), ours, printed)
}

func (r Tab1Row) name() string { return r.Label + " (" + encodings[r.Encoding] + ")" }
