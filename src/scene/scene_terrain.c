// SPDX-License-Identifier: MIT
/// The keys of `ground` of `plant`: a height, a plane, or a field of heights.
#include "base/dvec3.h"
#include "scene/scene_ik_keys.h"

typedef struct terrain_entry {
    scene_terrain terrain;
    double height;   ///< added to all heights
    double *heights; ///< terrain.height
} terrain_entry;

static zt_result read_normal(document_reader *r, const document_node *value, void *target)
{
    double *normal = ((terrain_entry *)target)->terrain.normal;
    ZT_TRY(value_direction(r, value, normal));
    const double square = dvec3_dot(dvec3_load(normal), dvec3_load(normal));
    // cos(84 degrees) is about 0.1: no foot stands on a steeper plane.
    if (!(normal[1] > 0.0 && normal[1] * normal[1] > 0.01 * square))
        return value_fail(r, value, false,
                          "a normal that does not point up (expected at most 84 degrees from +y)");
    return ZT_OK;
}

static zt_result read_heights(document_reader *r, const document_node *value, void *target)
{
    static const char *const expected = "rows of heights, along +z, all of the same length";
    terrain_entry *entry = target;
    ZT_TRY(value_list(r, value, 1, UINT32_MAX, expected));
    const uint32_t columns = value->first->count;
    double *height;
    ZT_TRY(ARENA_TAKE(r->keep, &height, (size_t)value->count * columns, "heights", r->err));
    entry->heights = height;
    entry->terrain.height = height;
    entry->terrain.columns = columns;
    entry->terrain.rows = value->count;
    for (const document_node *row = value->first; row; row = row->next) {
        if (row->kind != DOCUMENT_LIST || row->count != columns || columns == 0)
            return value_wrong(r, row, expected);
        for (const document_node *item = row->first; item; item = item->next)
            ZT_TRY(value_number(r, item, -1e6, 1e6, height++));
    }
    return ZT_OK;
}

zt_result scene_ik_read_terrain(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NUMBER("height", KEY_OPTIONAL, terrain_entry, height, -1e9, 1e9),
        KEY_VECTOR("point", KEY_OPTIONAL, terrain_entry, terrain.point, -1e9, 1e9),
        KEY_READ("normal", KEY_OPTIONAL, read_normal),
        KEY_READ("heights", KEY_OPTIONAL, read_heights),
        KEY_PAIR("first", KEY_OPTIONAL, terrain_entry, terrain.first, -1e9, 1e9,
                 "x and z of the first height"),
        KEY_PAIR("step", KEY_OPTIONAL, terrain_entry, terrain.step, 1e-6, 1e9,
                 "metres from one height to the next, along x and z"),
    };
    static const char *const plane_keys[] = {"point", "normal"}, *const field_keys[] = {"first",
                                                                                        "step"};
    terrain_entry entry = {.terrain = {.normal = {0.0, 1.0, 0.0}, .step = {1.0, 1.0}}};
    ZT_TRY(value_map(r, value, "ground", keys, COUNT_OF(keys), &entry));
    const bool field = entry.heights != NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *wrong = field ? plane_keys[i] : field_keys[i];
        const document_node *member = document_member(value, wrong);
        if (member)
            return value_fail(r, member, true, "'%s' %s 'heights' (expected a plane or a field)",
                              wrong, field ? "with" : "without");
    }
    entry.terrain.point[1] += entry.height;
    for (size_t i = 0; field && i < (size_t)entry.terrain.rows * entry.terrain.columns; i++)
        entry.heights[i] += entry.height;
    *(scene_terrain *)target = entry.terrain;
    return ZT_OK;
}
