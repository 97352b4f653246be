package testkit

// Must returns the value, and panics with the error where there is one: for what a test needs and does not test.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
