package notebook

import "log"

// Require ends the cell with a sentence, written as by fmt.Sprintf, unless what the text of the notebook says of the
// numbers of the cell holds.
func Require(holds bool, sentence string, args ...any) {
	if !holds {
		log.Fatalf("The text says otherwise: "+sentence+"\n", args...)
	}
}
