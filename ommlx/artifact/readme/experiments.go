package readme

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
)

// experiments is a table with a line for each headline: the paper's numbers, ours, the scale and the verdict.
func experiments(root string, headlines []report.Headline, rows []ledger.Row) (string, error) {
	verdicts := map[string]string{}
	for _, r := range rows {
		verdicts[r.ID] = string(r.Verdict)
	}
	table := line("Experiment", "Paper", "Here", "Scale", "Verdict") + "|---|---|---|---|---|\n"
	for _, x := range headlines {
		file, text, err := x.Entry.Read(root)
		if err != nil {
			return "", err
		}
		if file == "" {
			return "", fmt.Errorf("there is no %s here, which README.md shows; restore it with git", x.Entry.Name)
		}
		paper, ours, err := x.Numbers(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w; make it again with `%s`", file, err, x.Entry.Command())
		}
		if verdicts[x.Claim] == "" {
			return "", fmt.Errorf("the ledger has no claim %q, which README.md shows; make it again with `make check`",
				x.Claim)
		}
		scale := "quick"
		if strings.Contains(file, "/paper/") {
			scale = "paper"
		}
		table += line(x.Name, paper, ours, fmt.Sprintf("[%s](%s)", scale, shown(file)), verdicts[x.Claim])
	}
	return table, nil
}

// shown is the file for reading beside the JSON of an entry: the picture of a figure, the text of a table.
func shown(file string) string {
	base := strings.TrimSuffix(file, ".json")
	if strings.HasPrefix(file, string(report.Figure)) {
		return base + ".png"
	}
	return base + ".md"
}
