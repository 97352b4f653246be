package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/train"
)

// request is a command line of `omm learn`.
type request struct {
	kind                                       string // the flag that names the input, one of kinds
	graph, matrix, kernel, samples, out, group string
	trajectory, pairs, columns                 []string
	lag, k, neighbours                         int
	lags                                       []int
	states                                     bool
	settings                                   learn.Settings
}

const learnHelp = `Learns the leading eigenvalues and eigenfunctions of a matrix, graph, kernel or process, prints the
values with their errors and advice, and writes to the folder --out:
  functions.npy      one row per node, row, sample, frame or state, one column per function
  values.csv         value, residual, bound, held-out value, timescale and errors, one row per function
  nodes.txt          the names of a graph's nodes, in the order of functions.npy; states.txt for --states
  functions.png      the values, and the functions over the first two coordinates or, for a graph, over the plane of
                     functions 2 and 3
  model.safetensors  the functions
  evaluate.py        evaluates the functions of points at new points x, with NumPy only:
                     import evaluate; phi = evaluate.at("model.safetensors", x)
  read.py            five lines of Python that read these files

Files are arrays of NumPy (.npy, or .npz with one array), sparse matrices of scipy.sparse.save_npz, text tables (commas,
semicolons, tabs or blanks; with or without a header or a comment that names the columns) and the Matrix Market format
(.mtx), plain or compressed by gzip; - is standard input. --columns selects the columns of tables, by name or, without a
header, by number from 0. The output lists what the columns were taken for.
  --graph       undirected edges: source, target and optionally weight; or an adjacency matrix
  --neighbours  a graph of --samples, each joined to this many nearest neighbours
  --matrix      a symmetric matrix
  --kernel      rbf:H is exp(−|x−y|²/2H²), rbf takes H from the samples,
                laplace:H is exp(−|x−y|/H), poly:D is (1 + x·y)^D; points are --samples
  --trajectory  frames of a reversible process, one per row; further files may follow, as in --trajectory *.npy. Rows
                with a missing number split a trajectory
  --pairs       two files, row by row: x, and x' a lag later

Ctrl-C keeps a checkpoint in --out; the same command resumes. The same files and settings give the same bits.`

// kinds lists the flags for inputs. A command line has one of them.
var kinds = []string{"graph", "neighbours", "matrix", "kernel", "trajectory", "pairs"}

