// SPDX-License-Identifier: MIT
/// JSON: accepted and refused, against a second reader; places; trees; refused memory.
#include "base/utf8.h"
#include "counted_memory.h"
#include "json/json_parse.h"
#include "json/json_write.h"
#include "json_oracle.h"
#include "test_memory.h"

enum { DEPTH = 64 };

ARENA_SUITE(json, test_arena, (uint64_t)64 << 20);

static json_builder builder = {.a = &test_arena};
static json_problem problem;

static json_value *read(const char *text)
{
    return json_parse(&builder, text, strlen(text), DEPTH, NULL, &problem);
}

/// Integers beyond int64_t are reals to us and mistakes to jansson.
static bool has_long_number(const char *text, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size && digits < 19; i++)
        digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
    return digits >= 19;
}

/// True when a terminal may get the text.
static bool is_harmless(const char *text)
{
    OWN_BLOCK char *copy = strdup(text);
    utf8_make_harmless(copy);
    return strcmp(copy, text) == 0;
}

/// Both writers agree, but for what we escape because a terminal must not get it.
static void compare_texts(const char *ours, const char *theirs, size_t size)
{
    if (is_harmless(theirs)) {
        cr_assert_str_eq(ours, theirs);
        return;
    }
    OWN_BLOCK char *again = NULL;
    cr_assert(is_harmless(ours), "%s", ours);
    cr_assert(json_oracle_read(ours, size, &again), "%s", ours);
    cr_assert_str_eq(again, theirs);
}

/// Both readers accept the text and have the same tree, or both refuse it.
static void compare_readers(const char *text, size_t size)
{
    OWN_BLOCK char *theirs = NULL;
    arena_reset(&test_arena);
    builder = (json_builder){.a = &test_arena};
    const json_value *tree = json_parse(&builder, text, size, 2048, NULL, &problem);
    const bool good = json_oracle_read(text, size, &theirs);
    cr_assert(good == (tree != NULL), "%.*s\n%u:%u: %s", (int)size, text, problem.line,
              problem.column, problem.message);
    if (!good)
        return;
    OWN_BLOCK char *ours = json_write(&test_arena, tree, (json_style){0});
    compare_texts(ours, theirs, strlen(ours));
    OWN_BLOCK char *our_lines =
        json_write(&test_arena, tree, (json_style){.indent = 2, .digits = 9});
    OWN_BLOCK char *their_lines = json_oracle_lines(text, size);
    if (is_harmless(theirs))
        cr_assert_str_eq(our_lines, their_lines);
}

static const char *const texts[] = {
    "{}",
    "[]",
    " [ ] ",
    "null",
    "true",
    "-0",
    "0",
    "-0.0",
    "1e5",
    "1E+5",
    "1e-7",
    "123456789012345678",
    "9223372036854775807",
    "-9223372036854775808",
    "0.1",
    "1.7976931348623157e308",
    "4.9e-324",
    "1e-400",
    "2.5",
    "1e22",
    "{\"a\":1,\"b\":[1,2.5,\"x\",null,true,false,{}],\"c\":{\"d\":{\"e\":[]}}}",
    "{\"i\":1,\"h\":2,\"g\":3,\"f\":4,\"e\":5,\"d\":6,\"c\":7,\"b\":8,\"a\":9,\"\":10,\"j\":11}",
    "\"\\u00e9\\uD834\\uDD1E\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\"",
    "\"\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E\x7F\"",
    "\t\n\r [\n1\n,\n2\n]\n",
    "",
    " ",
    "{",
    "[",
    "[1,]",
    "{\"a\":1,}",
    "{,}",
    "[1 2]",
    "{\"a\" 1}",
    "{\"a\":}",
    "{a:1}",
    "{1:1}",
    "{\"a\":1,\"a\":2}",
    "{\"i\":1,\"h\":2,\"g\":3,\"f\":4,\"e\":5,\"d\":6,\"c\":7,\"b\":8,\"a\":9,\"i\":10}",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e+",
    "0x10",
    "1e400",
    "NaN",
    "Infinity",
    "tru",
    "nulll",
    "[1]]",
    "1 2",
    "\"",
    "\"\\",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u12G4\"",
    "\"\\uD834\"",
    "\"\\uD834\\u0041\"",
    "\"\\uDD1E\"",
    "\"\\u0000\"",
    "\"\n\"",
    "\"\x01\"",
    "\"\xC0\x80\"",
    "\"\xE0\x80\x80\"",
    "\"\xED\xA0\x80\"",
    "\"\xF4\x90\x80\x80\"",
    "\"\xF8\"",
    "\"\xC3\"",
    "\"\xE2\x82\"",
    "// 1\n1",
    "\xEF\xBB\xBF{}",
};

