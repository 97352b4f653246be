package claims

import (
	"regexp"
	"strings"
)

// symbols maps LaTeX macros, including the paper's, to Unicode. Macros that are not listed become their names, such as
// tr or min; formatting macros disappear.
var symbols = map[string]string{
	"Vm": "V", "Wm": "W", "Am": "A", "Pm": "P", "Qm": "Q", "Rm": "R", "Lm": "L", "Sm": "S", "Imat": "I", "fv": "f",
	"gv": "g", "xv": "x", "vv": "v", "wv": "w", "qv": "q", "Lc": "L", "Nc": "N", "Xc": "X", "Top": "T", "Hop": "H",
	"Lop": "L", "Iop": "I", "Real": "ℝ", "E": "E", "weights": "α", "a": "α", "intercal": "⊤", "star": "⋆", "in": "∈",
	"ell": "ℓ", "rho": "ρ", "times": "×", "wedge": "∧", "sum": "∑", "lambda": "λ", "kappa": "κ", "Xi": "Ξ", "pi": "π",
	"sim": "~", "mu": "μ", "infty": "∞", "otimes": "⊗", "cdot": "·", "alpha": "α", "le": "≤", "ge": "≥",
	"varepsilon": "ε", "phi": "φ", "nabla": "∇", "to": "→", "gets": "←", "ldots": "…", "odot": "⊙", "Omega": "Ω",
	"theta": "θ", "mathsf": "", "mathrm": "", "text": "", "emph": "", "texttt": "", "left": "", "right": "",
	"Bigl": "", "Bigr": "", "eqref": "", "ref": "",
}

var (
	moment    = regexp.MustCompile(`\\secondmoment\{([^{}]*)\}\{([^{}]*)\}`)
	fraction  = regexp.MustCompile(`\\frac\{([^{}]*)\}\{([^{}]*)\}`)
	citation  = regexp.MustCompile(`\\citep(\[[^\]]*\])?\{[^{}]*\}`)
	escaped   = regexp.MustCompile(`\\([{}%&"|,])`)
	macro     = regexp.MustCompile(`\\([A-Za-z]+) ?`)
	delimiter = regexp.MustCompile(`\\[\[\]]|\$`)
	grouped   = regexp.MustCompile(`([^_^]|^)\{([^{}]*)\}`)
	short1    = regexp.MustCompile(`([_^])\{(.)\}`)
)

// Plain converts a LaTeX quotation to plain text: macros become Unicode, citations […], and dollar signs disappear.
// Sub- and superscripts keep _ and ^.
func Plain(quotation string) string {
	s := moment.ReplaceAllString(quotation, `M_{$1}[$2]`)
	s = strings.ReplaceAll(s, `\\`, " ")
	s = fraction.ReplaceAllString(s, `$1/($2)`)
	s = citation.ReplaceAllString(s, "[…]")
	s = delimiter.ReplaceAllString(s, "")
	s = escaped.ReplaceAllStringFunc(s, func(m string) string {
		return map[string]string{`\{`: "\x01", `\}`: "\x02", `\|`: "‖", `\,`: " "}[m] + strings.Trim(m, `\{}|,`)
	})
	s = macro.ReplaceAllStringFunc(s, func(m string) string {
		name := strings.TrimSpace(m[1:])
		if sign, known := symbols[name]; known {
			return sign
		}
		return name + m[1+len(name):]
	})
	s = short1.ReplaceAllString(s, "$1$2")
	for last := ""; last != s; {
		last, s = s, grouped.ReplaceAllString(s, "$1$2")
	}
	return strings.Join(strings.Fields(strings.NewReplacer("\x01", "{", "\x02", "}", "~", " ").Replace(s)), " ")
}
