package gridworld

import "math/bits"

// pcg64 is numpy.random.PCG64: O'Neill's PCG XSL-RR with 128 bits of state and 64 of output. The PCG of math/rand/v2
// has another increment and output.
type pcg64 struct {
	hi, lo uint64 // state
	spare  uint32 // upper half of the last output, if half is set
	half   bool
}

// newPCG64 returns numpy.random.PCG64(1234): the state that numpy's SeedSequence derives from the seed.
func newPCG64() *pcg64 { return &pcg64{hi: 0x160ad84006fe21ea, lo: 0xf69b873d9fe45409} }

// step advances the state: s ← a s + c modulo 2¹²⁸. numpy derives c from the seed.
func (p *pcg64) step() {
	const aHi, aLo = 2549297995355413924, 4865540595714422341
	const cHi, cLo = 0x50c8fb163c7cea4e, 0xd0f51ce6006e4325
	hi, lo := bits.Mul64(p.lo, aLo)
	hi += p.hi*aLo + p.lo*aHi
	var carry uint64
	p.lo, carry = bits.Add64(lo, cLo, 0)
	p.hi, _ = bits.Add64(hi, cHi, carry)
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

// below returns what Generator.integers(0, n, size=1) draws for n > 1 (D. Lemire, Fast Random Integer Generation in an
// Interval, 2019).
func (p *pcg64) below(n uint32) uint32 {
	hi, lo := bits.Mul32(p.uint32(), n)
	for threshold := -n % n; lo < threshold; {
		hi, lo = bits.Mul32(p.uint32(), n)
	}
	return hi
}
