package probe

// of returns the samples of a step, counted from 0.
func (m Minibatches) of(seed int64, step int) []int {
	order := m.epoch(seed, step/m.PerEpoch())
	first := step % m.PerEpoch() * m.Batch
	samples := make([]int, m.Batch)
	for i := range samples {
		samples[i] = order.index(first + i)
	}
	return samples
}

// order is the permutation of [Minibatches.indices] for one epoch, on the host, defined by the keys of its rounds.
type order struct {
	samples      uint32
	bits, pivots [shuffleRounds]uint32
}

// epoch returns the order of an epoch, counted from 0, on the host.
func (m Minibatches) epoch(seed int64, epoch int) *order {
	o := &order{samples: uint32(m.Samples)}
	words := seedWords(seed)
	for i := range words {
		words[i] = mix(words[i] + uint32(epoch)*epochStride)
	}
	for round := range uint32(shuffleRounds) {
		o.bits[round] = mix(words[0] + round*roundStride)
		o.pivots[round] = mix(words[1]+round*roundStride) % o.samples
	}
	return o
}

// index returns the sample at a position in [0, Samples).
func (o *order) index(position int) int {
	x := uint32(position)
	for round := range shuffleRounds {
		y := o.pivots[round] + o.samples - x
		if y >= o.samples {
			y -= o.samples
		}
		if mix(max(x, y)^o.bits[round])>>31 == 1 {
			x = y
		}
	}
	return int(x)
}

func mix(h uint32) uint32 {
	h = (h ^ h>>16) * mixFirst
	h = (h ^ h>>13) * mixSecond
	return h ^ h>>16
}
