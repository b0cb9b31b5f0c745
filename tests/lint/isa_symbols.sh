#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: isa_symbols.sh NM OBJDUMP --kernels ISA OBJECT... --library OBJECT... --contracted OBJECT
# - A kernels object exports one symbol, zt_STAGE_ISA: code for an instruction set that a machine
#   may lack cannot be reached but through the table.
# - No object of the library holds a fused multiply-add or an estimate, which round differently from
#   one machine to the next, nor x87 arithmetic, which rounds twice. An object that holds them proves
#   that the search finds them.
set -u
nm=$1
objdump=$2
shift 2
faults=0
kernels=0
searched=0
proven=0
objects=$(mktemp) || exit 1
trap 'rm -f "$objects"' EXIT

# x86: vfmadd, vfnmsub..., rcpps, vrcp14ps, rsqrtss...  AArch64: fmla, fmls, fmadd, fnmsub,
# frecpe, frsqrts...
pattern='[[:space:]](vfn?m(add|sub)[a-z0-9]*|v?rcp[0-9psh]*[sp][sdh]|v?rsqrt[0-9psh]*[sp][sdh]'
pattern="$pattern"'|fn?m(add|sub)|fml[as][l2]*|fcmla|frecp[esx]|frsqrt[es])([[:space:]]|$)'
# x87 operands are stack registers or memory of a size in the name; AArch64 has other ones.
pattern="$pattern"'|[[:space:]]f(add|sub|subr|mul|div|divr|sqrt|ld|st)(p|pp)?[slt]?[[:space:]]+([%(]|-?0x|-?[0-9]+\(|$)'

forbidden() { "$objdump" -d --no-show-raw-insn "$@" | grep -E "$pattern"; }

check_exports() {
    exported=$("$nm" -g --defined-only "$2" | awk 'NF >= 3 { print $3 }' | sed 's/^_//;s/^/ /' |
        tr -d '\n')
    case $exported in
    " zt_"*" "*) ;;
    " zt_"*"_$1") kernels=$((kernels + 1)) && return ;;
    esac
    echo "isa_symbols: $2: exports$exported (zt_STAGE_$1 alone was expected)"
    faults=1
    kernels=$((kernels + 1))
}

# check_instructions FILE: of the objects that it lists. One run reads them all; only if it finds something are
# they read one by one.
check_instructions() {
    searched=$(wc -l <"$1")
    xargs -d '\n' "$objdump" -d --no-show-raw-insn <"$1" | grep -qE "$pattern" || return
    while IFS= read -r object; do
        found=$(forbidden "$object" | head -n 3)
        [ -n "$found" ] || continue
        echo "isa_symbols: $object: fused or estimated arithmetic:"
        printf '%s\n' "$found"
        faults=1
    done <"$1"
}

check_contracted() {
    found=$(forbidden "$1")
    # One function holds a multiply-add, one an estimate, one x87 arithmetic.
    fused=$(printf '%s\n' "$found" | grep -cE 'vfn?m|fn?madd|fn?msub|fml')
    estimated=$(printf '%s\n' "$found" | grep -cE 'rcp|rsqrt|frecp|frsqrt')
    x87=1 # only x86 has it
    if "$objdump" -f "$1" | grep -q x86-64; then
        x87=$(printf '%s\n' "$found" | grep -cE '[[:space:]]f(ld|mul)')
    fi
    if [ "$fused" -eq 0 ] || [ "$estimated" -eq 0 ] || [ "$x87" -eq 0 ]; then
        echo "isa_symbols: $1: the search misses what is there (fused $fused, estimates $estimated," \
            "x87 $x87)"
        faults=1
    fi
    proven=1
}

part=
isa=
for argument in "$@"; do
    case "$argument" in
    --*)
        part=$argument
        isa= ;;
    *)
        case "$part" in
        --kernels)
            if [ -z "$isa" ]; then
                isa=$argument
            else
                check_exports "$isa" "$argument"
                printf '%s\n' "$argument" >>"$objects"
            fi ;;
        --library) printf '%s\n' "$argument" >>"$objects" ;;
        --contracted) check_contracted "$argument" ;;
        *)
            echo "isa_symbols: unexpected argument $argument"
            exit 2 ;;
        esac ;;
    esac
done
check_instructions "$objects"
if [ "$kernels" -eq 0 ] || [ "$searched" -le "$kernels" ] || [ "$proven" -eq 0 ]; then
    echo "isa_symbols: objects are missing from the arguments"
    exit 1
fi
[ "$faults" -eq 0 ] || exit 1
echo "isa_symbols: $kernels tables, $searched objects without fused or estimated arithmetic"
