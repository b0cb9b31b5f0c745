// SPDX-License-Identifier: MIT
// The cameras of shadow maps, and their texels tile by tile.
//
// Directional lights see the box of the shot's bounds, at whole texels. Spots and point lights see
// the sphere around it when they are outside: a point that is in the shadow of something projects
// onto that thing. A spot whose cone is narrower sees its cone. From inside the sphere a point
// light, and a spot with a wide cone, see six sides of a cube.
#include "render/shadow_pass.h"

#include "base/dvec3.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

enum {
    FIT_MARGIN = 2, ///< texels around what a map sees
    CUBE_FACES = 6,
    CELL_SHIFT_MIN = SHADOW_COVER_SHIFT,
    CELL_SHIFT_MAX = 6, ///< a tile
    COVER_AFTER = 16,   ///< cells after the last one, which loops may read
    LEFT_COLUMNS = 16,  ///< of a map, its border among them: rows of tiles are whole lines
};

_Static_assert((int)LEFT_COLUMNS >= (int)SHADOW_BORDER, "the border is on the left, too");

/// Half angles of perspective maps up to this one, radians: 72 degrees.
static const double widest_rad = 1.25;

/// The radius of penumbras is at most this part of the side of the map.
#define WIDEST_PENUMBRA 0.125

/// Maps have room for penumbras around what casts them, up to this part of it on each side.
#define PENUMBRA_ROOM 0.25

/// Cells leave no gaps between the samples of a disc, which are about this part of its radius
/// apart.
#define CELL_OF_SEARCH 0.5f

/// What a map sees.
typedef struct shadow_fit {
    view_camera camera;
    int32_t width, height;
    bool is_face;         ///< of a cube
    double nearest_depth; ///< perspective: 1 / distance of what is nearest to the light
} shadow_fit;

typedef struct shadow_sphere {
    dvec3 center;
    double radius;
} shadow_sphere;

static shadow_sphere sphere_of(const scene_framing *f)
{
    const dvec3 min = dvec3_from_floats(f->min), max = dvec3_from_floats(f->max);
    const dvec3 half = dvec3_scale(dvec3_sub(max, min), 0.5);
    const double radius = dvec3_length(half);
    return (shadow_sphere){dvec3_add(min, half), radius > 1e-6 ? radius : 1e-6};
}

// ---- Where maps look ----------------------------------------------------------------------------

/// Extents of the bounds along an axis.
static void extent_along(const scene_framing *f, const double axis[3], double *out_min,
                         double *out_max)
{
    *out_min = *out_max = 0.0;
    for (int k = 0; k < 3; k++) {
        const double a = axis[k] * (double)f->min[k], b = axis[k] * (double)f->max[k];
        *out_min += a < b ? a : b;
        *out_max += a < b ? b : a;
    }
}

static int32_t whole(double x)
{
    return (int32_t)(!(x >= 1.0) ? 1.0 : x > 16384.0 ? 16384.0 : x); // NaN gives 1
}

void shadow_fit_box(const scene_framing *f, const double direction[3], double blur, int32_t size,
                    view_camera *out, int32_t *out_width, int32_t *out_height)
{
    static const double origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    double min[3], max[3];
    view_look_at(out, origin, direction, y);
    extent_along(f, out->right, &min[0], &max[0]);
    extent_along(f, out->up, &min[1], &max[1]);
    extent_along(f, out->forward, &min[2], &max[2]);
    const double deep = max[2] - min[2], across = max[0] - min[0], along_up = max[1] - min[1];
    const double most = PENUMBRA_ROOM * (across > along_up ? across : along_up);
    const double room = blur * deep < most ? blur * deep : most;
    for (int k = 0; k < 2; k++) {
        min[k] -= room;
        max[k] += room;
    }
    const double wide = max[0] - min[0], high = max[1] - min[1];
    const double side = wide > high ? wide : high;
    const double texel = (side > 1e-6 ? side : 1e-6) / (size - 2 * FIT_MARGIN - 1);
    const double left = floor(min[0] / texel) - FIT_MARGIN;
    const double top = ceil(max[1] / texel) + FIT_MARGIN;
    *out_width = whole(ceil(max[0] / texel) + FIT_MARGIN - left);
    *out_height = whole(top - floor(min[1] / texel) + FIT_MARGIN);
    // Frames between those that the bounds are of may reach a little beyond.
    const double margin = 0.1 * deep + 4.0 * texel;
    const double along[3] = {(left + 0.5 * *out_width) * texel, (top - 0.5 * *out_height) * texel,
                             min[2] - margin};
    for (int k = 0; k < 3; k++)
        out->eye[k] = out->right[k] * along[0] + out->up[k] * along[1] + out->forward[k] * along[2];
    out->orthographic = true;
    out->half_height = 0.5 * *out_height * texel;
    out->near_m = 0.0;
    out->far_m = deep + 2.0 * margin;
}

