package notebook

import (
	"cmp"

	"omm-go/ommlx"
)

// methods are the names of objectives in text and pictures.
var methods = map[string]string{"omm": "OMM", "omm_seq": "OMM-seq", "omm_jnt": "OMM-joint", "sanger": "Sanger",
	"lora": "LoRA", "lora_seq": "LoRA-seq", "lora_jnt": "LoRA-joint", "allo": "ALLO"}

// Method returns the name of an objective in text and pictures, such as OMM-seq, or else its Name.
func Method(o ommlx.Objective) string { return cmp.Or(methods[o.Name()], o.Name()) }
