// SPDX-License-Identifier: MIT
/// Values of options. The program never calls setlocale(), so strtod() reads the C locale's point.
#include "cli/option_value.h"

#include "base/nearest_name.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool parse_double(const char *text, double *out)
{
    if (text[0] == 0 || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    char *end = NULL;
    *out = strtod(text, &end);
    return *end == 0 && isfinite(*out);
}

bool parse_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
    if (text[0] == 0 || strspn(text, "0123456789+-") != strlen(text))
        return false;
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *out = value;
    return *end == 0 && errno == 0 && value >= min && value <= max;
}

// Two whole numbers separated by `between`.
static bool parse_pair(const char *text, char between, int64_t min, int64_t max, int32_t *out_a,
                       int32_t *out_b)
{
    char first[24];
    const char *split = strchr(text, between);
    if (!split || (size_t)(split - text) >= sizeof first)
        return false;
    memcpy(first, text, (size_t)(split - text));
    first[split - text] = 0;
    int64_t a = 0, b = 0;
    if (!parse_int(first, min, max, &a) || !parse_int(split + 1, min, max, &b))
        return false;
    *out_a = (int32_t)a;
    *out_b = (int32_t)b;
    return true;
}

bool parse_bytes(const char *text, uint64_t *out)
{
    static const char suffixes[] = "KMG";
    char digits[24];
    const size_t length = strspn(text, "0123456789");
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    errno = 0;
    uint64_t value = strtoull(digits, NULL, 10);
    if (errno != 0 || value == 0)
        return false;
    if (text[length]) {
        const char *suffix = strchr(suffixes, text[length] & ~0x20);
        if (!suffix || !*suffix || text[length + 1]) // a space finds their end
            return false;
        const int shift = 10 * (int)(suffix - suffixes + 1);
        if (value > UINT64_MAX >> shift)
            return false;
        value <<= shift;
    }
    *out = value;
    return true;
}

bool parse_hash(const char *text, uint64_t *out)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    const size_t length = strlen(text);
    if (length != 16 || strspn(text, "0123456789abcdefABCDEF") != length)
        return false;
    *out = strtoull(text, NULL, 16);
    return true;
}

bool parse_shard(const char *text, int32_t *out_index, int32_t *out_count)
{
    return parse_pair(text, '/', 1, 1000000, out_index, out_count) && *out_index <= *out_count;
}

static const char *without_dashes(const char *word) { return word + strspn(word, "-"); }

const char *nearest_word(const char *word, const char *const *names)
{
    enum { NAMES_MAX = 256 };
    const char *plain[NAMES_MAX] = {NULL};
    size_t count = 0;
    for (; names[count] && count < NAMES_MAX; count++)
        plain[count] = without_dashes(names[count]);
    const char *nearest = nearest_name(without_dashes(word), plain, count);
    for (size_t i = 0; nearest && i < count; i++)
        if (plain[i] == nearest)
            return names[i];
    return NULL;
}
