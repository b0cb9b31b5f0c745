// SPDX-License-Identifier: MIT
/// See obj_file.h. Statements that are not known are passed over, as other readers do.
#include "base/number.h"
#include "base/utf8.h"
#include "obj/obj_file.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MATERIALS_MAX = 65535 };

typedef struct obj_parser {
    text_scan *text;
    obj_file *out;
    hash_table names; ///< of materials
    uint32_t material, smoothing;
    uint32_t paint;   ///< the vertex of the next colour in comments, from the first of a part on:
    uint32_t painted; ///< polygons before it
} obj_parser;

#define ROOM(p, array, count, room)                                                                \
    ARENA_GROW((p)->out->a, (p)->out->array, (p)->out->count, (p)->out->room, "an OBJ",            \
               (p)->text->err)

static zt_result check_count(const obj_parser *p, uint32_t count, const char *what)
{
    const uint64_t limit = 3 * (uint64_t)p->out->limits->triangles;
    return count < limit ? ZT_OK
                         : zt_fail(p->text->err, ZT_ERR_LIMIT, "%s: more than %llu %s",
                                   p->text->path, (unsigned long long)limit, what);
}

static bool is_float(double x) { return x >= -(double)FLT_MAX && x <= (double)FLT_MAX; }

/// Room for the colours of all vertices, which are white.
static zt_result grow_colors(obj_parser *p)
{
    obj_file *f = p->out;
    while (f->color_room < f->position_room) {
        const uint32_t had = f->color_room;
        ZT_TRY(ARENA_GROW(f->a, f->color, had, f->color_room, "an OBJ", p->text->err));
        for (uint32_t i = had; i < f->color_room; i++)
            for (int k = 0; k < 4; k++)
                f->color[i][k] = 1.0f;
    }
    return ZT_OK;
}

static zt_result set_color(obj_parser *p, uint32_t vertex, const double color[4])
{
    ZT_TRY(grow_colors(p));
    for (int k = 0; k < 4; k++)
        p->out->color[vertex][k] =
            (float)(color[k] >= 0.0 ? color[k] <= 1.0 ? color[k] : 1.0 : 0.0);
    return ZT_OK;
}

/// "#MRGB MMRRGGBBMMRRGGBB...": a mask and a colour for each of the vertices of a part.
static zt_result read_paint(obj_parser *p)
{
    text_scan *text = p->text;
    (void)obj_word_next(text);
    while (text->end - text->at >= 8 && p->paint < p->out->position_count) {
        double color[4] = {0.0, 0.0, 0.0, 1.0};
        for (int k = 0; k < 8; k++) {
            const int digit = ascii_hex_digit(*text->at);
            if (digit < 0)
                return ZT_OK;
            text->at++;
            if (k > 1)
                color[k / 2 - 1] += digit * (k % 2 == 0 ? 16.0 : 1.0) / 255.0;
        }
        ZT_TRY(set_color(p, p->paint++, color));
    }
    return ZT_OK;
}

static zt_result read_position(obj_parser *p)
{
    double v[8];
    int count = 0;
    while (count < 8 && obj_number_next(p->text, &v[count]))
        count++;
    if (count < 3)
        return text_scan_unexpected(p->text, true, "three numbers");
    ZT_TRY(check_count(p, p->out->position_count, "vertices"));
    ZT_TRY(ROOM(p, position, position_count, position_room));
    if (p->painted != p->out->polygon_count)
        p->paint = p->out->position_count;
    p->painted = p->out->polygon_count;
    if (count == 6)
        v[6] = 1.0;
    if (count == 6 || count == 7)
        ZT_TRY(set_color(p, p->out->position_count, v + 3));
    double *to = p->out->position[p->out->position_count++];
    memcpy(to, v, 3 * sizeof *to);
    if (!is_float(v[0]) || !is_float(v[1]) || !is_float(v[2]))
        to[0] = (double)NAN;
    return ZT_OK;
}

static float float_or_0(double value) { return is_float(value) ? (float)value : 0.0f; }

