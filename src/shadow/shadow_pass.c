// SPDX-License-Identifier: MIT
// The texels of shadow maps, tile by tile.
#include "shadow/shadow_pass.h"

#include <string.h>

enum { LEFT_COLUMNS = 16 }; ///< of a map, its border among them: rows of tiles are whole lines

_Static_assert((int)LEFT_COLUMNS >= (int)SHADOW_BORDER, "the border is on the left, too");

int32_t shadow_pass_count(const shadow_light *lights, int32_t count, const shadow_bounds *bounds)
{
    shadow_fit fit[SHADOW_CUBE_FACES];
    int32_t maps = 0;
    for (int32_t i = 0; i < count; i++)
        maps += shadow_fit_light(&lights[i], bounds, fit);
    return maps;
}

/// Texels of a map, and its border. Rows are not a power of two apart: those around a point would
/// compete for the same lines of the cache. Vectors of texels that begin in the border may end 16
/// texels behind it. The border next to the rows of a tile is left to store_tile.
static zt_result map_allocate(shadow_map *map, float **out_texels, arena *a, zt_error *err)
{
    const size_t border = SHADOW_BORDER, height = (size_t)map->height + 2 * border;
    const size_t stride = pad16(LEFT_COLUMNS + (size_t)map->width + border) + 16;
    float *texels;
    ZT_TRY(ARENA_TAKE_RAW(a, &texels, stride * height, "shadow maps", err));
    map->stride = (int32_t)stride;
    *out_texels = texels + border * stride + LEFT_COLUMNS;
    map->depth = *out_texels;
    shadow_clear(texels, border * stride);
    shadow_clear(texels + (height - border) * stride, border * stride);
    return ZT_OK;
}

/// Tiles that nothing is drawn into need not be cleared: most of a map is empty.
static zt_result allocate_filled(shadow_pass *pass, arena *a, shadow_map *map, zt_error *err)
{
    const size_t wide = (size_t)pass->view.tile_columns + 2,
                 high = (size_t)pass->view.tile_rows + 2;
    ZT_TRY(ARENA_TAKE(a, &pass->filled, wide * high, "shadow maps", err));
    map->filled = pass->filled;
    map->filled_wide = (int32_t)wide;
    return ZT_OK;
}

/// Fills what lookups need besides the texels.
static void map_build(const shadow_fit *fit, const screen_view *v, shadow_map *out)
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

/// What a map needs for penumbras. A point sees the light at the angle of its size: a blocker at
/// distance z from it is out of focus by z times half of that angle's tangent, in perspective by
/// radius * (1 / z_blocker - 1 / z_surface) at the distance 1.
static zt_result map_soften(const shadow_light *light, const shadow_fit *fit, arena *a,
                            shadow_map *out, zt_error *err)
{
    const view_camera *c = &fit->camera;
    const double half = fit->height * 0.5, blur = light->blur;
    const double range = c->far_m - c->near_m;
    const double spread =
        c->orthographic ? blur * range * (half / c->half_height) : blur * c->focal * half;
    // In perspective, from the nearest depth that matters to the farthest.
    const double reach = c->orthographic ? spread : spread * fit->nearest_depth;
    const double widest =
        SHADOW_WIDEST_PENUMBRA * (fit->width > fit->height ? fit->width : fit->height);
    out->spread = (float)spread;
    out->search = (float)(reach < widest ? reach : widest);
    return shadow_cover_allocate(out, a, err);
}

static zt_result map_init(const view_shared *shared, const shadow_fit *fit, bool veils,
                          int32_t run_count, arena *a, shadow_map *map, shadow_pass *out,
                          zt_error *err)
{
    map->width = fit->width;
    map->height = fit->height;
    *out = (shadow_pass){.view = {.shared = shared,
                                  .width = fit->width,
                                  .height = fit->height,
                                  .sample_count = 1,
                                  .depth_only = true},
                         .map = map};
    ZT_TRY(map_allocate(map, &out->texels, a, err));
    if (veils)
        ZT_TRY(shadow_veil_allocate(map, a, &out->veil, err));
    ZT_TRY(view_pass_init(&out->view, &fit->camera, run_count, err));
    map_build(fit, &out->view.view, map);
    return ZT_OK;
}

zt_result shadow_view_init(const view_shared *shared, const view_camera *camera, int32_t width,
                           int32_t height, int32_t run_count, arena *texels, shadow_map *map,
                           shadow_pass *out, zt_error *err)
{
    const shadow_fit fit = {.camera = *camera, .width = width, .height = height};
    return map_init(shared, &fit, false, run_count, texels, map, out, err);
}

/// Both sides of all surfaces cast shadows, and surfaces that blend do in part.
zt_result shadow_surface_flags(const uint8_t *flags, uint32_t count, bool veils, arena *a,
                               const uint8_t **out_flags, zt_error *err)
{
    uint8_t *casters;
    ZT_TRY(ARENA_TAKE_RAW(a, &casters, count, "materials of a frame", err));
    for (uint32_t i = 0; i < count; i++) {
        unsigned f = flags[i] | SURFACE_DOUBLE_SIDED;
        if (!veils && f & SURFACE_BLENDED)
            f = (f & ~(unsigned)SURFACE_BLENDED) | SURFACE_MASKED;
        casters[i] = (uint8_t)f;
    }
    *out_flags = casters;
    return ZT_OK;
}

