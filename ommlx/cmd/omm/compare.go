package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

func newCompare() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "compare [ONLY...]",
		Short: "Compare figures and tables made here with the committed ones",
		Long: `Compares the figures and tables in this checkout, or in the folder --out, with the newest commit.
For each difference it prints the number of common runs, the run whose score changed most, and the
spread of the committed runs of that configuration. A score is an average cosine similarity, a mean
relative error of energies, or an accuracy. The command writes nothing.`,
		Example: "  omm compare\n  omm compare fig1 tab2\n  omm compare --out /tmp/mine",
		RunE: func(cmd *cobra.Command, only []string) error {
			l, exhibits, err := choose(cmd, run.Quick, everything(), only)
			if err != nil {
				return err
			}
			if err := exec.Command("git", "-C", l.Root, "rev-parse", "HEAD").Run(); err != nil {
				return fmt.Errorf("%s has no git commit to compare with: %w; run this in a git clone", l.Root, err)
			}
			return compareAll(l, cmp.Or(out, l.Root), exhibits)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder with figures/ and tables/ instead of the checkout")
	return cmd
}

// compareAll compares the files in a folder with the newest commit, and prints the differences.
func compareAll(l *run.Lab, folder string, exhibits []report.Exhibit) error {
	compared, differ := 0, 0
	for _, x := range exhibits {
		for _, p := range x.Profiles() {
			file := x.File(p)
			now, err := os.ReadFile(filepath.Join(folder, file))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			compared++
			before, err := exec.Command("git", "-C", l.Root, "show", "HEAD:"+file).Output()
			text := "is not committed"
			switch {
			case err != nil: // git found no such file
			case bytes.Equal(before, now):
				continue
			default:
				if text, err = artifact.Compare(before, now); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			if text != "" {
				differ++
				l.Say("%s: %s", file, text)
			}
		}
	}
	if compared == 0 {
		return fmt.Errorf("no figures or tables in %s; run `make figures`", folder)
	}
	if _, err := os.Stat(filepath.Join(l.Root, ".omm", "results")); err != nil && differ == 0 && folder == l.Root {
		return fmt.Errorf("nothing has been trained here yet: all %d files are the committed ones; run `make figures`",
			compared)
	}
	l.Say("%d of %d agree with the committed ones, which `git restore figures tables` restores", compared-differ,
		compared)
	return nil
}