func newLearn() *cobra.Command {
	var r request
	var seed int64
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Learn eigenvalues and eigenfunctions of a matrix, graph, kernel or process given by files",
		Long:  learnHelp,
		Example: `  omm learn --graph edges.csv --k 8 --out result
  omm learn --neighbours 10 --samples x.npy --out result
  omm learn --matrix covariance.npy --k 5 --out result
  omm learn --kernel rbf:0.5 --samples x.npy --out result
  omm learn --trajectory a.npy,b.csv --columns phi,psi --lag 10 --out result
  omm learn --trajectory walkers.csv --group walker --lag 10 --out result
  omm learn --trajectory clusters.npy --states --lag 10 --out result
  omm learn --trajectory a.npy --lags 1,2,5,10,20 --out result
  omm learn --pairs from.npy,to.npy --out result`,
		Args: cobra.ArbitraryArgs, // more files of --trajectory
		RunE: func(cmd *cobra.Command, args []string) error {
			given := slices.Clone(kinds)
			given = slices.DeleteFunc(given, func(kind string) bool { return !cmd.Flags().Changed(kind) })
			switch {
			case len(args) > 0 && r.trajectory == nil:
				return usage{fmt.Errorf("unexpected argument %q: several files are only for --trajectory", args[0])}
			case len(given) == 0:
				return usage{fmt.Errorf("give one of --%s", strings.Join(kinds, ", --"))}
			case len(given) > 1:
				return usage{fmt.Errorf("--%s exclude each other: give one", strings.Join(given, " and --"))}
			}
			r.kind, r.trajectory = given[0], append(r.trajectory, args...)
			r.settings.Seeds = []int64{seed}
			if cmd.Flags().Changed("shift") && r.settings.Shift == 0 {
				r.settings.Shift = learn.None
			}
			return r.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	r.flags(cmd.Flags(), &seed)
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

func (r *request) flags(f *pflag.FlagSet, seed *int64) {
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.Replace(name, "neighbors", "neighbours", 1))
	})
	f.StringVar(&r.graph, "graph", "", "edge list or adjacency matrix")
	f.StringVar(&r.matrix, "matrix", "", "symmetric matrix")
	f.StringVar(&r.kernel, "kernel", "", "kernel on --samples: rbf, rbf:H, laplace:H or poly:D")
	f.StringVar(&r.samples, "samples", "", "points for --kernel or --neighbours")
	f.IntVar(&r.neighbours, "neighbours", 0, "nearest neighbours of each of the --samples, for a graph")
	f.StringSliceVar(&r.trajectory, "trajectory", nil, "trajectories, separated by commas")
	f.StringVar(&r.group, "group", "", "column of --trajectory that numbers the trajectories")
	f.BoolVar(&r.states, "states", false, "the only column of --trajectory numbers states, such as clusters")
	f.StringSliceVar(&r.pairs, "pairs", nil, "two files, x and x'")
	f.StringSliceVar(&r.columns, "columns", nil, "columns of the tables; by default all")
	f.IntVar(&r.lag, "lag", 0, "lag in frames")
	f.IntSliceVar(&r.lags, "lags", nil, "lags for a picture of implied timescales; without --lag, nothing else")
	f.IntVar(&r.k, "k", 4, "number of eigenfunctions")
	f.StringVar(&r.out, "out", "", "folder for the results")
	f.Int64Var(seed, "seed", 1, "seed of the random numbers")
	f.IntVar(&r.settings.Steps, "steps", 0, "optimiser steps; 0: chosen by the operator, as for --batch and --rate")
	f.IntVar(&r.settings.Batch, "batch", 0, "samples per step")
	f.Float64Var(&r.settings.Rate, "rate", 0, "learning rate")
	f.Float64Var(&r.settings.Shift, "shift", 0, "trains T + shift, in units of T's largest eigenvalue; by default "+
		"as needed")
}

// run learns, prints and writes.
func (r *request) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := r.validate(); err != nil {
		return usage{err}
	}
	s, err := r.subject()
	if err != nil {
		return err
	}
	earlier, err := earlierResult(r.out)
	if err != nil {
		return usage{err}
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	fmt.Fprintln(stdout, strings.Join(append([]string{s.title}, s.notes...), "\nnote: "))
	if earlier != nil {
		fmt.Fprintf(stdout, "note: %s has an earlier result, which this run replaces: %s\n", r.out,
			strings.Join(earlier, ", "))
	}
	if _, err := s.at(slices.Max(append([]int{r.lag}, r.lags...))); err != nil { // before minutes of training
		return err
	}
	checkpoint := filepath.Join(r.out, "checkpoint")
	learned := map[int]*learn.Learned{}
	for _, lag := range append(slices.Clone(r.lags), r.lag) {
		if learned[lag] != nil || lag == 0 && r.lags != nil {
			continue
		}
		if learned[lag], err = r.train(ctx, s, lag, filepath.Join(checkpoint, strconv.Itoa(lag)), stderr); err != nil {
			return err
		}
	}
	for _, name := range earlier {
		if err := os.Remove(filepath.Join(r.out, name)); err != nil {
			return err
		}
	}
	if r.lags != nil {
		if err := writeTimescales(stdout, r.out, r.lags, learned); err != nil {
			return err
		}
	}
	if l := learned[r.lag]; l != nil {
		if err := writeResult(stdout, r.out, s, l, r.lag); err != nil {
			return err
		}
	}
	return os.RemoveAll(checkpoint)
}

