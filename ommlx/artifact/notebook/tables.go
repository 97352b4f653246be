package notebook

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/janpfeifer/gonb/gonbui"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/learn"
)

// Markdown shows text below the cell.
func Markdown(text string) {
	gonbui.DisplayMarkdown(text)
	gonbui.Sync()
}

// Text shows a committed table with the first sentence of its note: the columns with the given headers, without parts
// in parentheses. An unknown header ends the cell.
func Text(t report.Text, headers ...string) {
	t = Must(columns(t, headers))
	Markdown(table(t.Header, t.Rows) + "\n" + report.Stamp(t.Note))
}

// parentheses matches such a part of a header.
var parentheses = regexp.MustCompile(` \([^)]*\)`)

func columns(t report.Text, headers []string) (report.Text, error) {
	some := report.Text{Note: t.Note, Rows: make([][]string, len(t.Rows))}
	for _, header := range headers {
		at := slices.IndexFunc(t.Header, func(h string) bool { return parentheses.ReplaceAllString(h, "") == header })
		if at < 0 {
			return t, fmt.Errorf("table: no column %q, want one of %q", header, t.Header)
		}
		some.Header = append(some.Header, t.Header[at])
		for i, row := range t.Rows {
			some.Rows[i] = append(some.Rows[i], row[at])
		}
	}
	return some, nil
}

// Numbered returns the header of a [Table] with numbered columns: a name, then 1 to k.
func Numbered(name string, k int) []string {
	header := []string{name}
	for i := range k {
		header = append(header, strconv.Itoa(i+1))
	}
	return header
}

// Cells returns a row of a [Table]: a name, then numbers in a format such as "%.3f".
func Cells(name, format string, numbers ...float64) []string {
	row := []string{name}
	for _, x := range numbers {
		row = append(row, fmt.Sprintf(format, x))
	}
	return row
}

// Eigenvalues shows learned eigenvalues with the true ones, residuals and error bounds if known, standard errors if Tf
// is sampled, for several seeds the spread, and a sentence for each symptom. A function without a bound has a dash.
// True eigenvalues are in the order of learned.Values; there may be fewer or none.
func Eigenvalues(learned *learn.Learned, truth []float64) { Markdown(eigenvalues(learned, truth)) }

func eigenvalues(learned *learn.Learned, truth []float64) string {
	k := len(learned.Values)
	truth = truth[:min(len(truth), k)]
	var relative []float64
	for i, value := range truth {
		relative = append(relative, math.Abs((learned.Values[i]-value)/value))
	}
	missing := make([]string, k-len(truth))
	rows := [][]string{append(Cells("true", "%.5g", truth...), missing...), Cells("learned", "%.5g", learned.Values...),
		append(Cells("relative error", "%.1e", relative...), missing...)}
	if !math.IsNaN(learned.Residuals[0]) {
		rows = append(rows, Cells("residual", "%.1e", learned.Residuals...),
			known(Cells("bound of the error", "%.1e", learned.Bounds...)))
	}
	if learned.StandardErrors != nil {
		rows = append(rows, Cells("standard error", "%.1e", learned.StandardErrors...))
	}
	if learned.Spread != nil {
		rows = append(rows, Cells("spread over seeds", "%.1e", learned.Spread...))
	}
	return table(Numbered("$i$", k), rows) + "\n" + advice(learned)
}

// Advice shows the sentences of [learn.Learned.Advice] as a list.
func Advice(learned *learn.Learned) { Markdown(advice(learned)) }

func advice(learned *learn.Learned) string {
	sentences := learned.Advice()
	if len(sentences) == 0 {
		return "No symptom."
	}
	return "- " + strings.Join(sentences, "\n- ")
}

// List writes numbers with three decimals, and a dash for NaN.
func List(x []float64) string { return strings.Join(known(Cells("", "%.3f", x...)), " ")[1:] }

// known replaces NaN in the cells of a row by a dash.
func known(row []string) []string {
	return xslices.Map(row, func(cell string) string {
		if cell == "NaN" {
			return "—"
		}
		return cell
	})
}

// Table shows rows with one cell per header; cells may contain formulas.
func Table(header []string, rows [][]string) { Markdown(table(header, rows)) }

func table(header []string, rows [][]string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat(" --- |", len(header)))
	for _, row := range rows {
		fmt.Fprintf(&out, "| %s |\n", strings.Join(row, " | "))
	}
	return out.String()
}
