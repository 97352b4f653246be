package ommlx_test

import (
	"fmt"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// BenchmarkLoss times loss and gradients, compared with OMM-1 without nesting, which has no k³ term (paper, section
// 2.3.1 and appendix B.3). A one-sided batch has no gradient through Tf.
func BenchmarkLoss(b *testing.B) {
	const samples, functions = 2048, 256
	rng := testkit.NewRand(1)
	f, tf := testkit.Gaussian(rng, samples, functions), testkit.Gaussian(rng, samples, functions)
	round := func(b *testing.B, o ommlx.Objective, oneSided bool) func() error {
		exec := testkit.CompileFor(b, testkit.Backend(b), func(in []*Node) []*Node {
			loss, _ := o.Loss(ommlx.Batch{F: in[0], TF: in[1], OneSided: oneSided}, nil)
			return append(Gradient(loss, in...), loss)
		})
		x, y := train.Table(f.Matrix()), train.Table(tf.Matrix())
		return func() error {
			out, err := exec.Try(x, y)
			if err == nil {
				_ = out[2].Value() // waits for it
			}
			return err
		}
	}
	for _, o := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.OMM{Orders: ommlx.Order(2)}, ommlx.OMM{Orders: ommlx.Order(8)}, ommlx.Sanger{}, ommlx.LoRA{}} {
		b.Run(o.Name(), func(b *testing.B) { testkit.Compare(b, round(b, o, false), round(b, ommlx.OMM{}, false)) })
	}
	b.Run(fmt.Sprintf("%s one-sided", ommlx.OMM{}.Name()), func(b *testing.B) {
		testkit.Compare(b, round(b, ommlx.OMM{}, true), round(b, ommlx.OMM{}, false))
	})
}