static const double up_axis[3] = {0.0, 1.0, 0.0};

/// Looks along `direction` and sees a cone of `half_rad` around it, and penumbras beyond: `blur` is
/// their radius at the distance 1.
static void fit_cone(const light_source *light, dvec3 direction, double half_rad, double blur,
                     int32_t size, shadow_fit *out)
{
    double s, c, target[3];
    maths_sincos_deg(half_rad * (180.0 / 3.14159265358979323846), &s, &c);
    const double most = PENUMBRA_ROOM * s / c, room = blur < most ? blur : most;
    dvec3_store(dvec3_add(dvec3_load(light->position), direction), target);
    view_look_at(&out->camera, light->position, target, up_axis);
    out->camera.focal = (double)(size - 2 * FIT_MARGIN) / (double)size / (s / c + room);
    out->width = out->height = size;
}

/// Sides see the part `border` of their width beyond each edge.
static void fit_cube(const light_source *light, double border, int32_t size,
                     shadow_fit out[CUBE_FACES])
{
    // Right and up of the sides that look along +x, -x, +y, -y, +z, -z: see shadow.inl.
    static const double right[CUBE_FACES][3] = {
        {0.0,  0.0, 1.0 },
        {0.0,  0.0, -1.0},
        {1.0,  0.0, 0.0 },
        {-1.0, 0.0, 0.0 },
        {-1.0, 0.0, 0.0 },
        {1.0,  0.0, 0.0 }
    };
    for (int i = 0; i < CUBE_FACES; i++) {
        view_camera *c = &out[i].camera;
        memcpy(c->eye, light->position, sizeof c->eye);
        memcpy(c->right, right[i], sizeof c->right);
        c->up[i / 2 == 1 ? 2 : 1] = 1.0;
        c->forward[i / 2] = i % 2 ? -1.0 : 1.0;
        c->focal = (1.0 - 2.0 * border) * (double)(size - 2 * SHADOW_BORDER) / (double)size;
        out[i].is_face = true;
        out[i].width = out[i].height = size;
    }
}

/// The radius of penumbras: metres for each metre between what casts it and the surface; of a
/// positional light metres at the light.
static double blur_of(const frame_light *light)
{
    double s, c;
    const double softness = light->scene->shadow_softness, size = light->scene->size;
    if (light->source.kind != MODEL_LIGHT_DIRECTIONAL)
        return softness * size * 0.5;
    maths_sincos_deg(size * 0.5, &s, &c);
    return softness * s / c;
}

