package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"omm-go/ommlx/artifact/bench"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Kept fills v from the committed JSON of a figure or table, at the paper's scale if it exists, otherwise the quick
// one. It prints the file name and returns true, or prints the command that makes the file and returns false.
// An unreadable file ends the cell.
func Kept(e report.Exhibit, v any) bool {
	scale, text, err := e.Read("..")
	Check(err)
	if scale == "" {
		fmt.Printf("No %s yet: run `make %s ONLY=%s` for a quick one, or `%s` for the paper's scale.\n",
			e.Name, e.Kind, e.ShortName, e.CommandOf(run.Paper))
		return false
	}
	if err := json.Unmarshal(text, v); err != nil {
		Check(fmt.Errorf("%s: %w; make it again", e.File(scale), err))
	}
	fmt.Println("Read from", e.File(scale))
	return true
}

// Picture shows the committed picture of a figure, at the paper's scale if it exists, otherwise the quick one. If
// neither exists it shows nothing.
func Picture(e report.Exhibit) {
	scale, _, err := e.Read("..")
	Check(err)
	if scale != "" {
		showPNG(Must(os.ReadFile("../" + strings.TrimSuffix(e.File(scale), "json") + "png")))
	}
}

// field is the content of tables/field.json.
type field struct {
	Versions                    map[string]string
	Processor, Go, Commit, Date string
	Cores, Rounds               int
	Load                        []float64
	Problems                    []struct {
		What string
		Rows []struct {
			By, How                           string
			Sin2, Error, Training, Fit, Whole float64
			Lines                             int
		}
	}
}

// Field shows the committed comparison with other software, tables/field.json, with the machine and the versions.
func Field() {
	f := committed[field]("field")
	Table([]string{"problem", "by", "how", "error of functions", "of values", "alone, s", "whole, s", "lines"},
		f.rows())
	fmt.Printf("%s, %d cores, load %.0f before and %.0f after, medians of %d rounds; %s, commit %s, %s\n%v\n",
		f.Processor, f.Cores, f.Load[0], f.Load[1], f.Rounds, f.Go, f.Commit, f.Date, f.Versions)
}

// committed reads a JSON file of tables.
func committed[T any](name string) (v T) {
	Check(json.Unmarshal(Must(os.ReadFile(filepath.Join("..", "tables", name+".json"))), &v))
	return v
}

// rows has a row for each method; only the first of a problem names the problem.
func (f field) rows() (rows [][]string) {
	for _, p := range f.Problems {
		what := p.What
		for _, r := range p.Rows {
			alone := r.Fit
			if r.By == "ours" {
				alone = r.Training
			}
			rows = append(rows, []string{what, r.By, r.How, fmt.Sprintf("%.0e", r.Sin2), fmt.Sprintf("%.0e", r.Error),
				fmt.Sprintf("%.1f", alone), fmt.Sprintf("%.1f", r.Whole), fmt.Sprint(r.Lines)})
			what = ""
		}
	}
	return rows
}

// Lattices shows the committed comparison of lattices with trainings, tables/lattice.json.
func Lattices() {
	l := committed[bench.Lattices]("lattice")
	var rows [][]string
	for _, s := range l.Rows {
		by, extrapolated := fmt.Sprintf("lattice of %d points in each direction", s.Points), ""
		if s.Points == 0 {
			by = "training"
		}
		if s.Extrapolated > 0 {
			extrapolated = fmt.Sprintf("%.0e", s.Extrapolated)
		}
		rows = append(rows, []string{fmt.Sprint(s.Dim), by, fmt.Sprintf("%.0e", s.Error), extrapolated,
			fmt.Sprintf("%.3g", s.Seconds), fmt.Sprintf("%.2g", s.Memory)})
	}
	Table([]string{"D", "by", "error of energies", "extrapolated", "core-seconds", "GiB"}, rows)
	fmt.Printf("commit %s, %s, %d cores, %s\n", l.Commit, l.Finished.Format(time.DateOnly), l.Cores, l.Go)
}
