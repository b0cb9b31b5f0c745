// SPDX-License-Identifier: MIT
/// Texts of the manual about an option: its metavar, its values, and what it is without the flag.
#include "base/path.h"
#include "cli/option_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Joins the words: "a, b or c" with ", " and " or "; "a|b|c" with "|" twice.
static void join_words(const option_flag *flag, const char *between, const char *last, char *out,
                       size_t size)
{
    int32_t value;
    size_t length = 0;
    const char *name = option_word_at(flag, 0, &value);
    out[0] = 0;
    for (int i = 0; name && length < size; i++) {
        const char *next = option_word_at(flag, i + 1, &value);
        length += (size_t)snprintf(out + length, size - length, "%s%s",
                                   i == 0 ? ""
                                   : next ? between
                                          : last,
                                   name);
        name = next;
    }
}

void option_metavar(const option_flag *flag, char *out, size_t size)
{
    if (flag->metavar)
        snprintf(out, size, "%s", flag->metavar);
    else
        join_words(flag, "|", "|", out, size);
}

static void range_text(const option_range *range, char *out, size_t size)
{
    out[0] = 0;
    if (range->max == 0)
        return;
    if (isinf(range->max))
        snprintf(out, size, "%.15g or more", range->min);
    else if (range->above_min)
        snprintf(out, size, "above %.15g, up to %.15g", range->min, range->max);
    else
        snprintf(out, size, "%.15g to %.15g", range->min, range->max);
}

static const char *current_word(const option_flag *flag, const int32_t *current)
{
    const char *name = NULL;
    int32_t value;
    for (int i = 0; (name = option_word_at(flag, i, &value)) != NULL && value != *current; i++)
        continue;
    return name ? name : "none";
}

void option_current(const option_flag *flag, const options *o, char *out, size_t size)
{
    const void *field = (const char *)o + flag->offset;
    if (flag->kind == OPTION_SWITCH)
        snprintf(out, size, "%s", *(const bool *)field ? "on" : "off");
    else if (flag->kind == OPTION_INT)
        snprintf(out, size, "%d", *(const int32_t *)field);
    else if (flag->kind == OPTION_BYTES)
        snprintf(out, size, "%llu", (unsigned long long)*(const uint64_t *)field);
    else if (flag->kind == OPTION_DOUBLE && *(const double *)field > 0)
        snprintf(out, size, "%.15g", *(const double *)field);
    else
        snprintf(out, size, "%s", flag->kind == OPTION_WORD ? current_word(flag, field) : "none");
}

void option_values(const option_flag *flag, char *out, size_t size)
{
    static const char *const texts[] = {
        [OPTION_RATE] = "above 0, up to 1000, such as 30, 29.97 or 30000/1001",
        [OPTION_SIZE] = "1 to 16384 a side; N is N x N",
        [OPTION_SHARD] = "I from 1 to N",
        [OPTION_BYTES] = "a whole number, with K, M or G for powers of 1024",
        [OPTION_RECTANGLES] = "X and Y from the top left, in pixels; at most 64",
        [OPTION_HASH] = "16 hexadecimal digits",
        [OPTION_FOLDER] = NULL,
    };
    const option_range range = option_range_of(flag);
    const def_field *field = option_field(flag);
    int32_t word;
    if (flag->kind == OPTION_BYTES && range.max > 0)
        snprintf(out, size, "%s, up to %.10gG", texts[flag->kind], range.max / (1 << 30));
    else if (field && field->kind == DEF_MULTIPLE)
        snprintf(out, size, "%s", def_steps(field));
    else if (flag->kind == OPTION_INT || flag->kind == OPTION_DOUBLE)
        range_text(&range, out, size);
    else if (flag->metavar && flag->kind != OPTION_PLANES && option_word_at(flag, 0, &word))
        join_words(flag, ", ", " or ", out, size);
    else
        snprintf(out, size, "%s", texts[flag->kind] ? texts[flag->kind] : "");
}

// ---- Rows and the definitions of the library ----------------------------------------------------

const def_field *option_field(const option_flag *flag)
{
    static const struct {
        const def_table *table;
        size_t offset;
    } defs[] = {{&shot_table, offsetof(options, shot)},
                {&load_table, offsetof(options, load)},
                {&encode_table, offsetof(options, encode)}};
    for (size_t i = 0; i < sizeof defs / sizeof *defs; i++)
        for (size_t k = 0; k < defs[i].table->count; k++)
            if (flag->offset == defs[i].offset + defs[i].table->field[k].offset)
                return &defs[i].table->field[k];
    return NULL;
}

const char *option_picture_value(const option_flag *flag, const char *value)
{
    const def_field *field = option_field(flag);
    if (flag->offset == offsetof(options, limits.texture_side) || // textures are left out
        flag->offset == offsetof(options, limits.samples) ||      // sub-frames are
        flag->offset == offsetof(options, encode.bits) ||
        flag->offset == offsetof(options, encode.linear) ||
        flag->offset == offsetof(options, encode.depth_unit_mm))
        return value;
    if (flag->group < OPTION_GROUP_SHOT || flag->group > OPTION_GROUP_MODEL ||
        (field ? field->no_pixel && strcmp(flag->name, "--frames") != 0
               : flag->kind == OPTION_SWITCH))
        return NULL;
    return field && field->kind == DEF_PATH ? path_name(value) : value;
}

option_range option_range_of(const option_flag *flag)
{
    const def_field *field = option_field(flag);
    if (flag->range.max != 0 || !field || !(field->min < field->max))
        return flag->range;
    return (option_range){field->min, field->max, false};
}

const char *option_word_at(const option_flag *flag, int index, int32_t *out_value)
{
    *out_value = index;
    if (flag->kind == OPTION_FORMAT) {
        const zt_picture_format *format = zt_picture_format_at(index);
        return format ? format->name : NULL;
    }
    if (flag->kind == OPTION_PLANES)
        return zt_plane_at(index) ? zt_plane_at(index)->name : NULL;
    const def_field *field = option_field(flag);
    if (field && field->kind == DEF_WORD)
        return zt_word_at(field->words, index);
    if (field && field->kind == DEF_POWER) {
        static const char *const powers[] = {"1", "2", "4", "8", "16"};
        *out_value = index < 5 ? 1 << index : 0;
        return def_is_step(field, *out_value) ? powers[index] : NULL;
    }
    if (!flag->words)
        return NULL;
    *out_value = flag->words[index].value;
    return flag->words[index].name;
}

bool option_word_find(const option_flag *flag, const char *word, int32_t *out_value)
{
    const char *name = NULL;
    for (int i = 0; (name = option_word_at(flag, i, out_value)) != NULL; i++)
        if (strcmp(name, word) == 0)
            return true;
    return false;
}
