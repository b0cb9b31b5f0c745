// SPDX-License-Identifier: MIT
// Posed vertices of one draw: morph targets in bind space, then the axes of bind space for normals
// in object space, then skin.
#include "geometry/draw.h"

#include "base/maths.h"

#include <string.h>

/// Memory for the morphed vertices of a draw, if it has morph targets.
static zt_result morphed_allocate(geometry_draw *d, arena *a, zt_error *err)
{
    const size_t padded = pad16(d->mesh->vertex_count);
    bool extra = false;
    d->morphed_position = NULL;
    d->morphed_attributes = NULL;
    d->morphed_extra = NULL;
    if (d->morph_count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(a, &d->morphed_position, padded, "morphed vertices", err));
    if (d->positions_only)
        return ZT_OK;
    for (uint32_t i = 0; i < d->morph_count && d->mesh->extra; i++)
        extra = extra || d->morphs[i].target->extra.group_count > 0;
    d->morphed_attributes = ARENA_ARRAY_RAW(a, vertex_attributes, padded);
    d->morphed_extra = extra ? ARENA_ARRAY_RAW(a, vertex_extra, padded) : NULL;
    return d->morphed_attributes && (d->morphed_extra || !extra)
               ? ZT_OK
               : arena_fail(a, err, "morphed vertices");
}

static zt_result axes_allocate(geometry_draw *draw, arena *a, zt_error *err)
{
    const size_t padded = pad16(draw->mesh->vertex_count);
    for (int i = 0; i < 2; i++) {
        ZT_TRY(ARENA_TAKE(a, &draw->bind_axes[i], padded, "axes of posed vertices", err));
        ZT_TRY(ARENA_TAKE_RAW(a, &draw->axes[i], padded, "axes of posed vertices", err));
    }
    return ZT_OK;
}

bool geometry_draw_is_rigid(const geometry_draw *draw)
{
    return !draw->posed_mesh && !draw->skinned && !draw->duals && !draw->outline &&
           !draw->needs_axes && draw->morph_count == 0;
}

int32_t geometry_draw_bone(const geometry_draw *draw, uint32_t vertex)
{
    const model_mesh *mesh = draw->mesh;
    if (!draw->skin)
        return -1;
    float most = 0.0f;
    int32_t joint = -1;
    for (int i = 0; i < 8; i++) {
        const vertex_joints *joints = i < 4 ? mesh->joints : mesh->joints_more;
        const vertex_weights *weights = i < 4 ? mesh->weights : mesh->weights_more;
        if (!joints || !(weights[vertex].weight[i % 4] > most))
            continue;
        most = weights[vertex].weight[i % 4];
        joint = joints[vertex].joint[i % 4];
    }
    return joint < 0 ? -1 : draw->skin->joint_node[joint];
}

zt_result geometry_draw_allocate(geometry_draw *draw, arena *a, zt_error *err)
{
    const size_t padded = pad16(draw->mesh->vertex_count);
    draw->position = ARENA_ARRAY_RAW(a, vertex_position, padded);
    const bool posed = !draw->bind_attributes && !draw->positions_only;
    draw->posed_attributes = posed ? ARENA_ARRAY_RAW(a, vertex_attributes, padded) : NULL;
    draw->attributes = posed ? draw->posed_attributes : draw->mesh->attributes;
    if (!draw->position || !draw->attributes)
        return arena_fail(a, err, "posed vertices");
    if (draw->needs_axes)
        ZT_TRY(axes_allocate(draw, a, err));
    return morphed_allocate(draw, a, err);
}

void geometry_draw_share(geometry_draw *draw, const geometry_draw *from)
{
    draw->posed = true;
    draw->position = from->position;
    draw->attributes = from->attributes;
    draw->bind_attributes = from->bind_attributes;
    for (int i = 0; i < 2; i++)
        draw->axes[i] = from->axes[i];
}

skin_job geometry_skin_job(const geometry_draw *draw, const vertex_position *position,
                           const vertex_attributes *attributes, size_t first, size_t count)
{
    const model_mesh *mesh = draw->mesh;
    return (skin_job){.position = position,
                      .attributes = attributes,
                      .joints = draw->skinned ? mesh->joints : NULL,
                      .weights = draw->skinned ? mesh->weights : NULL,
                      .joints_more = draw->skinned ? mesh->joints_more : NULL,
                      .weights_more = mesh->weights_more,
                      .duals = draw->duals,
                      .stretch = draw->stretch,
                      .stretch_normals = draw->stretch_normals,
                      .palette = draw->palette,
                      .normals = draw->normals,
                      .out_position = draw->position,
                      .out_attributes = draw->posed_attributes,
                      .first = first,
                      .count = count};
}

