// SPDX-License-Identifier: MIT
// Draws -> posed vertices -> binned triangles. Meshlets and triangles are numbered in scene order
// before culling, so ids depend neither on threads nor on the view.
#include "geometry/geometry.h"

#include "base/maths.h"
#include "geometry/clip.h"

#include <string.h>

typedef struct geometry_skin_range {
    const geometry_draw *draw;
    uint32_t first, count;
} geometry_skin_range;

static zt_result number_meshlets(geometry_frame *f, arena *a, zt_error *err)
{
    uint64_t meshlets = 0;
    for (uint32_t i = 0; i < f->draw_count; i++) {
        geometry_draw *d = &f->draws[i];
        d->first_meshlet = (uint32_t)meshlets;
        meshlets += d->mesh->meshlet_count;
        f->vertex_count += d->posed_mesh ? 0 : d->mesh->vertex_count;
        f->triangle_count += d->mesh->triangle_count;
        if (meshlets > PRIMITIVE_MESHLET_LIMIT)
            return zt_fail(err, ZT_ERR_LIMIT, "the frame has more than %u meshlets",
                           PRIMITIVE_MESHLET_LIMIT);
    }
    const uint64_t limit = (uint64_t)a->budget->limits->triangles;
    if (f->triangle_count > limit)
        return zt_fail(err, ZT_ERR_LIMIT, "the frame has %llu triangles (limit %llu)",
                       (unsigned long long)f->triangle_count, (unsigned long long)limit);
    f->meshlet_count = (uint32_t)meshlets;
    ZT_TRY(ARENA_TAKE_RAW(a, &f->meshlet_draw, f->meshlet_count, "meshlets of a frame", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &f->meshlets, f->meshlet_count, "meshlets of a frame", err));
    for (uint32_t i = 0; i < f->draw_count; i++)
        for (uint32_t m = 0; m < f->draws[i].mesh->meshlet_count; m++)
            f->meshlet_draw[f->draws[i].first_meshlet + m] = &f->draws[i];
    return ZT_OK;
}

/// Posed vertices of a draw that has its own, and the number of jobs that fill them.
static zt_result allocate_posed(geometry_frame *f, geometry_draw *d, arena *a, zt_error *err)
{
    if (d->posed)
        return ZT_OK;
    f->skin_job_count += ((int64_t)d->mesh->vertex_count + SKIN_CHUNK - 1) / SKIN_CHUNK;
    return geometry_draw_allocate(d, a, err);
}

static geometry_skin_range *list_jobs(const geometry_draw *d, geometry_skin_range *job)
{
    const uint32_t total = d->posed ? 0 : d->mesh->vertex_count;
    for (uint32_t first = 0; first < total; first += SKIN_CHUNK) {
        const uint32_t left = total - first;
        *job++ = (geometry_skin_range){d, first, left < SKIN_CHUNK ? left : SKIN_CHUNK};
    }
    return job;
}

/// Root mean square of the lengths of a matrix's axes.
static float matrix_scale(const skin_matrix *m)
{
    float sum = 0.0f;
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            sum = sum + m->column[column][row] * m->column[column][row];
    return maths_sqrt(sum * (1.0f / 3.0f));
}

static float draw_scale(const geometry_draw *draw)
{
    const float own = matrix_scale(draw->palette);
    return draw->posed_mesh ? own * matrix_scale(draw->posed_mesh->palette) : own;
}

/// True when what shows are triangles that are clockwise in the mesh.
static bool shows_back(const geometry_draw *draw)
{
    return draw->mirrored != (draw->outline != NULL);
}

static void list_posed_meshlets(const geometry_draw *d, posed_meshlet *out)
{
    const model_mesh *mesh = d->mesh;
    const float scale = draw_scale(d);
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const meshlet *m = &mesh->meshlets[i];
        const bool triangles = m->kind == PRIMITIVE_TRIANGLE;
        out[i] = (posed_meshlet){
            .vertex = mesh->meshlet_vertex + m->vertex_first,
            .corner = {mesh->meshlet_corner[0] + m->triangle_first,
                       mesh->meshlet_corner[1] + m->triangle_first,
                       mesh->meshlet_corner[2] + m->triangle_first},
            .position = d->position,
            .attributes = d->attributes,
            .extra = d->morphed_extra ? d->morphed_extra : mesh->extra,
            .axes = {d->axes[0], d->axes[1]},
            .material = d->first_material + m->material,
            .handedness = m->left_handed != d->mirrored ? -1.0f : 1.0f,
            .front = triangles ? (shows_back(d) ? 1.0f : -1.0f) : 0.0f,
            .line = !triangles,
            .world_from_position = d->posed_mesh ? d->palette : NULL,
            .world_from_tangent = d->posed_mesh || d->bind_attributes ? d->palette : NULL,
            .world_from_normal = d->posed_mesh || d->bind_attributes ? d->normals : NULL,
            .scale = scale,
        };
    }
}

