package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/pde"
	"operator-omm/ommlx/artifact/report"
)

// Kept fills v from the committed JSON of a figure or table: that at the paper's scale, or the quick one where there is
// none of that. It says below the cell which file was read, or which command makes one where there is none, and reports
// whether there is one. A file that cannot be read ends the cell.
func Kept(e report.Entry, v any) bool {
	file := Must(committed(e, v))
	if file == "" {
		fmt.Printf("There is no %s yet. `make %s ONLY=%s` makes a quick one, `%s` that of the paper's scale.\n",
			e.Name, e.Kind, e.Short, e.Command())
		return false
	}
	fmt.Println("Read from", file)
	return true
}

// committed is Kept for the checkout whose folder notebooks/ holds the notebook. It returns the name of the file, ""
// where there is none.
func committed(e report.Entry, v any) (file string, err error) {
	file, text, err := e.Read("..")
	if err != nil || file == "" {
		return "", err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return "", fmt.Errorf("%s cannot be read (%w); make it again", file, err)
	}
	return file, nil
}

// Shown is [Kept] for a committed figure, which it draws, too.
func Shown(e report.Entry, data draw.Drawing) bool {
	if !Kept(e, data) {
		return false
	}
	Check(Show(data))
	return true
}

// Picture shows the committed picture of a figure: at the paper's scale, or else the quick one. Where there is none it
// shows nothing, as [Kept] says.
func Picture(e report.Entry) {
	file, _, err := e.Read("..")
	Check(err)
	if file == "" {
		return
	}
	showPNG(Must(os.ReadFile("../" + strings.TrimSuffix(file, "json") + "png")))
}

// Energies shows the exact energy of each mode, and below it the learned one of each method, with so many digits: mean
// ± standard deviation over the runs that did not diverge.
func Energies(n *pde.Numbers, digits int) { Table(Numbered("mode", len(n.Exact)), energies(n, digits)) }

func energies(n *pde.Numbers, digits int) [][]string {
	rows := [][]string{Cells("exact energy", fmt.Sprintf("%%.%df", digits), n.Exact...)}
	for _, r := range n.Results {
		rows = append(rows, append([]string{pde.MethodName(r.Config.Method)}, pde.Energies(r, digits)...))
	}
	return rows
}

// Variants shows rows of the table of what else was tried on Schrödinger equations, in the order given: error of the
// energies, subspace distance, and of how many runs the loss was no longer finite. The first header says what is
// changed. A row that the table does not have ends the cell.
func Variants(d *pde.VariantsData, changed string, abouts ...string) {
	Table([]string{changed, "relative error of the energies", "subspace distance", "no longer finite"},
		Must(variants(d, abouts)))
}

func variants(d *pde.VariantsData, abouts []string) (rows [][]string, err error) {
	for _, about := range abouts {
		r, err := d.Row(about)
		if err != nil {
			return nil, err
		}
		rows = append(rows, append([]string{about}, r.Cells(3)...))
	}
	return rows, nil
}

// Losses shows the loss of the first run of such rows after so many steps, and returns it: a list for each row. A row
// that the table does not have, or a step at which its loss was not kept, ends the cell.
func Losses(d *pde.VariantsData, changed string, steps []int, abouts ...string) [][]float64 {
	losses := Must(lossesAt(d, steps, abouts))
	header := []string{changed}
	for _, step := range steps {
		header = append(header, fmt.Sprintf("loss after %d steps", step))
	}
	var rows [][]string
	for i, about := range abouts {
		rows = append(rows, Cells(about, "%.3g", losses[i]...))
	}
	Table(header, rows)
	return losses
}

func lossesAt(d *pde.VariantsData, steps []int, abouts []string) (losses [][]float64, err error) {
	for _, about := range abouts {
		r, err := d.Row(about)
		if err != nil {
			return nil, err
		}
		kept := map[int]float64{}
		for _, p := range r.Result.History {
			if len(p.Loss) > 0 {
				kept[p.Step] = p.Loss[0]
			}
		}
		var row []float64
		for _, step := range steps {
			loss, ok := kept[step]
			if !ok {
				return nil, fmt.Errorf("%s: the loss after step %d was not kept", about, step)
			}
			row = append(row, loss)
		}
		losses = append(losses, row)
	}
	return losses, nil
}

// Times requires that the error of the energies of one row is from least to most times that of another. A row that the
// table does not have ends the cell. See [Require].
func Times(d *pde.VariantsData, about, of string, least, most float64) {
	factor := report.OrNaN(Must(d.Row(about)).Error) / report.OrNaN(Must(d.Row(of)).Error)
	Require(least <= factor && factor <= most, "%s: %.2g times the error of %s", about, factor, of)
}