/// Fills the cameras of a light's maps, one or six. Returns their number.
static int32_t fit_light(const frame_light *light, int32_t default_size,
                         const scene_framing *framing, shadow_fit out[CUBE_FACES])
{
    const light_source *source = &light->source;
    const int64_t asked = light->scene->shadow_size;
    const int32_t size = asked > 0 ? (int32_t)asked : default_size;
    memset(out, 0, CUBE_FACES * sizeof *out);
    if (source->kind == MODEL_LIGHT_DIRECTIONAL) {
        shadow_fit_box(framing, source->direction, blur_of(light), size, &out->camera, &out->width,
                       &out->height);
        return 1;
    }
    const shadow_sphere sphere = sphere_of(framing);
    const dvec3 offset = dvec3_sub(sphere.center, dvec3_load(source->position));
    const double distance = dvec3_length(offset), blur = blur_of(light);
    const double sine = distance > sphere.radius ? sphere.radius / distance : 1.0;
    // Inside of the bounds things may be at any distance: a tenth of their radius is close.
    const double nearest =
        distance > 1.1 * sphere.radius ? distance - sphere.radius : 0.1 * sphere.radius;
    for (int i = 0; i < CUBE_FACES; i++) {
        out[i].nearest_depth = 1.0 / nearest;
        out[i].camera.near_m = 1e-3 * sphere.radius;
    }
    const double seen_rad = maths_atan2(sine, sqrt(1.0 - sine * sine));
    if (source->kind == MODEL_LIGHT_SPOT && source->outer_rad < widest_rad &&
        source->outer_rad < seen_rad) {
        fit_cone(source, dvec3_load(source->direction), source->outer_rad, blur / nearest, size,
                 out);
        return 1;
    }
    if (seen_rad < widest_rad) {
        fit_cone(source, offset, seen_rad, blur / nearest, size, out);
        return 1;
    }
    fit_cube(source, blur > 0.0 ? WIDEST_PENUMBRA : 0.0, asked > 0 ? size : default_size / 2, out);
    return CUBE_FACES;
}

int32_t shadow_pass_count(const frame_light_set *lights, const scene_framing *framing)
{
    shadow_fit fit[CUBE_FACES];
    int32_t count = 0;
    for (uint32_t i = 0; i < lights->count; i++)
        if (lights->lights[i].shadow)
            count += fit_light(&lights->lights[i], lights->map_size, framing, fit);
    return count;
}

// ---- Maps and passes ----------------------------------------------------------------------------

static void fill(float *to, size_t count, float value)
{
    for (size_t i = 0; i < count; i++)
        to[i] = value;
}

/// Texels of a map, and its border. Rows are not a power of two apart: those around a point would
/// compete for the same lines of the cache. Vectors of texels that begin in the border may end 16
/// texels behind it. The border next to the rows of a tile is left to store_tile.
static zt_result map_allocate(shade_shadow_map *map, float **out_texels, arena *a, zt_error *err)
{
    const size_t border = SHADOW_BORDER, height = (size_t)map->height + 2 * border;
    const size_t stride = pad16(LEFT_COLUMNS + (size_t)map->width + border) + 16;
    float *texels = ARENA_ARRAY_RAW(a, float, stride *height);
    if (!texels)
        return arena_fail(a, err, "shadow maps");
    map->stride = (int32_t)stride;
    *out_texels = texels + border * stride + LEFT_COLUMNS;
    map->depth = *out_texels;
    fill(texels, border * stride, -1.0f);
    fill(texels + (height - border) * stride, border * stride, -1.0f);
    return ZT_OK;
}

/// Tiles that nothing is drawn into need not be cleared: most of a map is empty.
static zt_result allocate_filled(view_pass *pass, shade_shadow_map *map, zt_error *err)
{
    const size_t wide = (size_t)pass->tile_columns + 2, high = (size_t)pass->tile_rows + 2;
    pass->shadow_filled = ARENA_ARRAY(pass->shared->arena, int32_t, wide * high);
    if (!pass->shadow_filled)
        return arena_fail(pass->shared->arena, err, "shadow maps");
    map->filled = pass->shadow_filled;
    map->filled_wide = (int32_t)wide;
    return ZT_OK;
}

/// Fills what lookups need besides the texels.
static void map_build(const shadow_fit *fit, const view *v, shade_shadow_map *out)
{
    const view_camera *c = &fit->camera;
    const double half = fit->height * 0.5;
    const double pixels = c->orthographic ? half / c->half_height : c->focal * half;
    const double scale = c->orthographic ? 1.0 / (pixels * (c->far_m - c->near_m)) : 1.0 / pixels;
    out->view = v->transform;
    const int32_t side = fit->width > fit->height ? fit->width : fit->height;
    out->inside = fit->is_face ? (float)(pixels + 0.5) : 0.5f * (float)side + 2.0f;
    out->texel_m = (float)(1.0 / pixels);
    out->steps = (float)scale;
    for (int k = 0; k < 3; k++) {
        out->eye[k] = (float)c->eye[k];
        out->forward[k] = (float)c->forward[k];
        out->plane_x[k] = (float)(c->right[k] * scale);
        out->plane_y[k] = (float)(-c->up[k] * scale);
    }
}

