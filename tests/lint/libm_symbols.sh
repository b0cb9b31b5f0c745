#!/bin/sh
# SPDX-License-Identifier: MIT
# The library's own objects call nothing of math.h but what is exact or correctly rounded: results
# of the rest differ from one C library, version and processor to the next.
# usage: libm_symbols.sh NM OBJECT...
set -u
nm=$1
shift
faults=0

# Correctly rounded by IEEE 754 (sqrt) or exact, in every rounding mode.
allowed="sqrt sqrtf fabs fabsf floor floorf ceil ceilf trunc truncf fmod fmodf"

# All functions of math.h (C11 7.12) and those that compilers and C libraries put in their place.
names="acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 frexp
ilogb ldexp log log10 log1p log2 logb modf scalb scalbn scalbln cbrt fabs hypot pow pow10 sqrt erf
erfc lgamma gamma tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc fmod
remainder remquo drem copysign nan nextafter nexttoward fdim fmax fmin fma sincos j0 j1 jn y0 y1 yn
significand sinpi cospi tanpi roundeven"
every=" "
for name in $names; do
    every="$every$name ${name}f ${name}l __${name}_finite __${name}f_finite "
done

[ $# -gt 0 ] || { echo "libm_symbols: no objects given"; exit 1; }
for object in "$@"; do
    for symbol in $("$nm" -u "$object" | awk '{ print $NF }'); do
        symbol=${symbol%%@*}
        case " $allowed " in *" $symbol "*) continue ;; esac
        case "$symbol" in _ZGV*) symbol=sinf ;; esac # vector forms of the same
        case "$every" in
        *" $symbol "*)
            echo "libm_symbols: $object: calls $symbol (base/maths.h has our own)"
            faults=1 ;;
        esac
    done
done
[ "$faults" -eq 0 ] || exit 1
echo "libm_symbols: $# objects"
