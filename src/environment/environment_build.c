// SPDX-License-Identifier: MIT
// The picture becomes an octahedral level and a pyramid above it, whose levels halve. Then texels
// of the chain are made from the pyramid:
// - narrow lobes by filtered importance sampling (Colbert & Krivanek, GPU Gems 3, chapter 20): a
// sum
//   of samples around the direction, each read from the level where a texel covers the share of the
//   lobe that the sample stands for;
// - wide lobes by the sum over all texels of a small level: it has no noise, however bright a lamp.
//
// A lobe is that of GGX seen along the normal, times the cosine (Karis, "Real Shading in Unreal
// Engine 4", 2013): a direction at angle t from the normal has the weight D(t / 2) cos t.
#include "environment/environment_build.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

enum { PYRAMID_SMALLEST = 4, SAMPLE_LIMIT = 128 };

environment_sizes environment_sizes_for(int32_t height)
{
    static const environment_sizes largest = {{1024, 256, 256, 128, 64, 32, 32, 32, 32}};
    int32_t first = 64;
    while (first < height && first < largest.size[0])
        first *= 2;
    environment_sizes out = largest;
    for (int i = 0; i < ENVIRONMENT_LEVELS; i++)
        out.size[i] = out.size[i] < first ? out.size[i] : first;
    return out;
}

enum { FIRST_SUM = 5 }; ///< the first level that sums all texels

/// Samples of a texel of the first levels, which are sharp: the pyramid is smooth between them.
static const int32_t sample_counts[FIRST_SUM] = {0, 32, 64, 64, 128};

/// The size of the pyramid's level that is summed, for FIRST_SUM and the levels after it: lobes are
/// at least four times as wide as its texels.
static const int32_t sum_sizes[2] = {64, 32};

/// A level that is filled row by row.
typedef struct level_texels {
    float (*texels)[4];
    int32_t size;
} level_texels;

static size_t texel_count(int32_t size) { return ((size_t)size + 1) * ((size_t)size + 1); }

static float (*row_of(level_texels l, int64_t row))[4] { return l.texels + row * (l.size + 1); }

/// Copies the texels of edges to their mirror images: the first half of an edge is the original.
static void close_edges(level_texels l)
{
    const int32_t n = l.size;
    for (int32_t i = 0; i < n / 2; i++) {
        memcpy(row_of(l, n - i)[0], row_of(l, i)[0], sizeof *l.texels);
        memcpy(row_of(l, n - i)[n], row_of(l, i)[n], sizeof *l.texels);
    }
    for (int32_t i = 0; i < n / 2; i++) {
        memcpy(row_of(l, 0)[n - i], row_of(l, 0)[i], sizeof *l.texels);
        memcpy(row_of(l, n)[n - i], row_of(l, n)[i], sizeof *l.texels);
    }
}

// ---- The pyramid --------------------------------------------------------------------------------

typedef struct build {
    const environment_loops *loops;
    const hdr_picture *picture;
    const light_harmonics *irradiance; ///< or NULL
    job_pool *pool;
    budget *work;
    job_fn row; ///< of the loop that runs
    octahedral_levels pyramid;
    level_texels level[16]; ///< of the pyramid; the fourth channel is the solid angle
    int32_t reduced;        ///< the level that is made now
    environment_sizes sizes;
    level_texels chain[ENVIRONMENT_LEVELS];
    light_sample samples[FIRST_SUM][SAMPLE_LIMIT];
    light_source_texel *sources[2]; ///< the levels of sum_sizes
} build;

static void run_row(void *user, int64_t index, int32_t worker)
{
    build *b = user;
    if (!budget_cancelled(b->work))
        b->row(b, index, worker);
}

static void run(build *b, int64_t count, job_fn fn)
{
    b->row = fn;
    if (b->pool)
        job_pool_run(b->pool, count, run_row, b);
    else
        for (int64_t i = 0; i < count; i++)
            run_row(b, i, 0);
}

/// The texel at a place up to one beyond an edge.
static const float *texel_near(level_texels l, int32_t x, int32_t y)
{
    const int32_t n = l.size;
    if (x < 0 || x > n) {
        x = x < 0 ? -x : 2 * n - x;
        y = n - y;
    }
    if (y < 0 || y > n) {
        y = y < 0 ? -y : 2 * n - y;
        x = n - x;
    }
    return row_of(l, y)[x];
}

/// Points across and down each texel of the first level, so that no pixel is skipped.
static int32_t resample_grid(const hdr_picture *picture, int32_t size)
{
    int32_t grid = 2;
    while (grid < 8 && (int64_t)size * grid < 2 * (int64_t)picture->height)
        grid *= 2;
    return grid;
}

static void resample_row(void *user, int64_t row, int32_t worker)
{
    const build *b = user;
    (void)worker;
    b->loops->resample(&(light_resample_job){
        .rgb = b->picture->rgb,
        .width = b->picture->width,
        .height = b->picture->height,
        .size = b->level[0].size,
        .row = (int32_t)row,
        .grid = resample_grid(b->picture, b->level[0].size),
        .out = row_of(b->level[0], row),
    });
}