static int32_t cover_cells(int32_t texels)
{
    return ((texels - 1) >> SHADOW_COVER_SHIFT) + 1;
}

/// What a map needs for penumbras. A point of the surface sees the light at the angle of its size:
/// what blocks it at the distance z from the surface is out of focus by z times half of that
/// angle's tangent, and in perspective by radius * (1 / z_blocker - 1 / z_surface) at the
/// distance 1.
static zt_result map_soften(const frame_light *light, const shadow_fit *fit, arena *a,
                            shade_shadow_map *out, zt_error *err)
{
    const view_camera *c = &fit->camera;
    const double half = fit->height * 0.5, blur = blur_of(light);
    const double range = c->far_m - c->near_m;
    const double spread =
        c->orthographic ? blur * range * (half / c->half_height) : blur * c->focal * half;
    // In perspective, from the nearest depth that matters to the farthest.
    const double reach = c->orthographic ? spread : spread * fit->nearest_depth;
    const double widest = WIDEST_PENUMBRA * (fit->width > fit->height ? fit->width : fit->height);
    out->spread = (float)spread;
    out->search = (float)(reach < widest ? reach : widest);
    while (out->cell_shift < CELL_SHIFT_MAX &&
           (float)(1 << out->cell_shift) < CELL_OF_SEARCH * out->search)
        out->cell_shift++;
    out->cell_shift = out->cell_shift < CELL_SHIFT_MIN ? CELL_SHIFT_MIN : out->cell_shift;
    out->cells_wide = ((fit->width - 1) >> out->cell_shift) + 1;
    out->cells_high = ((fit->height - 1) >> out->cell_shift) + 1;
    out->cover_wide = cover_cells(fit->width);
    const size_t count = (size_t)out->cells_wide * (size_t)out->cells_high;
    const size_t covers = (size_t)out->cover_wide * (size_t)cover_cells(fit->height) + COVER_AFTER;
    float *cells = ARENA_ARRAY_RAW(a, float, count), *cover = ARENA_ARRAY_RAW(a, float, covers);
    if (!cells || !cover)
        return arena_fail(a, err, "shadow maps");
    fill(cover + covers - COVER_AFTER, COVER_AFTER, -1.0f); // the others are of tiles
    out->cells = cells;
    out->cover = cover;
    return ZT_OK;
}

static zt_result map_init(const view_shared *shared, const shade_frame *shade,
                          const shadow_fit *fit, bool veils, int32_t run_count,
                          shade_shadow_map *map, view_pass *out, zt_error *err)
{
    const int32_t width = fit->width, height = fit->height;
    map->width = width;
    map->height = height;
    *out = (view_pass){
        .shared = shared,
        .target = {.width = width, .height = height},
        .sample_count = 1,
        .shade = *shade,
        .shadow_map = map
    };
    out->shade.shadow_count = 0;
    ZT_TRY(map_allocate(map, &out->shadow_texels, shared->arena, err));
    if (veils)
        ZT_TRY(shadow_veil_allocate(map, shared->arena, &out->shadow_veil, err));
    ZT_TRY(view_pass_init(out, &fit->camera, run_count, err));
    map_build(fit, &out->view, map);
    return ZT_OK;
}

zt_result shadow_view_init(const view_shared *shared, const shade_frame *shade,
                           const view_camera *camera, int32_t width, int32_t height,
                           int32_t run_count, shade_shadow_map *map, view_pass *out, zt_error *err)
{
    const shadow_fit fit = {.camera = *camera, .width = width, .height = height};
    return map_init(shared, shade, &fit, false, run_count, map, out, err);
}