Test(json, a_second_reader_agrees)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare_readers(texts[i], strlen(texts[i]));
    compare_readers("\"a\0b\"", 5);
}

/// One byte is replaced, dropped or doubled.
Test(json, a_second_reader_agrees_about_mistakes)
{
    static const char bytes[] = "{}[]\",:\\/0123456789-+.eEtfnu \n\x01\x80\xC3\xFF";
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        char text[200];
        const char *source = texts[(size_t)round % (sizeof texts / sizeof *texts)];
        size_t size = strlen(source);
        memcpy(text, source, size);
        for (int edits = 0; edits < 1 + round % 3 && size > 0; edits++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            const size_t at = (size_t)(random >> 8) % size;
            const char byte = bytes[(random >> 40) % (sizeof bytes - 1)];
            if (random % 3 == 0) {
                text[at] = byte;
            } else if (random % 3 == 1) {
                memmove(text + at, text + at + 1, size - at - 1);
                size--;
            } else {
                memmove(text + at + 1, text + at, size - at);
                text[at] = byte;
                size++;
            }
        }
        if (!has_long_number(text, size))
            compare_readers(text, size);
    }
}

Test(json, mistakes_have_places)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"", 1, 1, "the text ends (expected a value)"},
        {"{\n  \"a\": 1,\n  \"b\" 2\n}", 3, 7, "unexpected '2' (expected ':')"},
        {"[1,\n\n 2 3]", 3, 4, "unexpected '3' (expected ',' or ']')"},
        {"{\"a\": 1, }", 1, 10, "unexpected '}' (expected the name of a member)"},
        {"[1, ]", 1, 5, "unexpected ']' (expected a value)"},
        {"{\"a\": 1,\n \"a\": 2}", 2, 2, "'a' stands twice in an object"},
        {"[\"abc", 1, 2, "a string is not closed"},
        {"[\"a\\q\"]", 1, 4, "an escape that JSON does not have"},
        {"[01]", 1, 2, "a number that JSON does not have"},
        {"[1e999]", 1, 2, "a number that is too large"},
        {"{} x", 1, 4, "unexpected 'x' (expected the end of the text)"},
        {"[\xFF]", 1, 2, "unexpected byte 0xFF (expected a value)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_null(read(cases[i].text), "%s", cases[i].text);
        cr_expect(problem.code == ZT_ERR_FORMAT && !problem.too_deep, "%s", cases[i].text);
        cr_expect(problem.line == cases[i].line && problem.column == cases[i].column, "%s: %u:%u",
                  cases[i].text, problem.line, problem.column);
        cr_expect_str_eq(problem.message, cases[i].message);
    }
}

Test(json, oddities_are_let_pass_where_they_are_counted)
{
    static const char text[] = "{\"a\": \"x\xA3y\\uD83D\\u0041\\uDE00\",\n"
                               " \"min\": [NaN, -Infinity, 2, inf, -nan], \"b\": nan,\n"
                               " \"c\": {\"d\": -inf}, \"e\\u0000\": 7}";
    json_oddities odd;
    const json_value *tree = json_parse(&builder, text, sizeof text - 1, DEPTH, &odd, &problem);
    cr_assert_not_null(tree, "%s", problem.message);
    OWN_BLOCK char *written = json_write(&test_arena, tree, (json_style){0});
    cr_expect_str_eq(written, "{\"a\":\"x?y?A?\",\"min\":[0,0,2,0,0],\"c\":{},\"e?\":7}");
    cr_expect(odd.characters.count == 4 && odd.characters.line == 1 && odd.characters.column == 9);
    cr_expect(odd.numbers.count == 6 && odd.numbers.line == 2 && odd.numbers.column == 10);
    cr_assert_null(read(text));
}

Test(json, other_mistakes_stay_mistakes_where_oddities_are_let_pass)
{
    static const char *const texts_refused[] = {
        "[nanx]",       "[-]",        "[-na]",    "[infinit]", "[+1]", "[\"\x01\"]",
        "[\"\\uD83\"]", "[\"a\\q\"]", "{nan: 1}", "[01]",      "n",    "-"};
    for (size_t i = 0; i < sizeof texts_refused / sizeof *texts_refused; i++) {
        const char *text = texts_refused[i];
        json_oddities odd;
        cr_expect_null(json_parse(&builder, text, strlen(text), DEPTH, &odd, &problem), "%s", text);
        cr_expect_eq(problem.code, ZT_ERR_FORMAT);
    }
}

Test(json, depth)
{
    char text[2 * DEPTH + 3];
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    text[2 * DEPTH] = 0;
    cr_assert_not_null(read(text));
    memset(text, '[', DEPTH + 1);
    cr_assert_null(read(text));
    cr_expect(problem.code == ZT_ERR_LIMIT && problem.too_deep);
    cr_expect(problem.column == DEPTH + 1);
    cr_expect_str_eq(problem.message, "JSON is nested deeper than 64 levels");
}

