// SPDX-License-Identifier: MIT
#include "raster_stage.h"

#include "raster/tile.h"
#include "testing.h"

void tile_clear(tile_memory *t, int32_t samples)
{
    for (int32_t i = 0; i < samples * TILE_PIXELS; i++) {
        t->depth[i] = -1.0f;
        t->id[i] = ID_NONE;
    }
}

uint32_t set_up(const kernel_table *k, const corner_fx8 c[3], setup_cull cull, int32_t samples,
                uint32_t id, setup_triangle *out)
{
    static screen_vertices v;
    static const uint8_t corner[3][16] = {{0}, {1}, {2}};
    for (int i = 0; i < 3; i++) {
        v.sx[i] = c[i].x;
        v.sy[i] = c[i].y;
        v.depth[i] = c[i].z;
    }
    uint8_t clip_list[1];
    uint32_t out_count = 0, clip_count = 0;
    k->geometry->setup(&(setup_job){.vertices = &v,
                                    .corner = {corner[0], corner[1], corner[2]},
                                    .count = 1,
                                    .cull = cull,
                                    .width = 16384,
                                    .height = 16384,
                                    .first_id = id,
                                    .sample_count = samples,
                                    .out = out,
                                    .out_count = &out_count,
                                    .clip_list = clip_list,
                                    .clip_count = &clip_count});
    cr_assert_eq(clip_count, 0u);
    return out_count;
}

void draw(const kernel_table *k, tile_memory *t, int32_t tile_x, int32_t tile_y, int32_t samples,
          const setup_triangle *const *list, uint32_t count)
{
    k->raster->draw(&(raster_job){.tile = {t->depth, t->id},
                                  .tile_x = tile_x,
                                  .tile_y = tile_y,
                                  .sample_count = samples,
                                  .sample = sample_pattern(samples),
                                  .triangles = list,
                                  .count = count});
}

int32_t clamp_guard(int32_t v)
{
    const int32_t lo = GUARD_MIN_PX * 256, hi = GUARD_MAX_PX * 256;
    return v < lo ? lo : v > hi ? hi : v;
}

void random_triangle(random_state *r, int32_t cx, int32_t cy, corner_fx8 c[3])
{
    static const int32_t spans[] = {300, 3000, 12000, 60000, 1000000};
    const uint32_t kind = random_u32(r) % 8;
    const int32_t span = spans[random_u32(r) % 5];
    for (int i = 0; i < 3; i++) {
        c[i].x = cx + random_int(r, -span, span);
        c[i].y = cy + random_int(r, -span, span);
        c[i].z = random_float(r, 0.01f, 2.0f);
        if (kind == 0) { // anywhere in the guard band
            c[i].x = random_int(r, GUARD_MIN_PX * 256, GUARD_MAX_PX * 256);
            c[i].y = random_int(r, GUARD_MIN_PX * 256, GUARD_MAX_PX * 256);
        }
        if (kind == 1) { // on pixel centres
            c[i].x = (c[i].x & ~255) + 128;
            c[i].y = (c[i].y & ~255) + 128;
        }
        if (kind == 2) { // on multiples of 1/16 pixel, where the sample patterns lie
            c[i].x &= ~15;
            c[i].y &= ~15;
        }
    }
    if (kind == 6) // nearly flat: rounding alone would leave the range of the corners' depths
        for (int i = 0; i < 3; i++)
            c[i].z = 1.0f + (float)random_int(r, 0, 3) * 0x1p-23f;
    if (kind == 3) { // a sliver: the third corner next to the line through the others
        c[2].x = c[0].x + (c[1].x - c[0].x) / 3 + random_int(r, -2, 2);
        c[2].y = c[0].y + (c[1].y - c[0].y) / 3 + random_int(r, -2, 2);
    }
    if (kind == 4) { // corners of the guard band
        c[0].x = random_u32(r) & 1 ? GUARD_MIN_PX * 256 : GUARD_MAX_PX * 256;
        c[0].y = random_u32(r) & 1 ? GUARD_MIN_PX * 256 : GUARD_MAX_PX * 256;
        c[1].x = random_u32(r) & 1 ? GUARD_MIN_PX * 256 : GUARD_MAX_PX * 256;
        c[1].y = random_u32(r) & 1 ? GUARD_MIN_PX * 256 : GUARD_MAX_PX * 256;
    }
    if (kind == 5) // one horizontal or vertical edge
        *(random_u32(r) & 1 ? &c[1].x : &c[1].y) = random_u32(r) & 1 ? c[0].x : c[0].y;
    for (int i = 0; i < 3; i++) {
        c[i].x = clamp_guard(c[i].x);
        c[i].y = clamp_guard(c[i].y);
    }
}

void shuffle(random_state *r, const setup_triangle **list, uint32_t count)
{
    for (uint32_t i = count - 1; i > 0; i--) {
        const uint32_t j = (uint32_t)random_int(r, 0, (int32_t)i);
        const setup_triangle *swap = list[i];
        list[i] = list[j];
        list[j] = swap;
    }
}
