// Command omm sets up, checks and runs the reproduction of "Revisiting Orbital Minimization Method for Neural Operator
// Decomposition". Run `omm --help` for its commands and exit codes.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/train"
)

func main() {
	ctx, stop := untilSignal(context.Background())
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// untilSignal returns a context that ends on the first interrupt or when the terminal closes, so that a training keeps
// a checkpoint; it prints a line at once, since a compilation by XLA cannot be interrupted. A second signal ends the
// program at once. Under nohup closing the terminal has no effect.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	context.AfterFunc(ctx, func() {
		// By a signal, not at the end of the program. JupyterLab stops by itself.
		if context.Cause(ctx) != context.Canceled && !slices.Contains(os.Args, "lab") {
			fmt.Fprintln(os.Stderr, "\nomm: stopping after the current step or compilation; Ctrl-C again stops at once")
		}
		stop()
	})
	return ctx, stop
}

// Exit codes.
const (
	exitOK = iota
	exitFailure
	exitWrongUse
	exitDiverged // every run of a training diverged
	exitStopped  // stopped at a checkpoint
)

// commands lists the constructors of all subcommands.
var commands = []func() *cobra.Command{
	newDoctor, newSetup, newData, newFigures, newTables, newPlan, newRun, newTrain, newBench, newCheck,
	newLab, newCompare, newReport, newLearn,
}

// usage is an error of the command line.
type usage struct{ error }

// execute runs one command line and returns the exit code. It prints every failure as one line on stderr, including a
// panic while building a graph. For a runtime error, such as a nil pointer, it also prints the stack.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
			return
		case runtime.Error:
			fmt.Fprintf(stderr, "omm: this is a bug in omm, please report it: %v\n\n%s", r, debug.Stack())
		default:
			fmt.Fprintf(stderr, "omm: %s\n", sentence(fmt.Errorf("%v", r)))
		}
		code = exitFailure
	}()
	klog.SetLogger(klog.Logger{}) // drops the logs of GoMLX and go-xla; failures are returned as errors
	root, began := newRoot(), false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := cmp.Or(cmd.ValidateRequiredFlags(), cmd.ValidateFlagGroups()); err != nil {
			return err
		}
		began = true
		return refuseEmpty(cmd)
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitOK
	case began:
		fmt.Fprintf(stderr, "omm: %s\n", sentence(err))
		return codeOf(ctx, err)
	}
	fmt.Fprintf(stderr, "omm: %s; see `%s --help`\n", sentence(err), cmd.CommandPath())
	return exitWrongUse
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "omm",
		Short: "Reproduce the Orbital Minimization Method for neural operator decomposition",
		Long: `Sets up, checks and runs the reproduction of the Orbital Minimization Method for neural operator
decomposition.

Errors are one line on standard error. Exit codes:
  0  success
  1  failure
  2  wrong use
  3  every run of a training diverged
  4  stopped at a checkpoint by Ctrl-C or SIGTERM; the same command resumes`,
		Example: `  omm setup          install the engine
  omm doctor         check the installation
  omm figures        train and draw the figures
  omm learn --help   learn eigenfunctions of your own files`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetFlagErrorFunc(plainly)
	for _, construct := range commands {
		root.AddCommand(construct())
	}
	return root
}

// plainly returns an error for a value of a flag without the name of the function that could not read it.
func plainly(_ *cobra.Command, err error) error {
	wrong, is := errors.AsType[*pflag.InvalidValueError](err)
	if !is {
		return err
	}
	flag := wrong.GetFlag()
	wish := map[string]string{"int": "a whole number", "int64": "a whole number", "float64": "a number",
		"intSlice": "whole numbers separated by commas", "duration": "a time such as 30m", "bool": "true or false"}
	want, known := wish[flag.Value.Type()]
	if !known {
		return err
	}
	return fmt.Errorf("--%s is %q, want %s", flag.Name, wrong.GetValue(), want)
}

// refuseEmpty returns an error for a flag with an empty value, such as an unset variable of a script.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); text == "" || f.Value.Type() == "stringSlice" && text == "[]" {
			remedy := "give it a value or leave it out"
			if f.Annotations[cobra.BashCompOneRequiredFlag] != nil {
				remedy = "give it a value"
			}
			err = usage{fmt.Errorf("--%s is empty; %s", f.Name, remedy)}
		}
	})
	return err
}

// codeOf returns the exit code for an error.
func codeOf(ctx context.Context, err error) int {
	ended := context.Cause(ctx)
	switch _, wrong := errors.AsType[usage](err); {
	case wrong, errors.Is(err, fsx.ErrNoCheckout):
		return exitWrongUse
	case ended != nil && errors.Is(err, ended), errors.Is(err, train.ErrInterrupted):
		return exitStopped
	case errors.Is(err, train.ErrDiverged):
		return exitDiverged
	}
	return exitFailure
}

// sentence returns the first line of an error without control characters and without a final full stop.
func sentence(err error) string { return strings.TrimRight(say.FirstLine(err), ". ") }
