// SPDX-License-Identifier: MIT
// Data of visible samples next to their colours, for the planes that a job has.

/// World position from the ray and the interpolated w (perspective) or depth (orthographic).
ZT_LANE_OP vec3_lanes shade_position(const shade_frame *f, bool orthographic, const surface *s,
                                     vec3_lanes ray)
{
    const vec3_lanes origin = vec3_set1(f->view.origin);
    if (!orthographic)
        return vec3_add(origin, vec3_scale(ray, surface_value(s, ROW_W)));
    const vf along = (vf_set1(1.0f) - surface_value(s, ROW_DEPTH)) * vf_set1(f->view.depth_range);
    return vec3_add(vec3_add(origin, ray), vec3_scale(vec3_set1(f->view.forward), along));
}

ZT_LANE_OP void plane_store(const shade_job *job, picture_plane plane, int32_t channel,
                            uint32_t first, vf x)
{
    const shade_planes *planes = job->color.planes;
    shade_store(job, first, x, planes->channel[plane] + (size_t)channel * planes->stride);
}

ZT_LANE_OP void plane_store2(const shade_job *job, picture_plane plane, uint32_t first, vf x, vf y)
{
    plane_store(job, plane, 0, first, x);
    plane_store(job, plane, 1, first, y);
}

ZT_LANE_OP void plane_store3(const shade_job *job, picture_plane plane, uint32_t first,
                             vec3_lanes v)
{
    plane_store2(job, plane, first, v.x, v.y);
    plane_store(job, plane, 2, first, v.z);
}

/// Data that belongs to the place of the samples from `first` on.
ZT_LANE_OP void planes_of_surface(const shade_context *c, const shade_traits *t, uint32_t first,
                                  const shade_batch *batch)
{
    const shade_job *job = &c->job;
    const surface *s = &batch->at.surface;
    float *const *channel = job->color.planes->channel;
    if (channel[PLANE_POSITION])
        plane_store3(job, PLANE_POSITION, first,
                     shade_position(&c->frame, t->orthographic, s,
                                    shade_ray(&c->frame, batch->px, batch->py)));
    if (channel[PLANE_DEPTH])
        plane_store(job, PLANE_DEPTH, 0, first,
                    surface_value(s, t->orthographic ? ROW_DEPTH : ROW_W));
    if (channel[PLANE_BARYCENTRIC])
        plane_store2(job, PLANE_BARYCENTRIC, first, s->l1, s->l2);
}

/// Data that shading has after loop 4.
ZT_LANE_OP void planes_of_point(const shade_context *c, const shade_traits *t,
                                const vf texel[TEXEL_COUNT], uint32_t first,
                                const shade_batch *batch)
{
    const shade_job *job = &c->job;
    const uv_gradient *uv = &batch->at.values.uv[0];
    float *const *channel = job->color.planes->channel;
    planes_of_surface(c, t, first, batch);
    if (channel[PLANE_NORMAL])
        plane_store3(job, PLANE_NORMAL, first, batch->at.point.normal);
    if (channel[PLANE_BASE]) {
        const vec3_lanes base = shade_base(&c->material.own, t, &batch->at.values, texel);
        plane_store3(job, PLANE_BASE, first,
                     t->wireframe ? look_wireframe(batch, SHADE_ALBEDO, base) : base);
    }
    if (channel[PLANE_UV])
        plane_store2(job, PLANE_UV, first, uv->u, uv->v);
    if (channel[PLANE_UV_STEP])
        plane_store2(job, PLANE_UV_STEP, first,
                     vf_sqrt(uv->ux * uv->ux + uv->uy * uv->uy) * uv->factor,
                     vf_sqrt(uv->vx * uv->vx + uv->vy * uv->vy) * uv->factor);
}
