#!/bin/sh
# SPDX-License-Identifier: MIT
# The program as it was linked has what makes faults harder to abuse: it can be loaded anywhere, its tables
# of addresses are read-only after the start, its stack holds no code, and its own code checks stacks, sizes
# of the C library's functions, and large stack frames page by page; on x86-64, targets of indirect jumps are
# marked. Compilers that lack one of these are not asked for it.
# usage: hardening.sh READELF OBJDUMP PROGRAM FLAGS, the flags with which it was compiled
set -u
readelf=$1
objdump=$2
program=$3
flags=$4
faults=0

want() { # want TEXT FILE WHAT
    grep -q -- "$1" "$2" || {
        echo "hardening: $program: $3"
        faults=1
    }
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$readelf" -hlW "$program" >"$work/headers"
"$readelf" -dW "$program" >"$work/dynamic"
"$readelf" --dyn-syms -W "$program" >"$work/symbols"
want 'Type:.*DYN' "$work/headers" "is not position-independent"
want 'GNU_RELRO' "$work/headers" "has no read-only relocations"
want 'GNU_STACK.* RW ' "$work/headers" "has an executable stack"
want 'BIND_NOW\|FLAGS_1.*NOW' "$work/dynamic" "binds functions late: its table of addresses stays writable"
case $flags in *fstack-protector*) want '__stack_chk_fail' "$work/symbols" "does not check its stack" ;; esac
case $flags in *FORTIFY*) want '__[a-z]*_chk' "$work/symbols" "does not check sizes (_FORTIFY_SOURCE)" ;; esac
case $("$readelf" -h "$program") in
*X86-64*)
    "$objdump" -d --no-show-raw-insn --section=.text "$program" >"$work/code"
    case $flags in *fstack-clash*)
        want '\(or\|mov\)q[[:space:]]*\$\(0x\)*0, *(%rsp)' "$work/code" "does not touch large stack frames page by page" ;;
    esac
    marks=$(grep -c 'endbr64' "$work/code")
    case $flags in *fcf-protection*)
        [ "$marks" -gt 500 ] || { echo "hardening: $program: $marks marked targets of jumps"; faults=1; } ;;
    esac ;;
esac
[ "$faults" -eq 0 ] || exit 1
echo "hardening: $program has it"
