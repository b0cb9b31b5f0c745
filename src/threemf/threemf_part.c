// SPDX-License-Identifier: MIT
/// One model part of a package: its resources and its build.
#include "base/maths.h"
#include "base/number.h"
#include "base/utf8.h"
#include "threemf/threemf_parts.h"

#include <math.h>
#include <string.h>

typedef struct part_reader {
    threemf_package *p;
    uint32_t part;
    xml_reader x;
    zt_error *err;
} part_reader;

static zt_result no_memory(const part_reader *r)
{
    return arena_fail(r->p->scratch, r->err, "3MF");
}

// ---- Attributes ---------------------------------------------------------------------------------

/// Numbers in a list with blanks; how many, at most `limit`.
static uint32_t read_list(const xml_slice *value, uint32_t limit, double *out)
{
    uint32_t count = 0;
    for (const char *at = value ? value->begin : NULL; at && at < value->end && count < limit;) {
        while (at < value->end && text_is_space(*at))
            at++;
        const char *after =
            at < value->end ? number_parse_loose(at, value->end, &out[count]) : NULL;
        count += after != NULL;
        at = after;
    }
    return count;
}

/// "m00 m01 m02 m10 ... m32", for row vectors. Absent: the identity.
static zt_result read_transform(const part_reader *r, affine *out)
{
    const xml_slice *value = xml_attribute_of(&r->x, "transform");
    double m[12];
    *out = affine_identity();
    if (!value)
        return ZT_OK;
    bool fits = read_list(value, 12, m) == 12;
    for (int i = 0; i < 12; i++)
        fits = fits && fabs(m[i]) < 1e18;
    if (!fits)
        return xml_fail(&r->x, ZT_ERR_FORMAT, "a transform (expected 12 numbers)");
    *out = (affine){{dvec3_load(m), dvec3_load(m + 3), dvec3_load(m + 6)}, dvec3_load(m + 9)};
    return ZT_OK;
}

/// "#RRGGBB" or "#RRGGBBAA" of sRGB; white where it is none.
static void read_color(const xml_slice *value, float out[4])
{
    const size_t length = value ? (size_t)(value->end - value->begin) : 0;
    for (int k = 0; k < 4; k++)
        out[k] = 1.0f;
    if (length < 7 || *value->begin != '#')
        return;
    for (size_t k = 0; k < 4 && 3 + 2 * k <= length; k++) {
        const int high = ascii_hex_digit(value->begin[1 + 2 * k]);
        const int low = ascii_hex_digit(value->begin[2 + 2 * k]);
        if (high < 0 || low < 0)
            return;
        const double v = (16 * high + low) / 255.0;
        out[k] = (float)(k < 3 ? srgb_decode(v) : v);
    }
    if (out[3] == 0.0f) // some exporters do not fill it
        out[3] = 1.0f;
}

// ---- Properties ---------------------------------------------------------------------------------

static zt_result add_group(part_reader *r, threemf_kind kind, uint32_t width, threemf_group **out)
{
    threemf_package *p = r->p;
    ZT_TRY(ARENA_GROW(p->scratch, p->group, p->group_count, p->group_capacity, "3MF", r->err));
    *out = &p->group[p->group_count++];
    **out = (threemf_group){.key = {r->part, xml_index(&r->x, "id")}, .kind = kind, .width = width};
    return ZT_OK;
}

static zt_result add_numbers(const part_reader *r, threemf_group *g, const float *numbers,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(ARENA_GROW(r->p->scratch, g->number, g->number_count, g->number_capacity, "3MF",
                          r->err));
        g->number[g->number_count++] = numbers[i];
    }
    return ZT_OK;
}

/// The numbers of an attribute as a list of the group; further ones than `limit` are left out.
static zt_result read_group_list(const part_reader *r, const char *name, uint32_t limit,
                                 threemf_group *g)
{
    double numbers[64];
    g->list_count = read_list(xml_attribute_of(&r->x, name), limit, numbers);
    ZT_TRY(ARENA_TAKE(r->p->scratch, &g->list, g->list_count, "3MF", r->err));
    for (uint32_t i = 0; i < g->list_count; i++)
        g->list[i] =
            numbers[i] >= 0.0 && numbers[i] < 4294967295.0 ? (uint32_t)numbers[i] : UINT32_MAX;
    g->width = g->list_count;
    return ZT_OK;
}

/// Only the gloss of a specular finish counts.
static void read_finish(const part_reader *r, float out[2])
{
    double metalness = 0.0, roughness = 1.0, gloss = 0.0;
    xml_number(&r->x, "metallicness", &metalness);
    if (xml_number(&r->x, "glossiness", &gloss))
        roughness = 1.0 - gloss;
    xml_number(&r->x, "roughness", &roughness);
    out[0] = isnan(metalness) ? 0.0f : (float)maths_clamp(metalness, 0.0, 1.0);
    out[1] = isnan(roughness) ? 1.0f : (float)maths_clamp(roughness, 0.0, 1.0);
}

