// SPDX-License-Identifier: MIT
// One comparison in text and in JSON. A script may read the members a, b, pass, pixels, max, mean,
// first and problem of a pair, and code of the document, since version 0.1.
#include "base/utf8.h"
#include "cli/compare.h"
#include "cli/console.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>

/// The fault of a pair that was not measured.
static const char *problem_of(const comparison *item)
{
    if (item->message)
        return item->message;
    return item->class == COMPARISON_MISSING ? "only in the first folder"
           : item->class == COMPARISON_NEW   ? "only in the second folder"
                                             : "not compared";
}

void compare_print_line(const comparison *item)
{
    const zt_metrics *m = &item->metrics;
    utf8_write_harmless(stdout, item->golden_path);
    printf(" ");
    utf8_write_harmless(stdout, item->picture_path);
    printf(": ");
    if (!item->measured || item->class == COMPARISON_SIZE)
        utf8_write_harmless(stdout, problem_of(item));
    else if (m->pixels == 0)
        printf("%s", item->rule);
    else
        printf("%" PRId64 " pixels differ by up to %d, mean %.6g, first at (%d, %d), %s", m->pixels,
               (int)m->max, m->mean, (int)m->first_x, (int)m->first_y, item->rule);
    if (item->class == COMPARISON_NEW && item->accept_command) {
        printf("; accept it: ");
        utf8_write_harmless(stdout, item->accept_command);
    }
    printf("%s\n", item->blank ? " (blank: all pixels are equal)" : "");
}

static void print_text(json_stream *s, const char *name, const char *text)
{
    if (text)
        json_stream_text(s, name, text);
}

static void print_side(json_stream *s, const char *name, uint64_t hash, int32_t width,
                       int32_t height, bool blank)
{
    if (width <= 0 && !hash)
        return;
    json_stream_open(s, name, '{');
    json_stream_hash(s, "hash", hash);
    if (width > 0) {
        json_stream_print(s, "size", "[%d,%d]", (int)width, (int)height);
        json_stream_bool(s, "blank", blank);
    }
    json_stream_close(s, '}');
}

static void print_flip(json_stream *s, const zt_metrics *m)
{
    json_stream_open(s, "flip", '{');
    json_stream_real(s, "mean", m->flip);
    json_stream_print(s, "first_quartile", "%.6g", m->flip_first_quartile);
    json_stream_print(s, "median", "%.6g", m->flip_median);
    json_stream_print(s, "third_quartile", "%.6g", m->flip_third_quartile);
    json_stream_real(s, "max", m->flip_max);
    json_stream_close(s, '}');
}

static void print_metrics(json_stream *s, const zt_metrics *m)
{
    JSON_STREAM_INTEGERS(s, {"pixels", m->pixels}, {"max", m->max});
    json_stream_real(s, "mean", m->mean);
    json_stream_print(s, "first", "[%d,%d]", (int)m->first_x, (int)m->first_y);
    json_stream_real(s, "rms", m->rms);
    json_stream_real(s, "psnr", m->psnr);
    JSON_STREAM_INTEGERS(s, {"compared", m->compared}, {"over", m->over},
                         {"antialiased", m->antialiased});
    json_stream_real(s, "share", m->share);
    if (m->pixels > 0)
        json_stream_print(s, "differing", "[%d,%d,%d,%d]", (int)m->differing.x, (int)m->differing.y,
                          (int)m->differing.width, (int)m->differing.height);
    if (!isnan(m->ssim))
        json_stream_real(s, "ssim", m->ssim);
    if (!isnan(m->flip))
        print_flip(s, m);
}

static void print_pair(json_stream *s, const comparison *item)
{
    json_stream_open(s, NULL, '{');
    json_stream_text(s, "a", item->golden_path);
    json_stream_text(s, "b", item->picture_path);
    json_stream_bool(s, "pass", item->class == COMPARISON_PASSED);
    if (item->measured)
        print_metrics(s, &item->metrics);
    if ((!item->measured && item->class != COMPARISON_PASSED) || item->class == COMPARISON_SIZE)
        print_text(s, "problem", problem_of(item));
    print_text(s, "name", item->name);
    print_text(s, "class", comparison_class_name(item->class));
    print_text(s, "rule", item->rule);
    print_side(s, "golden", item->golden_hash, item->golden_width, item->golden_height,
               item->golden_blank);
    print_side(s, "picture", item->picture_hash, item->picture_width, item->picture_height,
               item->blank);
    print_text(s, "diff", item->diff_path);
    print_text(s, "accept", item->accept_command);
    json_stream_close(s, '}');
}

void compare_print_document(const options *o, const comparison_list *list, int code)
{
    const comparison_counts counts = comparison_list_counts(list);
    json_stream document = document_begin(o);
    json_stream_open(&document, "pairs", '[');
    for (size_t i = 0; i < list->count; i++)
        print_pair(&document, &list->items[i]);
    json_stream_close(&document, ']');
    report_write_counts(&document, &counts);
    JSON_STREAM_INTEGERS(&document, {"code", code});
    document_end();
}
