#!/bin/sh
# SPDX-License-Identifier: MIT
# The library's own objects call nothing of math.h but what is exact or correctly rounded: results
# of the rest differ from one C library, version and processor to the next.
# usage: libm_symbols.sh NM OBJECT...
set -u
nm=$1
shift

# Correctly rounded by IEEE 754 (sqrt) or exact, in every rounding mode.
allowed="sqrt sqrtf fabs fabsf floor floorf ceil ceilf trunc truncf fmod fmodf"

# All functions of math.h (C11 7.12) and those that compilers and C libraries put in their place.
names="acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 frexp
ilogb ldexp log log10 log1p log2 logb modf scalb scalbn scalbln cbrt fabs hypot pow pow10 sqrt erf
erfc lgamma gamma tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc fmod
remainder remquo drem copysign nan nextafter nexttoward fdim fmax fmin fma sincos j0 j1 jn y0 y1 yn
significand sinpi cospi tanpi roundeven"
[ $# -gt 0 ] || { echo "libm_symbols: no objects given"; exit 1; }
"$nm" -A -u "$@" | awk -v allowed="$allowed" -v names="$(echo $names)" '
BEGIN {
    count = split(names, list, " ")
    for (i = 1; i <= count; i++) {
        every[list[i]] = every[list[i] "f"] = every[list[i] "l"] = 1
        every["__" list[i] "_finite"] = every["__" list[i] "f_finite"] = 1
    }
    count = split(allowed, list, " ")
    for (i = 1; i <= count; i++) exact[list[i]] = 1
}
{
    symbol = $NF
    sub(/@.*/, "", symbol)
    if (symbol in exact) next
    if (symbol ~ /^_ZGV/) symbol = "sinf" # vector forms of the same
    if (!(symbol in every)) next
    object = $1
    sub(/:$/, "", object)
    print "libm_symbols: " object ": calls " symbol " (base/maths.h has our own)"
    faults++
}
END { exit faults > 0 }' || exit 1
echo "libm_symbols: $# objects"
