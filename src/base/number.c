// SPDX-License-Identifier: MIT
/// Decimal text -> double, correctly rounded (ties to even), by one multiplication or division when
/// that is exact, and by comparing big integers otherwise.
///
/// Why not strtod: it reads the decimal point of the locale, accepts hexadecimal, inf and nan, and
/// needs a terminated string; its locale-free form is not in POSIX 2008.
/// Fast path and slow path: William D. Clinger, "How to Read Floating Point Numbers Accurately",
/// PLDI 1990 (its fast path, and its AlgorithmR with the comparison against midpoints).
#include "base/number.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "extra precision rounds twice"
#endif

enum {
    // A midpoint of doubles has no more digits: of those after them only zero or not matters.
    DIGITS_KEPT = 768,
    WORDS_USED = 160, // 769 digits * 5^324 or 54 bits * 5^1092, shifted by 1100: below 4900 bits
};

/// The parts of a number: 0.d1 d2 d3... * 10^point.
typedef struct decimal {
    bool negative;
    int64_t point;
    int64_t digit_count;            ///< significant digits kept
    uint8_t digit[DIGITS_KEPT + 1]; ///< the last one is 1 when non-zero digits were dropped
    uint64_t leading;               ///< the first 19 of them as an integer
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_digit(decimal *d, uint8_t digit)
{
    if (d->digit_count < 19)
        d->leading = d->leading * 10 + digit;
    if (d->digit_count < DIGITS_KEPT)
        d->digit[d->digit_count++] = digit;
    else if (digit != 0) {
        d->digit[DIGITS_KEPT] = 1;
        d->digit_count = DIGITS_KEPT + 1;
    }
}

/// [e[+-]digits]; an e without digits after it is not part of the number.
static const char *scan_exponent(const char *c, const char *end, int64_t *out_exponent)
{
    *out_exponent = 0;
    if (c == end || (*c != 'e' && *c != 'E'))
        return c;
    const char *at = c + 1;
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !is_digit(*at))
        return c;
    int64_t value = 0;
    for (; at < end && is_digit(*at); at++) {
        if (value < (int64_t)1 << 48) // far beyond any count of digits: the sum below stays exact
            value = value * 10 + (*at - '0');
    }
    *out_exponent = negative ? -value : value;
    return at;
}

/// [+-]digits[.digits][e[+-]digits]
static const char *scan(const char *text, const char *end, decimal *d)
{
    const char *c = text;
    d->negative = c < end && *c == '-';
    d->point = d->digit_count = 0;
    d->leading = 0;
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    if (c == end || !is_digit(*c))
        return NULL;
    while (c < end && *c == '0')
        c++;
    for (; c < end && is_digit(*c); c++, d->point++)
        add_digit(d, (uint8_t)(*c - '0'));
    if (end - c >= 2 && *c == '.' && is_digit(c[1])) {
        c++;
        for (; c < end && *c == '0' && d->digit_count == 0; c++)
            d->point--;
        for (; c < end && is_digit(*c); c++)
            add_digit(d, (uint8_t)(*c - '0'));
    }
    for (; d->digit_count > 0 && d->digit[d->digit_count - 1] == 0; d->digit_count--) {
        if (d->digit_count <= 19)
            d->leading /= 10;
    }
    int64_t exponent;
    c = scan_exponent(c, end, &exponent);
    d->point += exponent;
    return c;
}

// ---- Big integers -------------------------------------------------------------------------------

typedef struct big {
    int32_t count; ///< words in use; the top one is not 0
    uint32_t word[WORDS_USED];
} big;

static void big_multiply_add(big *b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int32_t i = 0; i < b->count; i++) {
        carry += (uint64_t)b->word[i] * factor;
        b->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->word[b->count++] = (uint32_t)carry;
}

static void big_multiply_power_of_5(big *b, int64_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(b, 1220703125u, 0); // 5^13, the largest below 2^32
    for (; power > 0; power--)
        big_multiply_add(b, 5, 0);
}

static void big_shift_left(big *b, int64_t bits)
{
    const int32_t words = (int32_t)(bits / 32);
    if (b->count > 0 && words > 0) {
        memmove(b->word + words, b->word, (size_t)b->count * sizeof b->word[0]);
        memset(b->word, 0, (size_t)words * sizeof b->word[0]);
        b->count += words;
    }
    big_multiply_add(b, (uint32_t)1 << bits % 32, 0);
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int32_t i = a->count - 1; i >= 0; i--) {
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    }
    return 0;
}

// ---- Rounding -----------------------------------------------------------------------------------

