// SPDX-License-Identifier: MIT
/// The morph kernel: each set against scalar, bit for bit, and a naive reference in double.
#include "double3.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "testing.h"

enum { MOST = 1024 + 64, TARGETS = 4, GROUPS = MOST / MORPH_GROUP };

/// Morph targets as dense arrays, as readers have them, and as groups.
typedef struct morph_case {
    vertex_position position[MOST];
    _Alignas(32) vertex_attributes attributes[MOST];
    _Alignas(32) vertex_extra extra[MOST];
    float delta[TARGETS][3][MOST][8];
    _Alignas(64) float stored[TARGETS][3][MOST * 8];
    uint32_t group[TARGETS][3][GROUPS];
    morph_target targets[TARGETS];
    morph_use uses[TARGETS];
} morph_case;

typedef struct morph_result {
    vertex_position position[MOST];
    _Alignas(32) vertex_attributes attributes[MOST];
    _Alignas(32) vertex_extra extra[MOST];
} morph_result;

static void unit(random_state *r, float *out)
{
    double length = 0.0;
    while (!(length > 0.1)) {
        length = 0.0;
        for (int k = 0; k < 3; k++) {
            out[k] = random_float(r, -1.0f, 1.0f);
            length += (double)out[k] * (double)out[k];
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)((double)out[k] / sqrt(length));
}

static void store_part(morph_case *c, int target, int array, int width, morph_part *out)
{
    float *to = c->stored[target][array];
    out->group = c->group[target][array];
    out->delta = to;
    out->group_count = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        bool any = false;
        for (uint32_t v = 4 * g; v < 4 * g + 4; v++)
            for (int k = 0; k < width; k++)
                any = any || c->delta[target][array][v][k] != 0.0f;
        if (!any)
            continue;
        c->group[target][array][out->group_count++] = g;
        for (uint32_t v = 4 * g; v < 4 * g + 4; v++)
            for (int k = 0; k < width; k++)
                *to++ = c->delta[target][array][v][k];
    }
}

/// Each target changes few vertices. `extreme`: by values that no sensible file has.
static void fill(morph_case *c, uint64_t seed, bool extreme)
{
    random_state r = {seed};
    memset(c, 0, sizeof *c);
    for (int v = 0; v < MOST; v++) {
        c->position[v] =
            (vertex_position){random_float(&r, -2.0f, 2.0f), random_float(&r, -2.0f, 2.0f),
                              random_float(&r, -2.0f, 2.0f), 1.0f};
        unit(&r, &c->attributes[v].nx);
        unit(&r, &c->attributes[v].tx);
        for (int k = 0; k < 8; k++)
            (&c->extra[v].r)[k] = random_float(&r, 0.0f, 1.0f);
    }
    for (int t = 0; t < TARGETS; t++) {
        static const int widths[3] = {3, 8, 6};
        for (int array = 0; array < 3; array++)
            for (int v = 0; v < MOST; v++) {
                if (random_u32(&r) % 6 != 0)
                    continue;
                for (int k = 0; k < widths[array]; k++)
                    c->delta[t][array][v][k] =
                        extreme ? random_extreme(&r, -1.0f, 1.0f) : random_float(&r, -0.7f, 0.7f);
            }
        store_part(c, t, 0, 4, &c->targets[t].position);
        store_part(c, t, 1, 8, &c->targets[t].attributes);
        store_part(c, t, 2, 8, &c->targets[t].extra);
        c->uses[t] = (morph_use){&c->targets[t], random_float(&r, -2.0f, 3.0f)};
    }
}

static void run(const kernel_table *k, const morph_case *c, size_t first, size_t count,
                uint32_t uses, bool extra, morph_result *out)
{
    memset(out, 0xa5, sizeof *out);
    const morph_job job = {.position = c->position,
                           .attributes = c->attributes,
                           .extra = c->extra,
                           .uses = c->uses,
                           .use_count = uses,
                           .out_position = out->position,
                           .out_attributes = out->attributes,
                           .out_extra = extra ? out->extra : NULL,
                           .first = first,
                           .count = count};
    k->geometry->morph(&job);
}

Test(bit_exact, morph)
{
    static morph_case c;
    static morph_result want, got;
    for (uint32_t seed = 1; seed <= 160; seed++) {
        const size_t first = seed % 3 * 16, count = seed % 4 ? seed : MORPH_CHUNK;
        fill(&c, seed, seed & 1);
        run(kernels_for(ZT_ISA_SCALAR), &c, first, count, seed % (TARGETS + 1), seed & 2, &want);
        EACH_KERNEL_TABLE (isa, k) {
            run(k, &c, first, count, seed % (TARGETS + 1), seed & 2, &got);
            cr_assert(memcmp(&want, &got, sizeof want) == 0, "%s seed=%u", k->name, seed);
        }
    }
}

static const double EPS = 1.0 / 8388608.0; ///< 2^-23

/// base + sum w d of `count` numbers in double; out_size: the largest sum of magnitudes.
static void blended(const morph_case *c, int array, const float *base, int v, int from, int count,
                    double *out, double *out_size)
{
    *out_size = 0.0;
    for (int k = 0; k < count; k++) {
        double size = fabs((double)base[from + k]);
        out[k] = (double)base[from + k];
        for (int t = 0; t < TARGETS; t++) {
            const double term = (double)c->uses[t].weight * (double)c->delta[t][array][v][from + k];
            out[k] += term;
            size += fabs(term);
        }
        *out_size = size > *out_size ? size : *out_size;
    }
}

