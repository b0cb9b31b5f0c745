// SPDX-License-Identifier: MIT
// The result document of test, written and read; docs/test.schema.json describes it.
#include "base/file.h"
#include "json/json_parse.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum member_kind {
    MEMBER_TEXT,     ///< or null
    MEMBER_PATH,     ///< a text; read, it is one in the folder of the document
    MEMBER_TEXTS,    ///< a list, at most as long as `count`; absent: none
    MEMBER_BOOL,     ///< true or false
    MEMBER_INTEGERS, ///< int32_t: a number, or a list that ends with a size; null: it is 0
    MEMBER_INT64,    ///< a whole number
    MEMBER_REAL,     ///< null: infinite; absent: NaN
    MEMBER_HASH,     ///< null: 0
    MEMBER_CLASS,    ///< its name, and whether it passes
    MEMBER_METRICS,  ///< the members of metrics_members; null: not measured
} member_kind;

typedef struct member {
    const char *key; ///< NULL: the end of a table
    member_kind kind;
    size_t offset; ///< in a comparison
    uint32_t count;
} member;

#define AT(member) offsetof(comparison, member)

static const member metrics_members[] = {
    {"compared", MEMBER_INT64, AT(metrics.compared), 1},
    {"pixels", MEMBER_INT64, AT(metrics.pixels), 1},
    {"over", MEMBER_INT64, AT(metrics.over), 1},
    {"antialiased", MEMBER_INT64, AT(metrics.antialiased), 1},
    {"share", MEMBER_REAL, AT(metrics.share), 1},
    {"max", MEMBER_INTEGERS, AT(metrics.max), 1},
    {"mean", MEMBER_REAL, AT(metrics.mean), 1},
    {"rms", MEMBER_REAL, AT(metrics.rms), 1},
    {"psnr", MEMBER_REAL, AT(metrics.psnr), 1}, // equal pictures have no finite one
    {"differing", MEMBER_INTEGERS, AT(metrics.differing), 4},
    {"ssim", MEMBER_REAL, AT(metrics.ssim), 1},
    {"flip", MEMBER_REAL, AT(metrics.flip), 1},
    {"flip_first_quartile", MEMBER_REAL, AT(metrics.flip_first_quartile), 1},
    {"flip_median", MEMBER_REAL, AT(metrics.flip_median), 1},
    {"flip_third_quartile", MEMBER_REAL, AT(metrics.flip_third_quartile), 1},
    {"flip_max", MEMBER_REAL, AT(metrics.flip_max), 1},
    {0},
};

static const member members[] = {
    {"name", MEMBER_TEXT, AT(name), 1},
    {"class", MEMBER_CLASS, AT(class), 1},
    {"code", MEMBER_INTEGERS, AT(code), 1},
    {"golden", MEMBER_PATH, AT(golden_path), 1},
    {"picture", MEMBER_PATH, AT(picture_path), 1},
    {"diff", MEMBER_PATH, AT(diff_path), 1},
    {"rule", MEMBER_TEXT, AT(rule), 1},
    {"message", MEMBER_TEXT, AT(message), 1},
    {"metrics", MEMBER_METRICS, AT(measured), 1},
    {"objects", MEMBER_TEXTS, AT(objects), COMPARISON_OBJECTS_MAX},
    {"golden_hash", MEMBER_HASH, AT(golden_hash), 1},
    {"picture_hash", MEMBER_HASH, AT(picture_hash), 1},
    {"golden_size", MEMBER_INTEGERS, AT(golden_width), 2},
    {"picture_size", MEMBER_INTEGERS, AT(picture_width), 2},
    {"blank", MEMBER_BOOL, AT(blank), 1},
    {"golden_blank", MEMBER_BOOL, AT(golden_blank), 1},
    {"seconds", MEMBER_REAL, AT(seconds), 1},
    {"render", MEMBER_TEXT, AT(render_command), 1},
    {"accept", MEMBER_TEXT, AT(accept_command), 1},
    {0},
};

static void write_members(json_stream *s, const char *key, const member *m, const comparison *c);