func (r *request) validate() error {
	isOf := func(kinds ...string) bool { return slices.Contains(kinds, r.kind) }
	switch {
	case r.samples == "" && isOf("kernel", "neighbours"):
		return errors.New("--kernel and --neighbours need --samples")
	case r.samples != "" && !isOf("kernel", "neighbours"):
		return errors.New("--samples needs --kernel or --neighbours")
	case r.columns != nil && isOf("matrix"):
		return errors.New("--columns selects columns of tables, not of a --matrix")
	case slices.ContainsFunc(append(slices.Concat(r.trajectory, r.pairs), r.graph, r.matrix, r.samples), r.overwrites):
		return fmt.Errorf("--out %s would overwrite a file that is read: choose another folder", r.out)
	case isOf("neighbours") && r.neighbours < 1:
		return fmt.Errorf("--neighbours is %d, want at least 1", r.neighbours)
	case min(r.settings.Batch, r.settings.Steps) < 0 || !(r.settings.Rate >= 0) ||
		!(r.settings.Shift >= 0 || r.settings.Shift == learn.None):
		return errors.New("--batch, --steps, --rate and --shift want positive numbers, or 0")
	case r.k < 1:
		return fmt.Errorf("--k is %d, want at least 1", r.k)
	case isOf("pairs") && len(r.pairs) != 2:
		return fmt.Errorf("--pairs has %s, want two, as in from.npy,to.npy", say.Count(len(r.pairs), "file"))
	case r.lag < 0 || r.lag > 0 && !isOf("trajectory", "pairs"):
		return fmt.Errorf("--lag is %d, want a positive number, and only with --trajectory or --pairs", r.lag)
	case !isOf("trajectory") && (r.lags != nil || r.group != "" || r.states):
		return errors.New("--lags, --group and --states need --trajectory")
	case isOf("trajectory") && r.lag == 0 && r.lags == nil:
		return errors.New("--trajectory needs --lag, or several --lags to choose one by")
	}
	for i, lag := range r.lags {
		if lag < 1 || i > 0 && lag <= r.lags[i-1] {
			return fmt.Errorf("--lags are %v, want ascending positive numbers", r.lags)
		}
	}
	return nil
}

// results lists all files that the command may write.
var results = strings.Fields("functions.npy functions.png values.csv nodes.txt states.txt model.safetensors read.py " +
	"evaluate.py timescales.csv timescales.png")

// earlierResult returns the names of files of an earlier result in a folder. It returns an error for files with such
// names that may be the user's, since a result has read.py or timescales.csv, or a checkpoint that is resumed.
func earlierResult(folder string) (names []string, err error) {
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	}
	for _, name := range results {
		if exists(name) {
			names = append(names, name)
		}
	}
	if names != nil && !slices.ContainsFunc([]string{"read.py", "timescales.csv", "checkpoint"}, exists) {
		return nil, fmt.Errorf("--out %s has %s, but no result of omm learn: choose another folder", folder,
			strings.Join(names, ", "))
	}
	return names, nil
}

// overwrites reports whether a file that is read has the name of a result.
func (r *request) overwrites(path string) bool {
	return filepath.Dir(path) == filepath.Clean(r.out) && slices.Contains(results, filepath.Base(path))
}

// train learns at a lag, if the subject has one, with a checkpoint in folder.
func (r *request) train(ctx context.Context, s subject, lag int, folder string, stderr io.Writer) (l *learn.Learned,
	err error) {
	op, err := s.at(lag)
	if err != nil {
		return nil, err
	}
	label := "learn"
	if r.lags != nil {
		label = fmt.Sprintf("lag %d", lag)
	}
	settings := r.settings
	settings.Options = train.Options{Dir: folder, Warn: stderr, Progress: (&train.Bar{W: stderr, Label: label}).Show}
	l, err = learn.Learn(ctx, op, r.k, settings)
	if errors.Is(err, train.ErrForeign) {
		err = fmt.Errorf("%s has a checkpoint of other files or settings: use them to resume, or remove %s", r.out,
			folder)
	} else if err != nil {
		err = reworded{err, s}
	}
	return l, err
}