/// Both sides of all surfaces cast shadows, and surfaces that blend do in part.
zt_result shadow_surface_flags(const uint8_t *flags, uint32_t count, bool veils, arena *a,
                               const uint8_t **out_flags, zt_error *err)
{
    uint8_t *casters = ARENA_ARRAY_RAW(a, uint8_t, count);
    if (!casters)
        return arena_fail(a, err, "materials of a frame");
    for (uint32_t i = 0; i < count; i++) {
        unsigned f = flags[i] | SURFACE_DOUBLE_SIDED;
        if (!veils && f & SURFACE_BLENDED)
            f = (f & ~(unsigned)SURFACE_BLENDED) | SURFACE_MASKED;
        f |= flags[i] & SURFACE_GROUND ? SURFACE_INVISIBLE : 0u;
        casters[i] = (uint8_t)f;
    }
    *out_flags = casters;
    return ZT_OK;
}

zt_result shadow_passes_init(const view_shared *shared, const shade_frame *shade,
                             const frame_light_set *lights, const scene_framing *framing,
                             bool veils, int32_t run_count, view_pass *passes, zt_error *err)
{
    for (uint32_t i = 0; i < lights->count; i++) {
        const frame_light *light = &lights->lights[i];
        shadow_fit fit[CUBE_FACES];
        if (!light->shadow)
            continue;
        const int32_t count = fit_light(light, lights->map_size, framing, fit);
        shade_shadow_map *maps = ARENA_ARRAY(shared->arena, shade_shadow_map, (size_t)count);
        if (!maps)
            return arena_fail(shared->arena, err, "shadow maps");
        for (int32_t k = 0; k < count; k++) {
            ZT_TRY(map_init(shared, shade, &fit[k], veils, run_count, &maps[k], passes, err));
            if (!veils)
                ZT_TRY(allocate_filled(passes, &maps[k], err));
            passes++;
            if (light->scene->size > 0.0)
                ZT_TRY(map_soften(light, &fit[k], shared->arena, &maps[k], err));
        }
        light->shadow->maps = maps;
        light->shadow->map_count = count;
    }
    return ZT_OK;
}

// ---- Tiles --------------------------------------------------------------------------------------

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/// The largest depth of each cell of a tile.
static void store_cells(const shade_shadow_map *map, tile_rect rect, const tile_buffers *tile)
{
    const int32_t wide = ((rect.width - 1) >> SHADOW_COVER_SHIFT) + 1;
    for (int32_t y = 0; y < rect.height; y += SHADOW_COVER_CELL)
        fill(shadow_cell(map, rect.x, rect.y + y), (size_t)wide, -1.0f);
    if (!tile->touched)
        return;
    for (int32_t block = 0; block < TILE_BLOCK_COUNT; block++) {
        const int32_t x = rect.x + block % TILE_BLOCKS * 4, y = rect.y + block / TILE_BLOCKS * 4;
        const float *depth = tile->visibility.depth + (ptrdiff_t)block * 16;
        if (x >= map->width || y >= map->height)
            continue; // samples outside of the map may have any values
        float most[4], *cell = shadow_cell(map, x, y);
        for (int32_t i = 0; i < 4; i++)
            most[i] = larger(larger(depth[i], depth[i + 4]), larger(depth[i + 8], depth[i + 12]));
        *cell = larger(*cell, larger(larger(most[0], most[1]), larger(most[2], most[3])));
    }
}

/// The cells of the search for what blocks the light, from finer ones.
static void reduce_cells(const shade_shadow_map *map)
{
    const int32_t shift = map->cell_shift - SHADOW_COVER_SHIFT, wide = map->cover_wide;
    float *cells = (float *)(uintptr_t)map->cells;
    for (int32_t y = 0; y < cover_cells(map->height); y++) {
        const float *from = map->cover + (ptrdiff_t)y * wide;
        float *to = cells + (ptrdiff_t)(y >> shift) * map->cells_wide;
        const bool first = y == (y >> shift) << shift;
        for (int32_t cell = 0; cell << shift < wide; cell++) {
            const int32_t end = (cell + 1) << shift < wide ? (cell + 1) << shift : wide;
            float most = first ? -1.0f : to[cell];
            for (int32_t x = cell << shift; x < end; x++)
                most = larger(most, from[x]);
            to[cell] = most;
        }
    }
}

