// SPDX-License-Identifier: MIT
// Arrays of a job's visible samples, read and written ZT_W at a time.

/// Entries i to i + ZT_W - 1 of an array of the job's visible samples.
static inline vi visible_load(const shade_job *job, const uint32_t *from, uint32_t i)
{
    if (!job->index)
        return vi_load((const int32_t *)(from + i));
    return vi_gather((const int32_t *)from, vi_load((const int32_t *)(job->index + i)));
}

/// Stores ZT_W numbers of the job's visible samples, from `first` on.
static inline void shade_store(const shade_job *job, uint32_t first, vf x, float *out)
{
    if (!job->index) {
        vf_store(out + first, x);
        return;
    }
    float lanes[ZT_W];
    vf_store(lanes, x);
    for (uint32_t lane = 0; lane < ZT_W; lane++)
        out[job->index[first + lane]] = lanes[lane];
}

/// Stores ZT_W colours of the job's visible samples, from `first` on.
static inline void shade_store_color(const shade_job *job, uint32_t first, vec3_lanes c)
{
    if (!job->index) {
        vf_store(job->color.r + first, c.x);
        vf_store(job->color.g + first, c.y);
        vf_store(job->color.b + first, c.z);
        return;
    }
    float r[ZT_W], g[ZT_W], b[ZT_W];
    vf_store(r, c.x);
    vf_store(g, c.y);
    vf_store(b, c.z);
    for (uint32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t sample = job->index[first + lane];
        job->color.r[sample] = r[lane];
        job->color.g[sample] = g[lane];
        job->color.b[sample] = b[lane];
    }
}
