// SPDX-License-Identifier: MIT
/// Mistakes in scene files: every line of mistakes_of_scenes.txt, whose head says how to read it.
#include "scene_fixture.h"
#include "testing.h"

static void start(void)
{
    fixture_folder = ZT_SOURCE_DIR "/scenes/models/";
    setup();
}

TestSuite(mistakes, .init = start, .fini = teardown);

#define TABLE "mistakes_of_scenes.txt"
#define ARROW " -> "

/// The first word of what is expected, and its result.
static const struct {
    const char *word;
    zt_result result;
} results[] = {{"ok", ZT_OK}, {"limit ", ZT_ERR_LIMIT}, {"input ", ZT_ERR_INPUT}};

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

/// The message must say where, in one line, and hold what is expected of it.
static void check_message(int line, const char *expected)
{
    int row = 0, column = 0, want_row, want_column, read = 0;
    const char *where = strstr(err.message, "test.yaml:");
    const bool placed = where && sscanf(where, "test.yaml:%d:%d: ", &row, &column) == 2;
    if (strncmp(expected, "- ", 2) == 0)
        read = 2;
    else
        cr_expect(placed && column > 0, TABLE ":%d: no place in %s", line, err.message);
    if (sscanf(expected, "%d:%d %n", &want_row, &want_column, &read) == 2)
        cr_expect(row == want_row && column == want_column, TABLE ":%d: another place in %s", line,
                  err.message);
    cr_expect(strstr(err.message, expected + read), TABLE ":%d: no '%s' in %s", line,
              expected + read, err.message);
    cr_expect(expected[read] != 0, TABLE ":%d: no message", line);
    cr_expect_not(strchr(err.message, '\n'), TABLE ":%d: more than a line", line);
}

/// One case: a line of the table, in the scene that stands above it.
static void check_case(int line, const char *frame, const char *text)
{
    char yaml[4096] = "";
    zt_result want = ZT_ERR_FORMAT;
    const char *place = strchr(frame, '@'), *arrow = strstr(text, ARROW);
    cr_assert(place && arrow, TABLE ":%d: '%s' (expected SCENE" ARROW "MESSAGE below '> ...@...')",
              line, text);
    append(yaml, sizeof yaml, frame, (size_t)(place - frame));
    append(yaml, sizeof yaml, text, (size_t)(arrow - text));
    append(yaml, sizeof yaml, place + 1, strlen(place + 1));
    append(yaml, sizeof yaml, "\n", 1);
    const char *expected = arrow + strlen(ARROW);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (strncmp(expected, results[i].word, strlen(results[i].word)) == 0) {
            expected += strlen(results[i].word);
            want = results[i].result;
        }
    err.message[0] = 0;
    const zt_result got = read_yaml(yaml);
    cr_expect_eq(got, want, TABLE ":%d: %s: %s", line, zt_result_name(got), err.message);
    if (want != ZT_OK)
        check_message(line, expected);
    else
        cr_expect_str_eq(expected, "", TABLE ":%d: ok has no message", line);
}

Test(mistakes, have_their_messages)
{
    FILE *table = fopen(ZT_SOURCE_DIR "/tests/unit/" TABLE, "r");
    char text[1024], frame[1024] = "";
    int cases = 0;
    cr_assert(table, TABLE " is absent");
    for (int line = 1; fgets(text, sizeof text, table); line++) {
        char *end = strchr(text, '\n');
        cr_assert(end, TABLE ":%d: a line without an end, or too long", line);
        *end = 0;
        if (strncmp(text, "> ", 2) == 0) {
            strcpy(frame, text + 2);
        } else if (text[0] && text[0] != '#') {
            check_case(line, frame, text);
            cases++;
        }
    }
    cr_assert(feof(table) && !fclose(table));
    cr_assert_geq(cases, 372, TABLE " has lost some of its cases");
}