/// The largest of three adjacent values along a row.
static void widen_row(float *row, int32_t width)
{
    float before = row[0];
    for (int32_t x = 0; x < width; x++) {
        const float own = row[x], after = x + 1 < width ? row[x + 1] : own;
        row[x] = larger(larger(before, after), own);
        before = own;
    }
}

/// Raises `to` [width] to `from`.
static void raise_to(float *restrict to, const float *restrict from, int32_t width)
{
    for (int32_t x = 0; x < width; x++)
        to[x] = larger(to[x], from[x]);
}

/// Raises `to` [width] to neighbours in the row `from`, less what the cone of light rises between.
static void raise_row(float *restrict to, const float *restrict from, int32_t width, float side,
                      float diagonal)
{
    for (int32_t x = 0; x < width; x++) {
        const float left = from[x > 0 ? x - 1 : 0], right = from[x + 1 < width ? x + 1 : x];
        to[x] = larger(larger(to[x], from[x] - side), larger(left, right) - diagonal);
    }
}

/// Depths of a cell -> of what reaches into the cones above it: each cell covers those around it,
/// and others by what the cone rises on the way (a distance transform in two passes; Borgefors,
/// "Distance transformations in digital images", 1986).
static void spread_cover(const shade_shadow_map *map)
{
    const int32_t wide = map->cover_wide, high = cover_cells(map->height);
    const float side = (float)SHADOW_COVER_CELL * SHADOW_CONE / map->spread;
    const float diagonal = 1.4f * side;
    float *cover = (float *)(uintptr_t)map->cover;
    for (int32_t y = 0; y < high; y++)
        widen_row(cover + (ptrdiff_t)y * wide, wide);
    // The largest of three along columns: first that of two, then that of two of these.
    for (int32_t y = 0; y + 1 < high; y++)
        raise_to(cover + (ptrdiff_t)y * wide, cover + (ptrdiff_t)(y + 1) * wide, wide);
    for (int32_t y = high - 1; y > 0; y--)
        raise_to(cover + (ptrdiff_t)y * wide, cover + (ptrdiff_t)(y - 1) * wide, wide);
    for (int32_t y = 0; y < high; y++) {
        float *row = cover + (ptrdiff_t)y * wide;
        if (y > 0)
            raise_row(row, row - wide, wide, side, diagonal);
        for (int32_t x = 1; x < wide; x++)
            row[x] = larger(row[x], row[x - 1] - side);
    }
    for (int32_t y = high - 1; y >= 0; y--) {
        float *row = cover + (ptrdiff_t)y * wide;
        if (y + 1 < high)
            raise_row(row, row + wide, wide, side, diagonal);
        for (int32_t x = wide - 2; x >= 0; x--)
            row[x] = larger(row[x], row[x + 1] - side);
    }
}

void shadow_pass_finish(const view_pass *pass)
{
    if (!pass->shadow_map->cover)
        return;
    reduce_cells(pass->shadow_map);
    spread_cover(pass->shadow_map);
}

/// Copies the depths of a row of a tile: groups of 4 texels, 16 floats apart.
static void store_row(const float *restrict from, int32_t width, float *restrict to)
{
    for (int32_t x = 0; x + 4 <= width; x += 4)
        memcpy(to + x, from + 4 * x, 4 * sizeof *to);
    for (int32_t x = width & ~3; x < width; x++)
        to[x] = from[4 * (x & ~3) + (x & 3)];
}

