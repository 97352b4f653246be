package page

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omm-go/ommlx/artifact/ledger"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/claims"
	"omm-go/ommlx/internal/fsx"
)

// The lines of README.md between which the part stands.
const (
	begin = "<!-- reproduced: written by `make check` -->"
	end   = "<!-- /reproduced -->"
)

// WriteREADME writes the part of README.md anew that says what was reproduced. Every number of it is read from the
// committed ledger, figures and tables. The file stays untouched where nothing changed. headlines are the experiments
// that it shows, in their order. The error names what is missing or cannot be read.
func WriteREADME(root string, headlines []report.Headline) error {
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	part := line(c.Verdicts[0]...) + "|---|--:|--:|--:|--:|--:|\n"
	for _, row := range c.Verdicts[1:] {
		part += line(row...)
	}
	part += "\n" + line("Experiment", "Paper", "Here", "Scale", "Verdict") + "|---|---|---|---|---|\n"
	for _, e := range c.Experiments {
		ending := map[report.Kind]string{report.Figure: "png", report.Table: "md"}[e.Entry.Kind]
		shown := fmt.Sprintf("[%s](%s)", e.Scale, strings.TrimSuffix(e.File, "json")+ending)
		part += line(e.Name, e.Paper, e.Ours, shown, string(e.Verdict))
	}
	before, rest, opened := strings.Cut(string(old), begin+"\n")
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed || strings.Contains(after, begin) || strings.Contains(before+after, end) {
		return fmt.Errorf("README.md must have the lines %q and %q once; restore them with git", begin, end)
	}
	return fsx.Update(path, []byte(before+begin+"\n"+part+end+after))
}

func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// countVerdicts counts the verdicts of a ledger by kind of claim: a header, a row for each verdict that a claim has, in
// the order of [claims.Verdicts], and their sums. The error says what is wrong with the ledger.
func countVerdicts(rows []ledger.Row) (table [][]string, err error) {
	const all = "all claims"
	kinds := []string{string(claims.Identity), string(claims.Theorem), string(claims.Behaviour), string(claims.Number)}
	count := map[[2]string]int{} // by verdict and kind
	for _, r := range rows {
		if !slices.Contains(claims.Verdicts(), r.Verdict) || !slices.Contains(kinds, string(r.Kind)) {
			return nil, fmt.Errorf("the ledger calls the claim %s %q of kind %q, which this version does not know; "+
				"make it again with `make check`", r.ID, r.Verdict, r.Kind)
		}
		for _, verdict := range []string{string(r.Verdict), all} {
			count[[2]string{verdict, string(r.Kind)}]++
			count[[2]string{verdict, all}]++
		}
	}
	table = append(table, []string{"Verdict", "identities", "theorems", "behaviour", "numbers", "all"})
	for _, verdict := range append(claims.Verdicts(), all) {
		cells := []string{string(verdict)}
		for _, kind := range append(kinds, all) {
			cells = append(cells, strconv.Itoa(count[[2]string{string(verdict), kind}]))
		}
		if cells[len(cells)-1] != "0" {
			table = append(table, cells)
		}
	}
	return table, nil
}
