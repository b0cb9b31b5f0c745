// SPDX-License-Identifier: MIT
/// Setup and raster against independent references: coverage in 64-bit integers, from the
/// definition of the fill rule; meshes that must cover every sample once; depth planes in double;
/// ties. With the environment variable ZT_ORACLE_FACTOR=200 it tests two million random triangles.
#include "raster/tile.h"
#include "raster_stage.h"
#include "testing.h"

#include <criterion/logging.h>
#include <inttypes.h>

static const double EPS = 1.0 / 8388608.0; ///< 2^-23: twice the rounding error of one operation

/// Is fx8 point (x, y) in the triangle? By the definition of the top-left rule, not by its formula:
/// a sample on an edge belongs to the side of (x + e, y + e^2), for a tiny e > 0.
static bool reference_inside(const corner_fx8 c[3], int64_t x, int64_t y)
{
    const int64_t area = ((int64_t)c[1].x - c[0].x) * ((int64_t)c[2].y - c[0].y) -
                         ((int64_t)c[1].y - c[0].y) * ((int64_t)c[2].x - c[0].x);
    if (area == 0)
        return false;
    const int64_t sign = area > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) {
        const corner_fx8 *a = &c[i], *b = &c[(i + 1) % 3];
        const int64_t dx = ((int64_t)b->x - a->x) * sign, dy = ((int64_t)b->y - a->y) * sign;
        const int64_t e = dx * (y - a->y) - dy * (x - a->x);
        const int64_t first = -dy, second = dx; // coefficients of e and e^2
        if (e < 0 || (e == 0 && (first < 0 || (first == 0 && second < 0))))
            return false;
    }
    return true;
}

/// Factor of the number of tests.
static uint64_t oracle_factor(void)
{
    const char *text = getenv("ZT_ORACLE_FACTOR");
    const uint64_t factor = text ? strtoull(text, NULL, 10) : 1;
    return factor > 0 ? factor : 1;
}

typedef uint8_t coverage_map[SAMPLES_MAX * TILE_PIXELS]; ///< laid out like raster_tile

/// The samples of a tile that a triangle covers. Returns their number.
static uint32_t reference_coverage(const corner_fx8 c[3], int32_t tile_x, int32_t tile_y,
                                   int32_t samples, coverage_map out)
{
    const int8_t(*offset)[2] = sample_pattern(samples);
    uint32_t covered = 0;
    for (int32_t s = 0; s < samples; s++)
        for (int32_t y = 0; y < TILE_SIZE; y++)
            for (int32_t x = 0; x < TILE_SIZE; x++) {
                const int64_t px = (int64_t)(tile_x + x) * 256 + 128 + offset[s][0];
                const int64_t py = (int64_t)(tile_y + y) * 256 + 128 + offset[s][1];
                const bool inside = reference_inside(c, px, py);
                out[(int32_t)block_linear(x, y) * samples + s] = inside;
                covered += inside;
            }
    return covered;
}

/// Draws one triangle into a tile that it clears.
static void draw_alone(const kernel_table *k, const corner_fx8 c[3], int32_t tile_x, int32_t tile_y,
                       int32_t samples, uint32_t id, tile_memory *t)
{
    setup_triangle triangle;
    const setup_triangle *list = &triangle;
    tile_clear(t, samples);
    const uint32_t count = set_up(k, c, SETUP_CULL_NONE, samples, id, &triangle);
    draw(k, t, tile_x, tile_y, samples, &list, count);
}

Test(raster_oracle, coverage)
{
    static coverage_map want;
    static tile_memory t[1];
    int64_t tested = 0, covered = 0, triangles = 0;
    for (uint64_t seed = 1; seed <= 10000 * oracle_factor() / ZT_RANDOM_SHARE; seed++) {
        random_state r = {seed * 0x9e3779b97f4a7c15ULL};
        const int32_t samples = seed % 4 ? 1 : 2 << (seed / 4 % 4);
        const int32_t tile_x = random_int(&r, 0, 255) * 64;
        const int32_t tile_y = random_int(&r, 0, 255) * 64;
        corner_fx8 c[3];
        const int32_t near_x = (tile_x + random_int(&r, 0, 63)) * 256;
        const int32_t near_y = (tile_y + random_int(&r, 0, 63)) * 256;
        random_triangle(&r, near_x, near_y, c);
        const uint32_t inside = reference_coverage(c, tile_x, tile_y, samples, want);
        triangles++;
        EACH_KERNEL_TABLE (isa, k) {
            draw_alone(k, c, tile_x, tile_y, samples, 1, t);
            for (int32_t p = 0; p < samples * TILE_PIXELS; p++)
                if ((t->id[p] != ID_NONE) != want[p])
                    cr_assert(false, "%s: sample %d of %d of tile (%d, %d), seed %" PRIu64, k->name,
                              p, samples, tile_x, tile_y, seed);
            covered += inside;
            tested += (int64_t)samples * TILE_PIXELS;
        }
    }
    cr_log_info("coverage: %" PRId64 " triangles, %" PRId64 " samples, %" PRId64 " covered",
                triangles, tested, covered);
    cr_assert(tested > 1000000 && covered > tested / 20);
}

