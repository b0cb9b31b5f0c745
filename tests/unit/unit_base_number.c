// SPDX-License-Identifier: MIT
/// Numbers from text against the C library's strtod (in the "C" locale, where it is the oracle).
#include "base/number.h"
#include "testing.h"

#include <locale.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void expect_like_strtod(const char *text)
{
    const double want = strtod(text, NULL);
    const char *end = text + strlen(text);
    double got = -1.0;
    const char *after = number_parse_double(text, end, &got);
    if (isinf(want)) {
        cr_assert_null(after, "%s should not fit", text);
        return;
    }
    cr_assert_eq(after, end, "%s was not read to its end", text);
    cr_assert(memcmp(&got, &want, sizeof got) == 0, "%s: got %a, want %a", text, got, want);
}

/// Hard cases: midpoints and their neighbours, the ends of the range, subnormals, long texts.
static const char *const hard[] = {
    "0",
    "-0",
    "0.0",
    "00012",
    "1e22",
    "1e23",
    "123456789012345678901234567890",
    "9007199254740993",
    "9007199254740993.00000000000000000000000000000000001",
    "9007199254740992.99999999999999999999",
    "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "2.5e-324",
    "1e-400",
    "2.4703282292062327208299695e-324",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "2.2250738585072012e-308",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1.797693134862315807e308",
    "1.797693134862315808e308",
    "1e308",
    "1e309",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "0e99999999999999999999",
    "3.14159265358979323846264338327950288419716939937510",
    "1.00000000000000011102230246251565404",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203126",
    "1.00000000000000011102230246251565404236316680908203124",
    "8.10109172351e-10",
    "6.02214076E+23",
    "0.000000000000000000000000000000000000000000000000000000000000000123e60",
    "179769313486231580e291",
    "5e-324",
    "7.4109846876186981626485318930233205854758970392148714663837852375101326090531e-324",
    "9.5e-3",
    "1.5000000000000000000000000000000",
    "18014398509481990000000000000000000000000000",
};

Test(number, hard_cases)
{
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++)
        expect_like_strtod(hard[i]);
}

Test(number, every_power_of_ten)
{
    for (int e = -345; e <= 310; e++) {
        for (int digit = 1; digit <= 9; digit++) {
            PRINTED(text, 32, "%de%d", digit, e);
            expect_like_strtod(text);
        }
    }
}

Test(number, exact_midpoints_of_random_doubles)
{
    uint64_t seed = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 300; i++) {
        // A double of 53 bits and the bit below it, printed exactly: long double holds it.
        uint64_t bits = next_random(&seed) & 0x7FFFFFFFFFFFFFFFu;
        const int exponent = (int)(bits % 2040) - 1030;
        const long double midpoint =
            ldexpl((long double)((bits >> 11) | ((uint64_t)1 << 53) | 1u) + 0.0L, exponent - 53);
        static char text[2000];
        snprintf(text, sizeof text - 2, "%.1100Lf", midpoint);
        expect_like_strtod(text);
        strcat(text, "1"); // just above
        expect_like_strtod(text);
    }
}

Test(number, seventeen_digits_round_trip)
{
    uint64_t seed = 42;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        PRINTED(text, 64, "%.*e", 5 + (int)(bits % 20), value);
        expect_like_strtod(text);
        snprintf(text, sizeof text, "%.17g", value);
        double got;
        cr_assert_not_null(number_parse_double(text, text + strlen(text), &got));
        cr_assert(memcmp(&got, &value, sizeof got) == 0, "%s", text);
    }
}

/// Numbers as writers of .m3d and YAML print them: nine digits bring every float back, through
/// double too.
Test(number, nine_digits_bring_floats_back)
{
    uint64_t seed = 99;
    for (int i = 0; i < 20000; i++) {
        const uint32_t bits = (uint32_t)next_random(&seed);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite((double)value))
            continue;
        PRINTED(text, 64, i % 2 ? "%.9g" : "%.8e", (double)value);
        double got;
        cr_assert_not_null(number_parse_double(text, text + strlen(text), &got));
        cr_assert((float)got == value, "%s", text);
    }
}

Test(number, random_texts)
{
    uint64_t seed = 4711;
    for (int i = 0; i < 20000; i++) {
        char text[128];
        size_t n = 0;
        const uint64_t shape = next_random(&seed);
        if (shape & 1)
            text[n++] = shape & 2 ? '-' : '+';
        for (uint64_t k = 0; k <= (shape >> 8) % 25; k++)
            text[n++] = (char)('0' + next_random(&seed) % 10);
        if (shape & 4) {
            text[n++] = '.';
            for (uint64_t k = 0; k <= (shape >> 16) % 30; k++)
                text[n++] = (char)('0' + next_random(&seed) % 10);
        }
        text[n] = '\0';
        if (shape & 8)
            snprintf(text + n, 8, "e%d", (int)(next_random(&seed) % 700) - 350);
        expect_like_strtod(text);
    }
}

Test(number, grammar)
{
    static const struct {
        const char *text;
        int read; // characters, or -1
    } cases[] = {
        {"", -1},    {"+", -1},   {"-", -1},       {".5", -1},   {"e5", -1},  {" 1", -1},
        {"nan", -1}, {"inf", -1}, {"-inf", -1},    {"--1", -1},  {"+-1", -1}, {"1", 1},
        {"5.", 1},   {"5.e3", 1}, {"1e", 1},       {"1e+", 1},   {"1e5x", 3}, {"0x10", 1},
        {"1,5", 1},  {"1_0", 1},  {"-1.5E-3 ", 7}, {"1.2.3", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].text;
        double value;
        const char *after = number_parse_double(text, text + strlen(text), &value);
        cr_assert_eq(after ? (int)(after - text) : -1, cases[i].read, "'%s'", text);
    }
}

