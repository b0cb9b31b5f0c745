// SPDX-License-Identifier: MIT
// Tangents of a mesh without any, by MikkTSpace's definition, one thread:
//     bench_tangents [--filter TEXT] [--repeat N] [--json]
// A wavy sheet of 320 x 320 quads whose texture is mirrored halfway: vertices are welded, corners
// grouped, and the seam is split. Mtri/s is the inverse of ns a triangle, times 1000.
#include "bench_timing.h"
#include "mesh/tangents.h"
#include "own.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 320, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static float wave(int i) { return 0.1f * (float)((i * 37) % 23) / 23.0f; }

static bool make_sheet(arena *a, mesh_source *out)
{
    uint32_t *corner = ARENA_ARRAY(a, uint32_t, 3 * TRIANGLES);
    *out = (mesh_source){.name = "",
                         .vertex_count = VERTICES,
                         .position = ARENA_ARRAY(a, vertex_position, pad16(VERTICES)),
                         .attributes = ARENA_ARRAY(a, vertex_attributes, pad16(VERTICES)),
                         .triangle_count = TRIANGLES,
                         .corner = corner,
                         .material = ARENA_ARRAY(a, uint32_t, TRIANGLES)};
    if (!corner || !out->position || !out->attributes || !out->material)
        return false;
    for (int y = 0; y <= SIDE; y++)
        for (int x = 0; x <= SIDE; x++) {
            const int v = y * (SIDE + 1) + x, fold = x < SIDE / 2 ? x : SIDE - x;
            out->position[v] = (vertex_position){(float)x, wave(x) + wave(y), (float)y, 1.0f};
            out->attributes[v] = (vertex_attributes){0.0f, 1.0f, 0.0f, (float)fold / SIDE,
                                                     0.0f, 0.0f, 0.0f, (float)y / SIDE};
        }
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t v = y * (SIDE + 1) + x, below = v + SIDE + 1;
            const uint32_t both[6] = {v, below, v + 1, v + 1, below, below + 1};
            memcpy(corner + 6 * (y * SIDE + x), both, sizeof both);
        }
    return true;
}

int main(int argc, char **argv)
{
    static bench_series series;
    bench_options o;
    if (!bench_options_read(argc, argv, &o) || !bench_selected(&o, "mikktspace"))
        return 2;
    OWN_MEMORY(a, 0);
    zt_error err = {ZT_OK, ""};
    zt_result r = ZT_OK;
    uint64_t sum = 0;
    for (int32_t i = 0; r == ZT_OK && i < o.repeats + BENCH_WARM_UP; i++) {
        mesh_source mesh;
        arena_reset(&a);
        if (!make_sheet(&a, &mesh)) {
            r = arena_fail(&a, &err, "sheet");
            break;
        }
        const uint64_t start = bench_now_ns();
        r = tangents_generate(NULL, &a, &mesh, &err);
        bench_add_since(&series, i, start);
        sum = bench_hash(mesh.attributes, mesh.vertex_count * sizeof *mesh.attributes);
    }
    if (r == ZT_OK)
        bench_report(&o, "mikktspace", "c", "ns/triangle", 1.0 / TRIANGLES, &series, sum);
    else
        fprintf(stderr, "%s\n", err.message);
    return (int)r;
}
