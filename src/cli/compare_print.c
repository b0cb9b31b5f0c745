// SPDX-License-Identifier: MIT
// One comparison in text and in JSON. A script may read the members a, b, pass, pixels, max, mean,
// first and problem of a pair, and code of the document, since version 0.1.
#include "cli/compare_print.h"

#include "cli/console.h"
#include "report/report_text.h"

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
    report_line_text(stdout, item->golden_path);
    printf(" ");
    report_line_text(stdout, item->picture_path);
    printf(": ");
    if (!item->measured)
        report_line_text(stdout, problem_of(item));
    else if (m->pixels == 0)
        printf("%s", item->rule);
    else
        printf("%" PRId64 " pixels differ by up to %d, mean %.6g, first at (%d, %d), %s", m->pixels,
               (int)m->max, m->mean, (int)m->first_x, (int)m->first_y, item->rule);
    if (item->class == COMPARISON_NEW && item->accept_command) {
        printf("; accept it: ");
        report_line_text(stdout, item->accept_command);
    }
    printf("%s\n", item->blank ? " (blank: all pixels are equal)" : "");
}

static void print_text(const char *name, const char *text)
{
    if (text)
        report_json_member(stdout, name, text);
}

/// Nothing for what was not measured; null for what has no number.
static void print_number(const char *name, double value)
{
    if (isnan(value))
        return;
    if (isinf(value))
        printf(",\"%s\":null", name);
    else
        printf(",\"%s\":%.9g", name, value);
}

static void print_side(const char *name, uint64_t hash, int32_t width, int32_t height, bool blank)
{
    if (width > 0)
        printf(",\"%s\":{\"hash\":\"%016" PRIx64 "\",\"size\":[%d,%d],\"blank\":%s}", name, hash,
               (int)width, (int)height, blank ? "true" : "false");
    else if (hash)
        printf(",\"%s\":{\"hash\":\"%016" PRIx64 "\"}", name, hash);
}

static void print_metrics(const zt_metrics *m)
{
    printf(",\"pixels\":%" PRId64 ",\"max\":%d,\"mean\":%.9g,\"first\":[%d,%d]", m->pixels,
           (int)m->max, m->mean, (int)m->first_x, (int)m->first_y);
    print_number("rms", m->rms);
    print_number("psnr", m->psnr);
    printf(",\"compared\":%" PRId64 ",\"over\":%" PRId64 ",\"antialiased\":%" PRId64, m->compared,
           m->over, m->antialiased);
    print_number("share", m->share);
    if (m->pixels > 0)
        printf(",\"differing\":[%d,%d,%d,%d]", (int)m->differing.x, (int)m->differing.y,
               (int)m->differing.width, (int)m->differing.height);
    print_number("ssim", m->ssim);
    if (!isnan(m->flip))
        printf(",\"flip\":{\"mean\":%.9g,\"first_quartile\":%.6g,\"median\":%.6g,"
               "\"third_quartile\":%.6g,\"max\":%.9g}",
               m->flip, m->flip_first_quartile, m->flip_median, m->flip_third_quartile,
               m->flip_max);
}

static void print_pair(const comparison *item)
{
    printf("{\"a\":");
    report_json_text(stdout, item->golden_path);
    report_json_member(stdout, "b", item->picture_path);
    printf(",\"pass\":%s", item->class == COMPARISON_PASSED ? "true" : "false");
    if (item->measured)
        print_metrics(&item->metrics);
    else if (item->class != COMPARISON_PASSED)
        print_text("problem", problem_of(item));
    print_text("name", item->name);
    print_text("class", comparison_class_name(item->class));
    print_text("rule", item->rule);
    print_side("golden", item->golden_hash, item->golden_width, item->golden_height,
               item->golden_blank);
    print_side("picture", item->picture_hash, item->picture_width, item->picture_height,
               item->blank);
    print_text("diff", item->diff_path);
    print_text("accept", item->accept_command);
    printf("}");
}

void compare_print_document(const options *o, const comparison_list *list, int code)
{
    const comparison_counts counts = comparison_list_counts(list);
    document_begin(o);
    printf(",\"pairs\":[");
    for (size_t i = 0; i < list->count; i++) {
        printf(i == 0 ? "" : ",");
        print_pair(&list->items[i]);
    }
    printf("],\"counts\":{");
    for (int class = 0; class < COMPARISON_CLASS_COUNT; class ++)
        printf("%s\"%s\":%zu", class == 0 ? "" : ",",
               comparison_class_name((comparison_class) class), counts.of[class]);
    printf("},\"code\":%d", code);
    document_end();
}
