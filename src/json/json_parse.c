// SPDX-License-Identifier: MIT
/// See json_parse.h. A recursive descent, as deep as the limit of the caller allows.
#include "json/json_parse.h"

#include "base/number.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

typedef struct json_reader {
    json_builder *b;
    const char *start, *at, *end;
    char *text;         ///< where the next string goes
    json_value **stack; ///< items of the lists that are open
    uint32_t stack_count, stack_capacity;
    uint32_t depth, depth_limit;
    json_oddities *oddities; ///< NULL: none is let pass
    bool no_number;          ///< the last value was nan or inf
    json_problem *problem;
} json_reader;

static json_value *read_value(json_reader *r);

// ---- Problems -----------------------------------------------------------------------------------

static void find_place(const json_reader *r, const char *place, uint32_t *out_line,
                       uint32_t *out_column)
{
    const char *line = r->start;
    *out_line = 1;
    for (const char *c = r->start; c < place; c++)
        if (*c == '\n') {
            ++*out_line;
            line = c + 1;
        }
    *out_column = (uint32_t)(place - line) + 1;
}

/// NULL, always.
static void *problem_at(json_reader *r, const char *place, zt_result code, const char *message)
{
    find_place(r, place, &r->problem->line, &r->problem->column);
    r->problem->code = code;
    snprintf(r->problem->message, sizeof r->problem->message, "%.127s", message);
    return NULL;
}

static void *malformed(json_reader *r, const char *message)
{
    return problem_at(r, r->at, ZT_ERR_FORMAT, message);
}

static void *no_memory(json_reader *r)
{
    zt_error err;
    const zt_result code = arena_fail(r->b->a, &err, "JSON");
    return problem_at(r, r->at, code, err.message);
}

static void *too_deep(json_reader *r)
{
    char message[64];
    snprintf(message, sizeof message, "JSON is nested deeper than %u levels", r->depth_limit);
    r->problem->too_deep = true;
    return problem_at(r, r->at, ZT_ERR_LIMIT, message);
}

/// "unexpected 'x' (expected a value)".
static void *unexpected(json_reader *r, const char *expected)
{
    char message[96];
    const unsigned char c = r->at < r->end ? (unsigned char)*r->at : 0;
    if (r->at == r->end)
        snprintf(message, sizeof message, "the text ends (expected %s)", expected);
    else if (c > 0x20 && c < 0x7F)
        snprintf(message, sizeof message, "unexpected '%c' (expected %s)", c, expected);
    else
        snprintf(message, sizeof message, "unexpected byte 0x%02X (expected %s)", c, expected);
    return malformed(r, message);
}

static void count_oddity(const json_reader *r, json_oddity *oddity)
{
    if (oddity->count++ == 0)
        find_place(r, r->at, &oddity->line, &oddity->column);
}

// ---- Strings and numbers ------------------------------------------------------------------------

