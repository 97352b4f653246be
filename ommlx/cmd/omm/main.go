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

// untilSignal returns a context that ends on the first interrupt or when the terminal closes, so that a training keeps
// a checkpoint. A second signal ends the program at once. Under nohup closing the terminal has no effect.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(ctx)
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go func() {
		select {
		case <-received:
		case <-ctx.Done():
		}
		signal.Stop(received) // before the context ends: the second signal must not get lost
		cancel()
	}()
	return ctx, cancel
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
	newNotebooks, newLab, newCompare, newReport,
}

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
			fmt.Fprintf(stderr, "omm: %s\n", sentence(fmt.Sprint(r)))
		}
		code = exitFailure
	}()
	klog.SetLogger(klog.Logger{}) // drops the logs of GoMLX and go-xla; failures are returned as errors
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

Errors are one line on standard error. Exit codes:
  0  success
  1  failure
  2  wrong use
  3  every run of a training diverged
  4  stopped at a checkpoint by Ctrl-C or SIGTERM; the same command resumes`,
		Example: `  omm setup          install the engine
  omm doctor         check the installation
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

// failure is an error that a command returns, with its exit code. Every other error from cobra is an invalid command
// line.
type failure struct {
	error
	code int
}

// wrongUse marks an error as an invalid argument.
func wrongUse(err error) error { return failure{err, exitWrongUse} }

// codeOf returns the exit code for an error.
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

// markFailures marks the errors that commands return as a [failure], and makes commands without arguments refuse
// arguments.
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

// refuseEmpty returns an error for a flag with an empty value, such as an unset variable of a script.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); text == "" || f.Value.Type() == "stringSlice" && text == "[]" {
			err = fmt.Errorf("--%s is empty; give it a value or leave it out", f.Name)
		}
	})
	return err
}

// sentence returns the first line of a text without control characters and without a final full stop.
func sentence(text string) string { return strings.TrimRight(say.FirstLine(errors.New(text)), ". ") }
