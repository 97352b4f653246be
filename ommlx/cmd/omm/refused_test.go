package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWrongUseIsRefused: the error is one line with the wrong word, and nothing is written or trained. The words of a
// command line are separated by |.
func TestWrongUseIsRefused(t *testing.T) {
	for line, names := range map[string]string{
		"nonsense": "nonsense", "doctor|extra": "extra", "setup|--nosuch": "nosuch", "report|extra": "extra",
		"train|--k|0": "k", "train|--steps|many": "many", "train|--env|GridRoom-5": "GridRoom-5",
		"train|--method|nosuch": "nosuch", "train|--config|c.json|--k|3": "config",
		"train|--config|none.json": "none.json", "train|--runs|0": "--runs",
		"run|--for|30": "30", "run|--for|-1h": "--for", "run|nosuch": "nosuch",
		"run|--profile|best": "use smoke, quick or paper",
		"plan|--format|pbs":  "pbs", "plan|--gpu|fig2": "--format", "plan|--profile|large": "large",
		"bench|--rounds|0": "--rounds", "bench|nosuch": "nosuch",
		"figures|--profile|best": "best", "figures|fig9": "fig9", "figures|--out|": "--out", "tables|tab2|": `""`,
		"tables|fig1": "fig1", "compare|fig9": "fig9", "check|extra": "extra",
		"learn|--k|3": "out", "learn|--graph|g.csv": "out", "learn|--out|o": "give one of --graph, ",
		"learn|--graph|g.csv|--matrix|m.npy|--out|o": "--graph and --matrix exclude each other",
		"learn|--graph|g.csv|more.csv|--out|o":       "more.csv", "learn|--graph|g.csv|--out|": "give it a value\n",
		"learn|--graph|g.csv|--k|x|--out|o":      `--k is "x", want a whole number; see`,
		"learn|--graph|g.csv|--batch|-1|--out|o": "--batch", "learn|--graph|g.csv|--shift|-2|--out|o": "--shift",
		"learn|--graph|g.csv|--states|--out|o": "--trajectory", "learn|--graph|a/nodes.txt|--out|a/": "overwrite",
		"learn|--kernel|poly:1.5|--samples|x.npy|--out|o": "a whole D", "learn|--kernel|rbf:1|--out|o": "samples",
		"learn|--kernel|rbf:0|--samples|x.npy|--out|o": "rbf:0", "learn|--kernel|rbf:|--samples|x.npy|--out|o": "rbf",
		"learn|--kernel|cubic:3|--samples|x.npy|--out|o": "cubic", "learn|--graph|g.csv|--k|0|--out|o": "--k",
		"learn|--pairs|x.npy|--out|o": "--pairs", "learn|--trajectory|x.npy|--out|o": "--lag",
		"learn|--trajectory|x.npy|--lag|-1|--out|o": "--lag", "learn|--trajectory|x.npy|--lags|2,1|--out|o": "--lags",
		"learn|--graph|g.csv|--lag|1|--out|o": "--lag", "learn|--pairs|x,y|--lags|1|--out|o": "--lags",
		"learn|--matrix|m.npy|--columns|1|--out|o": "--columns",
		"learn|--neighbours|0|--out|o":             "--samples", "learn|--neighbours|0|--samples|x|--out|o": "is 0",
		"data|nosuch": "nosuch", "data|get|cifar100|extra": "extra",
	} {
		code, stdout, stderr := omm(t, strings.Split(line, "|")...)
		assert.Equal(t, exitWrongUse, code, line)
		assert.Empty(t, stdout, line)
		assert.Regexp(t, "^omm: [^\n]+\n$", stderr)
		assert.Contains(t, stderr, names, line)
	}
}

// TestOutsideACheckout: every command that needs a checkout exits with wrong use.
func TestOutsideACheckout(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range strings.Fields("figures tables plan run check lab compare report") {
		code, _, stderr := omm(t, name)
		assert.Equal(t, exitWrongUse, code, name)
		assert.Contains(t, stderr, "checkout", name)
	}
}