static void skip_space(json_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

/// Four hexadecimal digits; -1: there are none.
static int32_t hex4(const char *c, const char *end)
{
    int32_t value = 0;
    if (end - c < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const char digit = ascii_lower(c[i]);
        const bool letter = digit >= 'a' && digit <= 'f';
        if (!letter && (digit < '0' || digit > '9'))
            return -1;
        value = value * 16 + (letter ? digit - 'a' + 10 : digit - '0');
    }
    return value;
}

/// Reads `size` bytes that are no character as '?', where that is let pass. False: a problem.
static bool read_no_character(json_reader *r, size_t size, const char *problem)
{
    if (!r->oddities)
        return malformed(r, problem) != NULL;
    count_oddity(r, &r->oddities->characters);
    *r->text++ = '?';
    r->at += size;
    return true;
}

/// \uXXXX, and the second half of a surrogate pair. False: a problem.
static bool read_code_point(json_reader *r)
{
    const int32_t first = hex4(r->at + 2, r->end);
    uint32_t code = (uint32_t)first;
    size_t used = 6;
    if (first < 0)
        return malformed(r, "\\u wants four hexadecimal digits") != NULL;
    if (first >= 0xD800 && first <= 0xDFFF) {
        const bool pair =
            first <= 0xDBFF && r->end - r->at >= 12 && r->at[6] == '\\' && r->at[7] == 'u';
        const int32_t second = pair ? hex4(r->at + 8, r->end) : -1;
        if (second < 0xDC00 || second > 0xDFFF)
            return read_no_character(r, 6, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (uint32_t)(second - 0xDC00);
        used = 12;
    }
    if (code == 0)
        return read_no_character(r, 6, "a string must not hold \\u0000");
    r->text += utf8_encode(code, r->text);
    r->at += used;
    return true;
}

static bool read_escape(json_reader *r)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = r->at + 1 < r->end ? r->at[1] : 0;
    if (c == 'u')
        return read_code_point(r);
    const char *name = c ? strchr(names, c) : NULL;
    if (!name)
        return malformed(r, "an escape that JSON does not have") != NULL;
    *r->text++ = values[name - names];
    r->at += 2;
    return true;
}

/// The text of a string, whose first quote is next. It is never longer than in the file.
static const char *read_string(json_reader *r)
{
    const char *open = r->at++, *text = r->text;
    while (r->at < r->end && *r->at != '"') {
        const unsigned char c = (unsigned char)*r->at;
        if (c == '\\') {
            if (!read_escape(r))
                return NULL;
            continue;
        }
        if (c < 0x20)
            return malformed(r, "a control character in a string");
        const size_t length = utf8_length(r->at, r->end);
        if (length == 0) {
            if (!read_no_character(r, 1, "a byte that is not UTF-8"))
                return NULL;
            continue;
        }
        memcpy(r->text, r->at, length);
        r->text += length;
        r->at += length;
    }
    if (r->at == r->end)
        return problem_at(r, open, ZT_ERR_FORMAT, "a string is not closed");
    r->at++;
    *r->text++ = 0;
    return text;
}

static const char *skip_digits(const char *c, const char *end)
{
    while (c < end && *c >= '0' && *c <= '9')
        c++;
    return c;
}

/// The end of a number by JSON's grammar; NULL: none. *out_whole: no point, no exponent.
static const char *scan_number(const char *c, const char *end, bool *out_whole)
{
    const char *digits = c < end && *c == '-' ? c + 1 : c;
    const char *at = skip_digits(digits, end);
    *out_whole = true;
    if (at == digits || (*digits == '0' && at > digits + 1))
        return NULL;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = skip_digits(fraction, end);
        *out_whole = false;
        if (at == fraction)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *sign = at + 1;
        const char *power = sign < end && (*sign == '-' || *sign == '+') ? sign + 1 : sign;
        at = skip_digits(power, end);
        *out_whole = false;
        if (at == power)
            return NULL;
    }
    return at;
}

/// nan, NaN, inf, -Infinity: as C, Python and JavaScript print what is no finite number.
static json_value *read_no_number(json_reader *r)
{
    static const char *const words[] = {"nan", "infinity", "inf"};
    const char *word = r->at < r->end && (*r->at == '-' || *r->at == '+') ? r->at + 1 : r->at;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = 0;
        while (words[i][length] && word + length < r->end &&
               ascii_lower(word[length]) == words[i][length])
            length++;
        if (words[i][length])
            continue;
        count_oddity(r, &r->oddities->numbers);
        r->at = word + length;
        r->no_number = true;
        json_value *zero = json_new_int(r->b, 0);
        return zero ? zero : no_memory(r);
    }
    return word != r->at ? malformed(r, "a number that JSON does not have")
                         : unexpected(r, "a value");
}

static json_value *read_number(json_reader *r)
{
    bool whole;
    int64_t integer;
    double real;
    const char *end = scan_number(r->at, r->end, &whole);
    if (!end && r->oddities && *r->at == '-')
        return read_no_number(r);
    if (!end)
        return malformed(r, "a number that JSON does not have");
    json_value *value;
    if (whole && number_parse_int64(r->at, end, &integer) == end)
        value = json_new_int(r->b, integer);
    else if (number_parse_double(r->at, end, &real) == end)
        value = json_new_real(r->b, real);
    else
        return malformed(r, "a number that is too large");
    r->at = end;
    return value ? value : no_memory(r);
}

static json_value *read_word(json_reader *r)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = {{"true", JSON_KIND_TRUE}, {"false", JSON_KIND_FALSE}, {"null", JSON_KIND_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].word);
        if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[i].word, length) == 0) {
            r->at += length;
            json_value *value = json_new(r->b, words[i].kind);
            return value ? value : no_memory(r);
        }
    }
    return r->oddities ? read_no_number(r) : unexpected(r, "a value");
}

// ---- Lists --------------------------------------------------------------------------------------

