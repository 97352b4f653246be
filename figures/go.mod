// A module of its own, so that the folder is no part of what `go get` downloads of the library.
module figures
