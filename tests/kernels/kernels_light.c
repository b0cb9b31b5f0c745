// SPDX-License-Identifier: MIT
/// Environments: the chain against integrals in double, constant light, seams, rotation; equal bits
/// for all instruction sets and numbers of threads; studios, and the cache on disk.
#define ZT_ISA_SCALAR_BUILD 1
#include "base/hash.h"
#include "base/maths.h"
#include "double3.h"
#include "environment/environment_cache.h"
#include "environment/studio.h"
#include "kernels/kernels.h"
#include "simd/vec3_lanes.h"

#include <sys/wait.h>
#include <unistd.h>

// clang-format off
#include "environment/octahedral.inl"
#include "environment/equirectangular.inl"
#include "shade/shade_loops.h"
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
#include "environment/environment.inl"
#include "../unit/test_memory.h"
// clang-format on

typedef struct fixture {
    budget memory;
    arena a;
    hdr_picture picture;
    float *rgb;
    environment made;
    environment_view view; ///< of `made`
    environment_sizes sizes;
} fixture;

static void finish(fixture *f)
{
    arena_finish(&f->a);
    cr_expect_eq(f->memory.used, 0);
}

/// Gives its memory back at the end of its block.
#define FIXTURE __attribute__((cleanup(finish))) fixture

static void begin(fixture *f, int32_t width, int32_t height)
{
    budget_init(&f->memory, 0, NULL);
    arena_init(&f->a, &f->memory);
    f->rgb = ARENA_ARRAY(&f->a, float, (size_t)width *(size_t)height * 3);
    f->picture = (hdr_picture){.width = width, .height = height, .rgb = f->rgb};
    f->sizes = environment_sizes_for(height);
}

static void build_with(fixture *f, zt_isa isa, int32_t threads, environment *out)
{
    zt_error err = {0};
    OWN_POOL *pool = NULL;
    if (threads > 1)
        cr_assert_eq(job_pool_create(threads, &pool, &err), ZT_OK);
    MUST(environment_build(kernels_for(isa)->environment, &f->picture, NULL, &f->sizes, pool, &f->a,
                           out, &err),
         err);
}

/// The direction of the centre of a pixel.
static void pixel_direction(const hdr_picture *p, int32_t x, int32_t y, double out[3])
{
    const double v = MATHS_PI * (y + 0.5) / p->height,
                 u = 2.0 * MATHS_PI * ((x + 0.5) / p->width - 0.5);
    out[0] = sin(v) * cos(u);
    out[1] = cos(v);
    out[2] = sin(v) * sin(u);
}

static double pixel_solid_angle(const hdr_picture *p, int32_t y)
{
    return (cos(MATHS_PI * y / p->height) - cos(MATHS_PI * (y + 1) / p->height)) * 2.0 * MATHS_PI /
           p->width;
}

typedef double (*light_fn)(const double d[3]);

static void fill(fixture *f, light_fn light)
{
    for (int32_t y = 0; y < f->picture.height; y++)
        for (int32_t x = 0; x < f->picture.width; x++) {
            double d[3];
            pixel_direction(&f->picture, x, y, d);
            for (int c = 0; c < 3; c++)
                f->rgb[(y * f->picture.width + x) * 3 + c] = (float)((c + 1) * light(d));
        }
}

static void build_made(fixture *f)
{
    build_with(f, ZT_ISA_SCALAR, 1, &f->made);
    environment_view_build(&f->made, 0.0, 1.0, &f->view);
}

/// A picture of `light`, and its environment.
static void begin_light(fixture *f, int32_t width, int32_t height, light_fn light)
{
    begin(f, width, height);
    fill(f, light);
    build_made(f);
}

/// The same of random light, a few pixels of which are bright.
static void begin_random(fixture *f, int32_t width, int32_t height, uint32_t seed)
{
    begin(f, width, height);
    for (int32_t i = 0; i < width * height * 3; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float x = (float)(seed >> 8) / 16777216.0f;
        f->rgb[i] = x > 0.999f ? 5000.0f * x : x * x;
    }
    build_made(f);
}