zt_result shadow_passes_init(const shadow_light *lights, int32_t count, const shadow_bounds *bounds,
                             bool veils, int32_t run_count, shadow_pass *passes, zt_error *err)
{
    for (int32_t i = 0; i < count; i++) {
        const shadow_light *light = &lights[i];
        shadow_fit fit[SHADOW_CUBE_FACES];
        const int32_t map_count = shadow_fit_light(light, bounds, fit);
        shadow_map *maps;
        ZT_TRY(ARENA_TAKE(light->arena, &maps, (size_t)map_count, "shadow maps", err));
        for (int32_t k = 0; k < map_count; k++) {
            ZT_TRY(map_init(light->shared, &fit[k], veils, run_count, light->arena, &maps[k],
                            passes, err));
            if (!veils)
                ZT_TRY(allocate_filled(passes, light->arena, &maps[k], err));
            passes++;
            if (light->has_size)
                ZT_TRY(map_soften(light, &fit[k], light->arena, &maps[k], err));
        }
        light->maps->maps = maps;
        light->maps->map_count = map_count;
    }
    return ZT_OK;
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
static bool tiles_have_casters(const shadow_pass *pass, int32_t column, int32_t row,
                               int32_t last_column, int32_t last_row)
{
    for (int32_t y = row < 0 ? 0 : row; y <= last_row && y < pass->view.tile_rows; y++)
        for (int32_t x = column < 0 ? 0 : column; x <= last_column && x < pass->view.tile_columns;
             x++)
            for (int32_t i = 0; i < pass->view.run_count; i++) {
                const bins *b = &pass->view.bins[i];
                const int32_t tile = y * pass->view.tile_columns + x;
                if (b->head[BIN_OPAQUE][tile] || b->small[BIN_SMALL_FIRST][tile] ||
                    b->small[BIN_SMALL_BEHIND][tile])
                    return true;
            }
    return false;
}

/// Sets the map's `filled` of a tile, and of those before it outside of the map. Lookups read up to
/// four texels to the right and down. Returns true if some of them reads the tile.
static bool mark_filled(const shadow_pass *pass, int32_t column, int32_t row)
{
    for (int32_t y = row == 0 ? -1 : row; y <= row; y++)
        for (int32_t x = column == 0 ? -1 : column; x <= column; x++)
            pass->filled[(y + 1) * (pass->view.tile_columns + 2) + x + 1] =
                tiles_have_casters(pass, x, y, x + 1, y + 1);
    return tiles_have_casters(pass, column - 1, row - 1, column + 1, row + 1);
}

/// Begins to load a map tile's row for writing: rows are pages apart, in an unforeseen order.
static void prefetch_row(const float *row, int32_t width)
{
    const int32_t line = 16;
    for (int32_t x = 0; x < width; x += line)
        __builtin_prefetch(row + x, 1, 3);
}

/// Fills the border of the map next to a row of the tile at `rect`.
static void store_border(const shadow_map *map, tile_rect rect, float *row)
{
    const int32_t right = rect.x + rect.width, end = map->stride - LEFT_COLUMNS;
    if (rect.x == 0)
        shadow_clear(row - LEFT_COLUMNS, LEFT_COLUMNS);
    if (right == map->width)
        shadow_clear(row + rect.width, (size_t)(end - right));
}

/// Copies the depths of a tile, which are in block order, to the rows of the map.
static void store_tile(const shadow_pass *pass, tile_rect rect, const tile_buffers *tile)
{
    if (pass->filled && !mark_filled(pass, rect.x / TILE_SIZE, rect.y / TILE_SIZE))
        return;
    const size_t stride = (size_t)pass->map->stride;
    const float *depth = tile->visibility.depth;
    const int32_t width = rect.width;
    float *to = pass->texels + (size_t)rect.y * stride + (size_t)rect.x;
    enum { ROWS_AHEAD = 8 };
    for (int32_t y = 0; y < rect.height; y++, to += stride) {
        if (y + ROWS_AHEAD < rect.height)
            prefetch_row(to + ROWS_AHEAD * stride, width);
        if (tile->touched)
            store_row(depth + (y / 4 * TILE_BLOCKS * 4 + y % 4) * 4, width, to);
        else
            shadow_clear(to, (size_t)width);
        store_border(pass->map, rect, to);
    }
}

bool shadow_pass_tile(const shadow_pass *pass, int64_t index, const tile_buffers *buffers, arena *a)
{
    const tile_rect rect = view_pass_rect(&pass->view, index);
    tile_input input;
    arena_reset(a);
    tile_buffers tile = *buffers;
    tile.sample_count = 1;
    if (!pass->veil.near)
        tile.visibility.id = NULL;
    if (!view_pass_gather(&pass->view, index, true, a, &input) ||
        !tile_raster(&tile, pass->view.shared->raster_loops, rect, &input, pass->caster.test, a))
        return false;
    store_tile(pass, rect, &tile);
    if (pass->map->cover)
        shadow_cover_tile(pass->map, rect, &tile);
    return !pass->veil.near || shadow_veil_tile(pass, rect, &input, &tile, a);
}

void shadow_pass_finish(const shadow_pass *pass)
{
    if (pass->map->cover)
        shadow_cover_finish(pass->map);
}
