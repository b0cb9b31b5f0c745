// SPDX-License-Identifier: MIT
// Shading normals beyond one map in the tangent frame: maps in object space, and wrinkles over
// either kind.
//
// Object space: n = X x + Y y + Z z. X, Y, Z are the axes of bind space at the vertices after
// morphs and skin (bind_axes), interpolated. This is exact for rigid bones, which rotate all
// corners alike. Between bones it is as good as the vertex normals, which are computed in the same
// way.
//
// Wrinkles: creases are heights h over one skin. Heights of several maps add, and so do their
// slopes s = (x, y) / z = -grad h, each times its weight and mask. Reoriented normal mapping puts
// the sum on top of the base b (Barre-Brisebois & Hill, "Blending in Detail", 2012): it rotates the
// detail by the shortest rotation that takes +z to b,
//   t = b + (0, 0, 1),  u = (-s.x, -s.y, 1),  n ~ t (t . u) / t.z - u,
// so creases keep their depth where the base leans, and flat maps change nothing. Adding slopes to
// the base as well (partial derivatives, whiteout) would flatten the creases there.

/// Smallest z of a wrinkle's normal: steeper than 89 degrees is noise.

#define WRINKLE_MIN_Z (1.0f / 64.0f)

/// z of a map that stores x and y only.
ZT_LANE_OP vf normal_z(vf x, vf y)
{
    return vf_sqrt(vf_max((vf_set1(1.0f) - x * x) - y * y, vf_set1(0.0f)));
}

/// The slopes of all wrinkles at a point.
ZT_LANE_OP void wrinkle_slopes(const shade_detail *detail, const surface_values *values, vf out[2])
{
    out[0] = out[1] = vf_set1(0.0f);
    for (uint32_t i = 0; i < detail->wrinkle_count; i++) {
        const shade_wrinkle *w = &detail->wrinkles[i];
        vf weight = vf_set1(w->weight), n[4];
        if (w->mask.texture) {
            surface_sample(&w->mask, values, n);
            weight = weight * n[0];
        }
        surface_sample(&w->map, values, n);
        const vf z = w->map.texture->two_channel ? normal_z(n[0], n[1]) : n[2];
        weight = weight / vf_max(z, vf_set1(WRINKLE_MIN_Z));
        out[0] = out[0] + n[0] * weight;
        out[1] = out[1] + n[1] * weight;
    }
}

/// Puts slopes on top of `base`, a normal in the tangent frame. Slopes of 0 keep its bits.
ZT_LANE_OP vec3_lanes wrinkle_blend(vec3_lanes base, const vf slope[2])
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vec3_lanes b = vec3_unit(base);
    const vf t_z = vf_max(b.z + one, vf_set1(1e-3f)); // 0: the base points inwards
    const vf along = (t_z - (b.x * slope[0] + b.y * slope[1])) / t_z;
    const vm flat = vm_and(vf_eq(slope[0], zero), vf_eq(slope[1], zero));
    return (vec3_lanes){vf_sel(flat, base.x, b.x * along + slope[0]),
                        vf_sel(flat, base.y, b.y * along + slope[1]),
                        vf_sel(flat, base.z, t_z * along - one)};
}

/// The orthonormal tangent frame at a point; y is the bitangent.
typedef struct tangent_frame {
    vec3_lanes x, y, z;
} tangent_frame;

ZT_LANE_OP tangent_frame tangent_frame_at(const surface *s)
{
    tangent_frame f;
    f.z = vec3_unit(surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL));
    const vec3_lanes t = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_TANGENT);
    f.x = vec3_unit(vec3_sub(t, vec3_scale(f.z, vec3_dot(f.z, t))));
    f.y = vec3_scale(vec3_cross(f.z, f.x), surface_row(s, ROW_HANDEDNESS));
    return f;
}

/// wrinkle_blend for a normal in world space: takes it to the tangent frame and back.
ZT_LANE_OP vec3_lanes wrinkle_world(const surface *s, vec3_lanes normal, const vf slope[2])
{
    const tangent_frame f = tangent_frame_at(s);
    const vec3_lanes base = {vec3_dot(normal, f.x), vec3_dot(normal, f.y), vec3_dot(normal, f.z)};
    const vec3_lanes n = wrinkle_blend(base, slope);
    const vec3_lanes out =
        vec3_add(vec3_add(vec3_scale(f.x, n.x), vec3_scale(f.y, n.y)), vec3_scale(f.z, n.z));
    const vf zero = vf_set1(0.0f);
    const vm flat = vm_and(vf_eq(slope[0], zero), vf_eq(slope[1], zero));
    return (vec3_lanes){vf_sel(flat, normal.x, out.x), vf_sel(flat, normal.y, out.y),
                        vf_sel(flat, normal.z, out.z)};
}

/// An object-space normal in world space. `axes`: a table of axes_table_build.
ZT_LANE_OP vec3_lanes normal_from_object(const surface *s, const surface_table *axes,
                                         vec3_lanes map)
{
    surface point = *s;
    point.table = axes;
    const vec3_lanes x = surface_vector(&point, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    const vec3_lanes y = surface_vector(&point, ROW_ATTRIBUTES + 3 * VALUE_TANGENT);
    const vec3_lanes z = surface_vector(&point, ROW_EXTRA);
    return vec3_add(vec3_add(vec3_scale(x, map.x), vec3_scale(y, map.y)), vec3_scale(z, map.z));
}

/// The axes at the corners of the lanes' triangles: x and y in the rows of attributes, z in those
/// of extras. Each is normalised, so that the scale of a joint does not weight a corner. They are
/// normals, and the normal matrix takes them to world space.
static inline void axes_table_build(const posed_meshlet *meshlets, const int32_t id[ZT_W],
                                    surface_table *t)
{
    const float *xy[3][ZT_W], *z[3][ZT_W];
    float in_world[3][ZT_W][12] = {0};
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const posed_meshlet *m = &meshlets[primitive_meshlet((uint32_t)id[lane])];
        const bind_axes *axes = &m->axes;
        for (int32_t k = 0; k < 3; k++) {
            const uint32_t vertex = m->vertex[m->corner[k][primitive_triangle((uint32_t)id[lane])]];
            xy[k][lane] = &axes->xy[vertex].nx;
            z[k][lane] = &axes->z[vertex].nx;
            if (!m->world_from_position)
                continue;
            float *to = in_world[k][lane];
            surface_direction(m->world_from_normal, xy[k][lane], to);
            surface_direction(m->world_from_normal, xy[k][lane] + 4, to + 4);
            surface_direction(m->world_from_normal, z[k][lane], to + 8);
            xy[k][lane] = to;
            z[k][lane] = to + 8;
        }
    }
    surface_corner_values(xy, 0, 4, true, ROW_ATTRIBUTES, t);
    surface_corner_values(xy, 4, 4, true, ROW_ATTRIBUTES, t);
    surface_corner_values(z, 0, 4, true, ROW_EXTRA, t);
}
