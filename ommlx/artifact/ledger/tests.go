package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/claims"
)

// measuring is what a test that measures a claim calls.
const measuring = "claims.Of(t, "

// ledgerTest compares the committed ledger with the list of claims; what makes a new ledger cannot wait for it.
const ledgerTest = "TestTheCommittedLedgerIsOfTheseClaims"

// overDevices ends the names of tests that train on several devices, which measure no claim and take a minute.
const overDevices = "OverSeveralDevices"

// runTests runs the tests of every package that measures claims.
func runTests(ctx context.Context, l *lab.Lab) (claims.TestRun, error) {
	packages, err := measuringPackages(ctx, l.Root)
	if err != nil {
		return claims.TestRun{}, err
	}
	l.Say("Running the tests of %d packages (a minute or two) …", len(packages))
	skip := "^" + ledgerTest + "$|" + overDevices + "$"
	args := append([]string{"test", "-count=1", "-timeout=1h", "-json", "-skip", skip}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = l.Root, 5*time.Second
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return claims.TestRun{}, err
	}
	if err := cmd.Start(); err != nil {
		return claims.TestRun{}, fmt.Errorf("starting go test: %w", err)
	}
	run, readErr := claims.ReadTests(out, func(pkg string, seconds float64) { l.Say("  %s %.0f s", pkg, seconds) })
	err = cmd.Wait()
	if ctx.Err() != nil {
		return run, errors.New("interrupted; nothing was written, and the same command begins again")
	}
	if readErr != nil {
		return run, readErr
	}
	if err != nil && len(run.Failed) == 0 {
		return run, fmt.Errorf("go test could not run (%w): %s", err, firstLine(complaints.String()))
	}
	return run, nil
}

// measuringPackages lists the packages whose tests measure claims.
func measuringPackages(ctx context.Context, root string) ([]string, error) {
	const fields = "{{.ImportPath}}\t{{.Dir}}\t{{join .TestGoFiles \"\t\"}}\t{{join .XTestGoFiles \"\t\"}}"
	cmd := exec.CommandContext(ctx, "go", "list", "-f", fields, "./ommlx/...")
	cmd.Dir = root
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list could not run (%w): %s", err, firstLine(complaints.String()))
	}
	var packages []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		measures, err := anyContains(fields[1], fields[2:], measuring)
		if err != nil {
			return nil, err
		}
		if measures {
			packages = append(packages, fields[0])
		}
	}
	return packages, nil
}

// anyContains tells whether one of the files in a folder has the text; an empty name is none.
func anyContains(dir string, files []string, text string) (bool, error) {
	for _, file := range files {
		if file == "" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return false, err
		}
		if bytes.Contains(content, []byte(text)) {
			return true, nil
		}
	}
	return false, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