static void count_hits(const tile_memory *t, int32_t samples, uint8_t *hits)
{
    for (int32_t p = 0; p < samples * TILE_PIXELS; p++)
        hits[p] = (uint8_t)(hits[p] + (t->id[p] != ID_NONE));
}

static void check_hit_once(const kernel_table *k, const uint8_t *hits, int32_t samples,
                           uint32_t seed)
{
    for (int32_t p = 0; p < samples * TILE_PIXELS; p++)
        cr_assert_eq(hits[p], 1, "%s: sample %d hit %d times, seed %u", k->name, p, hits[p], seed);
}

/// A jittered grid of shared vertices over the tile: every sample must be covered exactly once.
Test(raster_oracle, shared_edges_cover_once)
{
    enum { CELLS = 12, SIDE = CELLS + 1 };
    static tile_memory t[1];
    static uint8_t hits[SAMPLES_MAX * TILE_PIXELS];
    for (uint32_t seed = 1; seed <= 40 * oracle_factor() / ZT_RANDOM_SHARE; seed++) {
        random_state r = {seed * 7919};
        const int32_t samples = 1 << (seed % 5), tile = 64 * 9, cell = 8 * 256;
        corner_fx8 grid[SIDE][SIDE];
        for (int32_t y = 0; y < SIDE; y++)
            for (int32_t x = 0; x < SIDE; x++) {
                // Jitter below half a cell folds nothing. Every third vertex is on a centre.
                const int32_t jitter = cell / 4 - 1;
                grid[y][x].x = tile * 256 + (x - 2) * cell + random_int(&r, -jitter, jitter);
                grid[y][x].y = tile * 256 + (y - 2) * cell + random_int(&r, -jitter, jitter);
                grid[y][x].z = random_float(&r, 0.1f, 1.0f);
                if (random_u32(&r) % 3 == 0) {
                    grid[y][x].x = (grid[y][x].x & ~255) + 128;
                    grid[y][x].y = (grid[y][x].y & ~255) + 128;
                }
            }
        EACH_KERNEL_TABLE (isa, k) {
            memset(hits, 0, sizeof hits);
            for (int32_t i = 0; i < CELLS * CELLS * 2; i++) {
                const int32_t x = i / 2 % CELLS, y = i / 2 / CELLS;
                const corner_fx8 a = grid[y][x], b = grid[y][x + 1], c = grid[y + 1][x],
                                 d = grid[y + 1][x + 1];
                const corner_fx8 corners[3] = {i & 1 ? b : a, i & 1 ? d : b, c};
                const corner_fx8 reversed[3] = {corners[0], corners[2], corners[1]};
                // Either winding: it must not decide which triangle owns an edge.
                draw_alone(k, (x + y) % 2 ? reversed : corners, tile, tile, samples,
                           (uint32_t)i + 1, t);
                count_hits(t, samples, hits);
            }
            check_hit_once(k, hits, samples, seed);
        }
    }
}

