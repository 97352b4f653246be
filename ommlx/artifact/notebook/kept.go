package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/train"
)

// Kept fills v from the committed JSON of a figure or table, at the paper's scale if it exists, otherwise the quick
// one. It prints the file name and returns true, or prints the command that makes the file and returns false.
// An unreadable file ends the cell.
func Kept(e report.Entry, v any) bool {
	file := Must(committed(e, v))
	if file == "" {
		fmt.Printf("No %s yet: run `make %s ONLY=%s` for a quick one, or `%s` for the paper's scale.\n",
			e.Name, e.Kind, e.Short, e.Command())
		return false
	}
	fmt.Println("Read from", file)
	return true
}

// committed is Kept for the checkout whose folder notebooks/ contains the notebook. It returns the name of the file, or
// "" if there is none.
func committed(e report.Entry, v any) (file string, err error) {
	scale, text, err := e.Read("..")
	if err != nil || scale == "" {
		return "", err
	}
	if err = json.Unmarshal(text, v); err != nil {
		err = fmt.Errorf("%s: %w; make it again", e.File(scale), err)
	}
	return e.File(scale), err
}

// Shown is [Kept] for a committed figure, which it also draws.
func Shown(e report.Entry, data draw.Drawing) bool {
	if !Kept(e, data) {
		return false
	}
	Check(Show(data))
	return true
}

// Picture shows the committed picture of a figure, at the paper's scale if it exists, otherwise the quick one. If
// neither exists it shows nothing.
func Picture(e report.Entry) {
	scale, _, err := e.Read("..")
	Check(err)
	if scale != "" {
		showPNG(Must(os.ReadFile("../" + strings.TrimSuffix(e.File(scale), "json") + "png")))
	}
}

// Energies shows the exact energy of each mode and below it each method's learned one, with the given number of digits:
// mean ± standard deviation over the runs that did not diverge.
func Energies(n *pde.Numbers, digits int) { Table(Numbered("mode", len(n.Exact)), energies(n, digits)) }

func energies(n *pde.Numbers, digits int) [][]string {
	rows := [][]string{Cells("exact energy", fmt.Sprintf("%%.%df", digits), n.Exact...)}
	for _, r := range n.Results {
		rows = append(rows, append([]string{pde.MethodName(r.Config.Method)}, pde.Energies(r, digits)...))
	}
	return rows
}

// Variants shows rows of the table of variants for Schrödinger equations, in the order given: error of the energies,
// subspace distance, and the number of runs whose loss became non-finite. changed is the first header. An unknown row
// ends the cell.
func Variants(d *pde.VariantsData, changed string, abouts ...string) {
	var rows [][]string
	for _, about := range abouts {
		rows = append(rows, append([]string{about}, Must(d.Row(about)).Cells(3)...))
	}
	Table([]string{changed, "relative error of the energies", "subspace distance", "no longer finite"}, rows)
}

// Losses shows the loss of the first run of table rows after the given steps. An unknown row, or a step without a
// recorded loss, ends the cell.
func Losses(d *pde.VariantsData, changed string, steps []int, abouts ...string) {
	header := []string{changed}
	for _, step := range steps {
		header = append(header, fmt.Sprintf("loss after %d steps", step))
	}
	var rows [][]string
	for _, about := range abouts {
		history := Must(d.Row(about)).Result.History
		var row []float64
		for _, step := range steps {
			i := slices.IndexFunc(history, func(p train.Point) bool { return p.Step == step && len(p.Loss) > 0 })
			if i < 0 {
				Check(fmt.Errorf("%s: no loss recorded after step %d", about, step))
			}
			row = append(row, history[i].Loss[0])
		}
		rows = append(rows, Cells(about, "%.3g", row...))
	}
	Table(header, rows)
}

// Point is a correction to the paper that changes results.
type Point struct {
	What   string   // the corrected statement, in Markdown
	Name   string   // the correct code, for go doc
	File   string   // its file, below ommlx/
	Claims []string // IDs of the corrections in the ledger
}

// Points shows corrections with links to the paper's sections, the ledger and the code. An ID without a caveat or
// correction in the ledger ends the cell.
func Points(points ...Point) {
	Table([]string{"what is so", "where the paper says otherwise", "claims, with what was measured", "code"},
		Must(linked(Must(claims.Committed("..")), points)))
}

func linked(rows []claims.Row, points []Point) (table [][]string, err error) {
	for _, p := range points {
		var places, links []string
		for _, id := range p.Claims {
			i := slices.IndexFunc(rows, func(r claims.Row) bool {
				return r.ID == id && r.Correction+r.Condition+r.Caveat != ""
			})
			if i < 0 {
				return nil, fmt.Errorf("ledger: no caveat or correction for %q; run `make check`", id)
			}
			if place := sections(rows[i].Place); !slices.Contains(places, place) {
				places = append(places, place)
			}
			links = append(links, fmt.Sprintf("[claim %d](../tables/claims.md#%s): %s", rows[i].Number,
				rows[i].Anchor(), rows[i].Verdict))
		}
		table = append(table, []string{p.What, strings.Join(places, "; "), strings.Join(links, "; "),
			fmt.Sprintf("[`%s`](%s)", p.Name, path.Join("../ommlx", p.File))})
	}
	return table, nil
}

// section matches a section or appendix of the paper.
var section = regexp.MustCompile(`§([\d.]*\d)|App\. ([A-Z])(?:\.(\d))?`)

// sections adds links to section names: §2.3.1 is #S2.SS3.SSS1 of the paper, and App. B.2 #A2.SS2.
func sections(where string) string {
	return section.ReplaceAllStringFunc(where, func(name string) string {
		found := section.FindStringSubmatch(name)
		anchor, numbers := "S", strings.Split(found[1], ".")
		if appendix := found[2]; appendix != "" {
			anchor, numbers = "A", []string{fmt.Sprint(appendix[0] - 'A' + 1), found[3]}
		}
		anchor += numbers[0]
		for i, number := range numbers[1:] {
			if number != "" {
				anchor += "." + strings.Repeat("S", i+2) + number
			}
		}
		return fmt.Sprintf("[%s](https://arxiv.org/html/2510.21952v1#%s)", name, anchor)
	})
}
