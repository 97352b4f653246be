package claims

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/run"
)

// measuring occurs in the source of every test that measures a claim.
const measuring = `papertest.Of(t, "`

// testRun is the outcome of a run of `go test -json`.
type testRun struct {
	evidence map[string][]Evidence // by claim
	failed   []string              // failed tests, and packages that failed without a failed test
}

// runTests runs the tests of the packages that measure claims.
func runTests(ctx context.Context, l *run.Lab) (testRun, error) {
	packages, err := measuringPackages(l.Root)
	if err != nil {
		return testRun{}, err
	}
	l.Say("Running the tests of %d packages (a minute or two) …", len(packages))
	args := append([]string{"test", "-count=1", "-timeout=1h", "-json"}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = l.Root, 5*time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return testRun{}, err
	}
	if err := cmd.Start(); err != nil {
		return testRun{}, fmt.Errorf("claims: starting go test: %w", err)
	}
	tests, readErr := readTests(out, func(pkg string, seconds float64) { l.Say("  %s %.0f s", pkg, seconds) })
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return tests, errors.New("claims: interrupted; nothing written")
	case readErr != nil:
		return tests, readErr
	case err != nil && len(tests.failed) == 0:
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return tests, fmt.Errorf("claims: running go test: %w: %s", err, line)
	}
	return tests, nil
}

// measuringPackages lists the folders of packages with tests that measure claims.
func measuringPackages(root string) (packages []string, err error) {
	checkout := os.DirFS(root)
	err = fs.WalkDir(checkout, "ommlx", func(file string, _ fs.DirEntry, err error) error {
		folder := "./" + path.Dir(file)
		if err != nil || !strings.HasSuffix(file, "_test.go") || slices.Contains(packages, folder) {
			return err
		}
		source, err := fs.ReadFile(checkout, file)
		if bytes.Contains(source, []byte(measuring)) {
			packages = append(packages, folder)
		}
		return err
	})
	slices.Sort(packages)
	return packages, err
}

type event struct {
	Action     string
	Package    string
	Test       string
	Key, Value string // of an attribute
	Output     string
	Elapsed    float64
}

// readTests reads the output of `go test -json` for packages of this module and calls progress at the end of each
// package. A damaged record or a line that is not JSON is an error.
func readTests(r io.Reader, progress func(pkg string, seconds float64)) (testRun, error) {
	tests := testRun{evidence: map[string][]Evidence{}}
	open := map[[2]string][]event{} // of tests that have not ended, by package and test
	failedIn := map[string]bool{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return tests, fmt.Errorf("claims: go test -json printed a line that is not JSON: %.120q", scanner.Text())
		}
		key := [2]string{e.Package, e.Test}
		ended := e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
		switch {
		case e.Test != "" && !ended:
			open[key] = append(open[key], e)
		case e.Test == "" && ended:
			if e.Action == "fail" && !failedIn[e.Package] {
				tests.failed = append(tests.failed, e.Package)
			}
			progress(e.Package, e.Elapsed)
		case ended:
			if e.Action == "fail" && !strings.Contains(e.Test, "/") {
				failedIn[e.Package] = true
				tests.failed = append(tests.failed, e.Test)
			}
			if err := tests.take(e, open[key]); err != nil {
				return tests, err
			}
			delete(open, key)
		}
	}
	// A test that had not ended when its process died counts as failed.
	byName := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, key := range slices.SortedFunc(maps.Keys(open), byName) {
		if err := tests.take(event{Action: "fail", Package: key[0], Test: key[1]}, open[key]); err != nil {
			return tests, err
		}
	}
	return tests, scanner.Err()
}

// take adds the records of a test that ended with e after the events before.
func (tests *testRun) take(e event, before []event) error {
	outcome := map[string]Outcome{"pass": Done, "skip": Skipped, "fail": Failed}[e.Action]
	reason := ""
	for _, b := range before {
		if _, text, found := strings.Cut(b.Output, ".go:"); found && outcome == Skipped {
			_, reason, _ = strings.Cut(strings.TrimSpace(text), ": ")
		}
	}
	name, _, _ := strings.Cut(e.Test, "/")
	_, folder, _ := strings.Cut(e.Package, "/") // without the module's name
	for _, b := range before {
		if b.Key != Attribute {
			continue
		}
		var r Record
		if err := json.Unmarshal([]byte(b.Value), &r); err != nil {
			return fmt.Errorf("claims: record of test %q: %w: %.80q", e.Test, err, b.Value)
		}
		tests.evidence[r.Claim] = append(tests.evidence[r.Claim], Evidence{
			Source: folder + "." + name, Command: fmt.Sprintf("go test ./%s -run '^%s$' -v", folder, name),
			Seconds: e.Elapsed, Outcome: outcome, Reason: reason, Record: r,
		})
	}
	return nil
}
