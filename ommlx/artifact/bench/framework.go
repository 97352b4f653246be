package bench

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

//go:embed serve.py
var serve string

var errNotInstalled = errors.New("not installed (`make bench` installs it)")

// framework is a Python process that runs one of the scripts. It waits for a line with the number of steps, runs them,
// and answers with a line, so it is idle while others are measured. It starts with the first question.
type framework struct {
	name    string
	version string  // once it has answered
	memory  float64 // GiB, the largest of its answers
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	err     error // once set, every round returns it
}

// script prepares to run one of the scripts, after serve.py, with the interpreter of the options.
func (s *session) script(name, text string) *framework {
	cmd := exec.CommandContext(s.ctx, s.Python, "-c", serve+text)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(set string) bool { // omm's own malloc settings
		return strings.HasPrefix(set, "GLIBC_TUNABLES=")
	})
	f := &framework{name: name, cmd: cmd}
	s.frameworks = append(s.frameworks, f)
	return f
}

// round returns a round of the given number of steps; of describes them to the script in JSON. The first round includes
// compilation. The error is errNotInstalled if the script's import failed.
func (f *framework) round(steps int, of any) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		if f.in == nil && f.err == nil {
			in, err1 := f.cmd.StdinPipe()
			out, err2 := f.cmd.StdoutPipe()
			f.in, f.out = in, json.NewDecoder(out)
			if err := cmp.Or(err1, err2, f.cmd.Start()); err != nil {
				f.err = fmt.Errorf("python: %w", err)
			}
		}
		if f.err != nil {
			return 0, f.err
		}
		question := map[string]any{"steps": steps, "of": of}
		writeErr := json.NewEncoder(f.in).Encode(question) // fails if the script has ended; its output remains
		var answer struct {
			Seconds, Memory float64
			Version, Error  string
		}
		err := f.out.Decode(&answer)
		f.version, f.memory = answer.Version, max(f.memory, answer.Memory)
		switch {
		case errors.Is(err, io.EOF):
			f.err = fmt.Errorf("%s ended without an answer: %w", f.name, cmp.Or(f.cmd.Wait(), writeErr, err))
		case err != nil:
			f.err = fmt.Errorf("%s answered otherwise than agreed: %w", f.name, err)
		case answer.Error != "":
			f.err = errNotInstalled
		}
		return time.Duration(answer.Seconds / float64(steps) * float64(time.Second)), f.err
	}
}

// stop ends the process and prints the framework's version if it answered.
func (f *framework) stop(out io.Writer) {
	if f.in != nil {
		_ = f.in.Close() // end of input ends the script
		_ = f.cmd.Wait() // its exit status does not matter
	}
	if f.version != "" {
		fmt.Fprintf(out, "%s %s\n", f.name, f.version)
	}
}