/// Posed vertices in `vertices`, and the jobs that fill them in `a`.
static zt_result prepare_vertices(geometry_frame *out, arena *vertices, arena *a, zt_error *err)
{
    for (uint32_t i = 0; i < out->posed_mesh_count; i++)
        ZT_TRY(allocate_posed(out, &out->posed_meshes[i], vertices, err));
    for (uint32_t i = 0; i < out->draw_count; i++) {
        geometry_draw *d = &out->draws[i];
        if (!d->posed_mesh) {
            ZT_TRY(allocate_posed(out, d, vertices, err));
            continue;
        }
        d->position = d->posed_mesh->position;
        d->attributes = d->posed_mesh->attributes;
        d->morphed_extra = d->posed_mesh->morphed_extra;
        d->axes[0] = d->posed_mesh->axes[0];
        d->axes[1] = d->posed_mesh->axes[1];
    }
    ZT_TRY(ARENA_TAKE_RAW(a, &out->skin_jobs, (size_t)out->skin_job_count, "skinning jobs", err));
    geometry_skin_range *job = out->skin_jobs;
    for (uint32_t i = 0; i < out->posed_mesh_count; i++)
        job = list_jobs(&out->posed_meshes[i], job);
    for (uint32_t i = 0; i < out->draw_count; i++)
        if (!out->draws[i].posed_mesh)
            job = list_jobs(&out->draws[i], job);
    return ZT_OK;
}

zt_result geometry_frame_init(geometry_frame *out, arena *vertices, arena *a, zt_error *err)
{
    ZT_TRY(number_meshlets(out, a, err));
    for (uint32_t i = 0; i < out->posed_mesh_count; i++)
        out->vertex_count += out->posed_meshes[i].mesh->vertex_count;
    ZT_TRY(prepare_vertices(out, vertices, a, err));
    for (uint32_t i = 0; i < out->draw_count; i++)
        list_posed_meshlets(&out->draws[i], out->meshlets + out->draws[i].first_meshlet);
    return ZT_OK;
}

static void pose_positions_only(geometry_draw *draws, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        draws[i].positions_only = true;
        draws[i].needs_axes = false;
        draws[i].outline = NULL;
    }
}

void geometry_positions_only(geometry_frame *frame)
{
    pose_positions_only(frame->draws, frame->draw_count);
    pose_positions_only(frame->posed_meshes, frame->posed_mesh_count);
}

zt_result geometry_positions_init(geometry_frame *out, arena *a, zt_error *err)
{
    geometry_positions_only(out);
    return prepare_vertices(out, a, a, err);
}

_Static_assert((int)SKIN_CHUNK <= (int)MORPH_CHUNK && SKIN_CHUNK % 16 == 0,
               "one morph job a chunk");

void geometry_skin(const geometry_frame *frame, const geometry_loops *loops, int64_t index)
{
    const geometry_skin_range *range = &frame->skin_jobs[index];
    geometry_draw_pose(range->draw, loops, range->first, range->count);
}

/// The state of one meshlet while it is drawn.
typedef struct meshlet_work {
    const geometry_loops *loops;
    const geometry_view *gv;
    bins *bins;
    bin_list list; ///< bins of the meshlet's material
    screen_vertices vertices;
    _Alignas(16) float homogeneous[MESHLET_VERTICES][4];
    const geometry_draw *view_draw; ///< the draw of a posed mesh that `model_view` is for, or NULL
    view_transform model_view;      ///< homogeneous pixels from its model space
    setup_triangle triangles[MESHLET_TRIANGLES];
    _Alignas(16) small_triangle small[MESHLET_TRIANGLES];
    uint32_t small_tiles[MESHLET_TRIANGLES];
    uint8_t clip_list[MESHLET_TRIANGLES];
    bool quads_cached; ///< `drawn_quads` is valid
    quad_cache drawn_quads;
} meshlet_work;

