// SPDX-License-Identifier: MIT
// One tile: the large triangles first, which hide more.

/// The samples of a block's first vectors.
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
        r.far[i] = -1.0f;
    r.farthest = -1.0f;
    r.drawn_count = 0;
    memset(r.drawn, 0, sizeof r.drawn);
    raster_large(&r);
    for (uint32_t i = 0; i < job->small_runs; i++)
        for (uint32_t first = 0; first < job->small[i].count; first += ZT_W) {
            if (i + 1 < job->small_runs) // runs lie anywhere in memory
                for (uint32_t k = 0; k < ZT_W; k += 2)
                    __builtin_prefetch(&job->small[i + 1].first[first + k]);
            raster_small(&r, &job->small[i], first);
        }
}
