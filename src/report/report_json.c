// SPDX-License-Identifier: MIT
// The result document of test; docs/test.schema.json describes it.
#include "report/report.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <math.h>

static void hash_member(FILE *out, const char *key, uint64_t hash, int32_t width)
{
    if (width > 0)
        fprintf(out, ",\"%s\":\"%016" PRIx64 "\"", key, hash);
    else
        fprintf(out, ",\"%s\":null", key);
}

static void size_member(FILE *out, const char *key, int32_t width, int32_t height)
{
    if (width > 0)
        fprintf(out, ",\"%s\":[%d,%d]", key, width, height);
    else
        fprintf(out, ",\"%s\":null", key);
}

static void metrics_member(FILE *out, const comparison *c)
{
    const zt_metrics *m = &c->metrics;
    if (!c->measured) {
        fputs(",\"metrics\":null", out);
        return;
    }
    fprintf(out,
            ",\"metrics\":{\"compared\":%" PRId64 ",\"pixels\":%" PRId64 ",\"over\":%" PRId64
            ",\"antialiased\":%" PRId64 ",\"share\":%.9g,\"max\":%d,\"mean\":%.9g,\"rms\":%.9g",
            m->compared, m->pixels, m->over, m->antialiased, m->share, m->max, m->mean, m->rms);
    // Equal pictures have no finite one.
    fprintf(out, isfinite(m->psnr) ? ",\"psnr\":%.9g" : ",\"psnr\":null", m->psnr);
    if (!isnan(m->ssim))
        fprintf(out, ",\"ssim\":%.9g", m->ssim);
    if (!isnan(m->flip))
        fprintf(out, ",\"flip\":%.9g", m->flip);
    fputs("}", out);
}

static void write_item(FILE *out, const comparison *c)
{
    fputs("{\"name\":", out);
    report_json_text(out, c->name);
    report_json_member(out, "class", comparison_class_name(c->class));
    fprintf(out, ",\"pass\":%s,\"code\":%d", c->class == COMPARISON_PASSED ? "true" : "false",
            c->code);
    report_json_member(out, "golden", c->golden_path);
    report_json_member(out, "picture", c->picture_path);
    report_json_member(out, "diff", c->diff_path);
    report_json_member(out, "rule", c->rule);
    report_json_member(out, "message", c->message);
    metrics_member(out, c);
    hash_member(out, "golden_hash", c->golden_hash, c->golden_width);
    hash_member(out, "picture_hash", c->picture_hash, c->picture_width);
    size_member(out, "golden_size", c->golden_width, c->golden_height);
    size_member(out, "picture_size", c->picture_width, c->picture_height);
    fprintf(out, ",\"blank\":%s,\"seconds\":%.6f", c->blank ? "true" : "false", c->seconds);
    report_json_member(out, "render", c->render_command);
    report_json_member(out, "accept", c->accept_command);
    fputc('}', out);
}

void report_write_json(FILE *out, const report_def *def, int code)
{
    const comparison_list *list = def->list;
    const comparison_counts counts = comparison_list_counts(list);
    report_json_member(out, "title", def->title);
    report_json_member(out, "machine", def->machine);
    fputs(",\"results\":[", out);
    for (size_t i = 0; i < list->count; i++) {
        fputs(i ? ",\n" : "\n", out);
        write_item(out, &list->items[i]);
    }
    fprintf(out, "],\"total\":%zu,\"failed\":%zu,\"counts\":{", list->count, counts.failed);
    for (int i = 0; i < COMPARISON_CLASS_COUNT; i++)
        fprintf(out, "%s\"%s\":%zu", i ? "," : "", comparison_class_name((comparison_class)i),
                counts.of[i]);
    fprintf(out, "},\"seconds\":%.6f,\"code\":%d", def->seconds, code);
}