/// Clips one triangle and bins the rest of it as a fan of triangles with the original id.
static bool draw_clipped(meshlet_work *w, const setup_job *whole, uint32_t triangle)
{
    static const uint8_t fan[3][CLIP_CORNERS][16] = {
        {{0}, {0}, {0}, {0}, {0}, {0}},
        {{1}, {2}, {3}, {4}, {5}, {6}},
        {{2}, {3}, {4}, {5}, {6}, {7}},
    };
    screen_vertices corners;
    const uint32_t count =
        clip_triangle(&w->gv->view->transform, whole->vertices, whole->corner[0][triangle],
                      whole->corner[1][triangle], whole->corner[2][triangle], &corners);
    for (uint32_t part = 0; part + 2 < count; part++) {
        setup_triangle out[16];
        uint8_t clip_list[16];
        uint32_t out_count = 0, clip_count = 0;
        setup_job job = *whole;
        job.vertices = &corners;
        for (int k = 0; k < 3; k++)
            job.corner[k] = fan[k][part];
        job.count = 1;
        job.first_id = whole->first_id + triangle;
        job.small = NULL;
        job.out = out;
        job.out_count = &out_count;
        job.clip_list = clip_list;
        job.clip_count = &clip_count;
        w->loops->setup(&job);
        if (!bins_add(w->bins, w->list, out, out_count))
            return false;
    }
    return true;
}

static setup_cull meshlet_cull(const geometry_draw *draw, unsigned flags)
{
    if (flags & SURFACE_DOUBLE_SIDED)
        return SETUP_CULL_NONE;
    return shows_back(draw) ? SETUP_CULL_FRONT : SETUP_CULL_BACK;
}

/// The view from the model space of a posed mesh: pixels_from_world times world_from_model.
static const view_transform *model_view_of(meshlet_work *w, const geometry_draw *draw)
{
    if (w->view_draw == draw)
        return &w->model_view;
    const view_transform *from = &w->gv->view->transform;
    view_transform *to = &w->model_view;
    const float *const rows[] = {from->row_x, from->row_y, from->row_w, from->row_d};
    float *const out[] = {to->row_x, to->row_y, to->row_w, to->row_d};
    *to = *from;
    w->view_draw = draw;
    for (int r = 0; r < 4; r++) {
        for (int column = 0; column < 4; column++) {
            const float *c = draw->palette[0].column[column];
            double sum = column == 3 ? (double)rows[r][3] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += (double)rows[r][k] * (double)c[k];
            out[r][column] = (float)sum;
        }
    }
    return to;
}

/// Sets up and bins the triangles that setup->cull leaves, counted in `drawn`. False: no memory.
static bool draw_faces(meshlet_work *w, setup_job *setup, bin_small_list list, uint32_t *drawn)
{
    uint32_t out_count = 0, small_count = 0, clip_count = 0;
    setup->out_count = &out_count;
    setup->small_count = &small_count;
    setup->clip_count = &clip_count;
    w->loops->setup(setup);
    *drawn += out_count + small_count + clip_count;
    if (!bins_add(w->bins, w->list, w->triangles, out_count) ||
        !bins_add_small(w->bins, list, w->small, w->small_tiles, small_count))
        return false;
    for (uint32_t i = 0; i < clip_count; i++)
        if (!draw_clipped(w, setup, w->clip_list[i]))
            return false;
    return true;
}

/// Sets up and bins the quads of points or lines. `whole`: their meshlet. False: no memory.
static bool draw_quads(meshlet_work *w, const setup_job *whole, primitive_kind kind,
                       uint32_t *drawn)
{
    screen_vertices quads;
    const bool opaque = whole->small != NULL;
    if (opaque && !w->quads_cached)
        memset(&w->drawn_quads, 0, sizeof w->drawn_quads);
    w->quads_cached = w->quads_cached || opaque;
    for (uint32_t first = 0; first < whole->count; first += QUADS) {
        uint32_t out_count = 0, small_count = 0, clip_count = 0;
        const uint32_t left = whole->count - first;
        setup_job setup = *whole;
        point_line_quads(&w->gv->view->transform, &w->gv->widths, kind == PRIMITIVE_LINE,
                         whole->vertices, whole->corner, first, left < QUADS ? left : QUADS,
                         &quads);
        if (opaque)
            quad_cache_drop(&w->drawn_quads, &quads);
        setup.vertices = &quads;
        for (int k = 0; k < 3; k++)
            setup.corner[k] = quad_corner[k];
        setup.count = QUAD_TRIANGLES;
        setup.cull = SETUP_CULL_NONE;
        setup.first_id = whole->first_id + first;
        setup.out_count = &out_count;
        setup.small_count = &small_count;
        setup.clip_count = &clip_count;
        w->loops->setup(&setup);
        for (uint32_t i = 0; i < out_count; i++) // both triangles of a quad are one primitive
            w->triangles[i].id = setup.first_id + (w->triangles[i].id - setup.first_id) % QUADS;
        for (uint32_t i = 0; i < small_count; i++)
            w->small[i].id = setup.first_id + (w->small[i].id - setup.first_id) % QUADS;
        *drawn += out_count + small_count;
        if (!bins_add(w->bins, w->list, w->triangles, out_count) ||
            !bins_add_small(w->bins, BIN_SMALL_FIRST, w->small, w->small_tiles, small_count))
            return false;
    }
    return true;
}

