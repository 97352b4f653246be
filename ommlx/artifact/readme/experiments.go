package readme

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Experiment is a line of the table of experiments.
type Experiment struct {
	report.Headline
	Paper, Ours string // their numbers
	File        string // the JSON that has them, as figures/paper/fig1_laplacian_rl.json
	Verdict     claims.Verdict
}

// Experiments reads the numbers and the verdict of each headline from what is committed in a checkout. The error names
// what is missing or cannot be read.
func Experiments(root string, headlines []report.Headline) (all []Experiment, err error) {
	rows, err := committed(root)
	if err != nil {
		return nil, err
	}
	verdicts := map[string]claims.Verdict{}
	for _, r := range rows {
		verdicts[r.ID] = r.Verdict
	}
	for _, h := range headlines {
		file, text, err := h.Entry.Read(root)
		if err != nil {
			return nil, err
		}
		if file == "" {
			return nil, fmt.Errorf("there is no %s here, which README.md shows; restore it with git", h.Entry.Name)
		}
		paper, ours, err := h.Numbers(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; make it again with `%s`", file, err, h.Entry.Command())
		}
		if verdicts[h.Claim] == "" {
			return nil, fmt.Errorf("the ledger has no claim %q, which README.md shows; make it again with `make check`",
				h.Claim)
		}
		all = append(all, Experiment{h, paper, ours, file, verdicts[h.Claim]})
	}
	return all, nil
}

// Scale is how much was computed: the paper's protocol, or minutes.
func (e Experiment) Scale() string {
	if strings.Contains(e.File, "/paper/") {
		return "paper"
	}
	return "quick"
}

// Shown is the file for reading beside the JSON: the picture of a figure, the text of a table.
func (e Experiment) Shown() string {
	base := strings.TrimSuffix(e.File, ".json")
	if e.Entry.Kind == report.Figure {
		return base + ".png"
	}
	return base + ".md"
}