/// A fan around a point in the tile, rim far outside: every sample exactly once.
Test(raster_oracle, fans_cover_once)
{
    enum { RIM = 40 };
    static tile_memory t[1];
    static uint8_t hits[SAMPLES_MAX * TILE_PIXELS];
    for (uint32_t seed = 1; seed <= 40 * oracle_factor() / ZT_RANDOM_SHARE; seed++) {
        random_state r = {seed * 104729};
        const int32_t samples = 1 << (seed % 5), tile = 64 * 20;
        const corner_fx8 hub = {tile * 256 + random_int(&r, 0, 64 * 256),
                                tile * 256 + random_int(&r, 0, 64 * 256), 1.0f};
        corner_fx8 rim[RIM];
        for (int32_t i = 0; i < RIM; i++) { // around a square of half side 4000 px
            const int32_t along = -4000 * 256 + (i % 10) * 800 * 256 + random_int(&r, 0, 700 * 256);
            const int32_t far = 4000 * 256;
            const int32_t x[4] = {along, far, -along, -far}, y[4] = {-far, along, far, -along};
            rim[i] = (corner_fx8){hub.x + x[i / 10], hub.y + y[i / 10], 0.5f};
        }
        EACH_KERNEL_TABLE (isa, k) {
            memset(hits, 0, sizeof hits);
            for (int32_t i = 0; i < RIM; i++) {
                const corner_fx8 corners[3] = {hub, rim[i], rim[(i + 1) % RIM]};
                draw_alone(k, corners, tile, tile, samples, 1, t);
                count_hits(t, samples, hits);
            }
            check_hit_once(k, hits, samples, seed);
        }
    }
}

/// The same triangles through setup and raster twice: as small_triangles if they are small enough,
/// and all as setup_triangles, which the other tests compare with the reference.
Test(raster_oracle, small_triangles_equal_large_ones)
{
    enum { COUNT = 96, VERTICES = 48 };
    static screen_vertices v;
    static uint8_t corner[3][COUNT];
    static setup_triangle all[COUNT], large[COUNT];
    static small_triangle small[COUNT + 16];
    static uint32_t small_tiles[COUNT + 16];
    static const int32_t spans[] = {200, 400, 900, 3000, 9000, 20000, 40000};
    static tile_memory a[1], b[1];
    uint32_t smalls = 0, covered = 0;
    for (uint64_t seed = 1; seed <= 700 / ZT_RANDOM_SHARE; seed++) {
        random_state r = {seed * 0x9e3779b97f4a7c15ULL};
        const int32_t samples = seed & 1 ? 1 : 1 << (seed / 2 % 5), span = spans[seed % 7];
        const int32_t tile_x = random_int(&r, 0, 2) * 64, tile_y = random_int(&r, 0, 255) * 64;
        const bool flat = seed % 9 == 0;
        for (int i = 0; i < VERTICES; i++) { // neighbours are near each other
            const int32_t near = i % 3 ? span : 40 * 256, from = i % 3 ? i - i % 3 : -1;
            v.sx[i] = (from < 0 ? (tile_x + 32) * 256 : v.sx[from]) + random_int(&r, -near, near);
            v.sy[i] = (from < 0 ? (tile_y + 32) * 256 : v.sy[from]) + random_int(&r, -near, near);
            v.depth[i] = flat ? 0.5f : random_float(&r, 0.01f, 2.0f);
            if (random_u32(&r) % 4 == 0) {
                v.sx[i] = (v.sx[i] & ~255) + 128;
                v.sy[i] = (v.sy[i] & ~255) + 128;
            }
        }
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++)
                corner[k][i] = (uint8_t)((i * 3 + (k + i / 16) % 3) % VERTICES);
        EACH_KERNEL_TABLE (isa, k) {
            uint8_t clip_list[COUNT];
            uint32_t all_count = 0, large_count = 0, small_count = 0, clip_count = 0;
            setup_job job = {.vertices = &v,
                             .corner = {corner[0], corner[1], corner[2]},
                             .count = COUNT,
                             .cull = (setup_cull)(seed % 3),
                             .width = 16384,
                             .height = 16384,
                             .first_id = 1,
                             .sample_count = samples,
                             .out = all,
                             .out_count = &all_count,
                             .clip_list = clip_list,
                             .clip_count = &clip_count};
            k->geometry->setup(&job);
            job.out = large;
            job.out_count = &large_count;
            job.small = small;
            job.small_tiles = small_tiles;
            job.small_count = &small_count;
            k->geometry->setup(&job);
            cr_assert_eq(all_count, large_count + small_count);
            const setup_triangle *list[COUNT];
            for (uint32_t i = 0; i < all_count; i++)
                list[i] = &all[i];
            tile_clear(a, samples);
            draw(k, a, tile_x, tile_y, samples, list, all_count);
            for (uint32_t i = 0; i < large_count; i++)
                list[i] = &large[i];
            // Three runs, so that most batches are not full.
            const uint32_t third = small_count / 3;
            const small_triangle_run run[3] = {{small, third},
                                               {small + third, third},
                                               {small + 2 * third, small_count - 2 * third}};
            tile_clear(b, samples);
            raster_job both = {.tile = {b->depth, b->id},
                               .tile_x = tile_x,
                               .tile_y = tile_y,
                               .sample_count = samples,
                               .sample = sample_pattern(samples),
                               .triangles = list,
                               .count = large_count,
                               .small = run,
                               .small_runs = small_count ? 3 : 0,
                               .small_behind = small_count ? (uint32_t)(seed / 2 % 4) : 0};
            k->raster->draw(&both);
            const size_t bytes = (size_t)samples * TILE_PIXELS * 4;
            cr_assert(memcmp(a->id, b->id, bytes) == 0, "%s seed %" PRIu64, k->name, seed);
            cr_assert(memcmp(a->depth, b->depth, bytes) == 0, "%s seed %" PRIu64, k->name, seed);
            if (samples == 1) { // depths alone are the same
                tile_clear(b, samples);
                both.tile.id = NULL;
                k->raster->draw(&both);
                cr_assert(memcmp(a->depth, b->depth, bytes) == 0, "%s seed %" PRIu64, k->name,
                          seed);
            }
            smalls += small_count;
            for (int32_t p = 0; p < samples * TILE_PIXELS; p++)
                covered += a->id[p] != ID_NONE;
        }
    }
    cr_log_info("%u small triangles, %u samples", smalls, covered);
    cr_assert(smalls > 50000 / ZT_RANDOM_SHARE && covered > 1000000 / ZT_RANDOM_SHARE);
}

