package claims

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	html "html/template"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

//go:embed templates
var files embed.FS

var functions = template.FuncMap{
	"all":         All,
	"base":        func(file string) string { return strings.TrimSuffix(file, ".json") },
	"class":       func(v Verdict) string { return strings.ReplaceAll(string(v), " ", "-") },
	"count":       count,
	"day":         func(t time.Time) string { return t.Format(time.DateOnly) },
	"first":       report.Stamp,
	"join":        strings.Join,
	"md":          report.Markdown,
	"misprints":   Misprints,
	"number":      number,
	"ruleChanged": func() string { return RuleChanged },
	"upper":       func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	"verdicts":    verdicts,
}

var (
	pages   = template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/*.tmpl"))
	webPage = html.Must(html.New("report.html").Funcs(functions).ParseFS(files, "templates/report.html"))
)

const note = "Written by `make check` from tests and results. Each measurement is compared with its bound. The " +
	"verdict follows from the comparison and from the caveat, condition or correction of the claim, which is written " +
	"by hand. Line numbers (l.) refer to the paper's LaTeX source, equation numbers to its PDF."

// number formats a number of a table, and NaN as a dash.
func number(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.3f", x)
}

// write writes the ledger and the misprints to a folder.
func write(dir string, l ledger) error {
	text, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(fsx.Write(filepath.Join(dir, "claims.json"), append(text, '\n')),
		writePage(filepath.Join(dir, "claims.md"), "claims.md", l),
		writePage(filepath.Join(dir, "misprints.md"), "misprints.md", nil))
}

// writePage writes the page that a template makes of the data.
func writePage(path, template string, data any) error {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, template+".tmpl", data); err != nil {
		return err
	}
	return fsx.Write(path, page.Bytes())
}

// content is the content of the pages and of the report.
type content struct {
	Findings    // for the pages
	Claims      []Row
	Experiments []experiment
	Figures     [][]section // for figures/README.md
	Tables      [][]section // for tables/README.md
	Commit      string      // for the report
	Sections    []section   // for the report
}

type experiment struct {
	Headline
	Paper, Ours string // formatted numbers
	File        string // their JSON, such as figures/fig1_laplacian_rl.json
	Scale       run.Profile
	Row         Row // the claim with its verdict
}

// readContent reads the committed ledger of a checkout and the numbers of each headline. Missing or unreadable files
// are errors.
func readContent(root string, headlines []Headline) (c content, err error) {
	if c.Claims, err = Committed(root); err != nil {
		return c, err
	}
	for _, h := range headlines {
		row, err := rowOf(c.Claims, h.Claim, h.Protocol)
		if err != nil {
			return c, err
		}
		scale, text, err := h.Exhibit.Read(root)
		if err != nil {
			return c, err
		}
		if scale == "" {
			return c, fmt.Errorf("claims: %s is missing; restore it with git", h.Exhibit.Name)
		}
		file := h.Exhibit.File(scale)
		paper, ours, err := h.Numbers(text)
		if err != nil {
			return c, fmt.Errorf("claims: %s: %w; run `%s`", file, err, h.Exhibit.CommandOf(run.Paper))
		}
		c.Experiments = append(c.Experiments, experiment{h, paper, ours, file, scale, row})
	}
	return c, nil
}

// rowOf returns the verdict on a claim under a protocol.
func rowOf(rows []Row, claim string, p Protocol) (Row, error) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.ID == claim && r.Protocol == p })
	if i < 0 {
		return Row{}, fmt.Errorf("claims: tables/claims.json has no claim %q; run `make check`", claim)
	}
	return rows[i], nil
}

// section shows a figure or a table at one scale.
type section struct {
	report.Head
	Exhibit     report.Exhibit
	Scale       run.Profile
	File        string // its JSON
	Shown       string // ending of the picture for a page: .gif of an animation, otherwise .png
	Claims      []Row  // with evidence from it
	Experiments []experiment
	Picture     html.URL   // for a figure
	Table       [][]string // for a table: header and rows
	Left        float64    // estimated seconds of training for the results that are not kept
}

// gallery returns a section for each scale of each exhibit with files in a checkout, the paper's scale first.
func gallery(root string, exhibits []report.Exhibit, rows []Row) (list [][]section, err error) {
	for _, e := range exhibits {
		var scales []section
		for _, p := range e.Profiles() {
			head, err := report.ReadUnder[report.Head](root, e, p)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, fmt.Errorf("claims: %w", err)
			}
			s := section{Head: head, Exhibit: e, Scale: p, File: e.File(p), Shown: ".png"}
			if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(s.File, ".json")+".gif")); err == nil {
				s.Shown = ".gif"
			}
			for _, r := range rows {
				if slices.ContainsFunc(r.Evidence, func(e Evidence) bool { return e.Source == s.File }) {
					s.Claims = append(s.Claims, r)
				}
			}
			scales = append(scales, s)
		}
		if scales != nil {
			list = append(list, scales)
		}
	}
	return list, nil
}

// Title is the paper's name for the exhibit, or else the name of its files.
func (s section) Title() string {
	if number, is := strings.CutPrefix(s.Exhibit.ShortName, "fig"); is {
		return "Figure " + number
	}
	if number, is := strings.CutPrefix(s.Exhibit.ShortName, "tab"); is {
		return "Table " + number
	}
	return s.Exhibit.Name
}

// Takes says in words what the command of the section trains.
func (s section) Takes() string {
	switch took := say.Left(s.Provenance.Seconds()); {
	case len(s.Provenance.Trained) == 0:
		return "nothing is trained"
	case s.Left == 0:
		return "seconds: it draws kept results, which took " + took + " of training"
	default:
		return fmt.Sprintf("%s of training on two cores; these results took %s on the devices below", say.Left(s.Left),
			took)
	}
}

// Write writes the report on a checkout at a commit: one HTML file that needs no server and no network. It shows each
// exhibit at the paper's scale, or else the quick one. Missing or unreadable files are errors.
func Write(out io.Writer, root, commit string, headlines []Headline, exhibits []report.Exhibit) error {
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	c.Commit = commit
	l := &run.Lab{Root: root}
	all, err := gallery(root, exhibits, c.Claims)
	if err != nil {
		return err
	}
	for _, scales := range all {
		s, e := scales[0], scales[0].Exhibit
		open, err := l.Open(report.Planned(s.Scale, e))
		if err != nil {
			return err
		}
		s.Left = run.Seconds(open)
		s.Experiments = slices.DeleteFunc(slices.Clone(c.Experiments),
			func(x experiment) bool { return x.File != s.File })
		ending := map[report.Kind]string{report.Figure: ".png", report.Table: ".csv"}[e.Kind]
		shown, err := os.ReadFile(filepath.Join(root, strings.TrimSuffix(s.File, ".json")+ending))
		if err != nil {
			return err
		}
		if e.Kind == report.Figure {
			s.Picture = html.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(shown))
		} else if s.Table, err = csv.NewReader(bytes.NewReader(shown)).ReadAll(); err != nil {
			return fmt.Errorf("claims: %s: %w", e.Name, err)
		}
		c.Sections = append(c.Sections, s)
	}
	return webPage.Execute(out, c)
}
