// SPDX-License-Identifier: MIT
// Markdown as GitHub, GitLab and Gitea read it. Texts of strangers stand in <code>, where nobody is
// mentioned and nothing becomes a link, with all punctuation as references, which are no markup.
#include "base/utf8.h"
#include "report/report.h"

#include <ctype.h>
#include <string.h>

/// No row begins behind the first; texts and addresses are bounded so that none is 10,000 long.
/// The functions below return the bytes that they write.
enum { ROWS_BYTES_MAX = 49000, TEXT_BYTES_MAX = 200, ADDRESS_BYTES_MAX = 500 };

/// Part of an address or of a text: what could end it or be markup is encoded.
static int put(FILE *out, const char *text, bool address, const char *kept)
{
    int size = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const bool plain = (*c < 0x80 ? isalnum(*c) != 0 : !address) || strchr(kept, *c);
        size += fprintf(out, plain ? "%c" : address ? "%%%02X" : "&#%d;", *c);
    }
    return size;
}

/// The beginning of a text.
static int put_text(FILE *out, const char *text)
{
    char cell[TEXT_BYTES_MAX + 1];
    snprintf(cell, sizeof cell, "%s", text);
    utf8_make_harmless(cell);
    int size = fprintf(out, "<code>");
    size += put(out, cell, false, " /-,");
    return size + fprintf(out, "%s</code>", strlen(text) > TEXT_BYTES_MAX ? " ..." : "");
}

/// A cell each for golden, picture and differences.
static int put_pictures(FILE *out, const char *prefix, const comparison *c)
{
    const char *const paths[] = {c->golden_width > 0 ? c->golden_path : NULL,
                                 c->picture_width > 0 ? c->picture_path : NULL, c->diff_path};
    int size = 0;
    for (int i = 0; i < 3; i++) {
        if (paths[i] && strlen(prefix) + strlen(paths[i]) <= ADDRESS_BYTES_MAX) {
            size += fprintf(out, " <img width=\"200\" src=\"");
            size += put(out, prefix, true, "-._~/:?&=%#@+,;!$");
            size += put(out, paths[i], true, "-._~/");
            size += fprintf(out, "\">");
        }
        size += fprintf(out, " |");
    }
    return size;
}

static int put_row(FILE *out, const char *prefix, const comparison *c)
{
    int size = fprintf(out, "| %s | ", comparison_class_name(c->class));
    size += put_text(out, c->name);
    size += fprintf(out, " | ");
    size += put_text(out, report_reason(c));
    if (c->class == COMPARISON_CHANGED && c->measured)
        size += fprintf(out, " %lld pixels by up to %d", (long long)c->metrics.pixels,
                        (int)c->metrics.max);
    if (c->objects[0]) {
        size += fprintf(out, "; ");
        size += put_text(out, c->objects[0]);
    }
    size += fprintf(out, " |");
    size += prefix ? put_pictures(out, prefix, c) : 0;
    return size + fprintf(out, "\n");
}

zt_result report_write_markdown(FILE *out, const report_def *def, zt_error *err)
{
    char summary[200];
    int size = 0;
    const comparison_counts counts = comparison_list_counts(def->list);
    const size_t passed = counts.of[COMPARISON_PASSED];
    size_t left = counts.failed;
    (void)err;
    comparison_summary(def->list, summary, sizeof summary);
    fprintf(out, "### ");
    put_text(out, def->title);
    fprintf(out, "\n\n%s\n", summary);
    if (left > 0)
        fprintf(out, "\n| | name | why |%s\n|---|---|---|%s\n",
                def->prefix ? " golden | picture | differences |" : "",
                def->prefix ? "---|---|---|" : "");
    for (size_t i = 0; i < def->list->count && size < ROWS_BYTES_MAX; i++)
        if (def->list->items[i].class != COMPARISON_PASSED) {
            size += put_row(out, def->prefix, &def->list->items[i]);
            left--;
        }
    if (left > 0)
        fprintf(out, "\n... and %zu more\n", left);
    if (passed > 0)
        fprintf(out, "\n%zu passed\n", passed);
    return ZT_OK;
}
