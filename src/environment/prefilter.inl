// SPDX-License-Identifier: MIT
// A picture -> the first octahedral level; octahedral levels -> filtered ones.

/// Column and row of the texels in lanes -> place.
ZT_LANE_OP vf prefilter_place(int32_t size, vf column)
{
    return column * vf_set1(2.0f / (float)size) - vf_set1(1.0f);
}

/// Stores the lanes that are inside the row.
ZT_LANE_OP void prefilter_store(const qf texels[ZT_W], int32_t column, int32_t size,
                                float (*out)[4])
{
    for (int32_t i = 0; i < ZT_W && column + i <= size; i++)
        qf_store(out[column + i], texels[i]);
}

static void light_resample(const light_resample_job *job)
{
    const float cell = 2.0f / (float)job->size, step = cell / (float)job->grid;
    const float first = 0.5f * (step - cell);
    const vf share = vf_set1(1.0f / (float)(job->grid * job->grid));
    const vf row = prefilter_place(job->size, vf_set1((float)job->row));
    for (int32_t column = 0; column <= job->size; column += ZT_W) {
        const vf u = prefilter_place(job->size, vf_from_vi(vi_iota() + vi_set1(column)));
        vf sum[4] = {vf_set1(0.0f), vf_set1(0.0f), vf_set1(0.0f)}, x, y, z;
        for (int32_t i = 0; i < job->grid * job->grid; i++) {
            vf rgb[3];
            octahedral_direction(u + vf_set1(first + step * (float)(i % job->grid)),
                                 row + vf_set1(first + step * (float)(i / job->grid)), &x, &y, &z);
            equirectangular_lookup(job->rgb, job->width, job->height, x, y, z, rgb);
            for (int32_t c = 0; c < 3; c++)
                sum[c] = sum[c] + rgb[c];
        }
        octahedral_direction(u, row, &x, &y, &z);
        // With |x| + |y| + |z| = 1 an area of the map has the solid angle area / length^3.
        const vf length2 = (x * x + y * y) + z * z;
        const vf texel[4] = {sum[0] * share, sum[1] * share, sum[2] * share,
                             vf_set1(1.0f) / (length2 * vf_sqrt(length2))};
        qf texels[ZT_W];
        vf_to_qf4(texel, texels);
        prefilter_store(texels, column, job->size, job->out);
    }
}

/// Unit directions, each with a right-handed frame (Duff et al., JCGT 2017, orthonormal bases).
typedef struct prefilter_frame {
    vf tangent[3], bitangent[3], normal[3];
} prefilter_frame;

ZT_LANE_OP void prefilter_frame_build(vf u, vf v, prefilter_frame *f)
{
    const vf one = vf_set1(1.0f);
    vf x, y, z;
    octahedral_direction(u, v, &x, &y, &z);
    const vf scale = one / vf_sqrt((x * x + y * y) + z * z);
    x = x * scale;
    y = y * scale;
    z = z * scale;
    const vf sign = octahedral_sign(one, z);
    const vf a = vf_set1(-1.0f) / (sign + z), b = (x * y) * a;
    f->tangent[0] = one + (sign * (x * x)) * a;
    f->tangent[1] = sign * b;
    f->tangent[2] = vf_neg(sign * x);
    f->bitangent[0] = b;
    f->bitangent[1] = sign + (y * y) * a;
    f->bitangent[2] = vf_neg(y);
    f->normal[0] = x;
    f->normal[1] = y;
    f->normal[2] = z;
}

/// Adds the light of one sample around each normal.
ZT_LANE_OP void prefilter_add(const octahedral_levels *source, const light_sample *s,
                              const prefilter_frame *f, vf sum[3])
{
    const vf sx = vf_set1(s->x), sy = vf_set1(s->y), sz = vf_set1(s->z);
    vf d[3], u, v;
    for (int32_t i = 0; i < 3; i++)
        d[i] = (f->tangent[i] * sx + f->bitangent[i] * sy) + f->normal[i] * sz;
    const vf length1 = octahedral_place(d[0], d[1], d[2], &u, &v);
    const vf last = vf_set1((float)(source->level_count - 1));
    const vf level =
        vf_clamp(vf_set1(s->level) - octahedral_log2_area(length1), vf_set1(0.0f), last);
    const vi whole = vi_from_vf(level);
    vf light[3];
    octahedral_lookup(source, u, v, whole, level - vf_from_vi(whole), light);
    const vf weight = vf_set1(s->weight);
    for (int32_t c = 0; c < 3; c++)
        sum[c] = sum[c] + light[c] * weight;
}

static void light_filter(const light_filter_job *job)
{
    float total = 0.0f;
    for (int32_t i = 0; i < job->sample_count; i++)
        total = total + job->samples[i].weight;
    const vf share = vf_set1(1.0f / total), zero = vf_set1(0.0f);
    const vf row = prefilter_place(job->size, vf_set1((float)job->row));
    for (int32_t column = 0; column <= job->size; column += ZT_W) {
        prefilter_frame frame;
        vf sum[4] = {zero, zero, zero, zero};
        prefilter_frame_build(prefilter_place(job->size, vf_from_vi(vi_iota() + vi_set1(column))),
                              row, &frame);
        for (int32_t i = 0; i < job->sample_count; i++)
            prefilter_add(job->source, &job->samples[i], &frame, sum);
        for (int32_t c = 0; c < 3; c++)
            sum[c] = sum[c] * share;
        qf texels[ZT_W];
        vf_to_qf4(sum, texels);
        prefilter_store(texels, column, job->size, job->out);
    }
}

/// Adds the light of `count` texels, and its weights in sum[3].
ZT_LANE_OP void prefilter_sum(const light_source_texel *from, int32_t count, float alpha2,
                              const prefilter_frame *f, vf sum[4])
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf steps = vf_set1(0.5f * (1.0f - alpha2)), base = vf_set1(alpha2);
    for (int32_t i = 0; i < count; i++) {
        const vf cosine = (f->normal[0] * vf_set1(from[i].x) + f->normal[1] * vf_set1(from[i].y)) +
                          f->normal[2] * vf_set1(from[i].z);
        const vf d = base + steps * (one - vf_min(cosine, one));
        const vf weight = vf_max(cosine, zero) / (d * d);
        sum[0] = sum[0] + weight * vf_set1(from[i].r);
        sum[1] = sum[1] + weight * vf_set1(from[i].g);
        sum[2] = sum[2] + weight * vf_set1(from[i].b);
        sum[3] = sum[3] + weight * vf_set1(from[i].area);
    }
}

static void light_sum(const light_sum_job *job)
{
    const vf row = prefilter_place(job->size, vf_set1((float)job->row));
    for (int32_t column = 0; column <= job->size; column += ZT_W) {
        const vf zero = vf_set1(0.0f);
        vf total[4] = {zero, zero, zero, zero};
        prefilter_frame frame;
        prefilter_frame_build(prefilter_place(job->size, vf_from_vi(vi_iota() + vi_set1(column))),
                              row, &frame);
        for (int32_t i = 0; i < job->source_rows; i++) {
            vf sum[4] = {zero, zero, zero, zero};
            prefilter_sum(job->source + i * job->source_rows, job->source_rows, job->alpha2, &frame,
                          sum);
            for (int32_t c = 0; c < 4; c++)
                total[c] = total[c] + sum[c];
        }
        const vf texel[4] = {total[0] / total[3], total[1] / total[3], total[2] / total[3], zero};
        qf texels[ZT_W];
        vf_to_qf4(texel, texels);
        prefilter_store(texels, column, job->size, job->out);
    }
}
