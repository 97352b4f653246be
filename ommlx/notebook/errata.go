package notebook

import (
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Corrections shows what the ledger of the checkout corrects of the claims with these IDs: a row for each, with the
// measurements in which the printed statement fails. A claim that is not corrected ends the cell.
func Corrections(ids ...string) {
	Table([]string{"No., where", "the paper says", "what is so", "measured", "verdict"},
		Must(corrections(Must(ledger.Committed("..")), ids, inFull)))
}

// Corrected shows what [Corrections] does without measurements and without what the library does.
func Corrected(ids ...string) {
	Table([]string{"No., where", "the paper says", "what is so", "verdict"},
		Must(corrections(Must(ledger.Committed("..")), ids, inShort)))
}

// Notes shows the claims that hold, or that are not settled, and of which there is more to know.
func Notes() { Table([]string{"No.", "where", "note", "verdict"}, notes(Must(ledger.Committed("..")))) }

// Unsettled shows the claims that were not reproduced, or could not be settled.
func Unsettled() {
	Table([]string{"No.", "where", "the paper says", "verdict"}, unsettled(Must(ledger.Committed(".."))))
}

// Misprints shows the slips of the printed text from which nothing follows.
func Misprints() {
	var table [][]string
	for _, m := range claims.Misprints() {
		table = append(table, []string{report.Markdown(m.Where), "`" + m.Quotation + "`", report.Markdown(m.Meant)})
	}
	Table([]string{"where", "printed", "meant"}, table)
}

// AllCorrected returns the number of the ledger's corrections, and ends the cell if one that rests on runs at the
// paper's scale is not among the IDs told.
func AllCorrected(told ...string) int { return Must(allCorrected(Must(ledger.Committed("..")), told)) }

func corrects(r ledger.Row) bool { return r.Correction+r.Instead != "" }

// corrections has the cells of the claim with each ID; an error names one that the ledger does not correct.
func corrections(rows []ledger.Row, ids []string, cells func(ledger.Row) []string) (table [][]string, err error) {
	for _, id := range ids {
		i := slices.IndexFunc(rows, func(r ledger.Row) bool { return r.ID == id && corrects(r) })
		if i < 0 {
			return nil, fmt.Errorf("the ledger has no correction %q; run `make check`", id)
		}
		table = append(table, cells(rows[i]))
	}
	return table, nil
}

func inShort(r ledger.Row) []string {
	return []string{fmt.Sprintf("%d <br>%s", r.Number, report.Markdown(r.Where)), report.Markdown(r.Statement),
		report.Markdown(r.Correction + r.Instead), string(r.Verdict)}
}

func inFull(r ledger.Row) []string {
	cells := inShort(r)
	if r.Use != "" {
		cells[2] += " <br>**Here:** " + report.Markdown(r.Use) + "."
	}
	return slices.Insert(cells, 3, failures(r))
}

func notes(rows []ledger.Row) (table [][]string) {
	for _, r := range rows {
		if r.Note != "" && !corrects(r) {
			table = append(table, brief(r, r.Note))
		}
	}
	return table
}

func unsettled(rows []ledger.Row) (table [][]string) {
	for _, r := range rows {
		switch r.Verdict {
		case claims.Differs, claims.Worse, claims.CannotTell, claims.NotAtScale, claims.NotRun:
			table = append(table, brief(r, r.Statement))
		}
	}
	return table
}

func brief(r ledger.Row, text string) []string {
	return []string{fmt.Sprint(r.Number), report.Markdown(r.Where), report.Markdown(text), string(r.Verdict)}
}

func allCorrected(rows []ledger.Row, told []string) (count int, err error) {
	for _, r := range rows {
		if !corrects(r) || r.Verdict == claims.NotAtScale {
			continue
		}
		if count++; !slices.Contains(told, r.ID) {
			return 0, fmt.Errorf("the correction %q of the ledger is in no chapter of this notebook", r.ID)
		}
	}
	return count, nil
}

// failures lists the measurements in which the printed statement fails, and counts those of the corrected one.
func failures(r ledger.Row) string {
	var lines []string
	good := 0
	for _, e := range r.Evidence {
		for _, m := range e.Measured {
			switch {
			case m.Open: // it shows neither
			case m.Printed && !m.Within():
				failed := fmt.Sprintf("as printed, %s: %.3g > %.2g", m.What, m.Value, m.Tolerance)
				lines = append(lines, report.Markdown(failed))
			case m.Within():
				good++
			}
		}
	}
	if good > 0 {
		lines = append(lines, fmt.Sprintf("%d other checks within their tolerance", good))
	}
	return strings.Join(lines, "; <br>")
}
