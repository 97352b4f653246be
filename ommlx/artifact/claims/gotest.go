package claims

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"omm-go/ommlx/artifact/run"
)

// measuring lists the packages with tests that call papertest.Of.
var measuring = []string{"./ommlx/artifact/pde", "./ommlx/artifact/rl", "./ommlx/artifact/rl/gridworld",
	"./ommlx/artifact/verify"}

// testRun is the outcome of a run of `go test -json`.
type testRun struct {
	evidence map[string][]Evidence // by claim
	failed   []string              // tests and packages
}

// runTests runs the tests of the packages that measure claims.
func runTests(ctx context.Context, l *run.Lab) (tests testRun, err error) {
	l.Say("Running the tests of %d packages (a minute or two) …", len(measuring))
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-timeout=1h", "-json"}, measuring...)...)
	cmd.Dir, cmd.WaitDelay = l.Root, 5*time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return tests, err
	}
	if err := cmd.Start(); err != nil {
		return tests, fmt.Errorf("claims: starting go test: %w", err)
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

// readTests reads the output of `go test -json` and calls progress at the end of each package.
func readTests(r io.Reader, progress func(pkg string, seconds float64)) (testRun, error) {
	tests := testRun{evidence: map[string][]Evidence{}}
	records, reasons := map[[2]string][]string{}, map[[2]string]string{} // by package and test
	outcomes := map[string]Outcome{"pass": Done, "skip": Skipped, "fail": Failed}
	for lines := json.NewDecoder(r); ; {
		var e struct {
			Action, Package, Test string
			Key, Value            string // of an attribute
			Output                string
			Elapsed               float64
		}
		if err := lines.Decode(&e); err == io.EOF {
			return tests, nil
		} else if err != nil {
			return tests, fmt.Errorf("claims: output of go test -json: %w", err)
		}
		key, outcome := [2]string{e.Package, e.Test}, outcomes[e.Action]
		if outcome == Failed && !strings.Contains(e.Test, "/") {
			tests.failed = append(tests.failed, strings.TrimSuffix(e.Package+"."+e.Test, "."))
		}
		switch {
		case e.Action == "attr" && e.Key == Attribute:
			records[key] = append(records[key], e.Value)
		case e.Action == "output":
			if _, text, logged := strings.Cut(e.Output, ".go:"); logged {
				_, reasons[key], _ = strings.Cut(strings.TrimSpace(text), ": ")
			}
		case outcome != "" && e.Test == "":
			progress(e.Package, e.Elapsed)
		case outcome != "":
			name, _, _ := strings.Cut(e.Test, "/")
			_, folder, _ := strings.Cut(e.Package, "/") // without the module's name
			for _, text := range records[key] {
				one := Evidence{Source: folder + "." + name, Seconds: e.Elapsed, Outcome: outcome,
					Command: fmt.Sprintf("go test ./%s -run '^%s$' -v", folder, name)}
				if outcome == Skipped {
					one.Reason = reasons[key]
				}
				if err := json.Unmarshal([]byte(text), &one.Record); err != nil {
					return tests, fmt.Errorf("claims: record of test %q: %w", e.Test, err)
				}
				tests.evidence[one.Claim] = append(tests.evidence[one.Claim], one)
			}
		}
	}
}
