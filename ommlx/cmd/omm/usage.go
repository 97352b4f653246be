package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// values says for each type of flag what it takes.
var values = map[string]string{
	"bool": "true or false", "duration": "a time, as 90s, 30m or 2h", "float64": "a number, as 0.5",
	"int": "a whole number, as 1000", "uint64": "a whole number, 0 or more",
	"stringSlice": "names with commas between them",
}

// mayBeEmpty annotates a flag whose empty value means something.
const mayBeEmpty = "omm_may_be_empty"

// misread makes a sentence of an error of the flag library: what was wrong with which flag, and what it takes.
func misread(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		number, _ := errors.AsType[*strconv.NumError](err)
		flag, wants := e.GetFlag(), "it must be "+values[e.GetFlag().Value.Type()]
		if number != nil && errors.Is(number.Err, strconv.ErrRange) {
			wants = "it is out of range"
		}
		return fmt.Errorf("--%s is %q; %s", flag.Name, e.GetValue(), wants)
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			name = "-" + e.GetSpecifiedName()
		}
		return fmt.Errorf("%s is no flag of %s", name, cmd.CommandPath())
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s is without a value", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return fmt.Errorf("%q cannot be read as a flag", e.GetSpecifiedFlag())
	}
	return err
}

// refuseEmpty returns an error for a flag that is given with nothing, as a variable of a script that is not set.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		_, may := f.Annotations[mayBeEmpty]
		if text := f.Value.String(); !may && (text == "" || f.Value.Type() == "stringSlice" && text == "[]") {
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

// topics finds the command that help is asked for. It keeps what was asked for where there is no such command, which
// cobra would answer with the help of another one.
type topics struct {
	asked *cobra.Command // the command behind whose name stands what it does not have
	wrong error
}

// add puts the search into the help of a tree of commands.
func (t *topics) add(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd = t.find(cmd, cmd.Flags().Args()); cmd != nil { // words behind --help
			help(cmd, args)
		}
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND ...]",
		Short: "Say what a command does",
		RunE: func(_ *cobra.Command, args []string) error {
			if cmd := t.find(root, args); cmd != nil {
				return cmd.Help()
			}
			return nil
		},
	})
}

// find returns the command of these words below another one, or nil.
func (t *topics) find(cmd *cobra.Command, words []string) *cobra.Command {
	found, rest, err := cmd.Find(words)
	if err == nil && found.HasSubCommands() {
		err = noArguments(found, rest)
	}
	if err != nil {
		t.asked, t.wrong = found, err
		return nil
	}
	return found
}
