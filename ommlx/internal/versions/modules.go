package versions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/say"
)

// required matches a requirement of go.mod.
var required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)

// modules lists what go.mod requires with the hashes of go.sum.
func modules(root string) (rows []Component, err error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	hashes := map[string]string{}
	for line := range strings.Lines(string(sum)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			hashes[fields[0]+"@"+fields[1]] = fields[2]
		}
	}
	for _, m := range required.FindAllStringSubmatch(string(mod), -1) {
		hash := hashes[m[1]+"@"+m[2]]
		if hash == "" {
			return nil, fmt.Errorf("go.sum has no hash of %s %s, which go.mod requires", m[1], m[2])
		}
		rows = append(rows, Component{Name: m[1], Version: m[2], Hash: hash})
	}
	slices.SortFunc(rows, func(a, b Component) int { return strings.Compare(a.Name, b.Name) })
	return rows, nil
}

// LookUpModules is the [LookUp] that asks the go command, which downloads modules that are not in its cache.
func LookUpModules(ctx context.Context, root string, modules []*Component) error {
	args := []string{"mod", "download", "-json"}
	byName := map[string]*Component{}
	for _, c := range modules {
		args = append(args, c.Name+"@"+c.Version)
		byName[c.Name] = c
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("`go mod download` failed: %s", say.FirstLine(errors.Join(errors.New(stderr.String()), err)))
	}
	for answer := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Zip, Dir, Sum string }
		if err := answer.Decode(&m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		c := byName[m.Path]
		if c == nil {
			return fmt.Errorf("the go command told of %s, which was not asked for", m.Path)
		}
		info, err := os.Stat(m.Zip)
		if err != nil {
			return err
		}
		c.Size = dataset.Amount(info.Size())
		if c.Licence, err = licence(m.Dir); err != nil {
			return err
		}
	}
}

// licences are told by a part of their text; the first that fits counts.
var licences = []struct{ part, name string }{
	{"Apache License", "Apache-2.0"},
	{"Mozilla Public License", "MPL-2.0"},
	{"Creative Commons Attribution 4.0 International", "CC-BY-4.0"},
	{"SIL OPEN FONT LICENSE", "OFL-1.1"},
	{"FreeType License", "FTL OR GPL-2.0-or-later"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"may be used to endorse or promote", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
}

// licence tells the licence of the module in dir, or "" where its text is not known here.
func licence(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		for _, l := range licences {
			if strings.Contains(strings.Join(strings.Fields(string(text)), " "), l.part) {
				return l.name, nil
			}
		}
	}
	return "", nil
}