/// The unit direction of a texel.
static void texel_direction(int32_t size, int32_t column, int32_t row, double out[3])
{
    const double u = 2.0 * column / size - 1.0, v = 2.0 * row / size - 1.0;
    double x = u, z = v;
    const double y = 1.0 - fabs(u) - fabs(v);
    if (y < 0.0) {
        x = copysign(1.0 - fabs(v), u);
        z = copysign(1.0 - fabs(u), v);
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
    unit3(out);
}

static const float *texel_of(const environment *e, int level, int32_t column, int32_t row)
{
    return e->chain.texels[e->chain.first[level] + row * (e->chain.size[level] + 1) + column];
}

static double alpha_of(int level) { return pow(2.0, level + 1 - ENVIRONMENT_LEVELS); }

/// The lobe of a level at `cosine` from the normal, not normalised.
static double lobe(int level, double cosine)
{
    if (cosine <= 0.0)
        return 0.0;
    const double a2 = alpha_of(level) * alpha_of(level), half2 = 0.5 * (1.0 + cosine);
    const double d = half2 * (a2 - 1.0) + 1.0;
    return a2 / (d * d) * cosine;
}

/// The mean of `light` in the lobe about n, by rings. Of the last level: irradiance / pi.
static double filtered(light_fn light, int level, const double n[3])
{
    enum { RINGS = 1200, SPOKES = 96 };
    double sum = 0.0, total = 0.0, t[3], b[3];
    const double up[3] = {fabs(n[1]) < 0.9 ? 0.0 : 1.0, fabs(n[1]) < 0.9 ? 1.0 : 0.0, 0.0};
    cross3(up, n, t);
    unit3(t);
    cross3(n, t, b);
    for (int r = 0; r < RINGS; r++) {
        // Rings are narrow near the normal, where the lobe may be.
        const double s = (r + 0.5) / RINGS, angle = 0.5 * MATHS_PI * s * s * s;
        const double weight = lobe(level, cos(angle)) * sin(angle) * s * s;
        for (int k = 0; k < SPOKES; k++) {
            const double phi = 2.0 * MATHS_PI * (k + 0.5) / SPOKES;
            double d[3];
            for (int i = 0; i < 3; i++)
                d[i] = cos(angle) * n[i] + sin(angle) * (cos(phi) * t[i] + sin(phi) * b[i]);
            sum += weight * light(d);
            total += weight;
        }
    }
    return sum / total;
}

// ---- Lookups ------------------------------------------------------------------------------------

static vec3_lanes lanes_of(const double d[3])
{
    return (vec3_lanes){(float)d[0], (float)d[1], (float)d[2]};
}

static void random_direction(uint32_t *seed, double out[3])
{
    do
        for (int i = 0; i < 3; i++) {
            *seed = *seed * 1664525u + 1013904223u;
            out[i] = (double)(*seed >> 8) / 8388608.0 - 1.0;
        }
    while (dot3(out, out) > 1.0 || dot3(out, out) < 0.01);
    unit3(out);
}

Test(light, arctangent)
{
    double worst = 0.0;
    for (int i = -20000; i <= 20000; i++) {
        const double angle = MATHS_PI * i / 20000.0;
        const float y = (float)sin(angle), x = (float)cos(angle);
        const double error =
            fabs((double)turns_atan2(y, x) - atan2((double)y, (double)x) / (2.0 * MATHS_PI));
        worst = error > worst && error < 0.9 ? error : worst; // -0.5 and 0.5 are the same
    }
    cr_expect_lt(worst, 1.2e-7, "%g", worst);
}

/// The distance of (x, y, z), scaled to unit length, from d.
static double distance(float x, float y, float z, const double d[3])
{
    const double at[3] = {(double)x, (double)y, (double)z};
    const double length = sqrt(dot3(at, at));
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += fabs(at[i] / length - d[i]);
    return sum;
}

Test(light, places)
{
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        double d[3];
        float u, v, x, y, z;
        random_direction(&seed, d);
        octahedral_place((float)d[0], (float)d[1], (float)d[2], &u, &v);
        octahedral_direction(u, v, &x, &y, &z);
        cr_assert_lt(distance(x, y, z, d), 2e-6);
        // Beyond an edge the square continues at the mirror image of the place.
        octahedral_direction(u > 0.0f ? 2.0f - u : u, u > 0.0f ? -v : v, &x, &y, &z);
        cr_assert_lt(distance(x, y, z, d), 4e-6);
    }
}

