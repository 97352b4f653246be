package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

const note = "Written by `make check` from tests and results. Each measurement is compared with its bound; the " +
	"verdict follows from the comparison and from whether the claim has a caveat, a condition or a correction, which " +
	"are written by hand. Lines (l.) are those of the paper's LaTeX source, equation numbers those of its PDF."

// index has a row per verdict: number, place, claim, verdict, remark.
func index(rows []Row) report.Text {
	t := report.Text{Title: "The paper's claims and their verdicts", Note: note,
		Header: []string{"No.", "Place", "Claim", "Verdict", "Caveat or correction"},
		Widths: []float64{0.04, 0.12, 0.36, 0.12, 0.3}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []string{strconv.Itoa(r.Number), r.Place, r.Statement, r.Words(), r.Remark()})
	}
	return t
}

// page returns tables/claims.md: the verdicts, an index with four columns, and a section per claim.
func page(rows []Row) string {
	var out strings.Builder
	out.WriteString("# The paper's claims and their verdicts\n\n")
	for _, d := range Definitions() {
		fmt.Fprintf(&out, "- **%s**: %s.\n", d[0], d[1])
	}
	out.WriteString("\nWhere the paper's text and its authors' code differ, a claim has two verdicts.\n\n" +
		"| No. | Claim | Verdict | Caveat or correction |\n|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| [%d](#%s) | %s | %s | %s |\n", r.Number, r.Anchor(), report.Markdown(r.Statement),
			report.Markdown(r.Words()), report.Markdown(first(r.Remark())))
	}
	out.WriteString("\n" + note + "\n\n## Details\n")
	for i, r := range rows {
		if i == 0 || rows[i-1].ID != r.ID {
			fmt.Fprintf(&out, "\n<a id=\"%s\"></a>\n\n### Claim %d\n\n%s\n\n", r.Anchor(), r.Number,
				report.Markdown(r.Statement))
			fmt.Fprintf(&out, "> %s\n>\n> %s, l. %d\n\n", report.Markdown(Plain(r.Quotation)), r.Place, r.Line)
			if r.Check != "" {
				fmt.Fprintf(&out, "Check (%s): %s.\n\n", r.Kind, report.Markdown(r.Check))
			}
		}
		fmt.Fprintf(&out, "**%s.** %s\n\n", strings.ToUpper(r.Words()[:1])+r.Words()[1:], report.Markdown(r.Remark()))
		if measured := r.Measured(); measured != "" {
			fmt.Fprintf(&out, "Measured: %s.\n\n", report.Markdown(measured))
		}
		command := func(e Evidence) string { return run.If(e.Command != "", "`%s`", e.Command) }
		origin := func(e Evidence) string { return e.Results }
		if commands := distinct(r.Evidence, command); commands != nil {
			fmt.Fprintf(&out, "Repeat it (%s): %s\n\n", seconds(r.Evidence), strings.Join(commands, ", "))
		}
		if origins := distinct(r.Evidence, origin); origins != nil {
			fmt.Fprintf(&out, "Results: %s.\n\n", strings.Join(origins, "; "))
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// first returns the first sentence of a text.
func first(text string) string {
	if sentence, _, more := strings.Cut(text, ". "); more {
		return sentence + "."
	}
	return text
}

func misprints() report.Text {
	t := report.Text{Title: "Misprints that change no result", Header: []string{"Place", "Printed", "Meant"},
		Note:   "Lines (l.) are those of the paper's LaTeX source.",
		Widths: []float64{0.2, 0.45, 0.35}}
	for _, m := range Misprints() {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%s, l. %d", m.Place, m.Line), Plain(m.Quotation), m.Meant})
	}
	return t
}

// Anchor is the anchor of the claim in tables/claims.md.
func (r Row) Anchor() string { return fmt.Sprintf("claim-%d", r.Number) }

// Words returns the verdict with its protocol and runs, for example "as printed: not reproduced (4 runs of 4)".
func (r Row) Words() string {
	runs := distinct(r.Evidence, func(e Evidence) string { return e.Runs })
	return run.If(r.Protocol != "", "%s: ", r.Protocol) + string(r.Verdict) +
		run.If(runs != nil, " (%s)", strings.Join(runs, "; "))
}

// Remark joins the caveat, condition or correction, the reason for no check, and what this library does.
func (r Row) Remark() string {
	var parts []string
	for _, p := range [][2]string{{"", r.Caveat}, {"", r.Condition}, {"", r.Correction},
		{"", r.NotTested}, {"Here: ", r.Here}} {
		if p[1] != "" {
			parts = append(parts, p[0]+strings.TrimSuffix(p[1], ".")+".")
		}
	}
	return strings.Join(parts, " ")
}

// Measured lists the measurements, or the reason for none.
func (r Row) Measured() string {
	var parts []string
	for _, e := range r.Evidence {
		switch e.Outcome {
		case Skipped:
			return e.Reason
		case Refused:
			parts = append(parts, "refused: "+e.Reason)
		case Small:
			parts = append(parts, "at a smaller scale")
		}
		for _, m := range e.Measured {
			relation, as := "≤", ""
			if !m.Within() {
				relation = ">"
			}
			if m.Printed && r.Correction+r.Condition != "" {
				as = "as printed, "
			}
			parts = append(parts, fmt.Sprintf("%s%s: %s %s %s", as, m.What, short(m.Value), relation,
				short(m.Tolerance))+run.If(m.Open, " (%s)", Undecided))
		}
		parts = append(parts, e.Notes...)
	}
	return strings.Join(parts, "; ")
}

// short formats a number with three digits, or one digit and an exponent.
func short(x float64) string {
	if x == 0 || math.Abs(x) >= 0.01 && math.Abs(x) < 1e4 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'e', 0, 64)
}

// distinct returns the different texts of evidence, without "".
func distinct(evidence []Evidence, of func(Evidence) string) (all []string) {
	for _, e := range evidence {
		if text := of(e); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// seconds formats the total time of the checks. Times below a second vary too much between runs to be printed.
func seconds(evidence []Evidence) string {
	sum := 0.0
	for _, e := range evidence {
		sum += e.Seconds
	}
	switch d := time.Duration(sum * float64(time.Second)); {
	case len(evidence) == 0:
		return ""
	case d < time.Second:
		return "< 1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	default:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
}