/// Means of 3 x 3 texels with weights 1 2 1, by solid angle: light is neither lost nor gained.
static void reduce_row(void *user, int64_t row, int32_t worker)
{
    const build *b = user;
    const level_texels from = b->level[b->reduced - 1], to = b->level[b->reduced];
    (void)worker;
    for (int32_t x = 0; x <= to.size; x++) {
        float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int32_t dy = -1; dy <= 1; dy++)
            for (int32_t dx = -1; dx <= 1; dx++) {
                const float *t = texel_near(from, 2 * x + dx, 2 * (int32_t)row + dy);
                const float weight = t[3] * (float)((2 - dx * dx) * (2 - dy * dy));
                for (int c = 0; c < 3; c++)
                    sum[c] = sum[c] + t[c] * weight;
                sum[3] = sum[3] + weight;
            }
        for (int c = 0; c < 3; c++)
            row_of(to, row)[x][c] = sum[c] / sum[3];
        row_of(to, row)[x][3] = sum[3] * (1.0f / 16.0f);
    }
}

/// Room for the chain, then the pyramid, whose common level is rounded when no one reads it more.
static zt_result make_room(build *b, arena *a, octahedral_levels *out, zt_error *err)
{
    octahedral_levels *p = &b->pyramid;
    int32_t count = environment_chain_layout(b->sizes.size, out);
    for (int32_t size = b->sizes.size[0]; size >= PYRAMID_SMALLEST; size /= 2) {
        p->size[p->level_count] = size;
        p->first[p->level_count] = p->level_count == 0 ? 0 : count;
        count += p->level_count == 0 ? 0 : (int32_t)texel_count(size);
        p->level_count++;
    }
    float(*texels)[4];
    ZT_TRY(ARENA_TAKE_RAW(a, &texels, (size_t)count, "an environment", err));
    p->texels = out->texels = (const float(*)[4])texels;
    for (int32_t i = 0; i < p->level_count; i++)
        b->level[i] = (level_texels){texels + p->first[i], p->size[i]};
    for (int i = 0; i < ENVIRONMENT_LEVELS; i++)
        b->chain[i] = (level_texels){texels + out->first[i], out->size[i]};
    return ZT_OK;
}

static void make_pyramid(build *b)
{
    run(b, b->level[0].size + 1, resample_row);
    close_edges(b->level[0]);
    for (b->reduced = 1; b->reduced < b->pyramid.level_count; b->reduced++) {
        run(b, b->level[b->reduced].size + 1, reduce_row);
        close_edges(b->level[b->reduced]);
    }
}

// ---- The chain ----------------------------------------------------------------------------------

/// Samples of the part of a lobe above the horizon, spread by the golden angle. Sample i is where
/// the share (i + 1/2) / count of the distribution is reached (Walter et al. 2007, equation 35).
static void fill_samples(double alpha, int32_t size, int32_t count, light_sample *out)
{
    const double golden_deg = 137.50776405003785, a2 = alpha * alpha;
    const double above = 1.0 / (1.0 + a2); // share of the whole
    for (int32_t i = 0; i < count; i++) {
        const double share = above * (i + 0.5) / count;
        const double cos2 = (1.0 - share) / (1.0 + (a2 - 1.0) * share); // of half the angle
        const double d = cos2 * (a2 - 1.0) + 1.0, density = a2 / (4.0 * MATHS_PI * d * d);
        double s, c;
        maths_sincos_deg(golden_deg * i, &s, &c);
        const double z = 2.0 * cos2 - 1.0, radius = 2.0 * sqrt(cos2 * (1.0 - cos2));
        const double solid_angle = above / (count * density);
        out[i] = (light_sample){
            .x = (float)(c * radius),
            .y = (float)(s * radius),
            .z = (float)z,
            .weight = (float)z,
            .level = (float)(0.5 * maths_log2(solid_angle * size * size / 4.0) + 0.5),
        };
    }
}

static void texel_direction(int32_t size, int32_t column, int32_t row, double out[3])
{
    const double u = 2.0 * column / size - 1.0, v = 2.0 * row / size - 1.0;
    const double au = u < 0.0 ? -u : u, av = v < 0.0 ? -v : v, y = 1.0 - (au + av);
    const double x = y < 0.0 ? (u < 0.0 ? av - 1.0 : 1.0 - av) : u;
    const double z = y < 0.0 ? (v < 0.0 ? au - 1.0 : 1.0 - au) : v;
    const double scale = 1.0 / sqrt((x * x + y * y) + z * z);
    out[0] = x * scale;
    out[1] = y * scale;
    out[2] = z * scale;
}

