// SPDX-License-Identifier: MIT
// Large, clipped and masked triangles, one at a time, the nearest first, so that those behind are
// rejected as a whole or by region. The order does not change the result.

enum { RASTER_GROUP = 64 }; ///< triangles that are sorted together

/// C of an edge for the sample at fx8 offset (x, y) from the edge's first corner.
static inline int32_t raster_c(int32_t a, int32_t b, int32_t x, int32_t y)
{
    // Top or left: a > 0, or a = 0 and b > 0; |b| < 2^24 makes that one comparison.
    const int64_t owned = (int64_t)a * (1 << 24) + b > 0 ? 0 : 1;
    const int64_t c = ((int64_t)b * y + (int64_t)a * x - owned) >> SUBPIXEL_BITS;
    return c > RASTER_C_MAX ? RASTER_C_MAX : c < -RASTER_C_MAX ? -RASTER_C_MAX : (int32_t)c;
}

/// Fills edge i of `s`, in lane 0.
static void raster_large_edge(const raster_state *r, const setup_triangle *s, int i,
                              raster_batch *t)
{
    const raster_job *job = r->job;
    const int j = i == 2 ? 0 : i + 1;
    const int32_t x = (job->tile_x + t->block_x[0] * 4) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2 - s->x[i];
    const int32_t y = (job->tile_y + t->block_y[0] * 4) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2 - s->y[i];
    t->a[i][0] = s->y[i] - s->y[j];
    t->b[i][0] = s->x[j] - s->x[i];
    t->max[i][0] = INT32_MIN;
    t->min[i][0] = INT32_MAX;
    for (int32_t k = 0; k < job->sample_count; k++) {
        const int32_t c =
            raster_c(t->a[i][0], t->b[i][0], x + job->sample[k][0], y + job->sample[k][1]);
        for (int32_t at = k; at < SAMPLES_MAX; at += job->sample_count)
            t->c_sample[i][0][at] = c;
        t->max[i][0] = c > t->max[i][0] ? c : t->max[i][0];
        t->min[i][0] = c < t->min[i][0] ? c : t->min[i][0];
    }
    t->c[i][0] = t->c_sample[i][0][0];
    const int32_t a3 = 3 * t->a[i][0], b3 = 3 * t->b[i][0];
    t->max[i][0] += (a3 > 0 ? a3 : 0) + (b3 > 0 ? b3 : 0);
    t->min[i][0] += (a3 < 0 ? a3 : 0) + (b3 < 0 ? b3 : 0);
}

/// Fills the bounding box and depth plane of `s`, in lane 0. False if the box is outside the tile.
static bool raster_large_begin(const raster_job *job, const setup_triangle *s, raster_batch *t)
{
    const int32_t last = TILE_BLOCKS - 1;
    const int32_t min_x = (s->min_x - job->tile_x) >> 2, min_y = (s->min_y - job->tile_y) >> 2;
    const int32_t max_x = (s->max_x - job->tile_x) >> 2, max_y = (s->max_y - job->tile_y) >> 2;
    t->block_x[0] = min_x > 0 ? min_x : 0;
    t->block_y[0] = min_y > 0 ? min_y : 0;
    t->columns[0] = (max_x < last ? max_x : last) - t->block_x[0] + 1;
    t->rows[0] = (max_y < last ? max_y : last) - t->block_y[0] + 1;
    t->from_x[0] = (float)(job->tile_x + t->block_x[0] * 4 - s->rx);
    t->from_y[0] = (float)(job->tile_y + t->block_y[0] * 4 - s->ry);
    t->z0[0] = s->z0;
    t->zx[0] = s->zx;
    t->zy[0] = s->zy;
    t->z_min[0] = s->z_min;
    t->z_max[0] = s->z_max;
    t->id[0] = (int32_t)s->id;
    return t->columns[0] > 0 && t->rows[0] > 0;
}

