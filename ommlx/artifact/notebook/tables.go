package notebook

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/learn"
)

// Text shows a committed table with its note: the columns with the given headers, in the order given, or all of them. A
// header may omit its part in parentheses. An unknown header ends the cell.
func Text(t report.Text, headers ...string) {
	t = Must(columns(t, headers))
	Table(t.Header, t.Rows)
	fmt.Println(t.Note)
}

// aside matches the part of a header in parentheses.
var aside = regexp.MustCompile(` \([^)]*\)`)

func columns(t report.Text, headers []string) (report.Text, error) {
	if len(headers) == 0 {
		return t, nil
	}
	rows := make([][]string, len(t.Rows))
	var full []string
	for _, header := range headers {
		at := slices.IndexFunc(t.Header, func(h string) bool {
			return h == header || aside.ReplaceAllString(h, "") == header
		})
		if at < 0 {
			return t, fmt.Errorf("table has no column %q, want one of %q", header, t.Header)
		}
		full = append(full, t.Header[at])
		for i, row := range t.Rows {
			rows[i] = append(rows[i], row[at])
		}
	}
	t.Header, t.Rows = full, rows
	return t, nil
}

// Numbered returns the header of a [Table] with numbered columns: a name, then 1 to k.
func Numbered(name string, k int) []string {
	header := []string{name}
	for i := range k {
		header = append(header, strconv.Itoa(i+1))
	}
	return header
}

// Outcome returns the cell for a run: the step at which it diverged, or, if that is 0, numbers in a format.
func Outcome(diverged int, format string, numbers ...any) string {
	if diverged > 0 {
		return fmt.Sprintf("diverged at step %d", diverged)
	}
	return fmt.Sprintf(format, numbers...)
}

// Cells returns a row of a [Table]: a name, then numbers in a format such as "%.3f".
func Cells(name, format string, numbers ...float64) []string {
	row := []string{name}
	for _, x := range numbers {
		row = append(row, fmt.Sprintf(format, x))
	}
	return row
}

// Eigenvalues shows learned eigenvalues next to the true ones, with residuals, error bounds and, for several seeds, the
// spread, and below the table a sentence for each symptom. True eigenvalues are in the order of learned.Values; missing
// ones, or nil, leave cells empty.
func Eigenvalues(learned *learn.Learned, truth []float64) {
	gonbui.DisplayMarkdown(eigenvalues(learned, truth))
	gonbui.Sync()
}

func eigenvalues(learned *learn.Learned, truth []float64) string {
	header, exact, values := []string{"$i$"}, []string{"true"}, []string{"learned"}
	errs, residuals, bounds := []string{"relative error"}, []string{"residual"}, []string{"bound of the error"}
	spread := []string{"spread over seeds"}
	for i, value := range learned.Values {
		header, values = append(header, fmt.Sprint(i+1)), append(values, fmt.Sprintf("%.5g", value))
		residuals, bounds = append(residuals, size(learned.Residuals[i])), append(bounds, size(learned.Bounds[i]))
		if learned.Spread != nil {
			spread = append(spread, size(learned.Spread[i]))
		}
		if i < len(truth) {
			exact = append(exact, fmt.Sprintf("%.5g", truth[i]))
			errs = append(errs, size(math.Abs((value-truth[i])/truth[i])))
		} else {
			exact, errs = append(exact, ""), append(errs, "")
		}
	}
	rows := [][]string{exact, values, errs, residuals, bounds}
	if learned.Spread != nil {
		rows = append(rows, spread)
	}
	symptoms := "No symptom."
	if sentences := learned.Advice(); len(sentences) > 0 {
		symptoms = "- " + strings.Join(sentences, "\n- ")
	}
	return table(header, rows) + "\n" + symptoms
}

func size(x float64) string {
	if math.IsNaN(x) {
		return "unknown"
	}
	return fmt.Sprintf("%.1e", x)
}

// Table shows rows with one cell per header; cells may contain formulas.
func Table(header []string, rows [][]string) {
	gonbui.DisplayMarkdown(table(header, rows))
	gonbui.Sync()
}

func table(header []string, rows [][]string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat(" --- |", len(header)))
	for _, row := range rows {
		fmt.Fprintf(&out, "| %s |\n", strings.Join(row, " | "))
	}
	return out.String()
}