// ---- Constant light -----------------------------------------------------------------------------

static double constant_light(const double d[3])
{
    (void)d;
    return 0.29296875; // of 8 bits, as files store it
}

Test(light, constant_is_constant)
{
    FIXTURE f;
    uint32_t seed = 7;
    begin_light(&f, 40, 20, constant_light);
    environment_view_build(&f.made, 33.0, 1.0, &f.view);
    for (int i = 0; i < 5000; i++) {
        double d[3];
        random_direction(&seed, d);
        const vec3_lanes r = environment_radiance(&f.view, lanes_of(d), (float)i / 4999.0f);
        const vec3_lanes e = environment_irradiance(&f.view, lanes_of(d));
        cr_assert(r.x == 0.29296875f && r.y == 0.5859375f && r.z == 0.87890625f);
        cr_assert(e.x == 0.29296875f && e.y == 0.5859375f && e.z == 0.87890625f);
    }
}

// ---- Analytic light -----------------------------------------------------------------------------

static double smooth_light(const double d[3])
{
    return 2.0 + 0.7 * d[0] - 0.4 * d[1] + 0.3 * d[2] + 0.5 * d[0] * d[1] - 0.3 * d[1] * d[2] +
           0.2 * d[2] * d[0] + 0.4 * (d[0] * d[0] - d[2] * d[2]) + 0.1 * (3.0 * d[1] * d[1] - 1.0);
}

/// Irradiance / pi of harmonics of degree 1 is 2/3 of them, of degree 2 a quarter.
Test(light, irradiance_of_polynomials)
{
    FIXTURE f;
    uint32_t seed = 17;
    begin_light(&f, 256, 128, smooth_light);
    double worst = 0.0;
    for (int i = 0; i < 5000; i++) {
        double d[3];
        random_direction(&seed, d);
        const double first = 0.7 * d[0] - 0.4 * d[1] + 0.3 * d[2];
        const double want = 2.0 + first * 2.0 / 3.0 + (smooth_light(d) - first - 2.0) / 4.0;
        worst = fmax(worst, fabs((double)environment_irradiance(&f.view, lanes_of(d)).x - want));
    }
    cr_expect_lt(worst, 0.01, "%g", worst); // light is up to 3: 0.3 %
}

static double cosine_lobe(const double d[3])
{
    const double along = 0.48 * d[0] + 0.64 * d[1] - 0.6 * d[2];
    return along > 0.0 ? along * along * along : 0.0;
}

Test(light, chain_of_analytic_light, .timeout = 300)
{
    static const light_fn lights[] = {smooth_light, cosine_lobe};
    for (int l = 0; l < 2; l++) {
        FIXTURE f;
        begin_light(&f, 512, 256, lights[l]);
        for (int level = 0; level < ENVIRONMENT_LEVELS; level++) {
            const int32_t size = f.made.chain.size[level];
            double worst = 0.0;
            for (int i = 0; i < 24; i++) {
                const int32_t column = (size * (7 * i % 24)) / 23, row = size * i / 23;
                double d[3];
                texel_direction(size, column, row, d);
                const double want = level == 0 ? lights[l](d) : filtered(lights[l], level, d);
                worst = fmax(worst, fabs((double)texel_of(&f.made, level, column, row)[0] - want));
            }
            // Light is up to 3. Samples of narrow lobes are read from smooth levels: 0.5 %.
            cr_expect_lt(worst, level < 5 ? 0.015 : 0.006, "light %d, level %d: %g", l, level,
                         worst);
        }
    }
}

