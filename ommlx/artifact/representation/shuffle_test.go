package representation

// of returns the samples of a step, counted from 0.
func (m Minibatches) of(seed int64, step int) []int {
	order := m.epoch(seed, step/m.PerEpoch())
	first := step % m.PerEpoch() * m.Batch
	samples := make([]int, m.Batch)
	for i := range samples {
		samples[i] = order(first + i)
	}
	return samples
}

// epoch is [Minibatches.indices] for one epoch on the host: the sample at a position in [0, Samples).
func (m Minibatches) epoch(seed int64, epoch int) func(position int) int {
	samples, words := uint32(m.Samples), seedWords(seed)
	for i := range words {
		words[i] = mix(words[i] + uint32(epoch)*epochStride)
	}
	var bits, pivots [shuffleRounds]uint32
	for round := range uint32(shuffleRounds) {
		bits[round] = mix(words[0] + round*roundStride)
		pivots[round] = mix(words[1]+round*roundStride) % samples
	}
	return func(position int) int {
		x := uint32(position)
		for round := range shuffleRounds {
			y := pivots[round] + samples - x
			if y >= samples {
				y -= samples
			}
			if mix(max(x, y)^bits[round])>>31 == 1 {
				x = y
			}
		}
		return int(x)
	}
}

func mix(h uint32) uint32 {
	h = (h ^ h>>16) * mixFirst
	h = (h ^ h>>13) * mixSecond
	return h ^ h>>16
}
