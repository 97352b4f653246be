package notebook

import (
	"slices"

	"operator-omm/ommlx/artifact/ledger"
)

// Corrected shows what is so in place of the claims with these IDs, as [Corrections] does, but without measurements and
// without what the library does. A claim that is not corrected ends the cell.
func Corrected(ids ...string) {
	Table([]string{"No., where", "the paper says", "what is so", "verdict"},
		Must(corrected(Must(ledger.Committed("..")), ids)))
}

// corrected returns a row of four cells for each ID; an error names an ID that the ledger does not correct.
func corrected(rows []ledger.Row, ids []string) (table [][]string, err error) {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Use = ""
	}
	if table, err = corrections(rows, ids); err != nil {
		return nil, err
	}
	for i, row := range table {
		table[i] = slices.Delete(row, 3, 4) // what was measured
	}
	return table, nil
}
