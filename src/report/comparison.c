// SPDX-License-Identifier: MIT
// Criteria and lists of comparisons.
#include "report/comparison.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Texts in blocks that never move.
struct comparison_texts {
    struct comparison_texts *next;
    size_t used, size;
    char bytes[];
};

enum { TEXT_BLOCK = 16384, RULE_SIZE = 512 };

const char *comparison_class_name(comparison_class class)
{
    static const char *const names[COMPARISON_CLASS_COUNT] = {"passed",  "changed", "new",
                                                              "missing", "size",    "error"};
    return names[class];
}

const char *const comparison_kind_names[COMPARISON_KIND_COUNT] = {"mesh", "node", "material",
                                                                  "bone"};

comparison_criteria comparison_criteria_none(void)
{
    return (comparison_criteria){
        .max_diff = -1,
        .mean = (double)NAN,
        .rms = (double)NAN,
        .psnr = (double)NAN,
        .pixels = -1,
        .share = (double)NAN,
        .threshold = -1,
        .ssim = (double)NAN,
        .flip = (double)NAN,
        .pixels_per_degree = (double)NAN,
    };
}

bool comparison_criteria_given(const comparison_criteria *c)
{
    return c->max_diff >= 0 || c->pixels >= 0 || c->threshold >= 0 || !isnan(c->mean) ||
           !isnan(c->rms) || !isnan(c->psnr) || !isnan(c->share) || !isnan(c->ssim) ||
           !isnan(c->flip) || !isnan(c->pixels_per_degree) || c->ignore_antialiasing || c->straight;
}

void comparison_metrics_def(const comparison_criteria *c, zt_metrics_def *def)
{
    def->threshold = c->threshold > 0 ? c->threshold : 0;
    def->ignore_antialiasing = c->ignore_antialiasing;
    def->straight = c->straight;
    def->ssim |= !isnan(c->ssim);
    def->flip |= !isnan(c->flip);
    if (!isnan(c->pixels_per_degree))
        def->pixels_per_degree = c->pixels_per_degree;
}

/// One criterion and what was measured for it.
typedef struct limit {
    const char *name, *unit;
    bool given, at_least;
    double limit, value;
} limit;

/// Appends to a text of `size` bytes; what does not fit is left out.
static void append(char *out, size_t size, const char *format, ...) ZT_PRINTF(3, 4);
static void append(char *out, size_t size, const char *format, ...)
{
    const size_t length = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + length, size - length, format, arguments);
    va_end(arguments);
}

/// True when the metrics meet the criteria. `out_rule`: what decided, with numbers: "equal", "not
/// equal", "no pixel is compared", "rms 1.25 is above 1", "within the limits: max 3 of 4".
static bool comparison_decide(const comparison_criteria *c, const zt_metrics *m, char *out_rule,
                              size_t size)
{
    char over[48], share[48];
    snprintf(over, sizeof over, "pixels over %d", c->threshold > 0 ? c->threshold : 0);
    snprintf(share, sizeof share, "share over %d", c->threshold > 0 ? c->threshold : 0);
    const bool threshold_alone = c->threshold >= 0 && c->pixels < 0 && isnan(c->share);
    // clang-format off
    const limit limits[] = {
        {"max", "", c->max_diff >= 0, false, c->max_diff, m->max},
        {"mean", "", !isnan(c->mean), false, c->mean, m->mean},
        {"rms", "", !isnan(c->rms), false, c->rms, m->rms},
        {"psnr", " dB", !isnan(c->psnr), true, c->psnr, m->psnr},
        {over, "", c->pixels >= 0 || threshold_alone, false, c->pixels >= 0 ? c->pixels : 0, (double)m->over},
        {share, " %", !isnan(c->share), false, c->share, m->share},
        {"ssim", "", !isnan(c->ssim), true, c->ssim, m->ssim},
        {"flip", "", !isnan(c->flip), false, c->flip, m->flip},
    };
    // clang-format on
    if (m->pixels == 0) {
        snprintf(out_rule, size, "%s",
                 m->compared == 0 ? "no pixel is compared"
                 : m->antialiased ? "equal but for antialiased edges"
                                  : "equal");
        return true;
    }
    bool any = false;
    snprintf(out_rule, size, "within the limits");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const limit *l = &limits[i];
        if (!l->given)
            continue;
        // What cannot be compared does not pass.
        const bool met = l->at_least ? l->value >= l->limit : l->value <= l->limit;
        if (!met) {
            snprintf(out_rule, size, "%s %.6g%s is %s %.6g%s", l->name, l->value, l->unit,
                     l->at_least ? "below" : "above", l->limit, l->unit);
            return false;
        }
        append(out_rule, size, "%s %s %.6g of %.6g%s", any ? "," : ":", l->name, l->value, l->limit,
               l->unit);
        any = true;
    }
    if (!any)
        snprintf(out_rule, size, "not equal");
    return any;
}

void comparison_list_init(comparison_list *list, zt_budget *budget)
{
    *list = (comparison_list){.budget = budget};
}

void comparison_list_finish(comparison_list *list)
{
    for (struct comparison_texts *t = list->texts; t;) {
        struct comparison_texts *next = t->next;
        free(t);
        t = next;
    }
    free(list->items);
    zt_budget_give(list->budget, list->charged);
    *list = (comparison_list){0};
}

static bool charge(comparison_list *list, size_t bytes)
{
    if (!zt_budget_take(list->budget, bytes)) {
        list->refused = ZT_ERR_LIMIT;
        return false;
    }
    list->charged += bytes;
    return true;
}

zt_result comparison_list_refused(const comparison_list *list, zt_error *err)
{
    return zt_fail(err, list->refused, "%s for the list of comparisons",
                   list->refused == ZT_ERR_MEMORY ? "no memory"
                                                  : "the memory limit does not suffice");
}