static void write_integers(json_stream *s, const member *m, const int32_t *at)
{
    if (m->count == 1)
        JSON_STREAM_INTEGERS(s, {m->key, *at});
    else if (at[m->count - 1] == 0)
        json_stream_text(s, m->key, NULL);
    else if (m->count == 2)
        json_stream_print(s, m->key, "[%d,%d]", at[0], at[1]);
    else
        json_stream_print(s, m->key, "[%d,%d,%d,%d]", at[0], at[1], at[2], at[3]);
}

static void write_member(json_stream *s, const member *m, const comparison *c)
{
    const void *at = (const char *)c + m->offset;
    switch (m->kind) {
    case MEMBER_TEXT:
    case MEMBER_PATH: json_stream_text(s, m->key, *(const char *const *)at); break;
    case MEMBER_TEXTS:
        json_stream_open(s, m->key, '[');
        for (uint32_t i = 0; i < m->count && ((const char *const *)at)[i]; i++)
            json_stream_text(s, NULL, ((const char *const *)at)[i]);
        json_stream_close(s, ']');
        break;
    case MEMBER_BOOL: json_stream_bool(s, m->key, *(const bool *)at); break;
    case MEMBER_INTEGERS: write_integers(s, m, at); break;
    case MEMBER_INT64: JSON_STREAM_INTEGERS(s, {m->key, *(const int64_t *)at}); break;
    case MEMBER_REAL:
        if (!isnan(*(const double *)at))
            json_stream_real(s, m->key, *(const double *)at);
        break;
    case MEMBER_HASH:
        if (*(const uint64_t *)at)
            json_stream_hash(s, m->key, *(const uint64_t *)at);
        else
            json_stream_text(s, m->key, NULL);
        break;
    case MEMBER_CLASS:
        json_stream_text(s, m->key, comparison_class_name(c->class));
        json_stream_bool(s, "pass", c->class == COMPARISON_PASSED);
        break;
    case MEMBER_METRICS:
        if (c->measured)
            write_members(s, m->key, metrics_members, c);
        else
            json_stream_text(s, m->key, NULL);
        break;
    }
}

static void write_members(json_stream *s, const char *key, const member *m, const comparison *c)
{
    json_stream_open(s, key, '{');
    for (; m->key; m++)
        write_member(s, m, c);
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
        write_members(document, NULL, members, &list->items[i]);
    }
    json_stream_close(document, ']');
    JSON_STREAM_INTEGERS(document, {"total", (int64_t)list->count},
                         {"failed", (int64_t)counts.failed});
    report_write_counts(document, &counts);
    json_stream_print(document, "seconds", "%.6f", def->seconds);
    JSON_STREAM_INTEGERS(document, {"code", code});
}

/// A result that is read.
typedef struct reading {
    const char *path; ///< of the document
    comparison_list *list;
    const char *key; ///< of the member at hand
} reading;

static bool read_integers(const json_value *value, uint32_t count, int32_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const json_value *number = count > 1 ? json_at(value, i) : value;
        const int64_t integer = json_int(number);
        if (!json_is(number, JSON_KIND_INTEGER) || integer < -1 || integer > INT32_MAX)
            return false;
        out[i] = (int32_t)integer;
    }
    return true;
}

static bool read_members(reading *r, const json_value *from, const member *m, comparison *out);

