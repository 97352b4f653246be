// Package page writes what readers see of the committed figures, tables and ledger of a checkout: the report, which is
// one HTML file that needs neither a server nor a network, figures/README.md, and a part of README.md.
package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/say"
)

//go:embed page.html
var text string

var layout = template.Must(template.New("report").Funcs(template.FuncMap{
	"class": func(v claims.Verdict) string { return strings.Fields(strings.ReplaceAll(string(v), ",", ""))[0] },
	"day":   func(t time.Time) string { return t.Format(time.DateOnly) },
}).Parse(text))

// Options say what the report is of.
type Options struct {
	Root      string // the checkout
	Commit    string // that it is of
	Headlines []report.Headline
	Entries   []report.Entry
}

// content is what the layout shows.
type content struct {
	reproduced
	Commit    string
	Sections  []section
	Corrected []ledger.Row // claims that hold with a correction, or not as printed
	Misprints []claims.Misprint
}

// section is a figure or a table.
type section struct {
	Entry       report.Entry
	File        string // its JSON
	Scale       lab.Profile
	Note        string
	Picture     template.URL // of a figure
	Table       [][]string   // of a table: a header and rows
	Experiments []experiment
	Claims      []ledger.Row // that rest on it
	Origin      report.Origin
}

// Write writes the report. The error names what is missing in the checkout or cannot be read.
func Write(out io.Writer, o Options) error {
	r, err := readReproduced(o.Root, o.Headlines)
	if err != nil {
		return err
	}
	c := content{reproduced: r, Commit: o.Commit, Misprints: claims.Misprints()}
	for _, r := range c.Claims {
		if r.Correction+r.Instead != "" {
			c.Corrected = append(c.Corrected, r)
		}
	}
	for _, e := range o.Entries {
		s, err := c.section(o.Root, e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		if s.File != "" {
			c.Sections = append(c.Sections, s)
		}
	}
	return layout.Execute(out, c)
}

// section reads what there is of an entry, at the paper's scale if possible; its File is "" where there is nothing.
func (c content) section(root string, e report.Entry) (s section, err error) {
	file, raw, err := e.Read(root)
	if err != nil || file == "" {
		return s, err
	}
	head, err := report.Decode[report.FigureHead](raw)
	if err != nil {
		return s, err
	}
	s = section{Entry: e, File: file, Scale: report.ProfileOf(file), Note: head.Note, Origin: head.Provenance}
	base := filepath.Join(root, strings.TrimSuffix(file, ".json"))
	if e.Kind == report.Figure {
		s.Picture, err = picture(base + ".png")
	} else {
		s.Table, err = cells(base + ".csv")
	}
	for _, x := range c.Experiments {
		if x.File == file {
			s.Experiments = append(s.Experiments, x)
		}
	}
	s.Claims = ledger.On(c.Claims, file)
	return s, err
}

// numbered are the names of what the paper numbers.
var numbered = regexp.MustCompile(`^(fig|tab)(\d)_`)

// Title names the section as the paper does, and otherwise by its files.
func (s section) Title() string {
	if m := numbered.FindStringSubmatch(s.Entry.Name); m != nil {
		return map[string]string{"fig": "Figure ", "tab": "Table "}[m[1]] + m[2]
	}
	return s.Entry.Name
}

// Hours is the time of the trainings of a section.
func (s section) Hours() string {
	if len(s.Origin.Trained) == 0 {
		return "nothing is trained"
	}
	return say.Left(s.Origin.Seconds()) + " of training"
}

// picture is a PNG file as part of the page.
func picture(path string) (template.URL, error) {
	data, err := os.ReadFile(path)
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data)), err
}

// cells reads a table.
func cells(path string) ([][]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return csv.NewReader(bytes.NewReader(text)).ReadAll()
}
