// SPDX-License-Identifier: MIT
// Which attributes a material needs, and the test of the alpha of masked materials.

ZT_LANE_OP surface_needs surface_needs_of(const shade_material *m)
{
    surface_needs needs = {.tangent = m->map[SHADE_MAP_NORMAL].texture != NULL,
                           .extra = m->vertex_color};
    for (uint32_t i = 0; m->detail && i < m->detail->wrinkle_count; i++) {
        needs.tangent = true;
        needs.uv = needs.uv || m->detail->wrinkles[i].map.uv_set == 0;
        needs.extra = needs.extra || m->detail->wrinkles[i].map.uv_set == 1;
    }
    for (int32_t i = 0; i < SHADE_MAP_COUNT; i++) {
        needs.uv = needs.uv || (m->map[i].texture && m->map[i].uv_set == 0);
        needs.extra = needs.extra || (m->map[i].texture && m->map[i].uv_set == 1);
    }
    for (int32_t i = 0; m->lobes && i < MATERIAL_EXTENSION_MAP_COUNT; i++) {
        const surface_map *map = &m->lobes->map[i];
        needs.uv = needs.uv || (map->texture && map->uv_set == 0);
        needs.extra = needs.extra || (map->texture && map->uv_set == 1);
    }
    if (m->lobes)
        needs.tangent = needs.tangent || m->lobes->has.anisotropic ||
                        m->lobes->map[MODEL_CLEARCOAT_NORMAL_MAP].texture;
    return needs;
}

/// See raster_alpha_test. `user` is a shade_frame.
static unsigned alpha_test(const void *user, uint32_t id, int32_t block_x, int32_t block_y,
                           int32_t dx, int32_t dy, unsigned lanes)
{
    const shade_frame *frame = user;
    const shade_material *m =
        &frame->materials[frame->surfaces.meshlets[primitive_meshlet(id)].material];
    surface_needs needs = surface_needs_of(m);
    needs.anisotropy = frame->anisotropy;
    const int32_t in_tile = TILE_SIZE - 1;
    int32_t ids[ZT_W];
    vi_store(ids, vi_set1((int32_t)id));
    // Each level of a mask has the coverage of the picture; a mean of two has less contrast.
    surface_map base = m->map[SHADE_MAP_BASE];
    surface_texture nearest_level;
    if (base.texture) {
        nearest_level = *base.texture;
        nearest_level.sampling.mip_nearest = true;
        base.texture = &nearest_level;
    }
    surface_table table;
    surface_table_build(&frame->surfaces, ids, vf_set1((float)(block_x & ~in_tile)),
                        vf_set1((float)(block_y & ~in_tile)), &needs, &table);
    unsigned passed = 0;
    for (int32_t first = 0; first < 16; first += ZT_W) {
        const vi pixel = vi_set1(first) + vi_iota();
        const vi x = vi_shl(vi_set1(block_x) + vi_and(pixel, vi_set1(3)), 8);
        const vi y = vi_shl(vi_set1(block_y) + vi_shr(pixel, 2), 8);
        const vf px = vf_from_vi(x + vi_set1(128 + dx)) * vf_set1(1.0f / 256.0f);
        const vf py = vf_from_vi(y + vi_set1(128 + dy)) * vf_set1(1.0f / 256.0f);
        surface s;
        surface_values values;
        surface_locate(&table, vi_set1(0), px, py, &s);
        surface_interpolate(&s, &needs, &values);
        vf alpha = vf_set1(m->base_color[3]);
        if (m->vertex_color)
            alpha = alpha * values.color[3];
        if (base.texture) {
            vf texel[4];
            surface_sample(&base, &values, texel);
            alpha = alpha * texel[3];
        }
        passed |= vm_bits(vf_ge(alpha, vf_set1(m->alpha_cutoff))) << first;
    }
    return passed & lanes;
}
