package notebook

import (
	"fmt"

	"operator-omm/ommlx/artifact/pde"
	"operator-omm/ommlx/artifact/report"
)

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
