// SPDX-License-Identifier: MIT
// Jobs of hits -> what closures say of them. See bsdf_probe.h.

ZT_LANE_OP vec3_lanes probe_load(const float *const from[3], uint32_t i)
{
    return (vec3_lanes){vf_load(from[0] + i), vf_load(from[1] + i), vf_load(from[2] + i)};
}

ZT_LANE_OP void probe_store(float *const to[3], uint32_t i, vec3_lanes v)
{
    if (!to[0])
        return;
    vf_store(to[0] + i, v.x);
    vf_store(to[1] + i, v.y);
    vf_store(to[2] + i, v.z);
}

/// ZT_W hits of the job, from `i` on.
ZT_LANE_OP void probe_rays(const bsdf_probe_job *job, uint32_t i, hit_rays *out)
{
    const vf zero = vf_set1(0.0f);
    const bool extended = job->footprint[0][0] != NULL;
    memcpy(out->id, job->id + i, sizeof out->id);
    out->l1 = vf_load(job->barycentric[0] + i);
    out->l2 = vf_load(job->barycentric[1] + i);
    out->to_eye = probe_load(job->to_eye, i);
    for (int32_t axis = 0; axis < 2; axis++)
        out->footprint[axis] =
            extended ? probe_load(job->footprint[axis], i) : (vec3_lanes){zero, zero, zero};
}

/// The value of one direction of light, or of the lamp.
ZT_LANE_OP void probe_light(const bsdf_probe_job *job, const hit_bsdf *b, uint32_t i, uint32_t at)
{
    const vf inv_pi = vf_set1(0.318309886f);
    if (!job->lamp) {
        probe_store(
            job->out_value, at,
            hit_evaluate(b, probe_load(job->to_light, at), (vec3_lanes){inv_pi, inv_pi, inv_pi}));
        return;
    }
    const light_arrival in = light_arrive(job->lamp, false, b->point.position);
    probe_store(job->out_value, at, hit_evaluate(b, in.to_light, in.radiance));
    if (job->out_lamp[0]) {
        vf_store(job->out_lamp[0] + i, in.distance);
        vf_store(job->out_lamp[1] + i, in.radius);
    }
}

static void bsdf_probe(const bsdf_probe_job *job)
{
    hit_material material;
    shade_traits t = material_traits_of(job->material);
    t.lobes.flat = job->flat;
    t.geometric = job->out_geometric[0] != NULL;
    if (job->roughness_floor > 0)
        t.roughness_floor = job->roughness_floor;
    hit_material_make(job->meshlets, job->material, &t, &material);
    const uint32_t padded = (job->count + 15) / 16 * 16;
    for (uint32_t i = 0; i < job->count; i += ZT_W) {
        hit_rays rays;
        hit_place place;
        hit_bsdf b;
        probe_rays(job, i, &rays);
        hit_surface(&material, &rays, &place);
        hit_closure(&material, &place, &b);
        for (uint32_t k = 0; k < job->question_count; k++)
            probe_light(job, &b, i, k * padded + i);
        probe_store(job->out_albedo, i, hit_albedo(&b));
        probe_store(job->out_emission, i, b.emission);
        probe_store(job->out_position, i, b.point.position);
        probe_store(job->out_geometric, i, b.point.geometric);
        if (job->out_alpha)
            vf_store(job->out_alpha + i, b.alpha);
    }
}
