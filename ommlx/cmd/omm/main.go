// Command omm sets up, checks and runs the reproduction of "Revisiting Orbital Minimization Method for Neural Operator
// Decomposition". Run `omm --help` for its commands and exit codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
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
	keepMemory()
	ctx, stop := untilSignal(context.Background())
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// untilSignal returns a context that ends with the first signal to stop, or when the terminal closes, so that a
// training keeps a checkpoint. The second one ends the program at once. Under nohup a closed terminal is no signal.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(ctx)
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, signals...)
	go func() {
		select {
		case <-heard:
		case <-ctx.Done():
		}
		signal.Stop(heard) // before the context ends: the second one must not get lost
		cancel()
	}()
	return ctx, cancel
}

// Exit codes.
const (
	exitOK = iota
	exitFailure
	exitWrongUse
	exitDiverged // of every run of a training
	exitStopped  // at a checkpoint
)

// commands are the constructors of all subcommands. Each is in the file of its name, but newTables with newFigures,
// and newLab with newNotebooks.
var commands = []func() *cobra.Command{
	newDoctor, newSetup, newData, newFigures, newTables, newPlan, newRun, newTrain, newBench, newCheck,
	newNotebooks, newLab, newCompare, newReport,
}

// execute runs one command line and returns the exit code. Every failure becomes one sentence on stderr, also a panic
// while a graph is built. A fault of the program, as a nil pointer, says that it is one, and where.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
			return
		case runtime.Error:
			fmt.Fprintf(stderr, "omm: this is a fault of omm and not of its use, please report it with what follows: "+
				"%v\n\n%s", r, debug.Stack())
		default:
			fmt.Fprintf(stderr, "omm: %s\n", sentence(fmt.Sprint(r)))
		}
		code = exitFailure
	}()
	klog.SetLogger(klog.Logger{}) // drops what GoMLX and go-xla log: what matters in it comes as an error
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if failed, ok := err.(failure); ok {
		fmt.Fprintf(stderr, "omm: %s\n", sentence(failed.Error()))
		return failed.code
	}
	fmt.Fprintf(stderr, "omm: %s; see `%s --help`\n", sentence(err.Error()), cmd.CommandPath())
	return exitWrongUse
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "omm",
		Short: "Reproduce the Orbital Minimization Method for neural operator decomposition",
		Long: `Sets up, checks and runs the reproduction of the Orbital Minimization Method for neural operator
decomposition.

An error is one sentence on standard error. Exit codes:
  0  success
  1  failure
  2  wrong use
  3  every run of a training diverged
  4  stopped at a checkpoint, by Ctrl-C or SIGTERM: the same command resumes`,
		Example: `  omm setup          install the engine
  omm doctor         say what would run, and on what
  omm figures        train and draw the figures`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	for _, construct := range commands {
		root.AddCommand(construct())
	}
	markFailures(root)
	return root
}

// failure is an error that a command itself returns and that says what to do, with its exit code; every other error
// that cobra returns is of a command line that cannot be read.
type failure struct {
	error
	code int
}

// wrongUse is the failure of a command's own check of its arguments.
func wrongUse(err error) error { return failure{err, exitWrongUse} }

// codeOf returns the exit code for what a command returned.
func codeOf(ctx context.Context, err error) int {
	ended := context.Cause(ctx)
	switch {
	case errors.Is(err, fsx.ErrNoCheckout):
		return exitWrongUse
	case ended != nil && errors.Is(err, ended), errors.Is(err, train.ErrInterrupted):
		return exitStopped
	case errors.Is(err, train.ErrDiverged):
		return exitDiverged
	}
	return exitFailure
}

// markFailures marks the errors that commands return; all others are of an unreadable command line. It makes commands
// without arguments refuse them.
func markFailures(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		markFailures(sub)
	}
	if cmd.Use == cmd.Name() {
		cmd.Args = cobra.NoArgs
	}
	if cmd.RunE == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		return
	}
	action := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := refuseEmpty(cmd); err != nil {
			return err
		}
		err := action(cmd, args)
		if _, marked := err.(failure); err == nil || marked {
			return err
		}
		return failure{err, codeOf(cmd.Context(), err)}
	}
}

// refuseEmpty returns an error for a flag that is given with nothing, as a variable of a script that is not set.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); text == "" || f.Value.Type() == "stringSlice" && text == "[]" {
			err = fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// sentence reduces an error to its first line, without a full stop and without control characters.
func sentence(text string) string { return strings.TrimRight(say.FirstLine(errors.New(text)), ". ") }
