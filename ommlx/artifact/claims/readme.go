package claims

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/fsx"
)

// The lines of README.md between which the part stands.
const (
	begin = "<!-- reproduced: written by `make check` -->"
	end   = "<!-- /reproduced -->"
)

// WriteREADME rewrites the part of README.md on what reproduces: findings, verdicts and experiments. It reads every
// number from the committed ledger, figures and tables, and leaves the file alone if nothing changed. The error names
// what is missing or cannot be read.
func WriteREADME(root string, findings []Finding, headlines []Headline) error {
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	part := "- " + tally(c.Claims) + "\n"
	for _, f := range findings {
		sentence, err := f(root)
		if err != nil {
			return err
		}
		part += "- " + sentence + "\n"
	}
	part += "\n![The paper's values and ours, one row per experiment and protocol](figures/overview.png)\n"
	part += "\n" + line("Verdict", "Number", "Meaning") + "|---|--:|---|\n"
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

// tally is the sentence that counts the verdicts.
func tally(rows []Row) string {
	count, numbers := map[Verdict]int{}, map[int]bool{}
	for _, r := range rows {
		count[r.Verdict]++
		numbers[r.Number] = true
	}
	return fmt.Sprintf("**Of %d verdicts on %d claims, %d are that the claim holds and %d that it holds with a "+
		"caveat.** %d are wrong as printed, %d not reproduced, %d undecided, %d not tested. %d claims on section 3.1 "+
		"have two verdicts, one for each protocol.", len(rows), len(numbers), count[Holds],
		count[HoldsCaveat], count[WrongAsPrinted], count[NotReproduced],
		count[Undecided], count[NotTested], len(rows)-len(numbers))
}

// countVerdicts counts the verdicts of a ledger: a row for each of the six with its number and meaning. The error names
// a verdict that this version does not know.
func countVerdicts(rows []Row) (table [][]string, err error) {
	count := map[Verdict]int{}
	for _, r := range rows {
		if !slices.Contains(Verdicts(), r.Verdict) {
			return nil, fmt.Errorf("tables/claims.json: unknown verdict %q of claim %s; run `make check`", r.Verdict,
				r.ID)
		}
		count[r.Verdict]++
	}
	for _, d := range Definitions() {
		table = append(table, []string{d[0], strconv.Itoa(count[Verdict(d[0])]), d[1]})
	}
	return table, nil
}