/// More than an int64_t holds: jansson refuses what other readers take as a real.
Test(json, large_integers_are_reals)
{
    const json_value *list = read("[9223372036854775808, -9223372036854775809, 1e3]");
    cr_assert_eq(json_length(list), 3);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect(json_is(json_at(list, i), JSON_KIND_REAL));
    cr_expect(json_number(json_at(list, 0)) == 9223372036854775808.0);
    cr_expect(json_number(json_at(list, 1)) == -9223372036854775808.0);
}

Test(json, access_takes_what_is_absent)
{
    const json_value *tree = read("{\"a\": {\"b\": [1, 2.5, \"x\"]}, \"n\": null}");
    const json_value *list = json_get(json_get(tree, "a"), "b");
    cr_expect(json_length(list) == 3 && json_at(list, 3) == NULL);
    cr_expect(json_get(json_get(tree, "z"), "b") == NULL && json_get(list, "b") == NULL);
    cr_expect(json_at(tree, 0) == NULL && json_length(NULL) == 0);
    cr_expect(json_int(json_at(list, 0)) == 1 && json_int(json_at(list, 1)) == 0);
    cr_expect(json_number(json_at(list, 1)) == 2.5 && json_number(json_at(list, 2)) == 0.0);
    cr_expect(json_str(json_at(list, 0)) == NULL && !json_is(NULL, JSON_KIND_NULL));
    cr_expect_str_eq(json_str(json_at(list, 2)), "x");
}

