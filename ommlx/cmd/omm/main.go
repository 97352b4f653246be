// Command omm sets up, checks and runs the reproduction of "Revisiting Orbital Minimization Method for Neural Operator
// Decomposition". Run `omm --help` for its commands and exit codes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := untilSignal(context.Background())
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// untilSignal returns a context that ends with the first signal to stop, also that of a terminal which is closed, so
// that a training keeps a checkpoint. The second one ends the program at once. Under nohup a closed terminal is no
// signal.
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
		signal.Stop(heard) // before anybody hears of the first one: the second must not get lost
		cancel()
	}()
	return ctx, cancel
}