Test(raster_oracle, front_is_counter_clockwise_with_y_up)
{
    const corner_fx8 c[3] = {{10 * 256, 50 * 256, 1.0f},
                             {50 * 256, 50 * 256, 1.0f},
                             {30 * 256, 10 * 256, 1.0f}}; // left, right, top of the screen
    const corner_fx8 reversed[3] = {c[0], c[2], c[1]};
    EACH_KERNEL_TABLE (isa, k) {
        setup_triangle out;
        cr_assert_eq(set_up(k, c, SETUP_CULL_BACK, 1, 1, &out), 1u);
        cr_assert(out.x[1] == c[2].x && out.x[2] == c[1].x);
        cr_assert_eq(set_up(k, c, SETUP_CULL_FRONT, 1, 1, &out), 0u);
        cr_assert_eq(set_up(k, reversed, SETUP_CULL_BACK, 1, 1, &out), 0u);
        cr_assert_eq(set_up(k, reversed, SETUP_CULL_FRONT, 1, 1, &out), 1u);
        cr_assert(out.x[1] == c[2].x && out.x[2] == c[1].x);
    }
}

Test(raster_oracle, equal_depths_go_to_the_lower_id_in_any_order)
{
    enum { COUNT = 24 };
    static tile_memory a[1], b[1];
    static setup_triangle triangles[COUNT];
    for (uint32_t seed = 1; seed <= 20; seed++) {
        random_state r = {seed};
        const int32_t samples = 1 << (seed % 3);
        const setup_triangle *list[COUNT];
        EACH_KERNEL_TABLE (isa, k) {
            corner_fx8 c[3];
            for (uint32_t i = 0; i < COUNT; i++) {
                if (i % 3 == 0) // three copies of each: full ties; flat ones tie with each other
                    for (int n = 0; n < 3; n++)
                        c[n] = (corner_fx8){random_int(&r, -20 * 256, 84 * 256),
                                            random_int(&r, -20 * 256, 84 * 256),
                                            i < 12 ? 0.5f : random_float(&r, 0.4f, 0.6f)};
                const uint32_t id = i % 2 ? 0xf0000000u - i : 1000 - i; // also above 2^31
                if (set_up(k, c, SETUP_CULL_NONE, samples, id, &triangles[i]) == 0) {
                    i--;
                    for (int n = 0; n < 3; n++)
                        c[n].x = random_int(&r, -20 * 256, 84 * 256);
                    continue;
                }
                list[i] = &triangles[i];
            }
            tile_clear(a, samples);
            draw(k, a, 0, 0, samples, list, COUNT);
            shuffle(&r, list, COUNT);
            tile_clear(b, samples);
            draw(k, b, 0, 0, samples, list, COUNT);
            const size_t bytes = (size_t)samples * TILE_PIXELS * 4;
            cr_assert(memcmp(a->depth, b->depth, bytes) == 0, "%s seed %u", k->name, seed);
            cr_assert(memcmp(a->id, b->id, bytes) == 0, "%s seed %u", k->name, seed);
            for (int32_t p = 0; p < samples * TILE_PIXELS; p++) {
                uint32_t lowest = 0;
                for (uint32_t i = 0; i < COUNT; i++)
                    if (list[i]->id == a->id[p])
                        for (uint32_t j = 0; j < COUNT; j++) // copies of the winner
                            if (memcmp(list[i], list[j], offsetof(setup_triangle, id)) == 0 &&
                                (lowest == 0 || list[j]->id < lowest))
                                lowest = list[j]->id;
                cr_assert_eq(a->id[p], lowest, "%s seed %u", k->name, seed);
            }
        }
    }
}