Test(json, trees_that_are_the_same)
{
    const json_value *a = read("{\"a\": [1, 2.0, \"x\"], \"b\": {\"c\": null, \"d\": true}}");
    const json_value *b = read("{\"b\": {\"d\": true, \"c\": null}, \"a\": [1, 2.0, \"x\"]}");
    cr_expect(json_same(a, b) && json_same(NULL, NULL) && !json_same(a, NULL));
    static const char *const others[] = {
        "{\"a\": [1, 2, \"x\"], \"b\": {\"c\": null, \"d\": true}}",
        "{\"a\": [1, 2.0], \"b\": {\"c\": null, \"d\": true}}",
        "{\"a\": [1, 2.0, \"y\"], \"b\": {\"c\": null, \"d\": true}}",
        "{\"a\": [1, 2.0, \"x\"], \"b\": {\"c\": null, \"e\": true}}",
        "{\"a\": [1, 2.0, \"x\"], \"b\": {\"c\": null, \"d\": false}}",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect(!json_same(a, read(others[i])), "%s", others[i]);
}

/// Members are found, replaced and removed in objects of any size.
Test(json, members)
{
    enum { MEMBERS = 300 };
    json_value *object = json_new(&builder, JSON_KIND_OBJECT);
    for (int i = 0; i < MEMBERS; i++) {
        PRINTED(key, 16, "k%d", i * 7919 % MEMBERS);
        json_put_named(&builder, object, key, json_new_int(&builder, i));
        cr_assert(json_int(json_get(object, key)) == i && object->count == (uint32_t)i + 1);
    }
    for (int i = 0; i < MEMBERS; i += 2) {
        PRINTED(key, 16, "k%d", i);
        json_put_named(&builder, object, key, json_new_text(&builder, "new"));
    }
    for (int i = 0; i < MEMBERS; i += 3) {
        PRINTED(key, 16, "k%d", i);
        json_remove(object, key);
    }
    cr_assert(!builder.failed && object->count == MEMBERS - MEMBERS / 3);
    for (int i = 0; i < MEMBERS; i++) {
        PRINTED(key, 16, "k%d", i);
        const json_value *member = json_get(object, key);
        cr_assert((member == NULL) == (i % 3 == 0));
        cr_assert(!member || (json_str(member) != NULL) == (i % 2 == 0));
    }
    cr_expect_str_eq(object->item[0]->key, "k119"); // the order is that of adding
}

Test(json, text_that_is_not_utf8)
{
    json_value *object = json_new(&builder, JSON_KIND_OBJECT);
    json_put_named(&builder, object,
                   "\xFF"
                   "a",
                   json_new_text(&builder, "\xC3\xA9\xC3 \xED\xA0\x80"));
    json_put_text(&builder, object, "b", NULL);
    json_put_real(&builder, object, "c", (double)INFINITY);
    OWN_BLOCK char *text = json_write(&test_arena, object, (json_style){0});
    cr_expect_str_eq(text, "{\"?a\":\"\xC3\xA9? ???\",\"b\":\"\",\"c\":null}");
}

/// Characters that a terminal would obey become '?': each kind of character at its borders.
Test(json, text_for_terminals)
{
    static const struct {
        const char *text, *safe;
    } cases[] = {
        {"plain \xC3\xA9 \xE2\x82\xAC \xF0\x9D\x84\x9E",
         "plain \xC3\xA9 \xE2\x82\xAC \xF0\x9D\x84\x9E"},
        {"a\x1B[31mb\nc\x7F", "a?[31mb?c?"},
        {"\xC2\x80\xC2\x9F\xC2\xA0", "??\xC2\xA0"},
        {"\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xAE\xE2\x80\xAF", "\xE2\x80\xA7"
                                                             "??"
                                                             "\xE2\x80\xAF"},
        {"\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA", "\xE2\x81\xA5"
                                                             "??"
                                                             "\xE2\x81\xAA"},
        {"\xE2\x80\x8D\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C", "\xE2\x80\x8D???"},
        {"\x80\xFFz\xC3", "??z?"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64], *written = NULL;
        size_t size = 0;
        snprintf(text, sizeof text, "%s", cases[i].text);
        utf8_make_harmless(text);
        cr_expect_str_eq(text, cases[i].safe);
        FILE *out = open_memstream(&written, &size);
        utf8_write_harmless(out, cases[i].text);
        fclose(out);
        cr_expect_str_eq(written, cases[i].safe);
        free(written);
    }
}

// ---- Refused memory -----------------------------------------------------------------------------

/// Reads and builds with an arena that has `count` allocations. True: they were enough.
static bool try_with(int64_t count, const char *text, size_t size)
{
    COUNTED_ARENA(a, c);
    c.most = count;
    json_builder values = {.a = &a};
    json_value *tree = json_parse(&values, text, size, DEPTH, NULL, &problem);
    cr_assert(tree || problem.code == ZT_ERR_MEMORY, "%d: %s", (int)count, problem.message);
    for (int i = 0; i < 5000; i++) {
        json_put_named(&values, tree, "name", json_new_text(&values, "value"));
        json_append(&values, json_get(tree, "list"), json_new_int(&values, i));
    }
    const bool enough = !values.failed;
    cr_assert(enough || count < 1000);
    cr_assert(!tree || json_length(json_get(tree, "list")) <= 45001);
    arena_finish(&a);
    cr_assert_eq(c.allocations, c.frees);
    return enough;
}

/// The same object as with json_put_named(), which looks up each name, whatever names repeat.
Test(json, united_members)
{
    for (int count = 0; count < 60; count++)
        for (int names = 1; names < 30; names += 4) {
            json_value *put = json_new(&builder, JSON_KIND_OBJECT);
            json_value *added = json_new(&builder, JSON_KIND_OBJECT);
            for (int i = 0; i < count; i++) {
                PRINTED(key, 16, "k%d", i * 7 % names);
                json_put_named(&builder, put, key, json_new_int(&builder, i));
                json_add_named(&builder, added, key, json_new_int(&builder, i));
            }
            json_unite_members(&builder, added);
            cr_assert(!builder.failed);
            cr_assert_eq(added->count, put->count);
            cr_assert(json_same(put, added), "%d members of %d names", count, names);
            for (uint32_t i = 0; i < put->count; i++)
                cr_assert_str_eq(put->item[i]->key, added->item[i]->key);
        }
}

Test(json, refused_memory_is_an_error)
{
    enum { ITEMS = 40000 };
    OWN_BLOCK char *text = malloc(ITEMS * 8 + 64);
    size_t size = (size_t)sprintf(text, "{\"list\": [0");
    for (int i = 0; i < ITEMS; i++)
        size += (size_t)sprintf(text + size, ",\"%d\"", i);
    size += (size_t)sprintf(text + size, "]}");
    int64_t count = 0;
    while (!try_with(count, text, size))
        count++;
    cr_expect_gt(count, 3);
}

/// Keys that a hash table would have trouble with are no trouble: a million steps, not 10^10.
Test(json, many_members)
{
    enum { MEMBERS = 100000 };
    OWN_BLOCK char *text = malloc(MEMBERS * 20);
    size_t size = (size_t)sprintf(text, "{\"k\": 0");
    for (int i = 0; i < MEMBERS; i++)
        size += (size_t)sprintf(text + size, ",\"k%d\":%d", i, i);
    size += (size_t)sprintf(text + size, "}");
    const json_value *object = json_parse(&builder, text, size, DEPTH, NULL, &problem);
    cr_assert(object, "%s", problem.message);
    for (int i = 0; i < MEMBERS; i++) {
        PRINTED(key, 16, "k%d", i);
        cr_assert_eq(json_int(json_get(object, key)), i);
    }
}
