package notebook

import (
	"fmt"
	"slices"
	"strconv"

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

// Numbered is the header of a [Table] whose columns are counted: a name, then 1 to k.
func Numbered(name string, k int) []string {
	header := []string{name}
	for i := range k {
		header = append(header, strconv.Itoa(i+1))
	}
	return header
}

// Outcome is what a table says of a run: the step at which it diverged, or, where that is 0, numbers in a format.
func Outcome(diverged int, format string, numbers ...any) string {
	if diverged > 0 {
		return fmt.Sprintf("diverged at step %d", diverged)
	}
	return fmt.Sprintf(format, numbers...)
}
