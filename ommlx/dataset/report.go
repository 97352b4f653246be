package dataset

import (
	"fmt"
	"time"
)

// progress returns what shows how far the transfer is: bytes, speed, time left.
func (d *download) progress(total int64) (show func()) {
	began, start := time.Now(), d.part.size
	return func() {
		fraction := 0.0
		if total > 0 {
			fraction = float64(d.part.size) / float64(total)
		}
		d.line.Show(fraction, func() string {
			text := d.file.Name + "  " + Amount(d.part.size)
			if total > 0 {
				text += " of " + Amount(total)
			}
			elapsed := time.Since(began).Seconds()
			if d.part.size == start || elapsed == 0 {
				return text
			}
			speed := float64(d.part.size-start) / elapsed
			text += "  " + Amount(int64(speed)) + "/s"
			if total > d.part.size {
				left := time.Duration(float64(total-d.part.size) / speed * float64(time.Second))
				text += "  left " + (left + time.Second).Truncate(time.Second).String()
			}
			return text
		})
	}
}

// Amount writes a number of bytes for people.
func Amount(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	x, unit := float64(bytes)/1000, 0
	for units := "kMGTPE"; x >= 999.95 && unit < len(units)-1; unit++ {
		x /= 1000
	}
	return fmt.Sprintf("%.1f %cB", x, "kMGTPE"[unit])
}
