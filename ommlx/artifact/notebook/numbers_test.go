package notebook

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

var (
	// ignored matches the parts of Markdown in which numbers are not results: code, mathematics, addresses, references,
	// dates and versions.
	ignored = regexp.MustCompile("(?s)```.*?```|`[^`]*`" + `|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|https?://\S+` +
		`|(?i:\b(?:claims?|lines?|l\.|eqs?\.|equations?|sections?|arxiv:?)|§)[\s(]*\d+(?:,\d{3})*[\d.]*` +
		`|\b\d{4}-\d\d-\d\d\b|\b(?:19|20)\d\d\b`)

	// numeral matches a number without its sign; (?:e|·10) introduces an exponent.
	numeral = regexp.MustCompile(`(?i)(\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)` +
		`(?:(?:e| ?[·×] ?10\^?)(-?\d+))?( ?%)?`)

	within = regexp.MustCompile(`[\pL_][-.]?$|\d[.,]$`) // before a number: the number is part of something else

	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`) // a string in JSON

	citation = regexp.MustCompile(`claims\.md#claim-(\d+)`)

	superscripts = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
		"⁸", "8", "⁹", "9", "⁻", "-", "−", "-", "\u00a0", " ", "\u202f", " ")
)

// written is a number in a text: its value without sign, half a unit of its last digit, and whether it is in per cent.
type written struct {
	cell        int // position in the notebook, from 0
	text        string
	value, half float64
	digits      int // significant; zeros at the end of an integer do not count
	percent     bool
}

// numerals returns the numbers in a text, without digits in names such as GridRoom-4 or float32.
func numerals(text string) (all []written) {
	text = superscripts.Replace(text)
	for _, at := range numeral.FindAllStringSubmatchIndex(text, -1) {
		if within.MatchString(text[max(0, at[0]-6):at[0]]) {
			continue
		}
		digits, exponent := strings.NewReplacer(",", "", "_", "").Replace(text[at[2]:at[3]]), 0
		if at[4] >= 0 {
			exponent, _ = strconv.Atoi(text[at[4]:at[5]])
		}
		whole, decimals, fraction := strings.Cut(digits, ".")
		unit, significant := -len(decimals), strings.TrimLeft(whole+decimals, "0")
		if !fraction {
			significant = strings.TrimRight(significant, "0")
			unit = len(strings.TrimLeft(whole, "0")) - len(significant)
		}
		value, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			continue
		}
		all = append(all, written{0, strings.TrimSpace(text[at[0]:at[1]]), value * math.Pow10(exponent),
			math.Pow10(unit+exponent) / 2, len(significant), at[6] >= 0})
	}
	return all
}

// values returns the values of the numbers in a text.
func values(text string) (all []float64) {
	for _, n := range numerals(text) {
		all = append(all, n.value)
	}
	return all
}

// roundsTo reports whether a source number is the number in the prose, up to rounding. A source may be a share of 1
// where the prose has percent.
func (w written) roundsTo(source float64) bool {
	near := func(x float64) bool { return math.Abs(x-w.value) <= w.half*(1+1e-6) }
	return near(source) || w.percent && near(100*source)
}

// typed returns the numbers of three or more significant digits in the prose that no source has, with their cells.
func typed(cells []cell, sources []float64) (missing []written) {
	for i, c := range cells {
		if c.Type != "markdown" {
			continue
		}
		for _, n := range numerals(ignored.ReplaceAllString(c.source(), " ")) {
			if n.digits >= 3 && !slices.ContainsFunc(sources, n.roundsTo) {
				n.cell = i
				missing = append(missing, n)
			}
		}
	}
	return missing
}

// record is where a notebook can take numbers from besides its own cells: tables, notes of figures, claims, the paper.
type record struct {
	files      map[string][]float64 // by name without extension; tables of all profiles, strings of figures
	claims     map[string][]float64 // by number
	quotations []float64
}

func readRecord(t *testing.T, root string) (r record) {
	r = record{files: map[string][]float64{}, claims: map[string][]float64{}}
	for _, pattern := range []string{"tables/*.csv", "tables/quick/*.csv", "figures/*.json", "figures/quick/*.json"} {
		for _, file := range testkit.Must(filepath.Glob(filepath.Join(root, pattern))) {
			text := string(testkit.Must(os.ReadFile(file)))
			if filepath.Ext(file) == ".json" {
				isName := func(s string) bool { return !strings.Contains(s, " ") }
				text = strings.Join(slices.DeleteFunc(quoted.FindAllString(text, -1), isName), " ")
			} else {
				text = strings.ReplaceAll(text, ",", " , ")
			}
			name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			r.files[name] = append(r.files[name], values(text)...)
		}
	}
	for _, row := range judged(t, root) {
		r.quotations = append(r.quotations, values(row.Quotation)...)
		r.claims[strconv.Itoa(row.Number)] = values(string(testkit.Must(json.Marshal(row))))
	}
	return r
}

// judgement is a row of the ledger of claims.
type judgement struct {
	Number           int
	Quotation, Plain string
	Evidence         any
	Correction, Here string
	Verdict          string
}