/// The depth at a sample, and the bound of its error: 8 roundings of each product's magnitude.
static double reference_depth(const corner_fx8 c[3], double x, double y, double rx, double ry,
                              double *out_bound)
{
    const double e0x = c[1].x - c[0].x, e0y = c[1].y - c[0].y;
    const double e2x = c[0].x - c[2].x, e2y = c[0].y - c[2].y;
    const double area = e0x * -e2y - e0y * -e2x;
    const double z0 = (double)c[0].z, z1 = (double)c[1].z - z0, z2 = (double)c[2].z - z0;
    const double at2 = e2x * (ry - c[2].y) - e2y * (rx - c[2].x);
    const double at0 = e0x * (ry - c[0].y) - e0y * (rx - c[0].x);
    const double per_x = fabs(z1 * e2y) + fabs(z2 * e0y), per_y = fabs(z1 * e2x) + fabs(z2 * e0x);
    const double size =
        fabs(z0) + (fabs(z1 * at2) + fabs(z2 * at0) + per_x * fabs(x - rx) + per_y * fabs(y - ry)) /
                       fabs(area);
    *out_bound = 8.0 * EPS * size;
    const double p2 = e2x * (y - c[2].y) - e2y * (x - c[2].x);
    const double p0 = e0x * (y - c[0].y) - e0y * (x - c[0].x);
    const double z = z0 + (z1 * p2 + z2 * p0) / area;
    const double lo = fmin(fmin((double)c[0].z, (double)c[1].z), (double)c[2].z);
    const double hi = fmax(fmax((double)c[0].z, (double)c[1].z), (double)c[2].z);
    return fmin(fmax(z, lo), hi);
}

Test(raster_oracle, depth_plane)
{
    static tile_memory t[1];
    int64_t tested = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        random_state r = {seed * 31337};
        const int32_t samples = 1 << (seed % 5), tile_x = random_int(&r, 0, 30) * 64;
        const int8_t(*offset)[2] = sample_pattern(samples);
        corner_fx8 c[3];
        random_triangle(&r, (tile_x + 32) * 256, 32 * 256, c);
        EACH_KERNEL_TABLE (isa, k) {
            setup_triangle s;
            const setup_triangle *list = &s;
            tile_clear(t, samples);
            draw(k, t, tile_x, 0, samples, &list, set_up(k, c, SETUP_CULL_NONE, samples, 1, &s));
            for (int32_t p = 0; p < samples * TILE_PIXELS; p++) {
                if (t->id[p] == ID_NONE)
                    continue;
                const int32_t n = p % samples, lane = p / samples % 16, block = p / samples / 16;
                const int32_t x = block % 16 * 4 + lane % 4, y = block / 16 * 4 + lane / 4;
                double bound;
                const double want =
                    reference_depth(c, (tile_x + x) * 256.0 + 128.0 + offset[n][0],
                                    y * 256.0 + 128.0 + offset[n][1], s.rx * 256.0 + 128.0,
                                    s.ry * 256.0 + 128.0, &bound);
                cr_assert(fabs((double)t->depth[p] - want) <= bound,
                          "%s: depth %.9g, want %.9g +- %.3g, seed %" PRIu64, k->name,
                          (double)t->depth[p], want, bound, seed);
                const float lo = fminf(fminf(c[0].z, c[1].z), c[2].z);
                const float hi = fmaxf(fmaxf(c[0].z, c[1].z), c[2].z);
                cr_assert(t->depth[p] >= lo && t->depth[p] <= hi, "%s: seed %" PRIu64, k->name,
                          seed);
                tested++;
            }
        }
    }
    cr_assert_gt(tested, 100000);
}