/// The texels of a pyramid level as sources of light. Those of edges are there twice: half each.
static void fill_sources(level_texels from, light_source_texel *out)
{
    const int32_t n = from.size;
    for (int32_t row = 0; row <= n; row++)
        for (int32_t column = 0; column <= n; column++) {
            const float *texel = row_of(from, row)[column];
            const float share = (row % n == 0 ? 0.5f : 1.0f) * (column % n == 0 ? 0.5f : 1.0f);
            const float area = share * texel[3];
            double d[3];
            texel_direction(n, column, row, d);
            *out++ = (light_source_texel){(float)d[0],     (float)d[1],     (float)d[2],    area,
                                          texel[0] * area, texel[1] * area, texel[2] * area};
        }
}

/// A row of irradiance from harmonics.
static void fill_irradiance(const light_harmonics *irradiance, level_texels to, int32_t row)
{
    for (int32_t x = 0; x <= to.size; x++) {
        double n[3], light[3];
        texel_direction(to.size, x, row, n);
        harmonics_irradiance(irradiance, n, light);
        for (int c = 0; c < 3; c++)
            row_of(to, row)[x][c] = (float)light[c];
    }
}

static double alpha_of(int level) { return 1.0 / (double)(1 << (ENVIRONMENT_LEVELS - 1 - level)); }

static zt_result prepare_lobes(build *b, arena *scratch, zt_error *err)
{
    for (int i = 1; i < FIRST_SUM; i++)
        fill_samples(alpha_of(i), b->sizes.size[0], sample_counts[i], b->samples[i]);
    for (int i = 0; i < 2; i++) {
        int level = 0;
        while (b->level[level].size > sum_sizes[i])
            level++;
        ZT_TRY(ARENA_TAKE_RAW(scratch, &b->sources[i], texel_count(sum_sizes[i]), "an environment",
                              err));
        fill_sources(b->level[level], b->sources[i]);
    }
    return ZT_OK;
}

/// Row `index` of all levels after the first, the sharpest first.
static void filter_row(void *user, int64_t index, int32_t worker)
{
    const build *b = user;
    int level = 1;
    (void)worker;
    while (index > b->chain[level].size)
        index -= b->chain[level++].size + 1;
    const level_texels to = b->chain[level];
    if (level == ENVIRONMENT_IRRADIANCE && b->irradiance) {
        fill_irradiance(b->irradiance, to, (int32_t)index);
        return;
    }
    if (level >= FIRST_SUM) {
        const int wide = level > FIRST_SUM;
        b->loops->sum(&(light_sum_job){
            .source = b->sources[wide],
            .source_rows = sum_sizes[wide] + 1,
            .alpha2 = (float)(alpha_of(level) * alpha_of(level)),
            .size = to.size,
            .row = (int32_t)index,
            .out = row_of(to, index),
        });
        return;
    }
    b->loops->filter(&(light_filter_job){
        .source = &b->pyramid,
        .samples = b->samples[level],
        .sample_count = sample_counts[level],
        .size = to.size,
        .row = (int32_t)index,
        .out = row_of(to, index),
    });
}

/// x rounded to 16 significant bits, so that texels of a constant picture are equal.
static float round_to_16_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fu + (bits >> 8 & 1u)) & ~0xffu;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// Row `index` of all levels: its final values.
static void finish_row(void *user, int64_t index, int32_t worker)
{
    const build *b = user;
    int level = 0;
    (void)worker;
    while (index > b->chain[level].size)
        index -= b->chain[level++].size + 1;
    const level_texels to = b->chain[level];
    for (int32_t x = 0; x <= to.size; x++) {
        for (int c = 0; c < 3; c++)
            row_of(to, index)[x][c] = round_to_16_bits(row_of(to, index)[x][c]);
        row_of(to, index)[x][3] = 0.0f;
    }
}

static void make_chain(build *b)
{
    int64_t rows = 0;
    for (int i = 0; i < ENVIRONMENT_LEVELS; i++)
        rows += b->chain[i].size + 1;
    run(b, rows - (b->chain[0].size + 1), filter_row);
    run(b, rows, finish_row);
    for (int i = 0; i < ENVIRONMENT_LEVELS; i++)
        close_edges(b->chain[i]);
}

static zt_result build_parts(build *b, arena *a, arena *scratch, environment *out, zt_error *err)
{
    ZT_TRY(make_room(b, a, &out->chain, err));
    make_pyramid(b);
    ZT_TRY(prepare_lobes(b, scratch, err));
    make_chain(b);
    return ZT_OK;
}

zt_result environment_build(const environment_loops *loops, const hdr_picture *picture,
                            const light_harmonics *irradiance, const environment_sizes *sizes,
                            job_pool *pool, arena *a, environment *out, zt_error *err)
{
    arena scratch;
    arena_init(&scratch, a->budget);
    build *b = ARENA_ARRAY(&scratch, build, 1);
    zt_result result = b ? ZT_OK : arena_fail(&scratch, err, "an environment");
    if (b) {
        b->loops = loops;
        b->picture = picture;
        b->irradiance = irradiance;
        b->pool = pool;
        b->work = a->budget;
        b->sizes = *sizes;
        result = build_parts(b, a, &scratch, out, err);
        if (result == ZT_OK && budget_cancelled(b->work)) // some rows were left out
            result = cancel_fail(err);
    }
    arena_finish(&scratch);
    return result;
}