static void check_close(const char *what, const float *got, const double *want, int count,
                        double bound)
{
    for (int k = 0; k < count; k++)
        cr_assert(fabs((double)got[k] - want[k]) <= bound, "%s %d: %.9g, want %.9g (+- %.3g)", what,
                  k, (double)got[k], want[k], bound);
}

static bool moved(const morph_case *c, int array, int v, int from, int count)
{
    for (int t = 0; t < TARGETS; t++)
        for (int k = from; k < from + count; k++)
            if (c->delta[t][array][v][k] != 0.0f)
                return true;
    return false;
}

/// The normal is within `n_size / length` roundings, and so is the tangent, made square.
static void check_frame(const morph_case *c, int v, const vertex_attributes *got)
{
    double n[3], t[3], n_size, t_size;
    const float *base = &c->attributes[v].nx;
    if (!moved(c, 1, v, 0, 3) && !moved(c, 1, v, 4, 3)) {
        cr_assert(memcmp(&got->nx, base, 3 * sizeof *base) == 0, "an untouched normal stays");
        cr_assert(memcmp(&got->tx, base + 4, 3 * sizeof *base) == 0, "an untouched tangent stays");
        return;
    }
    blended(c, 1, base, v, 0, 3, n, &n_size);
    blended(c, 1, base, v, 4, 3, t, &t_size);
    const double n_length = sqrt(dot3(n, n));
    const double got_n[3] = {(double)got->nx, (double)got->ny, (double)got->nz};
    const double got_t[3] = {(double)got->tx, (double)got->ty, (double)got->tz};
    cr_assert(fabs(dot3(got_n, got_n) - 1.0) < 8.0 * EPS &&
                  fabs(dot3(got_t, got_t) - 1.0) < 8.0 * EPS,
              "unit length");
    if (n_length < 0.05)
        return;
    unit3(n);
    check_close("normal", &got->nx, n, 3, 8.0 * EPS * n_size / n_length);
    const double along = dot3(n, t);
    for (int k = 0; k < 3; k++)
        t[k] -= n[k] * along;
    const double t_length = sqrt(dot3(t, t));
    if (t_length < 0.05)
        return;
    unit3(t);
    // The error of the normal changes the part subtracted from the tangent, up to t_size long.
    const double bound = 16.0 * EPS * (n_size / n_length + 1.0) * t_size / t_length;
    check_close("tangent", &got->tx, t, 3, bound);
    cr_assert(fabs(dot3(got_n, got_t)) <= bound, "a right angle");
}

Test(oracle, morph)
{
    static morph_case c;
    static morph_result got;
    enum { COUNT = 700, FIRST = 16 };
    EACH_KERNEL_TABLE (isa, k) {
        fill(&c, 99, false);
        run(k, &c, FIRST, COUNT, TARGETS, true, &got);
        for (int v = FIRST; v < FIRST + COUNT; v++) {
            double want[8], size;
            blended(&c, 0, &c.position[v].x, v, 0, 4, want, &size);
            check_close("position", &got.position[v].x, want, 4, (TARGETS + 1) * EPS * size);
            cr_assert_eq(got.position[v].one, 1.0f);
            check_frame(&c, v, &got.attributes[v]);
            blended(&c, 1, &c.attributes[v].nx, v, 3, 1, want, &size);
            check_close("u", &got.attributes[v].u, want, 1, (TARGETS + 1) * EPS * size);
            blended(&c, 1, &c.attributes[v].nx, v, 7, 1, want, &size);
            check_close("v", &got.attributes[v].v, want, 1, (TARGETS + 1) * EPS * size);
            blended(&c, 2, &c.extra[v].r, v, 0, 8, want, &size);
            for (int i = 0; i < 4; i++)
                want[i] = want[i] < 0.0 ? 0.0 : want[i] > 1.0 ? 1.0 : want[i];
            check_close("extra", &got.extra[v].r, want, 8, (TARGETS + 1) * EPS * size);
        }
    }
}

Test(oracle, frames_that_vanish_are_replaced)
{
    static morph_case c;
    static morph_result got;
    memset(&c, 0, sizeof c);
    for (int v = 0; v < 16; v++) {
        c.attributes[v] = (vertex_attributes){.nz = v & 1 ? -1.0f : 1.0f, .tx = 1.0f};
        c.delta[0][1][v][2] = -c.attributes[v].nz;  // the normal cancels out
        c.delta[0][1][v][4] = v & 2 ? -1.0f : 0.0f; // so does the tangent, in half of the cases
    }
    store_part(&c, 0, 1, 8, &c.targets[0].attributes);
    c.uses[0] = (morph_use){&c.targets[0], 1.0f};
    run(kernels_best(ZT_ISA_BEST), &c, 0, 16, 1, false, &got);
    for (int v = 0; v < 16; v++) {
        const vertex_attributes *a = &got.attributes[v];
        cr_assert(a->nz == c.attributes[v].nz, "the base's normal stands in");
        cr_assert(a->tx * a->tx + a->ty * a->ty + a->tz * a->tz == 1.0f && a->tz == 0.0f);
    }
}