static zt_result read_uv(obj_parser *p)
{
    double v[2] = {0.0, 0.0};
    if (!obj_number_next(p->text, &v[0]))
        return text_scan_unexpected(p->text, true, "a number");
    (void)obj_number_next(p->text, &v[1]);
    ZT_TRY(check_count(p, p->out->uv_count, "texture coordinates"));
    ZT_TRY(ROOM(p, uv, uv_count, uv_room));
    float *to = p->out->uv[p->out->uv_count++];
    to[0] = float_or_0(v[0]);
    to[1] = 1.0f - float_or_0(v[1]);
    return ZT_OK;
}

static zt_result read_normal(obj_parser *p)
{
    double v[3];
    for (int k = 0; k < 3; k++)
        if (!obj_number_next(p->text, &v[k]))
            return text_scan_unexpected(p->text, true, "three numbers");
    ZT_TRY(check_count(p, p->out->normal_count, "normals"));
    ZT_TRY(ROOM(p, normal, normal_count, normal_room));
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const bool sound = length > 1e-30 && length < 1e150;
    float *to = p->out->normal[p->out->normal_count++];
    for (int k = 0; k < 3; k++)
        to[k] = sound ? (float)(v[k] / length) : 0.0f;
    return ZT_OK;
}

/// An index from 1, or from -1 back from the last one so far; -1 here for one that nothing has.
static bool read_index(text_scan *text, uint32_t count, int32_t *out)
{
    int64_t value;
    const char *after = number_parse_int64(text->at, text->end, &value);
    if (!after)
        return false;
    text->at = after;
    const int64_t index = value < 0 ? (int64_t)count + value : value - 1;
    *out = index >= 0 && index < INT32_MAX && value != 0 ? (int32_t)index : -1;
    return true;
}

/// position[/[uv][/normal]]. *out_lost is set where the position is none.
static zt_result read_corner(obj_parser *p, obj_corner *out)
{
    const obj_file *f = p->out;
    text_scan *text = p->text;
    *out = (obj_corner){-1, -1, -1};
    if (*text->at != '/' && !read_index(text, f->position_count, &out->position))
        return text_scan_unexpected(p->text, true, "the number of a vertex");
    if (text->at < text->end && *text->at == '/') {
        text->at++;
        (void)read_index(text, f->uv_count, &out->uv);
        if (text->at < text->end && *text->at == '/') {
            text->at++;
            (void)read_index(text, f->normal_count, &out->normal);
        }
    }
    if (text->at < text->end && !text_is_space(*text->at) && *text->at != '\\')
        return text_scan_unexpected(p->text, true, "a blank behind a corner");
    return ZT_OK;
}

static zt_result read_polygon(obj_parser *p, primitive_kind kind)
{
    obj_file *f = p->out;
    const uint32_t first = f->corner_count;
    while (obj_word_next(p->text)) {
        obj_corner corner;
        ZT_TRY(read_corner(p, &corner));
        ZT_TRY(check_count(p, f->corner_count, "corners"));
        ZT_TRY(ROOM(p, corner, corner_count, corner_room));
        f->corner[f->corner_count++] = corner;
    }
    ZT_TRY(ROOM(p, polygon, polygon_count, polygon_room));
    f->polygon[f->polygon_count++] =
        (obj_polygon){first, f->corner_count - first, p->material, p->smoothing, kind};
    return ZT_OK;
}

static zt_result read_face(obj_parser *p) { return read_polygon(p, PRIMITIVE_TRIANGLE); }
static zt_result read_line(obj_parser *p) { return read_polygon(p, PRIMITIVE_LINE); }
static zt_result read_points(obj_parser *p) { return read_polygon(p, PRIMITIVE_POINT); }

static zt_result read_smoothing(obj_parser *p)
{
    double group = 0.0;
    p->out->has_smoothing = true;
    p->smoothing = obj_word_next(p->text) && obj_number_next(p->text, &group) && group >= 1.0 &&
                           group < 4294967295.0
                       ? (uint32_t)group
                       : 0;
    return ZT_OK;
}

/// The slot of a name among the materials.
static uint32_t *find_name(const obj_parser *p, const char *name)
{
    return hash_table_text(&p->names, p->out->materials, sizeof *p->out->materials, name);
}

