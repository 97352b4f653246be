package notebook

import "strconv"

// Numbered is the header of a [Table] whose columns are counted: a name, then 1 to k.
func Numbered(name string, k int) []string {
	header := []string{name}
	for i := range k {
		header = append(header, strconv.Itoa(i+1))
	}
	return header
}
