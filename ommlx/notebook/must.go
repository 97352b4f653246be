package notebook

import "log"

// Must returns the value, or ends the cell with the error's sentence.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check ends the cell with the error's sentence, if there is one.
func Check(err error) {
	if err != nil {
		log.Fatalln(err)
	}
}