/// A positive double is `significand` * 2^`exponent`; `bits` rise with the value.
static void split(uint64_t bits, uint64_t *out_significand, int64_t *out_exponent)
{
    const int64_t biased = (int64_t)(bits >> 52);
    const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    *out_significand = biased ? fraction | (uint64_t)1 << 52 : fraction;
    *out_exponent = (biased ? biased : 1) - 1075;
}

/// Compares the number with the midpoint between the double of `bits` and the next larger one.
static int compare_with_midpoint(const decimal *d, uint64_t bits)
{
    uint64_t significand;
    int64_t exponent2;
    split(bits, &significand, &exponent2);
    significand = 2 * significand + 1;
    exponent2--;

    big number = {0}, midpoint = {0};
    for (int64_t i = 0; i < d->digit_count; i++)
        big_multiply_add(&number, 10, d->digit[i]);
    midpoint.word[0] = (uint32_t)significand;
    midpoint.word[1] = (uint32_t)(significand >> 32);
    midpoint.count = midpoint.word[1] ? 2 : 1;

    // number * 10^e against midpoint * 2^exponent2, with every negative power on the other side.
    const int64_t exponent10 = d->point - d->digit_count;
    big_multiply_power_of_5(exponent10 >= 0 ? &number : &midpoint,
                            exponent10 >= 0 ? exponent10 : -exponent10);
    const int64_t shift = exponent10 - exponent2;
    big_shift_left(shift >= 0 ? &number : &midpoint, shift >= 0 ? shift : -shift);
    return big_compare(&number, &midpoint);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static const double power_of_10[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Within a few units in the last place; finite, but may be 0.
static double approximate(double leading, int64_t exponent10)
{
    double x = leading;
    for (; exponent10 >= 22 && x < DBL_MAX / 1e22; exponent10 -= 22)
        x *= 1e22;
    for (; exponent10 <= -22 && x > 0.0; exponent10 += 22)
        x /= 1e22;
    if (exponent10 > 22 || exponent10 < -22)
        return x > 1.0 ? DBL_MAX : 0.0;
    x = exponent10 >= 0 ? x * power_of_10[exponent10] : x / power_of_10[-exponent10];
    return x > DBL_MAX ? DBL_MAX : x;
}

/// The smallest double whose midpoint to the next one is not below the number. False: too large.
static bool round_exactly(const decimal *d, double *out_value)
{
    const int64_t leading_digits = d->digit_count < 19 ? d->digit_count : 19;
    uint64_t bits = bits_of(approximate((double)d->leading, d->point - leading_digits));
    const uint64_t largest = bits_of(DBL_MAX);
    while (bits > 0) {
        const int below = compare_with_midpoint(d, bits - 1);
        if (below > 0 || (below == 0 && (bits & 1) == 0))
            break;
        bits--;
    }
    for (;;) {
        const int above = compare_with_midpoint(d, bits);
        if (above < 0 || (above == 0 && (bits & 1) == 0))
            break;
        if (bits == largest)
            return false;
        bits++;
    }
    memcpy(out_value, &bits, sizeof bits);
    return true;
}

static bool to_double(const decimal *d, double *out_value)
{
    *out_value = 0.0;
    if (d->digit_count == 0 || d->point < -330) // below half the smallest subnormal, 2.5e-324
        return true;
    if (d->point > 310)
        return false;
    if (d->digit_count <= 19 && d->leading <= (uint64_t)1 << 53) {
        const int64_t exponent10 = d->point - d->digit_count;
        if (exponent10 >= 0 && exponent10 <= 22) {
            *out_value = (double)d->leading * power_of_10[exponent10];
            return true;
        }
        if (exponent10 < 0 && exponent10 >= -22) {
            *out_value = (double)d->leading / power_of_10[-exponent10];
            return true;
        }
    }
    return round_exactly(d, out_value);
}

const char *number_parse_double(const char *text, const char *end, double *out_value)
{
    decimal d;
    double value;
    const char *after = scan(text, end, &d);
    if (!after || !to_double(&d, &value))
        return NULL;
    *out_value = d.negative ? -value : value;
    return after;
}

const char *number_parse_int64(const char *text, const char *end, int64_t *out_value)
{
    const char *c = text;
    const bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    if (c == end || !is_digit(*c))
        return NULL;
    int64_t value = 0; // built downwards: the range is one larger there
    for (; c < end && is_digit(*c); c++) {
        const int64_t digit = *c - '0';
        if (value < (INT64_MIN + digit) / 10)
            return NULL;
        value = value * 10 - digit;
    }
    if (!negative && value == INT64_MIN)
        return NULL;
    *out_value = negative ? value : -value;
    return c;
}
