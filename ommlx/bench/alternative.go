package bench

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

var (
	//go:embed serve.py
	serve string
	//go:embed jax_step.py
	jaxStep string
	//go:embed torch_step.py
	torchStep string
	//go:embed torch_hydrogen.py
	torchHydrogen string
	//go:embed torch_graph.py
	torchGraph string
	//go:embed torch_resnet18.py
	torchResNet18 string
	//go:embed torch_resnet.py
	torchResNet string
)

// errNotInstalled says that an alternative cannot be imported.
var errNotInstalled = errors.New("not installed (`make bench` installs it)")

// framework is a Python process that runs one of the scripts: it waits for a line, runs the steps that the line asks
// for, and answers with a line, so that it rests while others are measured. It starts with the first question.
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
	Batch int   `json:"batch"`
	Width int   `json:"width"`
	Rows  int   `json:"rows"`
	Steps int   `json:"steps"`
	Scan  bool  `json:"scan"`           // all steps in one call; JAX only
	Wave  *wave `json:"wave,omitempty"` // torch_hydrogen.py alone, which reads Steps and this
	// Pictures is for torch_resnet.py alone, which reads Steps and this.
	Pictures *pictures `json:"pictures,omitempty"`
	// Sparse is for scipy_eigsh.py alone, which reads Steps and this.
	Sparse *sparse `json:"sparse,omitempty"`
	// Adjacency is for scipy_graph.py alone, which reads Steps and this.
	Adjacency *adjacency `json:"adjacency,omitempty"`
	// Graph is for torch_graph.py alone, which reads Steps and this.
	Graph *graphStep `json:"graph,omitempty"`
}

// script prepares to run one of the scripts, behind serve.py, with the interpreter python.
func script(ctx context.Context, python, name, text string) *framework {
	return command(ctx, python, name, serve+text)
}

// command prepares to run script with the interpreter python.
func command(ctx context.Context, python, name, script string) *framework {
	return &framework{name: name, cmd: exec.CommandContext(ctx, python, "-c", script)}
}

func (f *framework) start() {
	in, err1 := f.cmd.StdinPipe()
	out, err2 := f.cmd.StdoutPipe()
	if f.err = errors.Join(err1, err2); f.err != nil {
		return
	}
	f.in, f.out = in, bufio.NewReader(out)
	if err := f.cmd.Start(); err != nil {
		f.err = fmt.Errorf("%s cannot be run: %w", f.cmd.Args[0], err)
	}
}

// ask returns the time that q took. The first question of its kind compiles, so its time is none to report.
func (f *framework) ask(q question) (lap, error) {
	var answer timing
	if err := f.tell(q, &answer); err != nil {
		return lap{}, err
	}
	l, err := answer.perStep(q.Steps)
	if err != nil {
		f.err = fmt.Errorf("%s %w", f.name, err)
		return lap{}, f.err
	}
	f.version = answer.Version
	return l, nil
}

// tell asks q and reads the answer.
func (f *framework) tell(q question, answer any) error {
	if f.in == nil && f.err == nil {
		f.start()
	}
	if f.err != nil {
		return f.err
	}
	line, err := json.Marshal(q)
	if err != nil {
		return err
	}
	_, writeErr := f.in.Write(append(line, '\n')) // fails when the script has ended; what it said is still there
	text, err := readAnswer(f.out)
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("ended without an answer: %w", cmp.Or(f.cmd.Wait(), writeErr, err))
	} else if err == nil {
		err = parseAnswer(text, answer)
	}
	if err != nil && err != errNotInstalled {
		err = fmt.Errorf("%s %w", f.name, err)
	}
	f.err = err
	return err
}

// stop ends the process.
func (f *framework) stop() {
	if f.in != nil {
		_ = f.in.Close() // the script ends at the end of its input
		_ = f.cmd.Wait() // how it ended no longer matters
	}
}
