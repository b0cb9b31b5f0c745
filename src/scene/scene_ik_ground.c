// SPDX-License-Identifier: MIT
/// `ground` of `plant`: a height, a plane, or a field of heights.
#include "base/dvec3.h"
#include "scene/scene_ik_parts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct ground_target {
    scene_ground *ground;
    double height;
    double *heights;
} ground_target;

static zt_result read_height(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -1e9, 1e9, &((ground_target *)target)->height);
}

static zt_result read_point(scene_reader *r, const document_node *value, void *target)
{
    return value_vector(r, value, -1e9, 1e9, ((ground_target *)target)->ground->point);
}

static zt_result read_normal(scene_reader *r, const document_node *value, void *target)
{
    double *normal = ((ground_target *)target)->ground->normal;
    ZT_TRY(value_direction(r, value, normal));
    const double square = dvec3_dot(dvec3_load(normal), dvec3_load(normal));
    // Steeper than about 84 degrees nobody stands.
    if (!(normal[1] > 0.0 && normal[1] * normal[1] > 0.01 * square))
        return value_fail(r, value, false,
                          "a normal that does not point up (expected at most 84 degrees from +y)");
    return ZT_OK;
}

static zt_result read_pair(scene_reader *r, const document_node *value, double min,
                           const char *expected, double out[2])
{
    if (value->kind != DOCUMENT_LIST || value->count != 2)
        return value_wrong(r, value, expected);
    ZT_TRY(value_number(r, value->first, min, 1e9, &out[0]));
    return value_number(r, value->first->next, min, 1e9, &out[1]);
}

static zt_result read_first(scene_reader *r, const document_node *value, void *target)
{
    return read_pair(r, value, -1e9, "x and z of the first height",
                     ((ground_target *)target)->ground->first);
}

static zt_result read_step(scene_reader *r, const document_node *value, void *target)
{
    return read_pair(r, value, 1e-6, "metres from one height to the next, along x and z",
                     ((ground_target *)target)->ground->step);
}

static zt_result read_heights(scene_reader *r, const document_node *value, void *target)
{
    static const char *const expected = "rows of heights, along +z, all of the same length";
    ground_target *ground = target;
    if (value->kind != DOCUMENT_LIST || value->count == 0)
        return value_wrong(r, value, expected);
    const uint32_t columns = value->first->count;
    double *height = ARENA_ARRAY(&r->scene->arena, double, (size_t)value->count *columns);
    if (!height)
        return arena_fail(&r->scene->arena, r->err, "heights");
    ground->heights = height;
    ground->ground->height = height;
    ground->ground->columns = columns;
    ground->ground->rows = value->count;
    for (const document_node *row = value->first; row; row = row->next) {
        if (row->kind != DOCUMENT_LIST || row->count != columns || columns == 0)
            return value_wrong(r, row, expected);
        for (const document_node *item = row->first; item; item = item->next)
            ZT_TRY(value_number(r, item, -1e6, 1e6, height++));
    }
    return ZT_OK;
}

zt_result scene_read_ik_ground(scene_reader *r, const document_node *value, scene_ground *out)
{
    static const map_key keys[] = {
        {"height",  read_height,  KEY_OPTIONAL},
        {"point",   read_point,   KEY_OPTIONAL},
        {"normal",  read_normal,  KEY_OPTIONAL},
        {"heights", read_heights, KEY_OPTIONAL},
        {"first",   read_first,   KEY_OPTIONAL},
        {"step",    read_step,    KEY_OPTIONAL},
    };
    ground_target target = {.ground = out};
    *out = (scene_ground){
        .normal = {0.0, 1.0, 0.0},
          .step = {1.0,   1.0   }
    };
    ZT_TRY(value_map(r, value, "ground", keys, COUNT_OF(keys), &target));
    const bool field = target.heights != NULL;
    static const char *const of_planes[] = {"point", "normal"};
    static const char *const of_fields[] = {"first", "step"};
    for (size_t i = 0; i < 2; i++) {
        const char *wrong = field ? of_planes[i] : of_fields[i];
        const document_node *member = document_member(value, wrong);
        if (member)
            return value_fail(r, member, true, "'%s' %s 'heights' (expected a plane or a field)",
                              wrong, field ? "beside" : "without");
    }
    out->point[1] += target.height;
    for (size_t i = 0; field && i < (size_t)out->rows * out->columns; i++)
        target.heights[i] += target.height;
    return ZT_OK;
}