static zt_result use_material(obj_parser *p)
{
    obj_file *f = p->out;
    const char *name = obj_rest(p->text, f->a);
    if (!name)
        return arena_fail(f->a, p->text->err, "a name");
    uint32_t *slot = find_name(p, name);
    if (*slot == 0) {
        if (f->material_count > MATERIALS_MAX)
            return zt_fail(p->text->err, ZT_ERR_LIMIT, "%s: more than 65535 materials",
                           p->text->path);
        ZT_TRY(ROOM(p, materials, material_count, material_room));
        f->materials[f->material_count++] = name;
        *slot = f->material_count;
    }
    p->material = *slot - 1;
    return ZT_OK;
}

static zt_result add_library(obj_parser *p)
{
    ZT_TRY(ROOM(p, libraries, library_count, library_room));
    const char *rest = obj_rest(p->text, p->out->a);
    if (!rest)
        return arena_fail(p->out->a, p->text->err, "a name");
    p->out->libraries[p->out->library_count++] = rest;
    return ZT_OK;
}

static zt_result read_name(obj_parser *p)
{
    const char *name = *p->out->name ? p->out->name : obj_rest(p->text, p->out->a);
    if (!name)
        return arena_fail(p->out->a, p->text->err, "a name");
    p->out->name = name;
    return ZT_OK;
}

static const struct {
    const char *word;
    zt_result (*read)(obj_parser *p);
} statements[] = {
    {"v", read_position},  {"vt", read_uv},          {"vn", read_normal},     {"f", read_face},
    {"fo", read_face},     {"l", read_line},         {"p", read_points},      {"s", read_smoothing},
    {"o", read_name},      {"usemtl", use_material}, {"mtllib", add_library}, {"g", read_name},
    {"#mrgb", read_paint},
};

static zt_result read_statement(obj_parser *p)
{
    static const char *const drawn[] = {"curv", "curv2", "surf"};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (obj_word_is(p->text, statements[i].word))
            return statements[i].read(p);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (obj_word_is(p->text, drawn[i]))
            p->out->skipped = drawn[i];
    return ZT_OK;
}

/// True when a corner's indices are those of something. Missing texture coordinates and normals are
/// as if none were named.
static bool check_corner(const obj_file *f, obj_corner *c)
{
    if (c->uv >= (int32_t)f->uv_count)
        c->uv = -1;
    if (c->normal >= (int32_t)f->normal_count)
        c->normal = -1;
    return c->position >= 0 && c->position < (int32_t)f->position_count &&
           !isnan(f->position[c->position][0]);
}

/// Leaves out what cannot be drawn: indices may point forward, so only now it is known.
static void check_polygons(obj_file *f)
{
    static const uint32_t fewest[] = {
        [PRIMITIVE_TRIANGLE] = 3, [PRIMITIVE_LINE] = 2, [PRIMITIVE_POINT] = 1};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->polygon_count; i++) {
        const obj_polygon *p = &f->polygon[i];
        bool sound = true;
        for (uint32_t k = 0; k < p->count; k++)
            sound = check_corner(f, &f->corner[p->first + k]) && sound;
        f->thin += p->count < fewest[p->kind];
        f->lost += p->count >= fewest[p->kind] && !sound;
        if (sound && p->count >= fewest[p->kind])
            f->polygon[kept++] = *p;
    }
    f->polygon_count = kept;
}

zt_result obj_parse(text_scan *text, obj_file *out)
{
    obj_parser p = {.text = text, .out = out};
    const size_t names = (size_t)(text->end - text->at) / 8 + 1; // "usemtl \n" each
    ZT_TRY(ROOM(&p, materials, material_count, material_room));
    if (!hash_table_init(&p.names, out->a, names < MATERIALS_MAX ? names : MATERIALS_MAX + 1))
        return arena_fail(out->a, text->err, "materials");
    out->materials[out->material_count++] = "";
    *find_name(&p, "") = 1;
    out->name = "";
    for (uint64_t line = 0; obj_line_next(text); line++) {
        ZT_TRY(arena_go_on_at(out->a, line, "an OBJ", text->err));
        ZT_TRY(read_statement(&p));
        obj_line_skip(text);
    }
    check_polygons(out);
    if (out->color)
        ZT_TRY(grow_colors(&p));
    return ZT_OK;
}
