package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// WriteGallery writes figures/README.md, which shows the figures of a checkout, at the paper's scale and quick, each
// with its caption, the verdicts that rest on it and its command. The file stays untouched where nothing changed. The
// error names what cannot be read.
func WriteGallery(root string, figures []report.Entry) error {
	rows, err := Committed(root)
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("# The figures\n\nWritten by `omm figures` and `omm check`; edit nothing here. " +
		"A quick figure shows that the path works; only one at the paper's scale says anything of the paper.\n")
	for _, e := range figures {
		about := report.Markdown(strings.ToUpper(e.About[:1]) + e.About[1:])
		fmt.Fprintf(&out, "\n## %s\n\n%s.\n", section{Entry: e}.Title(), about)
		for _, p := range e.Profiles() {
			if err := plate(&out, root, e, p, rows); err != nil {
				return fmt.Errorf("%s: %w", e.Name, err)
			}
		}
	}
	return fsx.Update(filepath.Join(root, "figures", "README.md"), []byte(out.String()))
}

// plate writes one picture with what stands beside it, or nothing where there is none of this profile.
func plate(out *strings.Builder, root string, e report.Entry, p run.Profile, rows []Row) error {
	file := e.File(p)
	raw, err := os.ReadFile(filepath.Join(root, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	head, err := report.Decode[report.FigureHead](raw)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(strings.TrimPrefix(file, "figures/"), ".json")
	scale := map[run.Profile]string{run.Paper: "At the paper's scale", run.Quick: "Quick"}[p]
	if e.Plan == nil {
		scale = "Every profile"
	}
	fmt.Fprintf(out, "\n### %s\n\n![%s](%s.png)\n\n", scale, report.Markdown(e.About), base)
	fmt.Fprintf(out, "**What to look at.** %s\n\n%s\n\n", e.Look,
		report.Markdown(strings.TrimSpace(head.Paper+" "+head.Note)))
	if v := verdict(file, rows); v != "" {
		fmt.Fprintf(out, "**Verdict.** %s.\n\n", v)
	}
	fmt.Fprintf(out, "**Command.** `%s`; for a paper: [SVG](%s.svg), [PDF](%s.pdf); every number: [JSON](%s.json)\n",
		e.CommandOf(p), base, base, base)
	return nil
}

// verdict lists the claims that rest on a file with their verdicts; "" for none.
func verdict(file string, rows []Row) string {
	var parts []string
	for _, r := range On(rows, file) {
		parts = append(parts, fmt.Sprintf("[Claim %d](../tables/claims.md#%s): %s", r.Number, r.Anchor(), r.Words()))
	}
	return strings.Join(parts, "; ")
}
