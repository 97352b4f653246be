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
	part := line("Verdict", "Claims", "Meaning") + "|---|--:|---|\n"
	for _, row := range c.Verdicts {
		part += line(row...)
	}
	part += "\n" + line("Experiment", "Paper", "Here", "Verdict") + "|---|---|---|---|\n"
	for _, e := range c.Experiments {
		ending := map[report.Kind]string{report.Figure: "png", report.Table: "md"}[e.Entry.Kind]
		shown := fmt.Sprintf("[%s](%s)", e.Name, strings.TrimSuffix(e.File, "json")+ending)
		verdict := fmt.Sprintf("[%s](tables/claims.md#%s)", e.Row.Verdict, e.Row.Anchor())
		part += line(shown, e.Paper, e.Ours, verdict)
	}
	before, rest, opened := strings.Cut(string(old), begin+"\n")
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed || strings.Contains(after, begin) || strings.Contains(before+after, end) {
		return fmt.Errorf("README.md must have the lines %q and %q once; restore them with git", begin, end)
	}
	return fsx.Update(path, []byte(before+begin+"\n"+part+end+after))
}

func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// countVerdicts counts the verdicts of a ledger: a row for each of the six with its number and meaning. The error names a
// verdict that this version does not know.
func countVerdicts(rows []ledger.Row) (table [][]string, err error) {
	count := map[claims.Verdict]int{}
	for _, r := range rows {
		if !slices.Contains(claims.Verdicts(), r.Verdict) {
			return nil, fmt.Errorf("tables/claims.json: unknown verdict %q of claim %s; run `make check`", r.Verdict, r.ID)
		}
		count[r.Verdict]++
	}
	for _, d := range claims.Definitions() {
		table = append(table, []string{d[0], strconv.Itoa(count[claims.Verdict(d[0])]), d[1]})
	}
	return table, nil
}
