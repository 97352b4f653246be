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
			l, entries, err := choose(cmd, string(run.Quick), everything(), only)
			if err != nil {
				return err
			}
			return compareAll(l, cmp.Or(out, l.Root), entries)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder with figures/ and tables/ instead of the checkout")
	return cmd
}

// compareAll compares the files in a folder with the newest commit, and prints the differences.
func compareAll(l *run.Lab, folder string, entries []report.Entry) error {
	looked, differ := 0, 0
	for _, e := range entries {
		for _, p := range e.Profiles() {
			file := e.File(p)
			now, err := os.ReadFile(filepath.Join(folder, file))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			looked++
			before, err := atHead(l.Root, file)
			if err != nil {
				return err
			}
			if bytes.Equal(before, now) {
				continue
			}
			text := "is not committed"
			if before != nil {
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
	switch {
	case looked == 0:
		return fmt.Errorf("no figures or tables in %s; run `make figures`", folder)
	case differ == 0:
		l.Say("all %d agree with the committed ones", looked)
	default:
		l.Say("%d of %d agree with the committed ones; `git restore figures tables` restores the others",
			looked-differ, looked)
	}
	return nil
}

// atHead returns a file from the newest commit; nil if there is none.
func atHead(root, file string) ([]byte, error) {
	var stderr bytes.Buffer
	list := exec.Command("git", "-C", root, "ls-tree", "--name-only", "HEAD", "--", file)
	list.Stderr = &stderr
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing committed files: %w: %s; run this in a git clone", err,
			sentence(stderr.String()))
	}
	if len(names) == 0 {
		return nil, nil
	}
	return exec.Command("git", "-C", root, "show", "HEAD:"+file).Output()
}