/// True when something is drawn into one of the tiles [column, last_column] x [row, last_row].
static bool tiles_have_casters(const view_pass *pass, int32_t column, int32_t row,
                               int32_t last_column, int32_t last_row)
{
    for (int32_t y = row < 0 ? 0 : row; y <= last_row && y < pass->tile_rows; y++)
        for (int32_t x = column < 0 ? 0 : column; x <= last_column && x < pass->tile_columns; x++)
            for (int32_t i = 0; i < pass->run_count; i++) {
                const bins *b = &pass->bins[i];
                const int32_t tile = y * pass->tile_columns + x;
                if (b->head[BIN_OPAQUE][tile] || b->small[BIN_SMALL_FIRST][tile] ||
                    b->small[BIN_SMALL_BEHIND][tile])
                    return true;
            }
    return false;
}

/// Sets the map's `filled` of a tile, and of those before it that are outside of the map. Lookups
/// read up to four texels to the right of a texel and down from it. Returns true if some of them
/// reads the tile.
static bool mark_filled(const view_pass *pass, int32_t column, int32_t row)
{
    for (int32_t y = row == 0 ? -1 : row; y <= row; y++)
        for (int32_t x = column == 0 ? -1 : column; x <= column; x++)
            pass->shadow_filled[(y + 1) * (pass->tile_columns + 2) + x + 1] =
                tiles_have_casters(pass, x, y, x + 1, y + 1);
    return tiles_have_casters(pass, column - 1, row - 1, column + 1, row + 1);
}

/// Begins to load a row of a tile of the map for writing. Rows are pages apart, and no processor
/// foresees where the next one begins.
static void prefetch_row(const float *row, int32_t width)
{
    const int32_t line = 16;
    for (int32_t x = 0; x < width; x += line)
        __builtin_prefetch(row + x, 1, 3);
}

/// Fills the border of the map next to a row of the tile at `rect`.
static void store_border(const shade_shadow_map *map, tile_rect rect, float *row)
{
    const int32_t right = rect.x + rect.width, end = map->stride - LEFT_COLUMNS;
    if (rect.x == 0)
        fill(row - LEFT_COLUMNS, LEFT_COLUMNS, -1.0f);
    if (right == map->width)
        fill(row + rect.width, (size_t)(end - right), -1.0f);
}

/// Copies the depths of a tile, which are in block order, to the rows of the map.
static void store_tile(const view_pass *pass, tile_rect rect, const tile_buffers *tile)
{
    if (pass->shadow_filled && !mark_filled(pass, rect.x / TILE_SIZE, rect.y / TILE_SIZE))
        return;
    const size_t stride = (size_t)pass->shadow_map->stride;
    const float *depth = tile->visibility.depth;
    const int32_t width = rect.width;
    float *to = pass->shadow_texels + (size_t)rect.y * stride + (size_t)rect.x;
    enum { ROWS_AHEAD = 8 };
    for (int32_t y = 0; y < rect.height; y++, to += stride) {
        if (y + ROWS_AHEAD < rect.height)
            prefetch_row(to + ROWS_AHEAD * stride, width);
        if (tile->touched)
            store_row(depth + (y / 4 * TILE_BLOCKS * 4 + y % 4) * 4, width, to);
        else
            fill(to, (size_t)width, -1.0f);
        store_border(pass->shadow_map, rect, to);
    }
}

bool shadow_pass_tile(const view_pass *pass, int64_t index, render_worker *worker)
{
    const tile_rect rect = view_pass_rect(pass, index);
    const raster_alpha_test alpha_test = {pass->shared->kernels->shade->alpha_test, &pass->shade};
    tile_input input;
    arena_reset(&worker->tile_arena);
    tile_buffers tile = worker->tile;
    tile.sample_count = 1;
    if (!pass->shadow_veil.near)
        tile.visibility.id = NULL;
    if (!view_pass_gather(pass, index, &worker->tile_arena, &input))
        return false;
    if (!tile_raster(&tile, pass->shared->kernels->raster, rect, &input, alpha_test,
                     &worker->tile_arena))
        return false;
    store_tile(pass, rect, &tile);
    if (pass->shadow_map->cover)
        store_cells(pass->shadow_map, rect, &tile);
    if (pass->shadow_veil.near && !shadow_veil_tile(pass, rect, &input, &tile, worker))
        return false;
    render_worker_lap(worker, ZT_STAGE_RASTER);
    return true;
}