static bool read_member(reading *r, const json_value *value, const member *m, comparison *out)
{
    void *at = (char *)out + m->offset;
    const char *text = json_str(value), **out_text = at;
    const bool null = json_is(value, JSON_KIND_NULL);
    const size_t folder = m->kind == MEMBER_PATH ? path_folder_length(r->path) : 0;
    switch (m->kind) {
    case MEMBER_TEXT:
    case MEMBER_PATH:
        if (text)
            *out_text = comparison_text(r->list, "%.*s%s", (int)folder, r->path, text);
        // A document shows no files but those in its folder.
        if (m->kind == MEMBER_PATH && *out_text && file_exists(*out_text) &&
            !file_is_below(*out_text, folder))
            *out_text = NULL;
        return text || null;
    case MEMBER_TEXTS:
        for (uint32_t i = 0; i < json_length(value) && i < m->count; i++) {
            if (!json_str(json_at(value, i)))
                return false;
            out_text[i] = comparison_text(r->list, "%s", json_str(json_at(value, i)));
        }
        return !value || json_is(value, JSON_KIND_ARRAY);
    case MEMBER_BOOL:
        *(bool *)at = json_is(value, JSON_KIND_TRUE);
        return *(bool *)at || json_is(value, JSON_KIND_FALSE);
    case MEMBER_INTEGERS: return (null && m->count > 1) || read_integers(value, m->count, at);
    case MEMBER_INT64: *(int64_t *)at = json_int(value); return json_is(value, JSON_KIND_INTEGER);
    case MEMBER_REAL:
        *(double *)at = null ? HUGE_VAL : value ? json_number(value) : (double)NAN;
        return null || !value || json_is_numeric(value);
    case MEMBER_HASH:
        *(uint64_t *)at = text ? strtoull(text, NULL, 16) : 0;
        return null || (text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16);
    case MEMBER_CLASS:
        while (text && out->class < COMPARISON_CLASS_COUNT &&
               strcmp(text, comparison_class_name(out->class)) != 0)
            out->class ++;
        return text && out->class < COMPARISON_CLASS_COUNT;
    case MEMBER_METRICS:
        out->measured = json_is(value, JSON_KIND_OBJECT);
        return null || (out->measured && read_members(r, value, metrics_members, out));
    }
    return false;
}

static bool read_members(reading *r, const json_value *from, const member *m, comparison *out)
{
    for (; m->key; m++) {
        r->key = m->key;
        if (!read_member(r, json_get(from, m->key), m, out))
            return false;
    }
    return true;
}

static zt_result read_results(reading *r, const json_value *results, zt_error *err)
{
    for (uint32_t i = 0; i < json_length(results); i++) {
        comparison *item = comparison_list_add(r->list);
        const bool read = item && read_members(r, json_at(results, i), members, item);
        if (r->list->refused != ZT_OK)
            return comparison_list_refused(r->list, err);
        if (!read || !item->name || item->code > (int32_t)ZT_ERR_INTERNAL ||
            (item->code <= 0) != (item->class == COMPARISON_PASSED))
            return zt_fail(err, ZT_ERR_FORMAT,
                           "%.400s:/results/%u/%s: wrong (expected what test --json prints)",
                           r->path, i,
                           !read        ? r->key
                           : item->name ? "code"
                                        : "name");
        item->document = r->path;
    }
    return ZT_OK;
}

static zt_result read_document(reading *r, const json_value *root, report_def *out, int *out_code,
                               zt_error *err)
{
    const json_value *results = json_get(root, "results");
    const char *message = json_str(json_get(root, "message")),
               *title = json_str(json_get(root, "title"));
    const int64_t code = json_int(json_get(root, "code"));
    if (!title || !json_is(results, JSON_KIND_ARRAY))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%.400s:/results: none%s%.400s (expected what test --json prints)", r->path,
                       message ? ": " : "", message ? message : "");
    out->title = out->title ? out->title : comparison_text(r->list, "%s", title);
    if (!out->title)
        return comparison_list_refused(r->list, err);
    const double seconds = json_number(json_get(root, "seconds"));
    out->seconds += seconds >= 0.0 && seconds < 1e9 ? seconds : 0.0;
    *out_code = code > *out_code && code <= (int)ZT_ERR_INTERNAL ? (int)code : *out_code;
    return read_results(r, results, err);
}

zt_result report_read_json(const char *path, comparison_list *list, report_def *out, int *out_code,
                           zt_error *err)
{
    budget bytes;
    arena memory;
    file_bytes text;
    json_problem problem;
    budget_init_within(&bytes, list->budget, 0, NULL);
    arena_init(&memory, &bytes);
    json_builder builder = {.a = &memory};
    reading r = {.path = path, .list = list};
    zt_result result = file_read(&memory, path, &text, err);
    if (result == ZT_OK) {
        const json_value *root = json_parse(&builder, (const char *)text.data, text.size,
                                            (uint32_t)bytes.limits->depth, NULL, &problem);
        result = root ? read_document(&r, root, out, out_code, err)
                      : zt_fail(err, problem.code, "%.400s:%u:%u: %s (expected JSON)", path,
                                problem.line, problem.column, problem.message);
    }
    arena_finish(&memory);
    return result;
}
