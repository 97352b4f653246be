//go:build goexperiment.simd && amd64

package sparse

import "simd/archsimd"

// adder returns the fastest addUp for the processor.
func adder[T float32 | float64]() func(sum, x []T, rows []uint32) {
	if archsimd.X86.AVX() {
		for _, f := range []any{addUp32, addUp64} {
			if f, fits := f.(func(sum, x []T, rows []uint32)); fits {
				return f
			}
		}
	}
	return addUp[T]
}

// addUp32 is addUp for float32 with vectors of 8: one pass for every three lines, then one for each remaining line.
func addUp32(sum, x []float32, rows []uint32) {
	width, at := len(sum), 0
	for ; at+6*8 <= width; at += 6 * 8 {
		var a, b, c, d, e, f archsimd.Float32x8
		for _, j := range rows {
			row := (*[6 * 8]float32)(x[int(j)*width+at:])
			a = a.Add(archsimd.LoadFloat32x8((*[8]float32)(row[0:])))
			b = b.Add(archsimd.LoadFloat32x8((*[8]float32)(row[8:])))
			c = c.Add(archsimd.LoadFloat32x8((*[8]float32)(row[2*8:])))
			d = d.Add(archsimd.LoadFloat32x8((*[8]float32)(row[3*8:])))
			e = e.Add(archsimd.LoadFloat32x8((*[8]float32)(row[4*8:])))
			f = f.Add(archsimd.LoadFloat32x8((*[8]float32)(row[5*8:])))
		}
		for i, v := range [...]archsimd.Float32x8{a, b, c, d, e, f} {
			v.Store((*[8]float32)(sum[at+i*8:]))
		}
	}
	for ; at < width; at += 2 * 8 {
		var a, b archsimd.Float32x8
		for _, j := range rows {
			row := (*[2 * 8]float32)(x[int(j)*width+at:])
			a = a.Add(archsimd.LoadFloat32x8((*[8]float32)(row[0:])))
			b = b.Add(archsimd.LoadFloat32x8((*[8]float32)(row[8:])))
		}
		a.Store((*[8]float32)(sum[at:]))
		b.Store((*[8]float32)(sum[at+8:]))
	}
}

// addUp64 is addUp for float64 with vectors of 4: one pass for every three lines, then one for each remaining line.
func addUp64(sum, x []float64, rows []uint32) {
	width, at := len(sum), 0
	for ; at+6*4 <= width; at += 6 * 4 {
		var a, b, c, d, e, f archsimd.Float64x4
		for _, j := range rows {
			row := (*[6 * 4]float64)(x[int(j)*width+at:])
			a = a.Add(archsimd.LoadFloat64x4((*[4]float64)(row[0:])))
			b = b.Add(archsimd.LoadFloat64x4((*[4]float64)(row[4:])))
			c = c.Add(archsimd.LoadFloat64x4((*[4]float64)(row[2*4:])))
			d = d.Add(archsimd.LoadFloat64x4((*[4]float64)(row[3*4:])))
			e = e.Add(archsimd.LoadFloat64x4((*[4]float64)(row[4*4:])))
			f = f.Add(archsimd.LoadFloat64x4((*[4]float64)(row[5*4:])))
		}
		for i, v := range [...]archsimd.Float64x4{a, b, c, d, e, f} {
			v.Store((*[4]float64)(sum[at+i*4:]))
		}
	}
	for ; at < width; at += 2 * 4 {
		var a, b archsimd.Float64x4
		for _, j := range rows {
			row := (*[2 * 4]float64)(x[int(j)*width+at:])
			a = a.Add(archsimd.LoadFloat64x4((*[4]float64)(row[0:])))
			b = b.Add(archsimd.LoadFloat64x4((*[4]float64)(row[4:])))
		}
		a.Store((*[4]float64)(sum[at:]))
		b.Store((*[4]float64)(sum[at+4:]))
	}
}
