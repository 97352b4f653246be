// Package ledger checks the paper's claims: it collects what tests and kept results measured, judges every claim and
// writes tables/claims.
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

// Row is a verdict on a claim of the paper. A claim with [Claim.Protocols] has a row for each.
type Row struct {
	Claim
	Protocol Protocol   `json:"protocol,omitempty"`
	Evidence []Evidence `json:"evidence"`
	Verdict  Verdict    `json:"verdict"`
}

type data struct {
	Table      string         `json:"table"`
	Note       string         `json:"note"`
	Provenance run.Provenance `json:"provenance"`
	Rows       []Row          `json:"rows"`
}

// The names of the two tables.
const (
	name      = "claims"
	misprints = "misprints"
)

// Options relaxes [Check].
type Options struct {
	Accept bool // accept changed verdicts and lost evidence, and list them
}

// Check regenerates the ledger of the paper's claims, tables/claims, and the list of misprints. It runs the tests that
// measure claims, reads the kept results, judges every claim and prints a summary.
//
// The committed files stay, the new ones go to .omm/check and an error lists the claims, if a test failed, if a verdict
// changed in either direction, or if evidence was lost: a test, a result or a measurement is gone, or a tolerance is
// wider. If a claim cannot be checked because data is missing, the committed files stay without an error.
func Check(ctx context.Context, l *run.Lab, sources []Source, o Options) error {
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
	changed, notHere := compare(before, rows)
	summary(l, rows, time.Since(start))
	for _, line := range notHere {
		l.Say("  not checked here: %s", line)
	}
	if o.Accept {
		for _, line := range changed {
			l.Say("  accepted: %s", line)
		}
		changed = nil
	}
	if len(notHere) > 0 {
		l.Say("tables/claims is not rewritten, because data is missing here")
	}
	origin, err := l.Here()
	if err != nil {
		return err
	}
	origin.Seconds = time.Since(start).Seconds()
	if run.Uncommitted(origin.Commit) {
		changed = append(changed, fmt.Sprintf("this program was built from %s: commit the files of ommlx and build "+
			"again", origin.Commit))
	}
	dir := filepath.Join(l.Root, "tables")
	if len(tests.failed)+len(changed)+len(notHere) > 0 {
		dir = filepath.Join(l.Root, ".omm", "check", "tables")
	}
	if err := report.WriteTableIn(dir, l, name, data{name, note, origin, rows}, index(rows)); err != nil {
		return err
	}
	if err := fsx.Write(filepath.Join(dir, name+".md"), []byte(page(rows))); err != nil {
		return err
	}
	if err := report.WriteTableIn(dir, l, misprints, Misprints(), misprintText()); err != nil {
		return err
	}
	switch {
	case len(tests.failed) > 0:
		return fmt.Errorf("tables/claims not rewritten: tests failed: %s", strings.Join(tests.failed, ", "))
	case len(changed) > 0:
		return fmt.Errorf("tables/claims not rewritten: %s; `omm check --accept` accepts this",
			strings.Join(changed, "; "))
	}
	return nil
}

// judge adds results to the records of tests and judges every claim, in the order of the paper.
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
			of := slices.DeleteFunc(slices.Clone(byClaim[c.ID]), func(e Evidence) bool {
				return p != "" && e.Protocol != "" && e.Protocol != p
			})
			rows = append(rows, Row{c, p, of, c.Judge(of)})
		}
		delete(byClaim, c.ID)
	}
	for id := range byClaim {
		return nil, fmt.Errorf("ledger: evidence for %q, which is not in claims.json", id)
	}
	return rows, nil
}

// Committed reads the ledger of a checkout; there may be none. The error names a damaged file.
func Committed(root string) ([]Row, error) {
	path := filepath.Join(root, "tables", name+".json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var l data
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w); restore it with git", path, err)
	}
	return l.Rows, nil
}

// compare lists the claims whose verdict changed, in either direction, or whose evidence has shrunk, and apart from
// these the claims that cannot be checked here because something is not installed or not downloaded.
func compare(before, now []Row) (changed, notHere []string) {
	for _, old := range before {
		i := slices.IndexFunc(now, func(r Row) bool { return r.ID == old.ID && r.Protocol == old.Protocol })
		if i < 0 {
			changed = append(changed, fmt.Sprintf("claim %s: gone, was %s", old.name(), old.Verdict))
			continue
		}
		r, reason := now[i], skipped(now[i].Evidence)
		switch {
		case r.Verdict == old.Verdict:
		case r.Verdict == NotTested && reason != "":
			notHere = append(notHere, fmt.Sprintf("claim %s (committed: %s): %s", r.name(), old.Verdict, reason))
		default:
			changed = append(changed, fmt.Sprintf("claim %s: %s, was %s", r.name(), r.Verdict, old.Verdict))
		}
		if reason == "" {
			changed = append(changed, shrunk(old, r)...)
		}
	}
	return changed, notHere
}

// name is the number of the claim with its ID, and the protocol if it has several.
func (r Row) name() string {
	return fmt.Sprintf("%d (%s)", r.Number, r.ID) + run.If(r.Protocol != "", " %s", r.Protocol)
}

// On are the rows that rest on a file.
func On(rows []Row, file string) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		return !slices.ContainsFunc(r.Evidence, func(e Evidence) bool { return e.Source == file })
	})
}

// skipped returns why some of the evidence is missing, or nothing.
func skipped(evidence []Evidence) string {
	for _, e := range evidence {
		if e.Outcome == Skipped {
			return e.Reason
		}
	}
	return ""
}

func summary(l *run.Lab, rows []Row, elapsed time.Duration) {
	count := map[Verdict]int{}
	for _, r := range rows {
		count[r.Verdict]++
	}
	l.Say("%d verdicts in %s:", len(rows), elapsed.Round(time.Second))
	for _, v := range Verdicts() {
		if count[v] > 0 {
			l.Say("  %3d  %s", count[v], v)
		}
	}
}