/// An entry of a group: "base", "color", "tex2coord", "composite", "multi", and of a finish.
static zt_result read_entry(const part_reader *r, threemf_group *g)
{
    double numbers[64] = {0.0};
    float entry[64] = {0.0f};
    if (g->kind == THREEMF_BASE || g->kind == THREEMF_COLORS) {
        read_color(xml_attribute_of(&r->x, g->kind == THREEMF_BASE ? "displaycolor" : "color"),
                   entry);
    } else if (g->kind == THREEMF_FINISH) {
        read_finish(r, entry);
        return add_numbers(r, g, entry, g->width);
    } else if (g->kind == THREEMF_COORDS) {
        xml_number(&r->x, "u", &numbers[0]);
        xml_number(&r->x, "v", &numbers[1]);
    } else {
        read_list(xml_attribute_of(&r->x, g->kind == THREEMF_MULTI ? "pindices" : "values"), 64,
                  numbers);
    }
    if (g->kind != THREEMF_BASE && g->kind != THREEMF_COLORS)
        for (uint32_t k = 0; k < g->width; k++)
            entry[k] = fabs(numbers[k]) < 1e9 ? (float)numbers[k] : 0.0f;
    return add_numbers(r, g, entry, g->width);
}

static zt_result read_group(part_reader *r, threemf_kind kind, uint32_t width)
{
    static const char *const entries[] = {"base",  "color",      "tex2coord", "composite",
                                          "multi", "pbmetallic", "pbspecular"};
    threemf_group *g = NULL;
    xml_event event;
    const uint32_t depth = r->x.depth;
    ZT_TRY(add_group(r, kind, width, &g));
    g->texture = xml_index(&r->x, "texid");
    g->list_id = xml_index(&r->x, kind == THREEMF_COMPOSITE ? "matid" : "displaypropertiesid");
    if (kind == THREEMF_COMPOSITE)
        ZT_TRY(read_group_list(r, "matindices", 64, g));
    if (kind == THREEMF_MULTI)
        ZT_TRY(read_group_list(r, "pids", 8, g));
    for (uint32_t i = 0;; i++) {
        ZT_TRY(xml_next(&r->x, &event));
        if (event == XML_CLOSE && r->x.depth < depth)
            return ZT_OK;
        ZT_TRY(arena_go_on_at(r->p->scratch, i, "3MF", r->err));
        const bool entry =
            event == XML_OPEN &&
            (xml_is(r->x.name, entries[kind]) ||
             (kind == THREEMF_FINISH && xml_is(r->x.name, entries[THREEMF_FINISH + 1])));
        if (entry && kind == THREEMF_BASE && g->list_id == UINT32_MAX)
            g->list_id = xml_index(&r->x, "displaypropertiesid"); // some say it there
        if (entry)
            ZT_TRY(read_entry(r, g));
    }
}

/// Without a tile nothing is said of what lies outside: the edge goes on.
static mipmap_wrap read_wrap(const part_reader *r, const char *name)
{
    const xml_slice *style = xml_attribute_of(&r->x, name);
    if (style && xml_is(*style, "mirror"))
        return MIPMAP_MIRROR;
    return style && (xml_is(*style, "clamp") || xml_is(*style, "none")) ? MIPMAP_CLAMP
                                                                        : MIPMAP_REPEAT;
}

static zt_result read_texture(part_reader *r)
{
    threemf_package *p = r->p;
    if (p->texture_count == THREEMF_TEXTURES)
        return xml_fail(&r->x, ZT_ERR_LIMIT, "more than %d textures", THREEMF_TEXTURES);
    ZT_TRY(
        ARENA_GROW(p->scratch, p->texture, p->texture_count, p->texture_capacity, "3MF", r->err));
    const char *path = xml_text(p->scratch, xml_attribute_of(&r->x, "path"));
    const zip_entry *entry = path ? zip_find(&p->zip, path) : NULL;
    p->texture[p->texture_count++] =
        (threemf_texture){.key = {r->part, xml_index(&r->x, "id")},
                          .path = entry ? entry->name : path, // in any case
                          .wrap = {read_wrap(r, "tilestyleu"), read_wrap(r, "tilestylev")}};
    return path ? ZT_OK : no_memory(r);
}

// ---- Objects ------------------------------------------------------------------------------------

