// SPDX-License-Identifier: MIT
/// See mtl.h. Keys that are not known are passed over.
#include "obj/mtl.h"

#include "base/number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MATERIALS_MAX = 1 << 16 };

static zt_result add_material(text_scan *text, arena *a, mtl_list *out)
{
    if (out->count == MATERIALS_MAX)
        return zt_fail(text->err, ZT_ERR_LIMIT, "%s: more than 65536 materials", text->path);
    ZT_TRY(ARENA_GROW(a, out->material, out->count, out->room, "materials", text->err));
    mtl_material *m = &out->material[out->count++];
    const double none = (double)NAN;
    *m = (mtl_material){.name = obj_rest(text, a),
                        .diffuse = {none, none, none},
                        .emissive = {none, none, none},
                        .shininess = none,
                        .opacity = none,
                        .roughness = none,
                        .metallic = none,
                        .coat = none,
                        .coat_roughness = none};
    return m->name ? ZT_OK : arena_fail(a, text->err, "a name");
}

/// One number stands for three. Spectral curves and CIE colours are not read.
static void read_color(text_scan *text, double out[3])
{
    double v[3];
    int count = 0;
    while (count < 3 && obj_number_next(text, &v[count]))
        count++;
    if (count > 0)
        for (int k = 0; k < 3; k++)
            out[k] = v[count == 3 ? k : 0];
}

/// d -halo 0.5 is 0.5 face on, and is taken for 0.5. The last of d and Tr counts.
static void read_opacity(text_scan *text, bool is_transparency, double *out)
{
    double value;
    if (obj_word_next(text))
        (void)obj_word_is(text, "-halo");
    if (obj_number_next(text, &value))
        *out = is_transparency ? 1.0 - value : value;
}

/// Moves over a word that a name follows.
static bool skip_value(text_scan *text)
{
    const char *begin = text->at;
    obj_word_skip(text);
    if (obj_word_next(text))
        return true;
    text->at = begin;
    return false;
}

/// A word that is a number as a whole, before others: names may begin with numbers.
static bool option_number(text_scan *text, double *out)
{
    if (!obj_word_next(text))
        return false;
    text_scan after = *text;
    obj_word_skip(&after);
    return number_parse_loose(text->at, after.at, out) == after.at && skip_value(text);
}

/// Up to three numbers, of which two count.
static void read_pair(text_scan *text, float out[2])
{
    double v;
    for (int k = 0; k < 3 && option_number(text, &v); k++)
        if (k < 2 && isfinite(v) && fabs(v) < 1e6)
            out[k] = (float)v;
}

/// Moves over one option with its values: of those that are not known, numbers or one word, which
/// is at *out_value as it may be a part of the name. False: the next word is none.
static bool read_option(text_scan *text, mtl_map *map, const char **out_value)
{
    double v;
    if (!obj_word_next(text) || *text->at != '-')
        return false;
    if (obj_word_is(text, "-o"))
        read_pair(text, map->offset);
    else if (obj_word_is(text, "-s"))
        read_pair(text, map->scale);
    else if (obj_word_is(text, "-t") || obj_word_is(text, "-mm"))
        read_pair(text, (float[2]){0.0f, 0.0f});
    else if (obj_word_is(text, "-bm"))
        map->strength = option_number(text, &v) && fabs(v) < 1e3 ? (float)v : 1.0f;
    else if (obj_word_is(text, "-clamp"))
        map->clamp = obj_word_next(text) && !obj_word_is(text, "off") && obj_word_is(text, "on");
    else if (!skip_value(text))
        return false;
    else if (option_number(text, &v))
        while (option_number(text, &v)) {
        }
    else if (*text->at != '-') {
        const char *value = text->at;
        *out_value = skip_value(text) ? value : NULL;
    }
    return true;
}

/// Options, then the rest of the line is a name, which may have blanks.
static zt_result read_map(text_scan *text, arena *a, mtl_map *out)
{
    *out = (mtl_map){.scale = {1.0f, 1.0f}, .strength = 1.0f};
    const char *value = NULL;
    while (read_option(text, out, &value)) {
    }
    const char *name = obj_rest(text, a);
    text->at = value ? value : text->at;
    out->longer = value ? obj_rest(text, a) : NULL;
    if (!name || (value && !out->longer))
        return arena_fail(a, text->err, "a name");
    out->name = *name ? name : NULL;
    return ZT_OK;
}

static const struct {
    const char *word;
    mtl_slot slot;
} maps[] = {
    {"map_kd", MTL_DIFFUSE},   {"map_ks", MTL_SPECULAR}, {"map_ke", MTL_EMISSIVE},
    {"map_d", MTL_ALPHA},      {"map_bump", MTL_BUMP},   {"bump", MTL_BUMP},
    {"norm", MTL_NORMAL},      {"map_norm", MTL_NORMAL}, {"map_kn", MTL_NORMAL},
    {"map_pr", MTL_ROUGHNESS}, {"map_pm", MTL_METALLIC},
};

static const struct {
    const char *word;
    size_t at;
} numbers[] = {
    {"ns", offsetof(mtl_material, shininess)},       {"pr", offsetof(mtl_material, roughness)},
    {"pm", offsetof(mtl_material, metallic)},        {"pc", offsetof(mtl_material, coat)},
    {"pcr", offsetof(mtl_material, coat_roughness)},
};

static zt_result read_key(text_scan *text, arena *a, mtl_material *m)
{
    double value;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (obj_word_is(text, maps[i].word))
            return read_map(text, a, &m->map[maps[i].slot]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (obj_word_is(text, numbers[i].word)) {
            if (obj_number_next(text, &value))
                memcpy((char *)m + numbers[i].at, &value, sizeof value);
            return ZT_OK;
        }
    if (obj_word_is(text, "kd"))
        read_color(text, m->diffuse);
    else if (obj_word_is(text, "ke"))
        read_color(text, m->emissive);
    else if (obj_word_is(text, "d"))
        read_opacity(text, false, &m->opacity);
    else if (obj_word_is(text, "tr"))
        read_opacity(text, true, &m->opacity);
    return ZT_OK;
}

zt_result mtl_parse(text_scan *text, arena *a, mtl_list *out)
{
    const uint32_t before = out->count;
    if (text->end - text->begin >= 3 && memcmp(text->begin, "\xEF\xBB\xBF", 3) == 0)
        text->at += 3;
    for (uint64_t line = 0; obj_line_next(text); line++) {
        ZT_TRY(arena_go_on_at(a, line, "materials", text->err));
        if (obj_word_is(text, "newmtl"))
            ZT_TRY(add_material(text, a, out));
        else if (out->count > before)
            ZT_TRY(read_key(text, a, &out->material[out->count - 1]));
        obj_line_skip(text);
    }
    return ZT_OK;
}
