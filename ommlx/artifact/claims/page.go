package claims

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
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

//go:embed page.html
var html string

var layout = template.Must(template.New("report").Funcs(template.FuncMap{
	"class":     func(v Verdict) string { return strings.ReplaceAll(string(v), " ", "-") },
	"plain":     Plain,
	"day":       func(t time.Time) string { return t.Format(time.DateOnly) },
	"misprints": Misprints,
	"prior":     func(i int) int { return i - 1 },
}).Parse(html))

// content is the content of README.md and of the report: the committed ledger, the numbers of the headlines, and for
// the report each figure and table.
type content struct {
	Claims      []Row
	Verdicts    [][]string // see countVerdicts
	Experiments []experiment

	Commit    string
	Sections  []section
	Corrected []Row // claims that need a condition or a correction
}

// readContent reads the committed ledger of a checkout and the numbers of each headline. Missing or unreadable files
// are errors.
func readContent(root string, headlines []Headline) (c content, err error) {
	if c.Claims, err = Committed(root); err != nil {
		return c, err
	}
	c.Verdicts = countVerdicts(c.Claims)
	for _, h := range headlines {
		i := slices.IndexFunc(c.Claims, func(r Row) bool { return r.ID == h.Claim && r.Protocol == h.Protocol })
		if i < 0 {
			return c, fmt.Errorf("claims: tables/claims.json has no claim %q; run `make check`", h.Claim)
		}
		scale, text, err := h.Entry.Read(root)
		if err != nil {
			return c, err
		}
		if scale == "" {
			return c, fmt.Errorf("claims: %s is missing; restore it with git", h.Entry.Name)
		}
		file := h.Entry.File(scale)
		paper, ours, err := h.Numbers(text)
		if err != nil {
			return c, fmt.Errorf("claims: %s: %w; run `%s`", file, err, h.Entry.Command())
		}
		c.Experiments = append(c.Experiments, experiment{h, paper, ours, file, scale, c.Claims[i]})
	}
	return c, nil
}

type experiment struct {
	Headline
	Paper, Ours string // formatted numbers
	File        string // their JSON, such as figures/fig1_laplacian_rl.json
	Scale       run.Profile
	Row         Row // the claim with its verdict
}

type section struct {
	Entry       report.Entry
	File        string // its JSON
	Scale       run.Profile
	Note        string
	Picture     template.URL // for a figure
	Table       [][]string   // for a table: header and rows
	Experiments []experiment
	Claims      []Row // with evidence from it
	Origin      report.Origin
}

// Write writes the report on a checkout at a commit: one HTML file that needs no server and no network. Missing or
// unreadable files are errors.
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
			return fmt.Errorf("claims: %s: %w", e.Name, err)
		}
		if s.File != "" {
			c.Sections = append(c.Sections, s)
		}
	}
	return layout.Execute(out, c)
}

// section reads the files of an entry, at the paper's scale if possible. Its File is "" if there are none.
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

// Title is the paper's name for the entry, or else the name of its files.
func (s section) Title() string {
	if m := numbered.FindStringSubmatch(s.Entry.Name); m != nil {
		return map[string]string{"fig": "Figure ", "tab": "Table "}[m[1]] + m[2]
	}
	return s.Entry.Name
}

// Hours formats the training time of a section.
func (s section) Hours() string {
	if len(s.Origin.Trained) == 0 {
		return "nothing is trained"
	}
	return say.Left(s.Origin.Seconds()) + " of training"
}
