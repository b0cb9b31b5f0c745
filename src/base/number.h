// SPDX-License-Identifier: MIT
/// Numbers from text, correctly rounded, in any locale.
#pragma once

#include <zoetrope/zoetrope.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads a decimal number ([+-]digits[.digits][e[+-]digits]) that starts at `text` and ends before
/// `end`. Returns the first character after it, or NULL when there is no number or it is too large
/// for a double. nan, inf and hexadecimal are not numbers.
const char *number_parse_double(const char *text, const char *end, double *out_value);
/// As programs write numbers in text formats: also .5 and 5., and NaN for nan, inf, what C
/// libraries print for them, and what is too large for a double. NULL: there is no number.
const char *number_parse_loose(const char *text, const char *end, double *out_value);
/// The same for integers ([+-]digits); NULL when it does not fit.
const char *number_parse_int64(const char *text, const char *end, int64_t *out_value);
/// Parses "30", "29.97" or "30000/1001"; false when it is not a rate of 1/1000 to 1000 fps.
bool number_parse_rate(const char *text, int32_t *out_numerator, int32_t *out_denominator);
/// "1280x720", "1280X720", or "512" for 512x512; a side above INT32_MAX is that, to be refused.
bool number_parse_size(const char *text, int32_t *out_width, int32_t *out_height);

enum { RECTANGLE_COUNT_MAX = 64 };
/// Rectangles whose pixels are left out of a comparison.
typedef struct rectangle_list {
    zt_rectangle at[RECTANGLE_COUNT_MAX];
    int32_t count;
} rectangle_list;
/// "X,Y,WxH;...", added to the list. X and Y may be negative, sides are above 0.
bool number_parse_rectangles(const char *text, rectangle_list *out);
/// Decodes base64 up to what is no digit, three bytes for each four: returns the number of digits.
size_t base64_decode(const uint8_t *digits, size_t count, uint8_t *out, size_t *out_size);