func judged(t *testing.T, root string) []judgement {
	var ledger struct{ Rows []judgement }
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join(root, "tables", "claims.json"))), &ledger))
	return ledger.Rows
}

// sources returns the numbers that the text of a notebook can rely on: in its outputs and code, in the tables and
// figures that it names, in the claims that it links, and in the paper.
func (r record) sources(cells []cell, outputs string) []float64 {
	all := slices.Concat(values(outputs), r.quotations)
	text := outputs
	for _, c := range cells {
		source := c.source()
		text += source
		if c.Type == "code" {
			all = append(all, values(source)...)
		}
	}
	for name, numbers := range r.files {
		if strings.Contains(text, name) {
			all = append(all, numbers...)
		}
	}
	for _, cited := range citation.FindAllStringSubmatch(text, -1) {
		all = append(all, r.claims[cited[1]]...)
	}
	return all
}

// constants are numbers of mathematics or a protocol that a notebook mentions without computing them, with the reason.
var constants = map[string]string{
	"08_graph.ipynb 2,449,029": "nodes of ogbn-products, which the paper's Table 3 is about",
}

// Each number of three or more digits in the text of a notebook is in one of its sources, so that the text cannot
// contradict them.
func TestNumbersInTextHaveSources(t *testing.T) {
	all, folder := notebooks(t, "tables", "figures")
	r := readRecord(t, filepath.Dir(folder))
	exempt := slices.Collect(maps.Keys(constants))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sources := r.sources(all[name], printed(all[name]))
		for _, number := range typed(all[name], sources) {
			key := name + " " + number.text
			if constants[key] == "" {
				assert.Fail(t, key, "cell %d: no output, code, named table or linked claim has this", number.cell)
			}
			exempt = slices.DeleteFunc(exempt, func(e string) bool { return e == key })
		}
	}
	assert.Empty(t, exempt, "these constants need no exemption")
}

func TestTypedFindsNumbersWithoutSources(t *testing.T) {
	text := func(lines ...string) cell { return cell{Type: "markdown", Source: lines} }
	cells := []cell{
		{Type: "code", Source: []string{"const steps = 4_096\n"}},
		text("In 4,096 steps the error falls from 0.843 to −0.0512, by 84.3 %, to 1.25·10⁻³ or 5.12e-2. "),
		text("Claim 123, line 1,345, Eq. (117), §3.123, arXiv:2510.21952, 2017, 2024-09-14, GridRoom-164, float32. "),
		text("`0.777` and $0.777$ and [0.125](https://example.org/0.777), 2.3 %, 1,000, 0.05\n", "$$ 0.777 $$\n"),
	}
	r := record{files: map[string][]float64{"tab9_made_up": {0.7771}}, claims: map[string][]float64{"7": {0.66612}}}
	outputs := "| 0.8429 | 5.1234e-02 | 0.00125 | 0.125 |"
	assert.Empty(t, typed(cells, r.sources(cells, outputs)))

	cells = append(cells, text("The seed 4,097 has 0.842, 0.777 and 0.666. "))
	found := func() (numbers []string) {
		for _, n := range typed(cells, r.sources(cells, outputs)) {
			numbers = append(numbers, n.text)
		}
		return numbers
	}
	assert.Equal(t, []string{"4,097", "0.842", "0.777", "0.666"}, found())
	cells = append(cells, text("See `tab9_made_up` and [claim 7](../tables/claims.md#claim-7)."))
	assert.Equal(t, []string{"4,097", "0.842"}, found())
	outputs = "1.25e-3 and 0.125"
	assert.Equal(t, []string{"0.843", "0.0512", "84.3 %", "5.12e-2", "4,097", "0.842"}, found())
}

// The notebook of corrections has one numbered table, whose rows are "wrong" if and only if the claim is wrong as
// printed. Its title counts them.
func TestErrataAreComplete(t *testing.T) {
	all, folder := notebooks(t, "tables")
	const title = "# Errata: eighteen printed statements"
	assert.Contains(t, all["10_errata.ipynb"][0].source(), title)
	row := regexp.MustCompile(`(?m)^\| (\d+) \|.*\| (wrong|condition): .*claims\.md#claim-(\d+)\) \|.*$`)
	corrected := map[string]string{}
	for _, c := range all["10_errata.ipynb"] {
		for _, found := range row.FindAllStringSubmatch(c.source(), -1) {
			corrected[found[3]] = found[2]
			assert.Equal(t, strconv.Itoa(len(corrected)), found[1], "the rows are numbered")
		}
	}
	assert.Len(t, corrected, 18)
	wrong := map[string]bool{}
	for _, row := range judged(t, filepath.Dir(folder)) {
		if row.Verdict == "wrong as printed" {
			wrong[strconv.Itoa(row.Number)] = true
		}
	}
	for number, word := range corrected {
		assert.Equal(t, wrong[number], word == "wrong", "claim %s", number)
		delete(wrong, number)
	}
	assert.Empty(t, wrong, "claims without a correction")
}
