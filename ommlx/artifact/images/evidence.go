package images

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Evidence lists the claim that rests on Table 1. Those about its printed numbers alone are checked by arithmetic.
func Evidence() []ledger.Source {
	return []ledger.Source{ledger.From("tab1", Table1(), besidePrinted)}
}

// besidePrinted counts the rows whose top-1 accuracy differs from the printed one by the rule.
func besidePrinted(d Tab1Data, e *claims.Evidence) error {
	printed, differ := 0, 0
	var each []string
	for _, r := range d.Rows {
		if r.PaperTop1 == nil {
			continue
		}
		printed++
		switch r.Verdict {
		case report.Better, report.Worse, report.Diverged:
			differ++
		case report.NotAtScale:
			ledger.Small(e, false)
		}
		if r.Result != nil {
			ours := percent(r.Result, top1).Text(1)
			each = append(each, fmt.Sprintf("%s (%s) %s", r.Label, encodings[r.Encoding], ours))
		}
	}
	if printed == 0 {
		return fmt.Errorf("it has no row of the paper's; make it again")
	}
	if e.Outcome == claims.Done { // of smaller trainings the rule says nothing
		e.Printed(fmt.Sprintf("accuracies that differ from the printed ones, of %d", printed), float64(differ), 0)
	}
	e.Note("top-1 on %s: %s", d.Data, strings.Join(each, ", "))
	return nil
}
