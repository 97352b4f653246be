package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/run"
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

// Check regenerates tables/claims, the ledger of the paper's claims, and tables/misprints. It runs the tests that
// measure claims, reads figures and tables, judges every claim and prints a summary.
//
// If a test fails, the program has uncommitted changes, a verdict changes in either direction, or evidence is lost (a
// test, a result or a measurement is gone, or a tolerance is wider), Check keeps the committed files, writes the new
// ones to .omm/check and returns an error that lists the faults. With accept it lists changed verdicts and lost
// evidence without an error.
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
	here, err := l.Here()
	if err != nil {
		return err
	}
	here.Seconds = time.Since(start).Seconds()
	var faults []string
	if len(tests.failed) > 0 {
		faults = append(faults, "tests failed: "+strings.Join(tests.failed, ", "))
	}
	if run.Uncommitted(here.Commit) {
		faults = append(faults, fmt.Sprintf("omm was built from commit %s: commit the files of ommlx and build again",
			here.Commit))
	}
	if changed := compare(before, rows); accept {
		for _, line := range changed {
			l.Say("  accepted: %s", line)
		}
	} else if changed != nil {
		faults = append(faults, strings.Join(changed, "; ")+"; `omm check --accept` accepts this")
	}
	dir := filepath.Join(l.Root, "tables")
	if faults != nil {
		dir = filepath.Join(l.Root, ".omm", "check", "tables")
	}
	if err := write(dir, ledger{"claims", note, here, rows}); err != nil {
		return err
	}
	l.Say("wrote %s", filepath.Join(dir, "claims.{json,md}"))
	if faults != nil {
		return fmt.Errorf("claims: tables/claims not rewritten: %s", strings.Join(faults, "; "))
	}
	return nil
}

// judge adds readings, figures and tables to the records of tests and judges every claim, in the order of the paper.
func judge(root string, byClaim map[string][]Evidence, sources []Source) ([]Row, error) {
	for _, c := range All() {
		for _, r := range c.Checked {
			byClaim[c.ID] = append(byClaim[c.ID], r.evidence(c.ID))
		}
	}
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
			rows = append(rows, Row{c, p, own, c.under(p).Decide(own)})
		}
	}
	return rows, nil
}

// Committed reads the ledger of a checkout. Without a ledger it returns no rows.
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

// compare lists the claims whose verdict changed or whose evidence shrank: a test, a result or a measurement is gone,
// or a tolerance is wider.
func compare(before, now []Row) (changed []string) {
	for _, old := range before {
		i := slices.IndexFunc(now, func(r Row) bool { return r.name() == old.name() })
		if i < 0 {
			changed = append(changed, fmt.Sprintf("%s: gone, was %s", old.name(), old.Verdict))
			continue
		}
		r := now[i]
		if r.Verdict != old.Verdict {
			line := fmt.Sprintf("%s: %s, was %s", r.name(), r.Verdict, old.Verdict)
			if reasons := distinct(r.Evidence, func(e Evidence) string { return e.Reason }); reasons != nil {
				line += " (" + strings.Join(reasons, "; ") + ")"
			}
			changed = append(changed, line)
			continue
		}
		was, is := old.tolerances(), r.tolerances()
		for _, what := range slices.Sorted(maps.Keys(was)) {
			if tolerance, measured := is[what]; !measured {
				changed = append(changed, fmt.Sprintf("%s: no evidence from %s", r.name(), what))
			} else if tolerance > was[what] {
				changed = append(changed, fmt.Sprintf("%s: tolerance in %s is %s, was %s", r.name(), what,
					short(tolerance), short(was[what])))
			}
		}
	}
	return changed
}

// tolerances returns the tolerance of each measurement, by its source and name, and 0 for each source.
func (r Row) tolerances() map[string]float64 {
	all := map[string]float64{}
	for _, e := range r.Evidence {
		all[e.Source] = 0
		for _, m := range e.Measured {
			what := fmt.Sprintf("%s: %q", e.Source, m.What)
			if m.Printed {
				what += " as printed"
			}
			all[what] = m.Tolerance
		}
	}
	return all
}

// name returns the number, ID and protocol of a row.
func (r Row) name() string {
	return strings.TrimSpace(fmt.Sprintf("claim %d (%s) %s", r.Number, r.ID, r.Protocol))
}

// count returns the number of rows with a verdict.
func count(rows []Row, v Verdict) (n int) {
	for _, r := range rows {
		if r.Verdict == v {
			n++
		}
	}
	return n
}

func summary(rows []Row, elapsed time.Duration) string {
	out := fmt.Sprintf("%d verdicts in %s:", len(rows), elapsed.Round(time.Second))
	for _, m := range append(verdicts(), meaning{Verdict: CheckFailed}) {
		if n := count(rows, m.Verdict); n > 0 {
			out += fmt.Sprintf("\n  %3d  %s", n, m.Verdict)
		}
	}
	return out
}