/// One pixel shines: total light is conserved, and a wide lobe around it has the right height.
Test(light, bright_pixel)
{
    static const int32_t at[][2] = {{64, 60}, {100, 20}, {3, 90}, {127, 64}, {30, 110}};
    for (int i = 0; i < 5; i++) {
        FIXTURE f;
        begin(&f, 256, 128);
        double sun[3];
        pixel_direction(&f.picture, at[i][0], at[i][1], sun);
        f.rgb[(at[i][1] * 256 + at[i][0]) * 3] = 10000.0f;
        const double flux = 10000.0 * pixel_solid_angle(&f.picture, at[i][1]);
        build_made(&f);
        for (int level = 0; level < ENVIRONMENT_LEVELS; level++) {
            const int32_t size = f.made.chain.size[level];
            double sum = 0.0, area = 0.0, norm = 0.0, worst = 0.0, peak = 0.0;
            for (int k = 0; k < 20000; k++) {
                const double angle = 0.5 * MATHS_PI * (k + 0.5) / 20000;
                norm += 2.0 * MATHS_PI * lobe(level, cos(angle)) * sin(angle) *
                        (0.5 * MATHS_PI / 20000);
            }
            for (int32_t row = 0; row <= size; row++)
                for (int32_t column = 0; column <= size; column++) {
                    double d[3];
                    texel_direction(size, column, row, d);
                    const double length1 = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
                    const double edge =
                        (row % size == 0 ? 0.5 : 1.0) * (column % size == 0 ? 0.5 : 1.0);
                    const double solid = edge * length1 * length1 * length1 * 4.0 / size / size;
                    const double value = (double)texel_of(&f.made, level, column, row)[0];
                    const double cosine = dot3(d, sun);
                    const double want = flux * lobe(level, cosine) / norm;
                    sum += value * solid;
                    area += solid;
                    worst = fmax(worst, fabs(value - want));
                    peak = want > peak ? want : peak;
                }
            // The picture is read at a few points of each pixel: a single one may weigh 5 % more.
            cr_expect(fabs(sum / flux * 4.0 * MATHS_PI / area - 1.0) < 0.08,
                      "pixel %d, level %d: total %g", i, level, sum / flux);
            if (level >= 4)
                cr_expect_lt(worst, 0.1 * peak, "pixel %d, level %d: %g of %g", i, level, worst,
                             peak);
        }
    }
}

// ---- Seams, rotation, bits ----------------------------------------------------------------------

Test(light, edges_are_equal)
{
    FIXTURE f;
    begin_random(&f, 128, 64, 5);
    for (int level = 0; level < ENVIRONMENT_LEVELS; level++) {
        const int32_t n = f.made.chain.size[level];
        for (int32_t i = 0; i <= n; i++)
            for (int32_t far = 0; far <= n; far += n) {
                cr_assert(memcmp(texel_of(&f.made, level, i, far),
                                 texel_of(&f.made, level, n - i, far), 16) == 0);
                cr_assert(memcmp(texel_of(&f.made, level, far, i),
                                 texel_of(&f.made, level, far, n - i), 16) == 0);
            }
        cr_assert(memcmp(texel_of(&f.made, level, 0, 0), texel_of(&f.made, level, n, n), 16) == 0);
    }
}

/// Directions on both sides of the planes where the square ends or folds see nearly the same.
Test(light, no_seams)
{
    FIXTURE f;
    uint32_t seed = 11;
    begin_random(&f, 128, 64, 6);
    for (int i = 0; i < 3000; i++) {
        double d[3];
        random_direction(&seed, d);
        const float roughness = (float)(i % 100) / 99.0f;
        d[i % 3] = 1e-7;
        const vec3_lanes a = environment_radiance(&f.view, lanes_of(d), roughness);
        d[i % 3] = -1e-7;
        const vec3_lanes b = environment_radiance(&f.view, lanes_of(d), roughness);
        cr_assert(fabsf(a.x - b.x) <= 1e-3f * (a.x + 1.0f), "%g %g at %g %g %g", (double)a.x,
                  (double)b.x, d[0], d[1], d[2]);
    }
}

