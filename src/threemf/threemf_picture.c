// SPDX-License-Identifier: MIT
/// The picture of a package instead of its model: packages that were cut into layers for a
/// printer have none. A rectangle, 100 units high, that shows its colours as they are.
#include "threemf/threemf_parts.h"

#include <string.h>

static const float height = 100.0f;

static bool has_triangles(const threemf_package *p)
{
    for (uint32_t i = 0; i < p->object_count; i++)
        if (p->object[i].triangle_count > 0)
            return true;
    return false;
}

/// Takes the place of all that was read.
static zt_result set_contents(threemf_package *p, const char *path, zt_error *err)
{
    static const float corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const threemf_triangle triangles[2] = {{{0, 1, 2}, 1, {0, 1, 2}},
                                                  {{0, 2, 3}, 1, {0, 2, 3}}};
    threemf_object *o;
    ZT_TRY(ARENA_TAKE(p->scratch, &o, 1, "3MF", err));
    ZT_TRY(ARENA_TAKE(p->scratch, &p->group, 1, "3MF", err));
    ZT_TRY(ARENA_TAKE(p->scratch, &p->texture, 1, "3MF", err));
    ZT_TRY(ARENA_TAKE(p->scratch, &p->item, 1, "3MF", err));
    ZT_TRY(ARENA_TAKE(p->scratch, &p->group->number, 8, "3MF", err));
    ZT_TRY(ARENA_TAKE(p->scratch, &o->vertex, 4, "3MF", err));
    ZT_TRY(ARENA_TAKE(p->scratch, &o->triangle, 2, "3MF", err));
    memcpy(p->group->number, corner, sizeof corner);
    memcpy(o->triangle, triangles, sizeof triangles);
    o->name = path;
    o->vertex_count = 4;
    o->triangle_count = 2;
    o->mesh = THREEMF_NONE;
    p->group->kind = THREEMF_COORDS;
    p->group->width = 2;
    p->group->number_count = 8;
    p->texture->path = path;
    p->item->transform = affine_identity();
    p->object = o;
    p->object_count = p->group_count = p->texture_count = p->item_count = 1;
    return threemf_index(p, err);
}

zt_result threemf_take_picture(threemf_package *p, zt_result parts, bool *taken, zt_error *err)
{
    const char *path = "Metadata/thumbnail.png";
    const bool unread = parts == ZT_ERR_FORMAT || parts == ZT_ERR_UNSUPPORTED;
    *taken = false;
    if (!p->source->package_picture || !(unread || (parts == ZT_OK && !has_triangles(p))))
        return parts;
    const zt_error why = unread && err ? *err : (zt_error){0};
    zt_error other = {0};
    const zt_result found = threemf_find_related(p, "/thumbnail", &path, unread ? &other : err);
    if (unread && (found == ZT_ERR_FORMAT || found == ZT_ERR_UNSUPPORTED))
        return parts;
    if (unread && found != ZT_OK && err) // of memory, a limit or a stop: not of the package
        *err = other;
    ZT_TRY(found);
    path += *path == '/';
    if (!zip_find(&p->zip, path))
        return parts;
    if (err)
        *err = (zt_error){0};
    ZT_TRY(unread ? model_warn(&p->report, err, "the picture of the package is shown: %.300s",
                               why.message)
                  : model_warn(&p->report, err,
                               "there are no triangles: the picture of the package is shown"));
    *taken = true;
    return set_contents(p, path, err);
}

void threemf_place_picture(threemf_package *p)
{
    const model_slot *map = &p->materials[2].base_map;
    if (map->texture < 0) {
        p->item_count = 0;
        return;
    }
    const mipmap *m = &p->model->textures[map->texture].mipmap;
    const float width = height * (float)m->level[0].width / (float)m->level[0].height;
    for (int i = 0; i < 4; i++) {
        const dvec3 corner = {(double)(i == 1 || i == 2 ? width : 0.0f),
                              (double)(i >= 2 ? height : 0.0f), 0.0};
        const dvec3 at = dmat3_transform_transposed(&up_axis_rotation[p->model->up], corner);
        dvec3_store(at, p->object->vertex[i]);
    }
    p->model->is_picture = true;
    p->materials[2].unlit = true;
    p->materials[2].alpha = MODEL_BLEND;
}
