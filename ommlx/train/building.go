package train

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"omm-go/ommlx/internal/fsx"
)

// buildError says what was wrong with a graph, and where in the code of whoever wrote it.
type buildError string

func (e buildError) Error() string { return string(e) }

// building calls build, which builds a graph with code that is not ours, and panics with a buildError if build panics.
// The words given are added to the sentence about an index that was out of range.
func building(given string, build func()) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		said := sentence(cause)
		if _, ok := cause.(runtime.Error); ok && strings.Contains(said, "out of range") {
			said += given
		}
		if at := userFrame(); at != "" {
			said += fmt.Sprintf(" (at %s)", at)
		}
		panic(buildError(said))
	}()
	build()
}

// sentence is the innermost of the sentences that GoMLX wraps into one another.
func sentence(cause any) string {
	err, ok := cause.(error)
	if !ok {
		return fmt.Sprint(cause)
	}
	for {
		wrapper, ok := err.(interface{ Cause() error })
		if !ok {
			return strings.TrimPrefix(err.Error(), "runtime error: ")
		}
		err = wrapper.Cause()
	}
}

// built makes one sentence of the error of a graph that was built, compiled or run; what names the attempt.
func built(what string, err error) error {
	var e buildError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %w", what, e)
	}
	said := sentence(err)
	if strings.Contains(strings.ToLower(said), "out of memory") {
		said += "; reduce the batch, the widths of the network or the runs of one training"
	}
	return fmt.Errorf("%s: %s", what, said)
}

// The packages whose frames are not those of whoever wrote a loss: what builds graphs, and then also this module.
var (
	builders  = []string{"github.com/gomlx/", "runtime.", fsx.Module + "/ommlx/train."}
	libraries = append([]string{fsx.Module + "/"}, builders...)
)

// userFrame returns the innermost frame of the panic under way that is outside of this module, as folder/file.go:line;
// if there is none up to the call of building, the innermost one outside of what builds graphs. Tests are outside.
func userFrame() string {
	var counters [256]uintptr
	n := runtime.Callers(0, counters[:])
	for _, inside := range [][]string{libraries, builders} {
		frames := runtime.CallersFrames(counters[:n])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if strings.HasSuffix(f.Function, "train.building") {
				break
			}
			starts := func(prefix string) bool { return strings.HasPrefix(f.Function, prefix) }
			if !slices.ContainsFunc(inside, starts) || strings.HasSuffix(f.File, "_test.go") {
				folder, file := filepath.Split(f.File)
				return fmt.Sprintf("%s/%s:%d", filepath.Base(folder), file, f.Line)
			}
		}
	}
	return ""
}