static zt_result read_vertex(part_reader *r, threemf_object *o)
{
    double v[3];
    ZT_TRY(
        ARENA_GROW(r->p->scratch, o->vertex, o->vertex_count, o->vertex_capacity, "3MF", r->err));
    if (!xml_number(&r->x, "x", &v[0]) || !xml_number(&r->x, "y", &v[1]) ||
        !xml_number(&r->x, "z", &v[2]))
        return xml_fail(&r->x, ZT_ERR_FORMAT, "a vertex without x, y and z");
    memcpy(o->vertex[o->vertex_count++], v, sizeof v);
    return ZT_OK;
}

static zt_result read_triangle(part_reader *r, threemf_object *o)
{
    static const char *const corners[3] = {"v1", "v2", "v3"}, *const values[3] = {"p1", "p2", "p3"};
    threemf_triangle t = {.group = xml_index(&r->x, "pid") + 1}; // none: 0
    ZT_TRY(ARENA_GROW(r->p->scratch, o->triangle, o->triangle_count, o->triangle_capacity, "3MF",
                      r->err));
    for (int k = 0; k < 3; k++) {
        t.vertex[k] = xml_index(&r->x, corners[k]);
        t.property[k] = xml_index(&r->x, values[k]);
        if (t.vertex[k] == UINT32_MAX)
            return xml_fail(&r->x, ZT_ERR_FORMAT, "a triangle without v1, v2 and v3");
        if (k > 0 && t.property[k] == UINT32_MAX)
            t.property[k] = t.property[0];
    }
    o->triangle[o->triangle_count++] = t;
    if (xml_attribute_of(&r->x, "mmu_segmentation") || xml_attribute_of(&r->x, "paint_color"))
        r->p->left_out |= THREEMF_PAINT;
    return ZT_OK;
}

/// The kind of an object that is not shown; 0: it is.
static uint32_t read_kind(const part_reader *r)
{
    const xml_slice *type = xml_attribute_of(&r->x, "type");
    if (type && (xml_is(*type, "support") || xml_is(*type, "solidsupport")))
        return THREEMF_SUPPORT;
    return type && xml_is(*type, "other") ? THREEMF_OTHER : 0;
}

/// An object that another part may have: "p:path".
static zt_result read_use(part_reader *r, threemf_use *out)
{
    const xml_slice *path = xml_attribute_of(&r->x, "path");
    const char *name = path ? xml_text(r->p->scratch, path) : NULL;
    *out = (threemf_use){.object = {r->part, xml_index(&r->x, "objectid")}};
    if (path && !name)
        return no_memory(r);
    if (name)
        out->object.part = threemf_add_part(r->p, name);
    if (out->object.part == UINT32_MAX)
        return xml_fail(&r->x, ZT_ERR_LIMIT, "more than %d parts", THREEMF_PARTS);
    return read_transform(r, &out->transform);
}

static zt_result read_component(part_reader *r, threemf_object *o)
{
    ZT_TRY(ARENA_GROW(r->p->scratch, o->use, o->use_count, o->use_capacity, "3MF", r->err));
    return read_use(r, &o->use[o->use_count++]);
}

static zt_result read_object(part_reader *r)
{
    threemf_package *p = r->p;
    xml_event event;
    const uint32_t depth = r->x.depth;
    ZT_TRY(ARENA_GROW(p->scratch, p->object, p->object_count, p->object_capacity, "3MF", r->err));
    threemf_object *o = &p->object[p->object_count++];
    *o = (threemf_object){.key = {r->part, xml_index(&r->x, "id")},
                          .name = xml_text(p->scratch, xml_attribute_of(&r->x, "name")),
                          .kind = read_kind(r),
                          .group = xml_index(&r->x, "pid") + 1,
                          .property = xml_index(&r->x, "pindex") % UINT32_MAX, // none: 0
                          .mesh = -1};
    if (!o->name)
        return no_memory(r);
    if (o->key.id == UINT32_MAX)
        return xml_fail(&r->x, ZT_ERR_FORMAT, "an object without an id");
    for (uint32_t i = 0;; i++) {
        ZT_TRY(xml_next(&r->x, &event));
        if (event == XML_CLOSE && r->x.depth < depth)
            return ZT_OK;
        if (event != XML_OPEN)
            continue;
        ZT_TRY(arena_go_on_at(p->scratch, i, "3MF", r->err));
        if (xml_is(r->x.name, "vertex"))
            ZT_TRY(read_vertex(r, o));
        else if (xml_is(r->x.name, "triangle"))
            ZT_TRY(read_triangle(r, o));
        else if (xml_is(r->x.name, "component"))
            ZT_TRY(read_component(r, o));
        else if (xml_is(r->x.name, "beamlattice"))
            p->beams = true;
    }
}

static zt_result read_item(part_reader *r)
{
    threemf_package *p = r->p;
    if (r->part != 0) // only the root part is built
        return ZT_OK;
    ZT_TRY(ARENA_GROW(p->scratch, p->item, p->item_count, p->item_capacity, "3MF", r->err));
    return read_use(r, &p->item[p->item_count++]);
}

