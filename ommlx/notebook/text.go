package notebook

import (
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/report"
)

// Text shows a committed table with its note: those of its columns that have these headers, in the order given, or all
// of them. A header that the table does not have ends the cell.
func Text(t report.Text, headers ...string) {
	t = Must(columns(t, headers))
	Table(t.Header, t.Rows)
	fmt.Println(t.Note)
}

// columns returns the table with the columns that have these headers.
func columns(t report.Text, headers []string) (report.Text, error) {
	if len(headers) == 0 {
		return t, nil
	}
	rows := make([][]string, len(t.Rows))
	for _, header := range headers {
		at := slices.Index(t.Header, header)
		if at < 0 {
			return t, fmt.Errorf("the table has no column %q; it has %q", header, t.Header)
		}
		for i, row := range t.Rows {
			rows[i] = append(rows[i], row[at])
		}
	}
	t.Header, t.Rows = headers, rows
	return t, nil
}
