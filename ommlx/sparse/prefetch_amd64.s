#include "textflag.h"

// func prefetch(table unsafe.Pointer, row int, rows []uint32)
TEXT ·prefetch(SB), NOSPLIT, $0-40
	MOVQ table+0(FP), AX
	MOVQ row+8(FP), DX
	MOVQ rows_base+16(FP), BX
	MOVQ rows_len+24(FP), CX
	LEAQ (BX)(CX*4), CX

next:
	CMPQ  BX, CX
	JAE   done
	MOVL  (BX), SI
	IMULQ DX, SI
	ADDQ  AX, SI
	LEAQ  (SI)(DX*1), DI

line:
	PREFETCHT0 (SI)
	ADDQ       $64, SI
	CMPQ       SI, DI
	JB         line
	ADDQ       $4, BX
	JMP        next

done:
	RET
