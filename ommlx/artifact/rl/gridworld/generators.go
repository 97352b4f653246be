package gridworld

import (
	"fmt"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

// The generators of numpy and Python, to repeat their draws. The PCG of math/rand/v2 has a fixed increment; numpy
// derives the increment from the seed.

// seedWords splits a seed into 32-bit words, lowest first, as numpy and Python do.
func seedWords(seed int64) ([]uint32, error) {
	if seed < 0 {
		return nil, fmt.Errorf("gridworld: seed %d, want at least 0", seed)
	}
	if seed>>32 == 0 {
		return []uint32{uint32(seed)}, nil
	}
	return []uint32{uint32(seed), uint32(seed >> 32)}, nil
}

// seedSequence returns the eight words that numpy.random.SeedSequence generates from at most four: an avalanche over a
// pool of four words (M. E. O'Neill, Developing a seed_seq Alternative, 2015).
func seedSequence(words []uint32) (state [8]uint32) {
	scramble := func(constant *uint32, factor, x uint32) uint32 {
		x ^= *constant
		*constant *= factor
		x *= *constant
		return x ^ x>>16
	}
	var pool [4]uint32
	copy(pool[:], words)
	const inFactor, outFactor = 0x931e8875, 0x58f38ded
	in, out := uint32(0x43b0d7e5), uint32(0x8b51f9dd)
	for i := range pool {
		pool[i] = scramble(&in, inFactor, pool[i])
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				x := 0xca01f9dd*pool[to] - 0x4973f715*scramble(&in, inFactor, pool[from])
				pool[to] = x ^ x>>16
			}
		}
	}
	for i := range state {
		state[i] = scramble(&out, outFactor, pool[i%len(pool)])
	}
	return state
}

// pcg64 is numpy.random.PCG64: O'Neill's PCG XSL-RR with 128 bits of state and 64 of output.
type pcg64 struct {
	hi, lo       uint64 // state
	incHi, incLo uint64 // increment of the linear congruence, odd
	spare        uint32 // upper half of the last output, if half is set
	half         bool
}

// newPCG64 returns numpy.random.PCG64(seed), given [seedWords] of the seed.
func newPCG64(words []uint32) *pcg64 {
	state := seedSequence(words)
	var s [4]uint64
	for i := range s {
		s[i] = uint64(state[2*i]) | uint64(state[2*i+1])<<32
	}
	p := &pcg64{incHi: s[2]<<1 | s[3]>>63, incLo: s[3]<<1 | 1}
	p.step()
	var carry uint64
	p.lo, carry = bits.Add64(p.lo, s[1], 0)
	p.hi, _ = bits.Add64(p.hi, s[0], carry)
	p.step()
	return p
}

// step advances the state: s ← a s + c modulo 2¹²⁸.
func (p *pcg64) step() {
	const aHi, aLo = 2549297995355413924, 4865540595714422341
	hi, lo := bits.Mul64(p.lo, aLo)
	hi += p.hi*aLo + p.lo*aHi
	var carry uint64
	p.lo, carry = bits.Add64(lo, p.incLo, 0)
	p.hi, _ = bits.Add64(hi, p.incHi, carry)
}

// uint32 returns the lower half of an output, and in the next call its upper half.
func (p *pcg64) uint32() uint32 {
	if p.half {
		p.half = false
		return p.spare
	}
	p.step()
	x := bits.RotateLeft64(p.hi^p.lo, -int(p.hi>>58))
	p.spare, p.half = uint32(x>>32), true
	return uint32(x)
}

// below returns what Generator.integers(0, n, size=1) draws, 1 ≤ n < 2³² (D. Lemire, Fast Random Integer Generation in
// an Interval, 2019). n = 1 draws nothing.
func (p *pcg64) below(n uint32) uint32 {
	if n == 1 {
		return 0
	}
	hi, lo := bits.Mul32(p.uint32(), n)
	for threshold := -n % n; lo < threshold; {
		hi, lo = bits.Mul32(p.uint32(), n)
	}
	return hi
}

// python is Python's random.Random.
type python struct{ source *prng.MT19937 }

// newPython returns random.Random(seed), given [seedWords] of the seed.
func newPython(words []uint32) python {
	source := prng.NewMT19937()
	source.SeedFromKeys(words)
	return python{source}
}

// belowFour returns what randint(0, 3) draws: three bits, again until they are in 0…3.
func (p python) belowFour() uint32 {
	for {
		if x := p.source.Uint32() >> 29; x < 4 {
			return x
		}
	}
}