/// Turning by 90 degrees equals turning the picture by a quarter of its width.
Test(light, rotation)
{
    FIXTURE f;
    environment turned;
    uint32_t seed = 3;
    begin_random(&f, 128, 64, 9);
    OWN_BLOCK float *row = malloc(128 * 3 * sizeof *row);
    for (int32_t y = 0; y < 64; y++) {
        memcpy(row, f.rgb + y * 128 * 3, 128 * 3 * sizeof *row);
        for (int32_t x = 0; x < 128; x++)
            memcpy(f.rgb + (y * 128 + x) * 3, row + (x + 32) % 128 * 3, 3 * sizeof *row);
    }
    build_with(&f, ZT_ISA_SCALAR, 1, &turned);
    environment_view by_key, by_picture;
    environment_view_build(&f.made, 90.0, 2.0, &by_key);
    environment_view_build(&turned, 0.0, 2.0, &by_picture);
    double worst = 0.0;
    for (int i = 0; i < 3000; i++) {
        double d[3];
        random_direction(&seed, d);
        const vec3_lanes n = lanes_of(d);
        const float roughness = 0.36f + 0.64f * (float)(i % 100) / 99.0f;
        const double a = (double)environment_radiance(&by_key, n, roughness).x;
        const double b = (double)environment_radiance(&by_picture, n, roughness).x;
        worst = fmax(worst, fabs(a - b) / (a + 1.0));
    }
    cr_expect_lt(worst, 0.05, "%g", worst);
}

Test(light, same_bits)
{
    FIXTURE f;
    begin_random(&f, 120, 60, 21);
    octahedral_levels layout;
    const size_t size = (size_t)environment_chain_layout(f.sizes.size, &layout) * 16;
    EACH_KERNEL_TABLE (isa, k)
        for (int32_t threads = 1; threads <= 7; threads += 6) {
            environment other;
            build_with(&f, (zt_isa)isa, threads, &other);
            cr_expect(memcmp(other.chain.texels, f.made.chain.texels, size) == 0, "%s, %d threads",
                      k->name, (int)threads);
        }
}

// ---- Studios, the cache -------------------------------------------------------------------------

static uint64_t hash_chain(const octahedral_levels *chain)
{
    octahedral_levels layout;
    const int32_t count = environment_chain_layout(chain->size, &layout);
    return hash_words(HASH_START, chain->texels, (size_t)count * sizeof *chain->texels);
}

/// A new hash here: raise ENVIRONMENT_CACHE_VERSION, or caches bring back old environments.
Test(light, version_of_the_cache)
{
    FIXTURE f;
    begin_random(&f, 128, 64, 77);
    cr_expect_eq(ENVIRONMENT_CACHE_VERSION, 2);
    cr_expect_eq(hash_chain(&f.made.chain), UINT64_C(0x201884faa9b7eb7f), "%016llx",
                 (unsigned long long)hash_chain(&f.made.chain));
}

/// Light from one direction over that from another, on white.
static double studio_ratio(const environment_view *view, int axis, int other)
{
    const double d[2][3] = {{axis == 0, axis == 1, axis == 2},
                            {other == 0, other == 1, other == 2}};
    return (double)environment_irradiance(view, lanes_of(d[0])).x /
           (double)environment_irradiance(view, lanes_of(d[1])).x;
}