static bool push(json_reader *r, json_value *value)
{
    if (!arena_grow(r->b->a, &r->stack, r->stack_count, &r->stack_capacity, sizeof *r->stack))
        return no_memory(r) != NULL;
    r->stack[r->stack_count++] = value;
    return true;
}

/// Moves the items above `first` from the stack into the list.
static json_value *close_list(json_reader *r, json_value *list, uint32_t first)
{
    const size_t count = r->stack_count - first;
    if (count > UINT32_MAX / 4)
        return problem_at(r, r->at, ZT_ERR_LIMIT, "too many values in one list");
    list->item = json_take(r->b, count * sizeof *list->item);
    if (!list->item)
        return no_memory(r);
    if (count > 0)
        memcpy(list->item, r->stack + first, count * sizeof *list->item);
    list->count = list->capacity = (uint32_t)count;
    r->stack_count = first;
    if (list->kind == JSON_KIND_ARRAY)
        return list;
    const json_value *twice = json_sort_members(r->b, list);
    if (r->b->failed)
        return no_memory(r);
    if (!twice)
        return list;
    char message[96];
    snprintf(message, sizeof message, "'%.60s' stands twice in an object", twice->key);
    return problem_at(r, r->start + twice->place, ZT_ERR_FORMAT, message);
}

/// The value of a member whose name is next.
static json_value *read_member(json_reader *r)
{
    if (r->at == r->end || *r->at != '"')
        return unexpected(r, "the name of a member");
    const uint32_t place = (uint32_t)(r->at - r->start);
    const char *key = read_string(r);
    if (!key)
        return NULL;
    skip_space(r);
    if (r->at == r->end || *r->at != ':')
        return unexpected(r, "':'");
    r->at++;
    json_value *value = read_value(r);
    if (value) {
        value->key = key;
        value->place = place;
    }
    return value;
}

/// An array or object, whose bracket is next.
static json_value *read_list(json_reader *r)
{
    const bool object = *r->at == '{';
    const char bracket = object ? '}' : ']';
    const uint32_t first = r->stack_count;
    json_value *list = json_new(r->b, object ? JSON_KIND_OBJECT : JSON_KIND_ARRAY);
    if (!list)
        return no_memory(r);
    if (++r->depth > r->depth_limit)
        return too_deep(r);
    r->at++;
    skip_space(r);
    while (r->at == r->end || *r->at != bracket) {
        json_value *item = object ? read_member(r) : read_value(r);
        const bool left_out = object && r->no_number;
        r->no_number = false;
        if (!item || (!left_out && !push(r, item)))
            return NULL;
        skip_space(r);
        const bool comma = r->at < r->end && *r->at == ',';
        if (!comma && (r->at == r->end || *r->at != bracket))
            return unexpected(r, object ? "',' or '}'" : "',' or ']'");
        if (!comma)
            break;
        r->at++;
        skip_space(r);
        if (r->at < r->end && *r->at == bracket)
            return unexpected(r, object ? "the name of a member" : "a value");
    }
    list = close_list(r, list, first);
    r->at++;
    r->depth--;
    return list;
}

static json_value *read_value(json_reader *r)
{
    skip_space(r);
    const char c = r->at < r->end ? *r->at : 0;
    if (c == '{' || c == '[')
        return read_list(r);
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(r);
    if (c != '"')
        return read_word(r);
    json_value *value = json_new(r->b, JSON_KIND_STRING);
    if (!value)
        return no_memory(r);
    value->text = read_string(r);
    return value->text ? value : NULL;
}

json_value *json_parse(json_builder *b, const char *text, size_t size, uint32_t depth_limit,
                       json_oddities *oddities, json_problem *problem)
{
    json_reader r = {.b = b,
                     .start = text,
                     .at = text,
                     .end = text + size,
                     .depth_limit = depth_limit,
                     .oddities = oddities,
                     .problem = problem};
    *problem = (json_problem){.code = ZT_OK, .line = 1, .column = 1};
    if (oddities)
        *oddities = (json_oddities){0};
    if (size > UINT32_MAX)
        return problem_at(&r, text, ZT_ERR_LIMIT, "the text is larger than 4 GiB");
    r.text = json_take(b, size + 1);
    if (!r.text)
        return no_memory(&r);
    json_value *value = read_value(&r);
    if (!value)
        return NULL;
    skip_space(&r);
    return r.at == r.end ? value : unexpected(&r, "the end of the text");
}