/// Is `s` a copy of an opaque triangle with a lower id that was drawn? Some models have many copies
/// of a triangle, each of which would tie with the first at every sample.
static bool raster_is_copy(const raster_state *r, const setup_triangle *s)
{
    for (int i = 0; i < RASTER_DRAWN && r->drawn[i]; i++) {
        const setup_triangle *d = r->drawn[i];
        if (d->x[0] == s->x[0] && d->id < s->id && memcmp(d, s, offsetof(setup_triangle, id)) == 0)
            return true;
    }
    return false;
}

static void raster_large_one(raster_state *r, const setup_triangle *s)
{
    raster_batch *t = &r->batch;
    if (s->z_max < r->tile_min || raster_is_copy(r, s) || !raster_large_begin(r->job, s, t))
        return;
    if (raster_nearest(r, 0, 0, 0, t->columns[0] * 4, t->rows[0] * 4) < r->tile_min)
        return;
    for (int i = 0; i < 3; i++)
        raster_large_edge(r, s, i, t);
    if (s->masked && r->job->alpha_test.survivors)
        raster_regions_masked(r, 0);
    else {
        raster_regions_for(r->job)(r, 0);
        r->drawn[r->drawn_count++ % RASTER_DRAWN] = s;
    }
    r->tile_min = r->region_min[0];
    for (int i = 1; i < RASTER_REGIONS; i++)
        r->tile_min = r->region_min[i] < r->tile_min ? r->region_min[i] : r->tile_min;
}

static inline bool raster_is_before(const setup_triangle *a, const setup_triangle *b)
{
    return a->z_max > b->z_max || (a->z_max == b->z_max && a->id < b->id);
}

/// Insertion sort: groups are short, and nearly sorted in most scenes.
static void raster_sort(const setup_triangle **group, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const setup_triangle *t = group[i];
        uint32_t at = i;
        for (; at > 0 && raster_is_before(t, group[at - 1]); at--)
            group[at] = group[at - 1];
        group[at] = t;
    }
}

static void raster_large(raster_state *r)
{
    const raster_job *job = r->job;
    const setup_triangle *group[RASTER_GROUP];
    for (uint32_t first = 0; first < job->count; first += RASTER_GROUP) {
        const uint32_t left = job->count - first;
        const uint32_t count = left < RASTER_GROUP ? left : RASTER_GROUP;
        memcpy(group, job->triangles + first, count * sizeof *group);
        raster_sort(group, count);
        for (uint32_t i = 0; i < count; i++)
            raster_large_one(r, group[i]);
    }
}
/// Fills the sample positions and their bound.
static void raster_row_init(const raster_job *job, raster_state *r)
{
    const int32_t samples = job->sample_count;
    r->reach = 0.0f;
    for (int32_t i = 0; i < 4 * samples || i < ZT_W; i++) {
        const int32_t pixel = i / samples;
        const int8_t *from = job->sample[i % samples];
        r->row.pixel_x[i] = pixel % 4;
        r->row.pixel_y[i] = pixel / 4;
        r->row.x[i] = (float)(pixel % 4) + (float)from[0] / (float)SUBPIXEL_ONE;
        r->row.y[i] = (float)(pixel / 4) + (float)from[1] / (float)SUBPIXEL_ONE;
        if (from[0] || from[1])
            r->reach = 0.5f; // samples lie in [-128, 128) / 256
    }
}

static void raster(const raster_job *job)
{
    raster_state r;
    r.job = job;
    raster_row_init(job, &r);
    for (int i = 0; i < RASTER_REGIONS; i++)
        r.region_min[i] = -1.0f;
    r.tile_min = -1.0f;
    r.drawn_count = 0;
    memset(r.drawn, 0, sizeof r.drawn);
    memset(r.small, 0, sizeof r.small);
    raster_large(&r);
    const uint32_t ahead = job->small_runs - job->small_behind;
    for (uint32_t i = 0; i < job->small_runs; i++) {
        if (i == ahead)
            raster_measure_tile(&r);
        for (uint32_t first = 0; first < job->small[i].count; first += ZT_W) {
            if (i + 1 < job->small_runs) // the next run may be anywhere in memory
                for (uint32_t k = 0; k < ZT_W; k += 2)
                    __builtin_prefetch(&job->small[i + 1].first[first + k]);
            raster_small(&r, &job->small[i], first, i >= ahead);
        }
    }
}
