// SPDX-License-Identifier: MIT
/// Mistakes in files: every line of mistakes_of_scenes.txt, whose head says how to read it, and of
/// mistakes_of_gltf.txt.
#include "gltf_fixture.h"
#include "scene_fixture.h"

static void start(void)
{
    fixture_folder = ZT_SOURCE_DIR "/scenes/models/";
    setup();
}

TestSuite(mistakes, .init = start, .fini = teardown);

#define ARROW " -> "

/// The first word of what is expected, and its result.
static const struct {
    const char *word;
    zt_result result;
} results[] = {{"ok", ZT_OK},
               {"limit ", ZT_ERR_LIMIT},
               {"input ", ZT_ERR_INPUT},
               {"unsupported ", ZT_ERR_UNSUPPORTED}};

/// A case: LINE of a table, and what reads its text into `err`.
typedef struct table_case {
    const char *table;
    int line;
    zt_result (*read)(const char *text);
} table_case;

/// The beginning of a failure: of cr_expect(..., AT "why", OF(c)).
#define AT    "%s:%d: "
#define OF(c) (c)->table, (c)->line

/// Appends text whose line ends are written as \n.
static void append(char *out, size_t size, const char *text, size_t length)
{
    size_t used = strlen(out);
    cr_assert_lt(used + length, size, "a line of %zu characters is too long", length);
    for (size_t i = 0; i < length; i++) {
        const bool ends = strncmp(text + i, "\\n", 2) == 0;
        out[used++] = ends ? '\n' : text[i];
        i += ends;
    }
    out[used] = 0;
}

/// Checks the place in a message of a scene; returns the rest that it must say.
static const char *check_place(const table_case *c, const char *expected)
{
    int row = 0, column = 0, want_row, want_column, read = 0;
    const char *where = strstr(err.message, "test.yaml:");
    const bool placed = where && sscanf(where, "test.yaml:%d:%d: ", &row, &column) == 2;
    if (strncmp(expected, "- ", 2) == 0)
        read = 2;
    else
        cr_expect(placed && column > 0, AT "no place in %s", OF(c), err.message);
    if (sscanf(expected, "%d:%d %n", &want_row, &want_column, &read) == 2)
        cr_expect(row == want_row && column == want_column, AT "another place in %s", OF(c),
                  err.message);
    return expected + read;
}

/// A line of the table, in the file that stands above it.
static void check_case(const table_case *c, const char *frame, const char *text)
{
    char whole[4096] = "";
    zt_result want = ZT_ERR_FORMAT;
    const char *place = strchr(frame, '@'), *arrow = strstr(text, ARROW);
    cr_assert(place && arrow, AT "'%s' (expected TEXT" ARROW "MESSAGE below '> ...@...')", OF(c),
              text);
    append(whole, sizeof whole, frame, (size_t)(place - frame));
    append(whole, sizeof whole, text, (size_t)(arrow - text));
    append(whole, sizeof whole, place + 1, strlen(place + 1));
    append(whole, sizeof whole, "\n", 1);
    const char *expected = arrow + strlen(ARROW);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (strncmp(expected, results[i].word, strlen(results[i].word)) == 0) {
            expected += strlen(results[i].word);
            want = results[i].result;
        }
    err.message[0] = 0;
    const zt_result got = c->read(whole);
    cr_expect_eq(got, want, AT "%s: %s", OF(c), zt_result_name(got), err.message);
    cr_expect(got == ZT_OK || err.code == got, AT "another code", OF(c));
    if (c->read == read_yaml && want != ZT_OK)
        expected = check_place(c, expected);
    cr_expect(strstr(err.message, expected), AT "no '%s' in %s", OF(c), expected, err.message);
    cr_expect_eq(expected[0] == 0, want == ZT_OK, AT "a message or ok", OF(c));
    cr_expect_not(strchr(err.message, '\n'), AT "more than a line", OF(c));
}

/// Checks a table that has at least this many cases.
static void check_table(table_case c, int least)
{
    char path[512], text[1024], frame[2048] = "";
    int cases = 0;
    bool in_frame = false;
    snprintf(path, sizeof path, ZT_SOURCE_DIR "/tests/unit/%s", c.table);
    FILE *table = fopen(path, "r");
    cr_assert(table, "%s is absent", path);
    for (c.line = 1; fgets(text, sizeof text, table); c.line++) {
        char *end = strchr(text, '\n');
        cr_assert(end, AT "a line without an end, or too long", OF(&c));
        *end = 0;
        const bool framing = strncmp(text, "> ", 2) == 0;
        if (framing) {
            if (!in_frame)
                frame[0] = 0;
            append(frame, sizeof frame, text + 2, strlen(text + 2));
        } else if (text[0] && text[0] != '#') {
            check_case(&c, frame, text);
            cases++;
        }
        in_frame = framing;
    }
    cr_assert(feof(table) && !fclose(table));
    cr_assert_geq(cases, least, "%s has lost some of its cases", c.table);
}

Test(mistakes, of_scenes)
{
    check_table((table_case){"mistakes_of_scenes.txt", 0, read_yaml}, 408);
}

/// A .gltf, or a GLB with a chunk of zeros.
static zt_result read_gltf(const char *text)
{
    static const uint8_t zeros[64];
    unsigned size = 0;
    int read = 0;
    GLTF_CASE c = {.strict = false};
    if (sscanf(text, "BIN %u %n", &size, &read) == 1)
        cr_assert_leq(size, sizeof zeros);
    gltf_case_json(&c, text + read, size ? zeros : NULL, size);
    err = c.err;
    return c.result;
}

Test(mistakes, of_gltf) { check_table((table_case){"mistakes_of_gltf.txt", 0, read_gltf}, 106); }
