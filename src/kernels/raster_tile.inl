// SPDX-License-Identifier: MIT
// One tile: the large triangles first, which hide more.

static void raster(const raster_job *job)
{
    raster_state r;
    r.job = job;
    r.reach = 0.0f;
    for (int32_t s = 0; s < job->sample_count; s++) {
        r.sample_x[s] = (float)job->sample[s][0] / (float)SUBPIXEL_ONE;
        r.sample_y[s] = (float)job->sample[s][1] / (float)SUBPIXEL_ONE;
        if (job->sample[s][0] || job->sample[s][1])
            r.reach = 0.5f; // samples lie in [-128, 128) / 256
    }
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
