package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"
)

// longestAnswer is how many bytes an answer may have: a test's gradients of small networks take a thousandth of it.
const longestAnswer = 1 << 26

// readAnswer reads one line. It fails with io.EOF where there is none to its end, and on one that does not end.
func readAnswer(from *bufio.Reader) (line []byte, err error) {
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > longestAnswer {
			return nil, fmt.Errorf("gave an answer of more than %d bytes, beginning with %.80q", longestAnswer, line)
		}
	}
}

// parseAnswer reads the JSON of a line into answer. The error is errNotInstalled where the script could not import.
func parseAnswer(line []byte, answer any) error {
	var failure struct{ Error string }
	err := json.Unmarshal(line, &failure)
	if err == nil && failure.Error != "" {
		return errNotInstalled
	}
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	if err != nil {
		return fmt.Errorf("answered %.80q: %w", line, err)
	}
	return nil
}

// timing is what a script measured: seconds of all its steps.
type timing struct {
	Version   string
	Wall, CPU float64
}

// perStep divides by the number of steps, which is positive. A clock that stood still or ran for a year is an error.
func (t timing) perStep(steps int) (lap, error) {
	const year = 365 * 24 * 3600
	each := func(seconds float64) time.Duration {
		return time.Duration(seconds / float64(steps) * float64(time.Second))
	}
	if !(t.Wall < year && each(t.Wall) > 0 && t.CPU >= 0 && t.CPU < year) {
		return lap{}, fmt.Errorf("answered that %d steps took %g s, and %g s of the processor, which cannot be",
			steps, t.Wall, t.CPU)
	}
	return lap{each(t.Wall), each(t.CPU)}, nil
}