Test(number, grammar_of_programs)
{
    static const struct {
        const char *text;
        int read; // characters, or -1
        double value;
    } cases[] = {
        {"", -1, 0},
        {"+", -1, 0},
        {".", -1, 0},
        {"e5", -1, 0},
        {"x", -1, 0},
        {"--1", -1, 0},
        {".5", 2, 0.5},
        {"-.25e1", 6, -2.5},
        {"5.", 2, 5},
        {"5.e3", 4, 5000},
        {"1", 1, 1},
        {"+1E+2", 5, 100},
        {"1.5.5", 3, 1.5},
        {"nan", 3, (double)NAN},
        {"-NaN(ind) 1", 9, (double)NAN},
        {"inf", 3, (double)NAN},
        {"-1.#INF", 7, (double)NAN},
        {"1.#QNAN x", 7, (double)NAN},
        {"1e999", 5, (double)NAN},
        {"Infinity", 8, (double)NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].text;
        double value = 0.0;
        const char *after = number_parse_loose(text, text + strlen(text), &value);
        cr_expect_eq(after ? (int)(after - text) : -1, cases[i].read, "'%s'", text);
        cr_expect(value == cases[i].value || (isnan(value) && isnan(cases[i].value)), "'%s'", text);
    }
}

/// Nothing is read from `end` on: buffers are as long as the text, for the sanitizer.
Test(number, stops_at_the_end)
{
    static const char *const texts[] = {"12345", "1.25", "1e5", "1e+5", "-7", "+"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t length = 0; length <= strlen(texts[i]); length++) {
            OWN_BLOCK char *copy = malloc(length ? length : 1);
            memcpy(copy, texts[i], length);
            char terminated[16] = {0};
            memcpy(terminated, texts[i], length);
            double a = 0.0, b = 0.0;
            int64_t ia = 0, ib = 0;
            const char *end_a = number_parse_double(copy, copy + length, &a);
            const char *end_b = number_parse_double(terminated, terminated + length, &b);
            cr_assert_eq(end_a ? end_a - copy : -1, end_b ? end_b - terminated : -1);
            cr_assert_eq(a, b);
            end_a = number_parse_int64(copy, copy + length, &ia);
            end_b = number_parse_int64(terminated, terminated + length, &ib);
            cr_assert_eq(end_a ? end_a - copy : -1, end_b ? end_b - terminated : -1);
            cr_assert_eq(ia, ib);
        }
    }
}

Test(number, integers)
{
    static const struct {
        const char *text;
        int64_t value;
        int read;
    } cases[] = {
        {"0", 0, 1},
        {"-0", 0, 2},
        {"+12", 12, 3},
        {"-12x", -12, 3},
        {"007", 7, 3},
        {"9223372036854775807", INT64_MAX, 19},
        {"-9223372036854775808", INT64_MIN, 20},
        {"9223372036854775808", 0, -1},
        {"-9223372036854775809", 0, -1},
        {"99999999999999999999", 0, -1},
        {"", 0, -1},
        {"-", 0, -1},
        {"x", 0, -1},
        {"1.5", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 0;
        const char *text = cases[i].text;
        const char *after = number_parse_int64(text, text + strlen(text), &value);
        cr_assert_eq(after ? (int)(after - text) : -1, cases[i].read, "'%s'", text);
        cr_assert_eq(value, cases[i].value, "'%s'", text);
    }
}

Test(number, locale_does_not_matter)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                          "ru_RU.UTF-8"};
    bool set = false;
    for (size_t i = 0; i < sizeof locales / sizeof locales[0] && !set; i++)
        set = setlocale(LC_ALL, locales[i]) != NULL;
    if (!set)
        fprintf(stderr, "skip: no locale with a decimal comma here, only C was checked\n");
    double value = 0.0;
    const char *text = "-1.5e1,";
    cr_assert_eq(number_parse_double(text, text + strlen(text), &value), text + 6);
    cr_assert_eq(value, -15.0);
    text = "0.1000000000000000055511151231257827021181583404541015625";
    cr_assert_not_null(number_parse_double(text, text + strlen(text), &value));
    cr_assert_eq(value, 0.1);
    text = "1,5";
    cr_assert_eq(number_parse_double(text, text + strlen(text), &value), text + 1);
}

/// A text of a megabyte of digits is linear work, and right.
Test(number, very_long_texts)
{
    enum { DIGITS = 1000000 };
    OWN_BLOCK char *text = malloc(DIGITS + 64);
    memset(text, '0', DIGITS);
    text[0] = '1';
    text[DIGITS - 1] = '1';
    snprintf(text + DIGITS, 64, "e-%d", DIGITS - 1);
    double value = 0.0;
    cr_assert_not_null(number_parse_double(text, text + strlen(text), &value));
    cr_assert_eq(value, 1.0);
    memset(text, '0', DIGITS);
    text[1] = '.';
    text[DIGITS - 1] = '7';
    snprintf(text + DIGITS, 64, "e%d", DIGITS - 2);
    cr_assert_not_null(number_parse_double(text, text + strlen(text), &value));
    cr_assert_eq(value, 7.0);
}
