package images

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

// Evidence lists the claim that rests on Table 1. Those about its printed numbers alone are checked by arithmetic.
func Evidence() []ledger.Source {
	return []ledger.Source{ledger.From("tab1", Table1(), besidePrinted)}
}

// besidePrinted counts what the rule says of the rows' top-1 accuracies beside the printed ones.
func besidePrinted(d Tab1Data, e *claims.Evidence) error {
	printed := 0
	var each []string
	for _, r := range d.Rows {
		if r.PaperTop1 == nil {
			continue
		}
		printed++
		ledger.Compare(e, r.Verdict)
		if r.Result != nil {
			ours := percent(r.Result, top1).Text(1)
			each = append(each, fmt.Sprintf("%s (%s) %s", r.Label, encodings[r.Encoding], ours))
		}
	}
	if printed == 0 {
		return fmt.Errorf("it has no row of the paper's; make it again")
	}
	e.Note("top-1 on %s: %s", d.Data, strings.Join(each, ", "))
	return nil
}