/// Keeps the vertices of a meshlet on the screen for shading. False when memory ran out.
static bool keep_meshlet(const meshlet_work *w, const meshlet *m, uint32_t number)
{
    float(*homogeneous)[4] = arena_alloc_raw(w->bins->arena, m->vertex_count, sizeof *homogeneous);
    if (!homogeneous)
        return false;
    memcpy(homogeneous, w->homogeneous, m->vertex_count * sizeof *homogeneous);
    w->gv->homogeneous[number] = (homogeneous_vertices)homogeneous;
    return true;
}

/// Draws those of two-sided surfaces that are seen from the front first: they hide more.
static bool draw_both_faces(meshlet_work *w, const geometry_draw *draw, setup_job *setup,
                            uint32_t *drawn)
{
    setup->cull = meshlet_cull(draw, 0);
    if (!draw_faces(w, setup, BIN_SMALL_FIRST, drawn))
        return false;
    setup->cull = setup->cull == SETUP_CULL_BACK ? SETUP_CULL_FRONT : SETUP_CULL_BACK;
    return draw_faces(w, setup, BIN_SMALL_BEHIND, drawn);
}

static bool draw_meshlet(meshlet_work *w, const geometry_draw *draw, uint32_t number)
{
    const model_mesh *mesh = draw->mesh;
    const meshlet *m = &mesh->meshlets[number - draw->first_meshlet];
    const uint32_t material = draw->first_material + m->material;
    const unsigned flags = w->gv->surface_flags[material];
    const primitive_kind kind = (primitive_kind)m->kind;
    if (w->gv->depth_only ? !surface_meets_light(flags, kind != PRIMITIVE_TRIANGLE)
                          : (flags & SURFACE_INVISIBLE) != 0)
        return true;
    w->list = flags & SURFACE_BLENDED ? BIN_BLENDED : BIN_OPAQUE;
    const transform_job transform = {
        .view = draw->posed_mesh ? model_view_of(w, draw) : &w->gv->view->transform,
        .position = draw->position,
        .vertex = mesh->meshlet_vertex + m->vertex_first,
        .count = m->vertex_count,
        .out = &w->vertices,
        .out_homogeneous = w->homogeneous,
    };
    w->loops->transform(&transform);
    const unsigned needs_id = flags & (SURFACE_MASKED | SURFACE_BLENDED);
    setup_job setup = {
        .vertices = &w->vertices,
        .corner = {mesh->meshlet_corner[0] + m->triangle_first,
                   mesh->meshlet_corner[1] + m->triangle_first,
                   mesh->meshlet_corner[2] + m->triangle_first},
        .count = m->triangle_count,
        .cull = meshlet_cull(draw, flags),
        .width = w->gv->width,
        .height = w->gv->height,
        .first_id = primitive_id(number, 0),
        .masked = flags & SURFACE_MASKED ? 1 : 0,
        .sample_count = w->gv->sample_count,
        .out = w->triangles,
        .small = needs_id ? NULL : w->small,
        .small_tiles = w->small_tiles,
        .clip_list = w->clip_list,
    };
    uint32_t drawn = 0;
    const bool depth_only = w->gv->depth_only && !needs_id;
    if (kind != PRIMITIVE_TRIANGLE)
        return draw_quads(w, &setup, kind, &drawn) && (drawn == 0 || keep_meshlet(w, m, number));
    const bool ok = !needs_id && setup.cull == SETUP_CULL_NONE
                        ? draw_both_faces(w, draw, &setup, &drawn)
                        : draw_faces(w, &setup, BIN_SMALL_FIRST, &drawn);
    // Without triangles no visible sample can have an id of this meshlet.
    return ok && (drawn == 0 || depth_only || keep_meshlet(w, m, number));
}

bool geometry_draw_batch(const geometry_frame *frame, const geometry_view *gv,
                         const geometry_loops *loops, int64_t index, bins *into)
{
    meshlet_work work;
    work.loops = loops;
    work.gv = gv;
    work.bins = into;
    work.view_draw = NULL;
    work.quads_cached = false;
    const uint32_t first = (uint32_t)index * MESHLET_BATCH;
    const uint32_t left = frame->meshlet_count - first;
    const uint32_t count = left < MESHLET_BATCH ? left : MESHLET_BATCH;
    for (uint32_t i = 0; i < count; i++)
        if (!draw_meshlet(&work, frame->meshlet_draw[first + i], first + i))
            return false;
    return true;
}
