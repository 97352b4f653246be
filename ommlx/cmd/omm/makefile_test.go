package main

import (
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// makeIn is make in a folder as a terminal starts it. It has nothing of the make that may have started these tests,
// which would have it name folders, nor of its options.
func makeIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "make", args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return slices.Contains([]string{"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PROFILE", "ONLY", "KEPT", "OUT", "IMAGE",
			"FOR", "COMPLETE", "SLOW"}, name)
	})
	return cmd
}

// TestOptionsOfMake holds what make passes on: a switch that is 0 or empty is off, and ONLY may name several.
func TestOptionsOfMake(t *testing.T) {
	root := testkit.Must(fsx.Checkout())
	for name, value := range map[string]string{"MAKEFLAGS": "w", "MAKELEVEL": "1", "PROFILE": "smoke", "KEPT": "1"} {
		t.Setenv(name, value) // as `make test-artifact` has it
	}
	for args, want := range map[string]string{
		"figures":                       "figures --profile quick",
		"figures KEPT=1":                "figures --profile quick --kept",
		"figures KEPT=0":                "figures --profile quick",
		"tables KEPT=":                  "tables --profile quick",
		"tables KEPT=0 PROFILE=smoke":   "tables --profile smoke",
		"figures|ONLY=fig1":             "figures --profile quick fig1",
		"figures|ONLY=fig1 fig3|KEPT=1": "figures --profile quick --kept fig1 fig3",
		"tables|ONLY=tab2 well":         "tables --profile quick tab2 well",
		"run|ONLY=fig1 tab2|FOR=2h":     "run --profile quick --for 2h fig1 tab2",
		"check":                         "check",
		"check COMPLETE=1":              "check --complete",
		"check COMPLETE=0":              "check",
		"check|COMPLETE= ":              "check",
	} {
		words := strings.Fields(args)
		if strings.Contains(args, "|") {
			words = strings.Split(args, "|")
		}
		out, err := makeIn(t, root, append([]string{"--dry-run", "--silent"}, words...)...).Output()
		require.NoError(t, err, args)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		last := strings.TrimPrefix(lines[len(lines)-1], "nice -n 19 ")
		assert.Equal(t, ".omm/bin/omm "+want, strings.Join(strings.Fields(last), " "), args)
	}
}

// tracked is the text of a file of this checkout.
func tracked(t *testing.T, name string) string {
	t.Helper()
	return string(testkit.Must(os.ReadFile(filepath.Join(testkit.Must(fsx.Checkout()), name))))
}

// inTheImage is a folder with what the image keeps of a checkout, without git, for which a line of the Dockerfile wrote
// the commit that was given to it, and a function that says what make would do there.
func inTheImage(t *testing.T, commit string) (dry func(target string) string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"Makefile", "ommlx/artifact/run/commit.sh", "go.mod", "go.sum"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(tracked(t, name)), 0o644))
	}
	line := regexp.MustCompile(`(?ms)^COPY[^\n]* \. \.$.*^ARG COMMIT=(\S+)$.*^RUN ([^\n]*\.omm/commit)$`).
		FindStringSubmatch(tracked(t, "docker/Dockerfile"))
	require.NotNil(t, line, "the Dockerfile writes the commit after it copied the checkout")
	if commit == "" {
		commit = line[1]
	}
	run := exec.CommandContext(t.Context(), "sh", "-c", line[2])
	run.Dir, run.Env = dir, append(os.Environ(), "COMMIT="+commit)
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	return func(target string) string {
		out, err := makeIn(t, dir, "--dry-run", target).CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
}

// A program that is built in the image names the commit that `make docker` gave to it, which is that of the checkout; a
// bare `docker build` gives none.
func TestTheImageKnowsItsCommit(t *testing.T) {
	dry := inTheImage(t, "0123456789ab")
	require.Contains(t, dry("build"), "run.builtFrom=0123456789ab\"")
	require.Contains(t, dry("docker"), "--build-arg COMMIT=0123456789ab ")
	dry = inTheImage(t, "")
	require.Contains(t, dry("build"), "run.builtFrom=unknown\"")
	require.Contains(t, dry("docker"), "--build-arg COMMIT=unknown ")
}

// The history of git, with whatever stands in its settings, and what git ignores stay out of the image.
func TestWhatStaysOutOfTheImage(t *testing.T) {
	out := strings.Fields(tracked(t, "docker/Dockerfile.dockerignore"))
	require.Contains(t, out, ".git")
	for _, ignored := range strings.Fields(tracked(t, ".gitignore")) {
		pattern, atTop := strings.CutPrefix(strings.TrimSuffix(ignored, "/"), "/")
		if !atTop {
			pattern = "**/" + strings.TrimPrefix(pattern, "**/")
		}
		require.Contains(t, out, pattern, "git ignores %s", ignored)
	}
}

// TestTheImageHasAGoThatTheModuleAccepts of the same language version.
func TestTheImageHasAGoThatTheModuleAccepts(t *testing.T) {
	pin := func(name, pattern string) string {
		found := regexp.MustCompile("(?m)^"+pattern+"$").FindAllStringSubmatch(tracked(t, name), -1)
		require.Len(t, found, 1, "%s pins one Go", name)
		return "go" + found[0][1]
	}
	have, need := pin("docker/install.sh", `GO_VERSION=(\d+\.\d+\.\d+)`), pin("go.mod", `go (\d+\.\d+(?:\.\d+)?)`)
	require.Equal(t, version.Lang(need), version.Lang(have))
	require.GreaterOrEqual(t, version.Compare(have, need), 0)
}

// TestEveryModuleHasALicence in docker/modules.txt, which lists no other.
func TestEveryModuleHasALicence(t *testing.T) {
	first := func(name, pattern string) (list []string) {
		for _, line := range regexp.MustCompile(pattern).FindAllStringSubmatch(tracked(t, name), -1) {
			list = append(list, line[1])
		}
		return list
	}
	required := first("go.mod", `(?m)^\t(\S+) v`)
	require.NotEmpty(t, required)
	require.ElementsMatch(t, required, first("docker/modules.txt", `(?m)^([^#\s]\S+) +[A-Z]`))
}

// TestLockTakesTheWheelsThatFit asks docker/lock.py which wheels it takes up, and how it tells licences.
func TestLockTakesTheWheelsThatFit(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const program = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "../../../docker")
import lock
for name in """a-1-py3-none-any a-1-py2.py3-none-any a-1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64
a-1-cp38-abi3-manylinux_2_28_aarch64 a-1-cp314-cp314-macosx_11_0_arm64 a-1-py3-none-manylinux_2_27_x86_64
a-1-cp310-cp310-manylinux_2_17_x86_64 a-1-cp314-cp314t-manylinux_2_28_x86_64 a-1-pp311-pypy311_pp73-macosx_11_0_arm64
a-1-cp311-cp311-musllinux_1_2_x86_64 a-1-cp311-cp311-win_amd64 a-1-py2-none-any""".split():
    print(name.count("-") == 4 and lock.fits(name + ".whl"), end=" ")
print()
print(lock.licence({"license_expression": "MIT"}), lock.licence({"license": "BSD"}), sep="|", end="|")
print(lock.licence({"license": "UNKNOWN", "classifier": ["Topic :: X", "License :: OSI Approved :: ISC"]}), end="|")
print(lock.licence({"license": "many\nlines"}))
`
	cmd := exec.CommandContext(t.Context(), python, "-c", program)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "True True True True True True False False False False False False \n"+
		"MIT|BSD|ISC|in its package\n", string(out))
}
