#!/bin/sh
# SPDX-License-Identifier: MIT
# What draws frames takes its memory from arenas alone, where it counts against the budget and is
# used again by the next frame: its objects neither call the C library's allocator nor functions
# that may do so behind their backs, as sorting does.
# usage: heap_symbols.sh NM OBJECT...; those of other folders of the library are passed over
set -u
nm=$1
shift
faults=0
count=0

forbidden="malloc calloc realloc free aligned_alloc posix_memalign strdup strndup asprintf qsort
qsort_r mergesort"

for object in "$@"; do
    case "$object" in
    */geometry/*.o | */raster/*.o | */shade/*.o | *kernels*.o) count=$((count + 1)) ;;
    *) continue ;;
    esac
    for symbol in $("$nm" -u "$object" | awk '{ print $NF }'); do
        case " $(echo $forbidden) " in
        *" ${symbol%%@*} "*)
            echo "heap_symbols: $object: calls ${symbol%%@*} (base/arena.h has memory)"
            faults=1 ;;
        esac
    done
done
[ "$count" -gt 0 ] || { echo "heap_symbols: no objects of frames given"; exit 1; }
[ "$faults" -eq 0 ] || exit 1
echo "heap_symbols: $count objects"
