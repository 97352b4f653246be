package bench

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

var (
	//go:embed jax_step.py
	jaxStep string
	//go:embed torch_step.py
	torchStep string
)

// errNotInstalled says that an alternative cannot be imported.
var errNotInstalled = errors.New("not installed (`make bench` installs it)")

// framework is a Python process that runs one of the scripts: it waits for a line, runs the steps that the line asks
// for, and answers with a line, so that it rests while others are measured.
type framework struct {
	name    string
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	err     error // once set, no more is asked
}

// question is what a script is asked.
type question struct {
	Batch int  `json:"batch"`
	Width int  `json:"width"`
	Rows  int  `json:"rows"`
	Steps int  `json:"steps"`
	Scan  bool `json:"scan"` // all steps in one call; JAX only
}

// start runs script with the interpreter python. A failure is kept for the first question.
func start(ctx context.Context, python, name, script string) *framework {
	f := &framework{name: name, cmd: exec.CommandContext(ctx, python, "-c", script)}
	in, err1 := f.cmd.StdinPipe()
	out, err2 := f.cmd.StdoutPipe()
	if f.err = errors.Join(err1, err2); f.err != nil {
		return f
	}
	f.in, f.out = in, bufio.NewReader(out)
	if err := f.cmd.Start(); err != nil {
		f.err = fmt.Errorf("%s cannot be run: %w", python, err)
	}
	return f
}

// ask returns the time that q took. The first question of its kind compiles, so its time is none to report.
func (f *framework) ask(q question) (lap, error) {
	if f.err != nil {
		return lap{}, f.err
	}
	line, err := json.Marshal(q)
	if err != nil {
		return lap{}, err
	}
	_, writeErr := f.in.Write(append(line, '\n')) // fails when the script has ended; what it said is still there
	text, err := f.out.ReadBytes('\n')
	if err != nil {
		f.err = fmt.Errorf("%s ended without an answer: %w", f.name, errors.Join(writeErr, f.cmd.Wait()))
		return lap{}, f.err
	}
	var answer struct {
		Error, Version string
		Wall, CPU      float64
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		f.err = fmt.Errorf("%s answered %q: %w", f.name, text, err)
		return lap{}, f.err
	}
	if answer.Error != "" {
		f.err = errNotInstalled
		return lap{}, f.err
	}
	f.version = answer.Version
	perStep := func(seconds float64) time.Duration {
		return time.Duration(seconds / float64(q.Steps) * float64(time.Second))
	}
	return lap{perStep(answer.Wall), perStep(answer.CPU)}, nil
}

// stop ends the process.
func (f *framework) stop() {
	if f.in != nil {
		_ = f.in.Close() // the script ends at the end of its input
		_ = f.cmd.Wait() // how it ended no longer matters
	}
}