comparison *comparison_list_add(comparison_list *list)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 16;
        if (!charge(list, (capacity - list->capacity) * sizeof *list->items))
            return NULL;
        comparison *grown = realloc(list->items, capacity * sizeof *grown);
        if (!grown) {
            list->refused = ZT_ERR_MEMORY;
            return NULL;
        }
        list->items = grown;
        list->capacity = capacity;
    }
    comparison *item = &list->items[list->count++];
    *item = (comparison){0};
    return item;
}

const char *comparison_text(comparison_list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        list->refused = ZT_ERR_LIMIT;
        return NULL;
    }
    const size_t bytes = (size_t)length + 1;
    if (!list->texts || list->texts->size - list->texts->used < bytes) {
        const size_t size = bytes > TEXT_BLOCK ? bytes : TEXT_BLOCK;
        if (!charge(list, sizeof(struct comparison_texts) + size))
            return NULL;
        struct comparison_texts *block = malloc(sizeof *block + size);
        if (!block) {
            list->refused = ZT_ERR_MEMORY;
            return NULL;
        }
        *block = (struct comparison_texts){.next = list->texts, .size = size};
        list->texts = block;
    }
    char *text = list->texts->bytes + list->texts->used;
    va_start(arguments, format);
    vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    list->texts->used += bytes;
    return text;
}

comparison_counts comparison_list_counts(const comparison_list *list)
{
    comparison_counts counts = {0};
    for (size_t i = 0; i < list->count; i++)
        counts.of[list->items[i].class]++;
    counts.failed = list->count - counts.of[COMPARISON_PASSED];
    return counts;
}

void comparison_summary(const comparison_list *list, char *out, size_t size)
{
    const comparison_counts counts = comparison_list_counts(list);
    if (counts.failed == 0) {
        snprintf(out, size, list->count == 1 ? "%zu of 1 passes" : "all %zu pass", list->count);
        return;
    }
    snprintf(out, size, "%zu of %zu differ", counts.failed, list->count);
    const char *between = ": ";
    for (int class = COMPARISON_CHANGED; class < COMPARISON_CLASS_COUNT; class ++) {
        if (counts.of[class] == 0)
            continue;
        append(out, size, "%s%zu %s", between, counts.of[class],
               class == COMPARISON_SIZE    ? "of another size"
               : class == COMPARISON_ERROR ? "with an error"
                                           : comparison_class_name((comparison_class) class));
        between = ", ";
    }
}

int comparison_list_code(const comparison_list *list)
{
    int code = 0;
    for (size_t i = 0; i < list->count; i++)
        code = list->items[i].code > code ? list->items[i].code : code;
    return code;
}

void comparison_picture(comparison *item, const zt_image *picture)
{
    item->picture_hash = zt_image_hash(picture);
    item->picture_width = picture->width;
    item->picture_height = picture->height;
    item->blank = zt_image_blank(picture);
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

zt_result comparison_metrics(const zt_metrics_def *def, const zt_image *golden,
                             const zt_image *picture, zt_metrics *out, zt_image *out_diff,
                             zt_error *err)
{
    zt_image parts[] = {*golden, *picture, def->mask ? *def->mask : *golden};
    zt_metrics_def how = *def;
    if (golden->width == picture->width && golden->height == picture->height)
        return zt_image_measure(golden, picture, def, out, out_diff, err);
    for (int i = 0; i < 3; i++) {
        parts[i].width = smaller(parts[i].width, smaller(golden->width, picture->width));
        parts[i].height = smaller(parts[i].height, smaller(golden->height, picture->height));
    }
    how.mask = def->mask ? &parts[2] : NULL;
    return zt_image_measure(&parts[0], &parts[1], &how, out, out_diff, err);
}

zt_result comparison_measure(comparison_list *list, comparison *item,
                             const comparison_criteria *criteria, const zt_metrics_def *def,
                             const zt_image *golden, const zt_image *picture, zt_image *out_diff,
                             zt_error *err)
{
    char rule[RULE_SIZE];
    zt_metrics_def how = *def;
    if (out_diff)
        *out_diff = (zt_image){0};
    item->golden_hash = zt_image_hash(golden);
    item->golden_width = golden->width;
    item->golden_height = golden->height;
    item->golden_blank = zt_image_blank(golden);
    comparison_picture(item, picture);
    comparison_metrics_def(criteria, &how);
    ZT_TRY(comparison_metrics(&how, golden, picture, &item->metrics, out_diff, err));
    if (criteria->share_of > 0)
        item->metrics.share = 100.0 * (double)item->metrics.over / (double)criteria->share_of;
    if (out_diff && item->metrics.pixels == 0)
        zt_image_finish(out_diff);
    item->measured = true;
    if (golden->width != picture->width || golden->height != picture->height) {
        item->class = COMPARISON_SIZE;
        item->code = (int32_t)ZT_ERR_DIFFERENT;
        item->message = comparison_text(
            list,
            "pictures of different size: %d x %d and %d x %d; %lld of %lld common pixels differ",
            golden->width, golden->height, picture->width, picture->height,
            (long long)item->metrics.pixels, (long long)item->metrics.compared);
        return item->message ? ZT_OK : comparison_list_refused(list, err);
    }
    const bool passed = comparison_decide(criteria, &item->metrics, rule, sizeof rule);
    item->class = passed ? COMPARISON_PASSED : COMPARISON_CHANGED;
    item->code = passed ? (int32_t)ZT_OK : (int32_t)ZT_ERR_DIFFERENT;
    item->rule = comparison_text(list, "%s", rule);
    return item->rule ? ZT_OK : comparison_list_refused(list, err);
}
