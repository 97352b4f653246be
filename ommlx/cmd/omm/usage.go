package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty returns an error for a flag that is given with nothing, as a variable of a script that is not set.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); text == "" || f.Value.Type() == "stringSlice" && text == "[]" {
			err = fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// noArguments refuses what a command does not take; of a command that groups others, another word than theirs.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return fmt.Errorf("%q is given, and %s takes no arguments", args[0], cmd.CommandPath())
	}
	perhaps := ""
	if cmd.SuggestionsMinimumDistance = 2; args[0] != "" {
		if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
			perhaps = fmt.Sprintf(", perhaps %s is meant", strings.Join(like, " or "))
		}
	}
	return fmt.Errorf("%q is no command of %s%s", args[0], cmd.CommandPath(), perhaps)
}

// someOfValid takes one or more of cmd.ValidArgs.
func someOfValid(cmd *cobra.Command, args []string) error {
	all := strings.Join(cmd.ValidArgs, ", ")
	if len(args) == 0 {
		return fmt.Errorf("name one or more of %s", all)
	}
	for _, name := range args {
		if !slices.Contains(cmd.ValidArgs, name) {
			return fmt.Errorf("%q is none of %s", name, all)
		}
	}
	return nil
}