static void morph_pose(const geometry_draw *draw, const geometry_loops *loops, size_t first,
                       size_t count)
{
    const morph_job job = {
        .position = draw->mesh->position,
        .attributes = draw->mesh->attributes,
        .extra = draw->mesh->extra,
        .uses = draw->morphs,
        .use_count = draw->morph_count,
        .out_position = draw->morphed_position,
        .out_attributes = draw->morphed_attributes,
        .out_extra = draw->morphed_extra,
        .first = first,
        .count = count,
    };
    loops->morph(&job);
}

static float dot3(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// Rotates v by the shortest way from unit `from` to `to`: v d + c x v + c (c . v) / (1 + d).
static void rotate_shortest(const float from[3], const float to[3], float v[3])
{
    const float c[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                        from[0] * to[1] - from[1] * to[0]};
    const float d = dot3(from, to), sum = 1.0f + d;
    // Opposite normals have no shortest rotation: the limit keeps the result bounded.
    const float along = dot3(c, v) / (sum > 1e-3f ? sum : 1e-3f);
    const float across[3] = {c[1] * v[2] - c[2] * v[1], c[2] * v[0] - c[0] * v[2],
                             c[0] * v[1] - c[1] * v[0]};
    for (int k = 0; k < 3; k++)
        v[k] = (v[k] * d + across[k]) + c[k] * along;
}

/// A vertex's axes before skin: those of bind space, rotated as morphs rotate the normal.
static void bind_axes_of(const geometry_draw *draw, size_t vertex)
{
    const vertex_attributes *rest = &draw->mesh->attributes[vertex];
    const float n[3] = {rest->nx, rest->ny, rest->nz};
    float axis[3][3] = {
        {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, draw->mirrored_axes ? -1.0f : 1.0f}};
    if (draw->morph_count > 0) {
        const vertex_attributes *morphed = &draw->morphed_attributes[vertex];
        const float m[3] = {morphed->nx, morphed->ny, morphed->nz};
        if (memcmp(n, m, sizeof n) != 0)
            for (int i = 0; i < 3; i++)
                rotate_shortest(n, m, axis[i]);
    }
    vertex_attributes *xy = &draw->bind_axes[0][vertex], *z = &draw->bind_axes[1][vertex];
    *xy = (vertex_attributes){.nx = axis[0][0],
                              .ny = axis[0][1],
                              .nz = axis[0][2],
                              .tx = axis[1][0],
                              .ty = axis[1][1],
                              .tz = axis[1][2]};
    *z = (vertex_attributes){.nx = axis[2][0], .ny = axis[2][1], .nz = axis[2][2], .tx = 1.0f};
}

/// Poses the axes of bind space. Skinning treats them as normals and tangents, so they rotate as
/// vertex normals do, with linear skinning and with dual quaternions. Overwrites draw->position.
static void axes_pose(const geometry_draw *draw, const geometry_loops *loops, size_t first,
                      size_t count)
{
    for (size_t i = first; i < first + count; i++)
        bind_axes_of(draw, i);
    for (int i = 0; i < 2; i++) {
        // Axes rotate as normals do: use the matrices of normals instead of those of positions.
        skin_job job =
            geometry_skin_job(draw, draw->mesh->position, draw->bind_axes[i], first, count);
        job.stretch = draw->stretch_normals;
        job.palette = draw->normals;
        job.out_attributes = draw->axes[i];
        loops->skin(&job);
    }
}

/// Moves posed vertices outwards.
static void outline_grow(const geometry_draw *draw, size_t first, size_t count)
{
    const draw_outline *o = draw->outline;
    for (size_t i = first; i < first + count; i++) {
        vertex_position *p = &draw->position[i];
        const float position[3] = {p->x, p->y, p->z};
        const vertex_attributes *at = &draw->attributes[i];
        const float n[3] = {at->nx, at->ny, at->nz}, length2 = dot3(n, n);
        float metres = o->width[i];
        if (metres < 0.0f) {
            const float far = dot3(position, o->forward) - dot3(o->eye, o->forward);
            metres = -metres * (o->height_at_eye + far * o->height_per_metre);
        }
        if (!(length2 > 0.0f && metres > 0.0f))
            continue;
        const float factor = metres / maths_sqrt(length2);
        p->x = p->x + n[0] * factor;
        p->y = p->y + n[1] * factor;
        p->z = p->z + n[2] * factor;
    }
}

void geometry_draw_pose(const geometry_draw *draw, const geometry_loops *loops, size_t first,
                        size_t count)
{
    const bool morphed = draw->morph_count > 0;
    if (morphed)
        morph_pose(draw, loops, first, count);
    if (draw->needs_axes)
        axes_pose(draw, loops, first, count);
    const skin_job job = geometry_skin_job(
        draw, morphed ? draw->morphed_position : draw->mesh->position,
        morphed ? draw->morphed_attributes : draw->mesh->attributes, first, count);
    loops->skin(&job);
    if (draw->outline)
        outline_grow(draw, first, count);
}