/// The studios have the same bits whatever compiled the program that made them. White surfaces show
/// 0.75 to 1.2 on average, whichever way they face at most 2.15. Left and right sides of a box that
/// is seen from a corner differ, but for the neutral room.
Test(light, studios)
{
    static const uint64_t hashes[STUDIO_COUNT] = {
        UINT64_C(0xf63eface8969655f), UINT64_C(0x7ea7c043d224f5b2), UINT64_C(0x8aea19f167f9debc)};
    for (int kind = 0; kind < STUDIO_COUNT; kind++) {
        FIXTURE f;
        zt_error err = {0};
        uint32_t seed = 5;
        double sum = 0.0, most = 0.0;
        begin(&f, 1, 1);
        cr_assert_eq(studio_environment((studio_kind)kind, &f.a, &f.made, &err), ZT_OK);
        cr_expect_eq(hash_chain(&f.made.chain), hashes[kind], "%d: %016llx", kind,
                     (unsigned long long)hash_chain(&f.made.chain));
        environment_view_build(&f.made, 0.0, 1.0, &f.view);
        for (int i = 0; i < 4000; i++) {
            double d[3];
            random_direction(&seed, d);
            const double light = (double)environment_irradiance(&f.view, lanes_of(d)).x;
            sum += light / 4000;
            most = light > most ? light : most;
        }
        cr_expect(sum > 0.75 && sum < 1.2, "%d: mean %g", kind, sum);
        cr_expect_lt(most, 2.15, "%d", kind);
        const double sides = studio_ratio(&f.view, 2, 0);
        cr_expect(kind == STUDIO_NEUTRAL ? fabs(sides - 1.0) < 0.02 : sides > 1.4 && sides < 1.6,
                  "%d: sides %g", kind, sides);
    }
}

static bool load_file(fixture *f, uint64_t number, environment *out)
{
    return environment_cache_load(ZT_BINARY_DIR "/light_cache", number, &f->sizes, &f->a, out);
}

/// Changes the file of picture 42: one byte at `at`, or its length where `at` is negative.
static void spoil_file(long at)
{
    FILE *file = fopen(ZT_BINARY_DIR "/light_cache/light-000000000000002a.bin", "r+b");
    cr_assert_not_null(file);
    if (at >= 0) {
        fseek(file, at, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 1, file);
    } else {
        fseek(file, 0, SEEK_END);
        fputc(0, file);
    }
    fclose(file);
}

Test(light, cache)
{
    FIXTURE f;
    environment loaded;
    begin_random(&f, 128, 64, 4);
    const char *folder = ZT_BINARY_DIR "/light_cache";
    environment_cache_store(folder, 42, &f.sizes, &f.a, &f.made);
    cr_assert(load_file(&f, 42, &loaded));
    cr_expect_eq(hash_chain(&loaded.chain), hash_chain(&f.made.chain));
    cr_expect(memcmp(loaded.chain.first, f.made.chain.first, sizeof loaded.chain.first) == 0);
    cr_expect_not(load_file(&f, 43, &loaded), "another picture");
    f.sizes.size[1] /= 2;
    cr_expect_not(load_file(&f, 42, &loaded), "another layout");
    f.sizes.size[1] *= 2;
    static const long places[] = {0, 9, 17, 25, 40, 71, 72, 5000, -1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        spoil_file(places[i]);
        cr_expect_not(load_file(&f, 42, &loaded), "spoilt at %ld", places[i]);
        environment_cache_store(folder, 42, &f.sizes, &f.a, &f.made);
        cr_expect(load_file(&f, 42, &loaded), "written again after %ld", places[i]);
    }
    environment_cache_store("/proc/nowhere", 42, &f.sizes, &f.a, &f.made);
    cr_expect_not(environment_cache_load("/proc/nowhere", 42, &f.sizes, &f.a, &loaded));
}

/// Several processes that write and read one file: each reads all of it or nothing.
Test(light, cache_of_two_writers)
{
    FIXTURE f;
    environment loaded;
    begin_random(&f, 128, 64, 4);
    const uint64_t want = hash_chain(&f.made.chain);
    const pid_t child = fork();
    int good = 0;
    for (int i = 0; i < 60; i++) {
        environment_cache_store(ZT_BINARY_DIR "/light_cache", 7, &f.sizes, &f.a, &f.made);
        good += load_file(&f, 7, &loaded) && hash_chain(&loaded.chain) == want;
    }
    if (child == 0)
        _exit(good == 60 ? 0 : 1);
    int status = 1;
    cr_expect_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    cr_expect_eq(good, 60);
}
