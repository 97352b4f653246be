// Package page writes what readers see of the committed figures, tables and ledger of a checkout: the report, which is
// one HTML file that needs neither a server nor a network, figures/README.md, and a part of README.md.
package claims

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

//go:embed page.html
var text string

var layout = template.Must(template.New("report").Funcs(template.FuncMap{
	"class":     func(v Verdict) string { return strings.ReplaceAll(string(v), " ", "-") },
	"plain":     Plain,
	"day":       func(t time.Time) string { return t.Format(time.DateOnly) },
	"misprints": Misprints,
	"prior":     func(i int) int { return i - 1 },
}).Parse(text))

// content is what a committed ledger says of headlines, and what the report shows beside it.
type content struct {
	Claims      []Row
	Verdicts    [][]string // as of countVerdicts
	Experiments []experiment

	Commit    string
	Sections  []section
	Corrected []Row // claims that need a condition or a correction
}

// readContent reads the ledger of a checkout, which must be there, and the numbers of each headline. The error names
// what is missing or cannot be read.
func readContent(root string, headlines []Headline) (c content, err error) {
	if c.Claims, err = Committed(root); err != nil {
		return c, err
	}
	if len(c.Claims) == 0 {
		return c, errors.New("the ledger is missing; make it with `make check`")
	}
	if c.Verdicts, err = countVerdicts(c.Claims); err != nil {
		return c, err
	}
	for _, h := range headlines {
		scale, text, err := h.Entry.Read(root)
		if err != nil {
			return c, err
		}
		if scale == "" {
			return c, fmt.Errorf("there is no %s here, which README.md shows; restore it with git", h.Entry.Name)
		}
		file := h.Entry.File(scale)
		paper, ours, err := h.Numbers(text)
		if err != nil {
			return c, fmt.Errorf("%s: %w; make it again with `%s`", file, err, h.Entry.Command())
		}
		i := slices.IndexFunc(c.Claims, func(r Row) bool {
			return r.ID == h.Claim && r.Protocol == h.Protocol
		})
		if i < 0 {
			return c, fmt.Errorf("the ledger has no claim %q, which README.md shows; make it again with `make check`",
				h.Claim)
		}
		c.Experiments = append(c.Experiments, experiment{h, paper, ours, file, scale, c.Claims[i]})
	}
	return c, nil
}

type experiment struct {
	Headline
	Paper, Ours string // their numbers
	File        string // the JSON that has them, as figures/fig1_laplacian_rl.json
	Scale       run.Profile
	Row         Row // the claim with its verdict
}

type section struct {
	Entry       report.Entry
	File        string // its JSON
	Scale       run.Profile
	Note        string
	Picture     template.URL // of a figure
	Table       [][]string   // of a table: a header and rows
	Experiments []experiment
	Claims      []Row // that rest on it
	Origin      report.Origin
}

// Write writes the report of a checkout, which is at a commit. The error names what is missing there or cannot be read.
func Write(out io.Writer, root, commit string, headlines []Headline, entries []report.Entry) error {
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	c.Commit = commit
	for _, r := range c.Claims {
		if r.Correction+r.Condition != "" {
			c.Corrected = append(c.Corrected, r)
		}
	}
	for _, e := range entries {
		s, err := c.section(root, e)
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
	scale, raw, err := e.Read(root)
	if err != nil || scale == "" {
		return s, err
	}
	file := e.File(scale)
	head, err := report.Decode[report.FigureHead](raw)
	if err != nil {
		return s, err
	}
	s = section{Entry: e, File: file, Scale: scale, Note: head.Note, Origin: head.Provenance,
		Claims: On(c.Claims, file)}
	s.Experiments = slices.DeleteFunc(slices.Clone(c.Experiments), func(x experiment) bool { return x.File != file })
	ending := map[report.Kind]string{report.Figure: ".png", report.Table: ".csv"}[e.Kind]
	shown, err := os.ReadFile(filepath.Join(root, strings.TrimSuffix(file, ".json")+ending))
	if err != nil {
		return s, err
	}
	if e.Kind == report.Figure {
		s.Picture = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(shown))
	} else {
		s.Table, err = csv.NewReader(bytes.NewReader(shown)).ReadAll()
	}
	return s, err
}

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
