// SPDX-License-Identifier: MIT
// The result document of test; docs/test.schema.json describes it.
#include "report/report.h"

#include <math.h>

static void hash_member(json_stream *s, const char *key, uint64_t hash, int32_t width)
{
    if (width > 0)
        json_stream_hash(s, key, hash);
    else
        json_stream_text(s, key, NULL);
}

static void size_member(json_stream *s, const char *key, int32_t width, int32_t height)
{
    if (width > 0)
        json_stream_print(s, key, "[%d,%d]", width, height);
    else
        json_stream_text(s, key, NULL);
}

static void metrics_member(json_stream *s, const comparison *c)
{
    const zt_metrics *m = &c->metrics;
    if (!c->measured) {
        json_stream_text(s, "metrics", NULL);
        return;
    }
    json_stream_open(s, "metrics", '{');
    JSON_STREAM_INTEGERS(s, {"compared", m->compared}, {"pixels", m->pixels}, {"over", m->over},
                         {"antialiased", m->antialiased});
    json_stream_real(s, "share", m->share);
    JSON_STREAM_INTEGERS(s, {"max", m->max});
    json_stream_real(s, "mean", m->mean);
    json_stream_real(s, "rms", m->rms);
    json_stream_real(s, "psnr", m->psnr); // equal pictures have no finite one
    if (!isnan(m->ssim))
        json_stream_real(s, "ssim", m->ssim);
    if (!isnan(m->flip))
        json_stream_real(s, "flip", m->flip);
    json_stream_close(s, '}');
}

static void write_item(json_stream *s, const comparison *c)
{
    json_stream_open(s, NULL, '{');
    json_stream_text(s, "name", c->name);
    json_stream_text(s, "class", comparison_class_name(c->class));
    json_stream_bool(s, "pass", c->class == COMPARISON_PASSED);
    JSON_STREAM_INTEGERS(s, {"code", c->code});
    json_stream_text(s, "golden", c->golden_path);
    json_stream_text(s, "picture", c->picture_path);
    json_stream_text(s, "diff", c->diff_path);
    json_stream_text(s, "rule", c->rule);
    json_stream_text(s, "message", c->message);
    metrics_member(s, c);
    hash_member(s, "golden_hash", c->golden_hash, c->golden_width);
    hash_member(s, "picture_hash", c->picture_hash, c->picture_width);
    size_member(s, "golden_size", c->golden_width, c->golden_height);
    size_member(s, "picture_size", c->picture_width, c->picture_height);
    json_stream_bool(s, "blank", c->blank);
    json_stream_print(s, "seconds", "%.6f", c->seconds);
    json_stream_text(s, "render", c->render_command);
    json_stream_text(s, "accept", c->accept_command);
    json_stream_close(s, '}');
}

void report_write_counts(json_stream *s, const comparison_counts *counts)
{
    json_stream_open(s, "counts", '{');
    for (int i = 0; i < COMPARISON_CLASS_COUNT; i++)
        json_stream_print(s, comparison_class_name((comparison_class)i), "%zu", counts->of[i]);
    json_stream_close(s, '}');
}

void report_write_json(json_stream *document, const report_def *def, int code)
{
    const comparison_list *list = def->list;
    const comparison_counts counts = comparison_list_counts(list);
    json_stream_text(document, "title", def->title);
    json_stream_text(document, "machine", def->machine);
    json_stream_open(document, "results", '[');
    for (size_t i = 0; i < list->count; i++) {
        json_stream_line(document);
        write_item(document, &list->items[i]);
    }
    json_stream_close(document, ']');
    JSON_STREAM_INTEGERS(document, {"total", (int64_t)list->count},
                         {"failed", (int64_t)counts.failed});
    report_write_counts(document, &counts);
    json_stream_print(document, "seconds", "%.6f", def->seconds);
    JSON_STREAM_INTEGERS(document, {"code", code});
}
