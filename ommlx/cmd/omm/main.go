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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