// ---- The part -----------------------------------------------------------------------------------

static double unit_of(const xml_slice *unit)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"micron", 1e-6}, {"millimeter", 1e-3}, {"centimeter", 1e-2},
                 {"inch", 0.0254}, {"foot", 0.3048},     {"meter", 1.0}};
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (xml_is(*unit, units[i].name))
            return units[i].metres;
    return 1e-3;
}

/// The namespace of a prefix that the root element declares; NULL.
static const xml_slice *namespace_of(const xml_reader *x, const char *begin, const char *end)
{
    for (uint32_t i = 0; i < x->attribute_count; i++) {
        const xml_attribute *a = &x->attribute[i];
        if (xml_is(a->prefix, "xmlns") && a->name.end - a->name.begin == end - begin &&
            memcmp(a->name.begin, begin, (size_t)(end - begin)) == 0)
            return &a->value;
    }
    return NULL;
}

static bool holds(const xml_slice *s, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = s->begin; (size_t)(s->end - at) >= length; at++)
        if (memcmp(at, word, length) == 0)
            return true;
    return false;
}

/// An extension without which the file says it cannot be understood.
static zt_result check_required(part_reader *r)
{
    static const char *const known[] = {"/core/",      "/material/",   "/production/", "/slice/",
                                        "beamlattice", "/triangleset", "volumetric"};
    const xml_slice *list = xml_attribute_of(&r->x, "requiredextensions");
    for (const char *at = list ? list->begin : NULL; at && at < list->end;) {
        while (at < list->end && text_is_space(*at))
            at++;
        const char *end = at;
        while (end < list->end && !text_is_space(*end))
            end++;
        const xml_slice *space = namespace_of(&r->x, at, end);
        bool found = at == end;
        for (size_t i = 0; space && i < sizeof known / sizeof *known; i++)
            found = found || holds(space, known[i]);
        if (!found)
            return xml_fail(&r->x, ZT_ERR_UNSUPPORTED,
                            "the file requires '%.*s', which is not read",
                            (int)((space ? space->end : end) - (space ? space->begin : at)),
                            space ? space->begin : at);
        at = end;
    }
    return ZT_OK;
}

static zt_result read_element(part_reader *r)
{
    const xml_slice name = r->x.name;
    if (xml_is(name, "basematerials"))
        return read_group(r, THREEMF_BASE, 4);
    if (xml_is(name, "colorgroup"))
        return read_group(r, THREEMF_COLORS, 4);
    if (xml_is(name, "texture2dgroup"))
        return read_group(r, THREEMF_COORDS, 2);
    if (xml_is(name, "compositematerials"))
        return read_group(r, THREEMF_COMPOSITE, 0);
    if (xml_is(name, "multiproperties"))
        return read_group(r, THREEMF_MULTI, 0);
    if (xml_is(name, "pbmetallicdisplayproperties") || xml_is(name, "pbspeculardisplayproperties"))
        return read_group(r, THREEMF_FINISH, 2);
    if (xml_is(name, "texture2d"))
        return read_texture(r);
    if (xml_is(name, "object"))
        return read_object(r);
    if (xml_is(name, "item"))
        return read_item(r);
    if (xml_is(name, "texture") || xml_is(name, "color"))
        r->p->left_out |= THREEMF_DRAFT;
    r->p->slices = r->p->slices || xml_is(name, "slicestack");
    r->p->volumes = r->p->volumes || xml_is(name, "volumedata") || xml_is(name, "levelset");
    return ZT_OK;
}

zt_result threemf_read_part(threemf_package *p, uint32_t part, zt_error *err)
{
    part_reader r = {.p = p, .part = part, .err = err};
    const zip_entry *entry = zip_find(&p->zip, p->part[part]);
    if (!entry)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: the part '%.100s' is not in the package",
                       p->source->path, p->part[part]);
    ZT_TRY(threemf_open_xml(p, entry, &r.x, err));
    for (bool any = false;; any = true) {
        xml_event event;
        ZT_TRY(xml_next(&r.x, &event));
        if (event == XML_END)
            return any ? ZT_OK : xml_fail(&r.x, ZT_ERR_FORMAT, "no 'model' element");
        if (event != XML_OPEN)
            continue;
        if (!any && !xml_is(r.x.name, "model"))
            return xml_fail(&r.x, ZT_ERR_FORMAT, "the first element (expected 'model')");
        if (!any && part == 0)
            p->unit_m = unit_of(xml_attribute_of(&r.x, "unit"));
        if (!any)
            ZT_TRY(check_required(&r));
        else
            ZT_TRY(read_element(&r));
    }
}
