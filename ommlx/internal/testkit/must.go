package testkit

// Must returns the value, and panics with the error where there is one: for what a test needs and does not test.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Must2 is [Must] for two values.
func Must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		panic(err)
	}
	return a, b
}
