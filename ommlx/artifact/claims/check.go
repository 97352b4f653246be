package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// Row is a verdict on a claim of the paper. A claim with [Claim.Protocols] has one row per protocol.
type Row struct {
	Claim
	Protocol Protocol   `json:"protocol,omitempty"`
	Evidence []Evidence `json:"evidence"`
	Verdict  Verdict    `json:"verdict"`
}

// ledger is the content of tables/claims.json.
type ledger struct {
	Table      string         `json:"table"`
	Note       string         `json:"note"`
	Provenance run.Provenance `json:"provenance"`
	Rows       []Row          `json:"rows"`
}

// Check regenerates tables/claims, the ledger of the paper's claims, and the list of misprints. It runs the tests that
// measure claims, reads figures and tables, judges every claim and prints a summary.
//
// If a test fails, a verdict changes in either direction, or evidence is lost (a test, a result or a measurement is
// gone, or a tolerance is wider), Check keeps the committed files, writes the new ones to .omm/check and returns an
// error that lists the claims. With accept it lists changed verdicts and lost evidence without an error.
func Check(ctx context.Context, l *run.Lab, sources []Source, accept bool) error {
	start := time.Now()
	tests, err := runTests(ctx, l)
	if err != nil {
		return err
	}
	rows, err := judge(l.Root, tests.evidence, sources)
	if err != nil {
		return err
	}
	before, err := Committed(l.Root)
	if err != nil {
		return err
	}
	l.Say("%s", summary(rows, time.Since(start)))
	changed := compare(before, rows)
	if accept {
		for _, line := range changed {
			l.Say("  accepted: %s", line)
		}
		changed = nil
	}
	here, err := l.Here()
	if err != nil {
		return err
	}
	here.Seconds = time.Since(start).Seconds()
	if run.Uncommitted(here.Commit) {
		changed = append(changed, fmt.Sprintf("omm was built from commit %s: commit the files of ommlx and build again",
			here.Commit))
	}
	dir := filepath.Join(l.Root, "tables")
	if len(tests.failed)+len(changed) > 0 {
		dir = filepath.Join(l.Root, ".omm", "check", "tables")
	}
	if err := errors.Join(
		report.WriteTableIn(dir, l, "claims", ledger{"claims", note, here, rows}, index(rows)),
		fsx.Write(filepath.Join(dir, "claims.md"), []byte(page(rows))),
		report.WriteTableIn(dir, l, "misprints", Misprints(), misprints()),
	); err != nil {
		return err
	}
	switch {
	case len(tests.failed) > 0:
		return fmt.Errorf("claims: tables/claims not rewritten: tests failed: %s", strings.Join(tests.failed, ", "))
	case len(changed) > 0:
		return fmt.Errorf("claims: tables/claims not rewritten: %s; `omm check --accept` accepts this",
			strings.Join(changed, "; "))
	}
	return nil
}

// judge adds figures and tables to the records of tests and judges every claim, in the order of the paper.
func judge(root string, byClaim map[string][]Evidence, sources []Source) ([]Row, error) {
	for _, s := range sources {
		e, err := s.evidence(root)
		if err != nil {
			return nil, err
		}
		byClaim[s.Claim] = append(byClaim[s.Claim], e)
	}
	var rows []Row
	for _, c := range All() {
		protocols := c.Protocols
		if protocols == nil {
			protocols = []Protocol{""}
		}
		for _, p := range protocols {
			own := slices.DeleteFunc(slices.Clone(byClaim[c.ID]), func(e Evidence) bool {
				return p != "" && e.Protocol != "" && e.Protocol != p
			})
			rows = append(rows, Row{c, p, own, c.Judge(own)})
		}
		delete(byClaim, c.ID)
	}
	for id := range byClaim {
		return nil, fmt.Errorf("claims: evidence for %q, which is not in claims.json", id)
	}
	return rows, nil
}

// Committed reads the ledger of a checkout; no rows if there is none.
func Committed(root string) ([]Row, error) {
	path := filepath.Join(root, "tables", "claims.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var l ledger
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		return nil, fmt.Errorf("claims: %s: %w; restore it with git", path, err)
	}
	return l.Rows, nil
}

// compare lists the claims whose verdict changed or whose evidence shrank.
func compare(before, now []Row) (changed []string) {
	for _, old := range before {
		i := slices.IndexFunc(now, func(r Row) bool { return r.ID == old.ID && r.Protocol == old.Protocol })
		switch {
		case i < 0:
			changed = append(changed, fmt.Sprintf("claim %s: gone, was %s", old.name(), old.Verdict))
		case now[i].Verdict != old.Verdict:
			changed = append(changed, fmt.Sprintf("claim %s: %s, was %s", old.name(), now[i].Verdict, old.Verdict)+
				run.If(now[i].skipped() != "", " (%s)", now[i].skipped()))
		default:
			changed = append(changed, now[i].lost(old)...)
		}
	}
	return changed
}

// lost lists evidence that an old row has and the new one lacks: tests, results, measurements and narrower tolerances.
func (r Row) lost(old Row) (lost []string) {
	add := func(format string, args ...any) {
		lost = append(lost, fmt.Sprintf("claim %s: ", r.name())+fmt.Sprintf(format, args...))
	}
	for _, e := range old.Evidence {
		i := slices.IndexFunc(r.Evidence, func(n Evidence) bool {
			return n.Source == e.Source && n.Protocol == e.Protocol
		})
		if i < 0 {
			add("no evidence from %s", e.Source)
			continue
		}
		for _, m := range e.Measured {
			at := slices.IndexFunc(r.Evidence[i].Measured, func(n Measurement) bool {
				return n.What == m.What && n.Printed == m.Printed
			})
			if at < 0 {
				add("%s no longer measures %q", e.Source, m.What)
			} else if now := r.Evidence[i].Measured[at]; now.Tolerance > m.Tolerance {
				add("tolerance of %q is %s, was %s", m.What, short(now.Tolerance), short(m.Tolerance))
			}
		}
	}
	return lost
}

// name returns the number, ID and protocol of a row.
func (r Row) name() string {
	return fmt.Sprintf("%d (%s)", r.Number, r.ID) + run.If(r.Protocol != "", " %s", r.Protocol)
}

// skipped returns the reason why evidence is missing, or "".
func (r Row) skipped() string {
	for _, e := range r.Evidence {
		if e.Outcome == Skipped {
			return e.Reason
		}
	}
	return ""
}

// On returns the rows with evidence from a file.
func On(rows []Row, file string) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		return !slices.ContainsFunc(r.Evidence, func(e Evidence) bool { return e.Source == file })
	})
}

// count counts the rows by verdict.
func count(rows []Row) map[Verdict]int {
	n := map[Verdict]int{}
	for _, r := range rows {
		n[r.Verdict]++
	}
	return n
}

func summary(rows []Row, elapsed time.Duration) string {
	n := count(rows)
	out := fmt.Sprintf("%d verdicts in %s:", len(rows), elapsed.Round(time.Second))
	for _, v := range Verdicts() {
		out += run.If(n[v] > 0, "\n  %3d  %s", n[v], v)
	}
	return out
}
