package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/say"
)

// FuzzCommandLine: whatever is typed, the commands without their actions either take it or refuse it in one line.
func FuzzCommandLine(f *testing.F) {
	saved := commands
	f.Cleanup(func() { commands = saved })
	var disarm func(cmd *cobra.Command)
	disarm = func(cmd *cobra.Command) {
		if cmd.RunE != nil {
			cmd.RunE = func(*cobra.Command, []string) error { return nil }
		}
		for _, sub := range cmd.Commands() {
			disarm(sub)
		}
	}
	commands = nil
	for _, construct := range saved {
		commands = append(commands, func() *cobra.Command {
			cmd := construct()
			disarm(cmd)
			return cmd
		})
	}
	for _, line := range []string{
		"", "doctor", "figures\n--profile\npaper\n--out\n/x", "train\n--k=x", "data\nget\ngrids\n--from\nhttp://x",
		"lab\n--\n--port=1", "nosuch", "data\nget", "--\x1b[2J", "-\xff", "bench\n--case\na,\"b", "help\ndata",
		"train\n--runs\n99999999999999999999", "__complete\n", "setup\n--notebooks=maybe", "figurse",
		strings.Repeat("\xa9", 2*longest),
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var out, errs bytes.Buffer
		code := execute(t.Context(), strings.Split(line, "\n"), &out, &errs)
		if strings.HasPrefix(line, cobra.ShellCompRequestCmd) {
			return // what a shell asks for completion, which cobra answers by rules of its own
		}
		if code == exitOK {
			require.Empty(t, errs.String())
			return
		}
		require.Equal(t, exitWrongUse, code)
		require.Empty(t, out.String())
		require.Regexp(t, "^omm: .+; see `omm[ a-z0-9]* --help`\n$", errs.String())
		require.Equal(t, strings.TrimSpace(errs.String()), say.FirstLine(errors.New(errs.String())))
		require.Less(t, utf8.RuneCount(errs.Bytes()), longest+100)
	})
}
