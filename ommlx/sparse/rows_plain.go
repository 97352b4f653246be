//go:build !goexperiment.simd || !amd64

package sparse

func adder[T float32 | float64]() func(sum, x []T, rows []uint32) { return addUp[T] }
