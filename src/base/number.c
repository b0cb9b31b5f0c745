// SPDX-License-Identifier: MIT
/// Decimal text -> double, rounded to nearest even, by one operation where that is exact (Clinger,
/// "How to Read Floating Point Numbers Accurately", PLDI 1990), else by strtod. Not by strtod
/// alone: it is slow, reads the locale's point, hexadecimal, inf, nan, and terminated strings.
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if FLT_EVAL_METHOD != 0
#error "extra precision rounds twice"
#endif

enum {
    // A midpoint of doubles has no more digits: of those after them only zero or not matters.
    DIGITS_KEPT = 768,
};

/// The parts of a number: 0.d1 d2 d3... * 10^point.
typedef struct decimal {
    bool negative;
    int64_t point;
    int64_t digit_count;         ///< significant digits kept
    char digit[DIGITS_KEPT + 1]; ///< the last one is 1 when non-zero digits were dropped
    uint64_t leading;            ///< the first 19 of them as an integer
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_digit(decimal *d, char digit)
{
    if (d->digit_count < 19)
        d->leading = d->leading * 10 + (uint64_t)(digit - '0');
    if (d->digit_count < DIGITS_KEPT)
        d->digit[d->digit_count++] = digit;
    else if (digit != '0') {
        d->digit[DIGITS_KEPT] = '1';
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

/// [+-]digits[.digits][e[+-]digits]; `bare`: digits on one side of the point are enough.
static const char *scan(const char *text, const char *end, bool bare, decimal *d)
{
    const char *c = text;
    d->negative = c < end && *c == '-';
    d->point = d->digit_count = 0;
    d->leading = 0;
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    const bool has_whole = c < end && is_digit(*c);
    if (!has_whole && !(bare && end - c >= 2 && *c == '.' && is_digit(c[1])))
        return NULL;
    while (c < end && *c == '0')
        c++;
    for (; c < end && is_digit(*c); c++, d->point++)
        add_digit(d, *c);
    if (c < end && *c == '.' && (bare || (end - c >= 2 && is_digit(c[1])))) {
        c++;
        for (; c < end && *c == '0' && d->digit_count == 0; c++)
            d->point--;
        for (; c < end && is_digit(*c); c++)
            add_digit(d, *c);
    }
    for (; d->digit_count > 0 && d->digit[d->digit_count - 1] == '0'; d->digit_count--) {
        if (d->digit_count <= 19)
            d->leading /= 10;
    }
    int64_t exponent;
    c = scan_exponent(c, end, &exponent);
    d->point += exponent;
    return c;
}

static const double power_of_10[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// By strtod, which glibc and musl round correctly, of a whole number with an exponent: no locale
/// has a decimal point there. False: too large.
static bool round_exactly(const decimal *d, double *out_value)
{
    char text[DIGITS_KEPT + 1 + 32];
    memcpy(text, d->digit, (size_t)d->digit_count);
    snprintf(text + d->digit_count, 32, "e%lld", (long long)(d->point - d->digit_count));
    *out_value = strtod(text, NULL);
    return *out_value <= DBL_MAX;
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
    const char *after = scan(text, end, false, &d);
    if (!after || !to_double(&d, &value))
        return NULL;
    *out_value = d.negative ? -value : value;
    return after;
}

/// The end of a word for what is no number: nan, inf and infinity in any case and with anything
/// behind, as in nan(ind), and 1.#INF.
static const char *scan_no_number(const char *text, const char *end)
{
    const char *c = text + (text < end && (*text == '-' || *text == '+'));
    const size_t left = (size_t)(end - c);
    if (left < 3 || (strncasecmp(c, "nan", 3) != 0 && strncasecmp(c, "inf", 3) != 0 &&
                     strncmp(c, "1.#", 3) != 0))
        return NULL;
    while (c<end && * c> ' ')
        c++;
    return c;
}

const char *number_parse_loose(const char *text, const char *end, double *out_value)
{
    decimal d;
    const char *no_number = scan_no_number(text, end);
    const char *after = no_number ? no_number : scan(text, end, true, &d);
    if (no_number || (after && !to_double(&d, out_value)))
        *out_value = (double)NAN;
    else if (after && d.negative)
        *out_value = -*out_value;
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

/// A whole number above 0. What is too large is refused elsewhere; here it only must not overflow.
static bool parse_side(const char *text, size_t length, int32_t *out)
{
    int64_t side = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        side = side * 10 + (text[i] - '0');
        side = side > INT32_MAX ? INT32_MAX : side;
    }
    *out = (int32_t)side;
    return length > 0 && side > 0;
}

bool number_parse_size(const char *text, int32_t *out_width, int32_t *out_height)
{
    const size_t split = strcspn(text, "xX");
    const char *height = text[split] ? text + split + 1 : text; // a square
    return parse_side(text, split, out_width) && parse_side(height, strlen(height), out_height);
}

bool number_parse_rate(const char *text, int32_t *out_numerator, int32_t *out_denominator)
{
    const char *end = text + strlen(text);
    const char *slash = strchr(text, '/');
    int64_t numerator = 0, denominator = 1;
    if (slash) {
        if (number_parse_int64(text, slash, &numerator) != slash ||
            number_parse_int64(slash + 1, end, &denominator) != end)
            return false;
    } else if (number_parse_int64(text, end, &numerator) != end) {
        // A decimal number of millionths: 23.976 is 23976000/1000000, exactly as written.
        double rate = 0.0;
        if (number_parse_double(text, end, &rate) != end || !(rate > 0.0 && rate <= 1000.0))
            return false;
        numerator = (int64_t)(rate * 1000000.0 + 0.5);
        denominator = 1000000;
    }
    if (numerator < 1 || denominator < 1 || numerator > 1000000000 || denominator > 1000000000)
        return false;
    int64_t a = numerator, b = denominator;
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a;
    denominator /= a;
    *out_numerator = (int32_t)numerator;
    *out_denominator = (int32_t)denominator;
    return numerator <= 1000 * denominator && numerator * 1000 >= denominator;
}

bool number_parse_rectangles(const char *text, rectangle_list *out)
{
    static const char *const behind[] = {",", ",", "xX", "; "};
    const char *end = text + strlen(text);
    for (; out->count < RECTANGLE_COUNT_MAX; text += strspn(text, "; ")) {
        int64_t n[4];
        for (int i = 0; i < 4; i++) {
            text = number_parse_int64(text, end, &n[i]);
            if (!text || n[i] < (i < 2 ? -9999999 : 1) || n[i] > 9999999 || (*text == 0 && i < 3) ||
                !strchr(behind[i], *text))
                return false;
            text += i < 3;
        }
        out->at[out->count++] =
            (zt_rectangle){(int32_t)n[0], (int32_t)n[1], (int32_t)n[2], (int32_t)n[3]};
        if (*text == 0)
            return true;
    }
    return false;
}

static int base64_digit(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t base64_decode(const uint8_t *digits, size_t count, uint8_t *out, size_t *out_size)
{
    uint32_t bits = 0;
    size_t i = 0;
    int digit;
    *out_size = 0;
    for (; i < count && (digit = base64_digit(digits[i])) >= 0; i++) {
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 > 0)
            out[(*out_size)++] = (uint8_t)(bits >> (6 - i % 4 * 2));
    }
    return i;
}
