package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/artifact/graphs/ogb"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what would run here, on what, and how to repair what would not",
		Long: `Looks at everything that the figures, tables and notebooks need, tries it, and prints the repair for what
does not work. The exit code is 0 when figures and tables can be made (in a checkout), 1 when some cannot.`,
		Example: `  omm doctor`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var wrong []string
			for _, f := range slices.Concat(examineEngine(), examineMachine(), examineFolders(), examineNotebooks()) {
				fmt.Fprintf(cmd.OutOrStdout(), "%-2s  %-13s %s\n", f.verdict, f.name, f.value)
				if f.repair != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "    %-13s → %s\n", "", f.repair)
				}
				if f.verdict == broken {
					wrong = append(wrong, f.name)
				}
			}
			if wrong != nil {
				return fmt.Errorf("not all figures and tables can be made; the lines with NO say why: %s",
					strings.Join(wrong, ", "))
			}
			return nil
		},
	}
}

// verdict is what an examination found.
type verdict string

const (
	fine   verdict = "ok"
	absent verdict = "--" // not there, and not needed for figures and tables
	broken verdict = "NO"
	info   verdict = "" // nothing to judge
)

// finding is one line of the report.
type finding struct {
	name    string
	verdict verdict
	value   string
	repair  string // what to do, where there is something to do
}

// examineEngine opens the backend and really compiles and runs a graph on it.
func examineEngine() []finding {
	b, choice, err := backend.Open()
	if err != nil {
		return []finding{{"backend", broken, sentence(err.Error()), ""}}
	}
	start := time.Now()
	if err := backend.Try(b); err != nil {
		return []finding{{"backend", broken, fmt.Sprintf("%s: %s", choice.Config, err),
			"run `omm setup`, or set GOMLX_BACKEND=go:ops_sequential"}}
	}
	findings := []finding{{"backend", fine, fmt.Sprintf("%s: %s; a test graph ran in %s", choice.Kind, choice.Reason,
		time.Since(start).Round(time.Millisecond)), ""}}
	if choice.Plugin != "" {
		sum, err := choice.VerifyPlugin() // it reads the whole plugin now
		plugin := finding{"plugin", fine, fmt.Sprintf("%s %s; SHA-256 %s", cmp.Or(choice.Version, "of your own"),
			choice.Plugin, sum), ""}
		if err != nil {
			plugin = finding{"plugin", broken, err.Error(), "run `omm setup`"}
		}
		findings = append(findings, plugin)
	}
	device := strings.TrimSpace(b.DeviceDescription(0))
	if n := b.NumDevices(); n > 1 {
		device += fmt.Sprintf("; the first of %d, over which a training is divided", n)
	}
	return append(findings, finding{"device", info, device, ""})
}

func examineMachine() []finding {
	simd := finding{"simd", absent,
		"this program was built without GOEXPERIMENT=simd, which the pure-Go backend and products of graphs use",
		"`make` builds it with SIMD"}
	build, _ := debug.ReadBuildInfo()
	if build != nil && slices.ContainsFunc(build.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "GOEXPERIMENT" && strings.Contains(s.Value, "simd")
	}) {
		simd = finding{"simd", fine, "built with GOEXPERIMENT=simd", ""}
	}
	return []finding{{"cores", info, fmt.Sprint(runtime.NumCPU()), ""},
		{"go", info, runtime.Version() + " on " + runtime.GOOS + "/" + runtime.GOARCH, ""}, simd}
}

// examineNotebooks looks for what `omm setup --notebooks` leaves when it came to its end.
func examineNotebooks() []finding {
	p, err := notebookHome()
	if err != nil {
		return []finding{{"notebooks", broken, err.Error(), ""}}
	}
	for _, file := range []string{p.complete(), p.gonb(), filepath.Join(p.bin, "goimports"), p.kernel()} {
		if _, err := os.Stat(file); err != nil {
			return []finding{{"notebooks", absent, "JupyterLab or the Go kernel is not installed: there is no " + file,
				"for notebooks: `omm setup --notebooks`"}}
		}
	}
	return []finding{{"notebooks", fine, "JupyterLab in " + p.venv + ", the Go kernel in " + p.bin, ""}}
}

// examineFolders looks at the checkout and at the data that a command would find from here.
func examineFolders() []finding {
	checkout := finding{"checkout", fine, "", ""}
	var err error
	if checkout.value, err = fsx.Checkout(); err != nil {
		checkout = finding{"checkout", absent,
			"none here: figures, tables and notebooks need one, and data in shared/ beside it is not found",
			"change into the cloned repository"}
	}
	found := []finding{checkout}
	for _, c := range dataset.Collections() {
		files, err := c.Status()
		found = append(found, examineData(c.Kind, files, err))
	}
	products, err := ogb.ProductsStatus()
	return append(found, examineData(ogb.ProductsName, []dataset.FileStatus{products}, err))
}

// without says of each kind of data what happens where it is missing.
var without = map[string]string{
	dataset.Grids().Kind:    "mazes of this project's own stand in for the missing ones",
	dataset.CIFAR100().Kind: "Table 1 in the paper profile needs it",
	ogb.ProductsName:        "generated graphs stand in for it",
}

// examineData judges the files of a kind of data, or the error of looking for them.
func examineData(kind string, files []dataset.FileStatus, err error) finding {
	correct := 0
	for _, file := range files {
		err = cmp.Or(err, file.Err)
		if file.State == dataset.Correct {
			correct++
		}
	}
	dirs, pathErr := dataset.SearchPath(kind)
	if err = cmp.Or(err, pathErr); err != nil {
		return finding{kind, broken, sentence(err.Error()), ""}
	}
	found := fmt.Sprintf("%d of %d official files", correct, len(files))
	if correct == len(files) {
		return finding{kind, fine, found, ""}
	}
	return finding{kind, absent, fmt.Sprintf("%s in %s; %s", found, strings.Join(dirs, ", "), without[kind]),
		"`omm data get " + kind + "` downloads what is missing"}
}
