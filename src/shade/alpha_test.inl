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
        needs.tangent = needs.tangent || m->lobes->tangents;
    return needs;
}

/// Moves texture coordinates as far as a map says, part of the way from where they are. The map
/// itself has those of the vertices.
ZT_LANE_OP void lobe_move_uv(const shade_lobes *lobes, surface_values *values)
{
    const surface_map *map = &lobes->map[MODEL_UV_ANIMATION_MAP];
    surface_map moved = {.transformed = true};
    vf share[4];
    surface_sample(map, values, share);
    memcpy(moved.uv_from_uv, lobes->uv_from_uv, sizeof moved.uv_from_uv);
    for (int32_t i = 0; i < 2; i++) {
        uv_gradient *uv = &values->uv[i];
        const uv_gradient to = surface_transformed_uv(&moved, uv);
        uv->u = uv->u + (to.u - uv->u) * share[2];
        uv->v = uv->v + (to.v - uv->v) * share[2];
    }
}

/// The alpha that a minified texel is tested against: its alpha says how much of it is there, and
/// as large a share of the samples around has a lower threshold. Samples of the patterns of
/// sample_pattern() lie in different columns of a pixel: their thresholds differ by equal steps.
/// Pixels add a lattice of two dimensions (Roberts, "The unreasonable effectiveness of quasirandom
/// sequences", 2018), and triangles a number of their own: layers of leaves fill each other's gaps.
ZT_LANE_OP vf alpha_threshold(vi x, vi y, int32_t dx, uint32_t id)
{
    const int32_t own = (int32_t)(id * 2654435769u >> 16); // Knuth: 2^32 by the golden ratio
    const vi step = vi_madd16(x, vi_set1(49472 - 65536)) + vi_madd16(y, vi_set1(37345 - 65536));
    const vi place = vi_and(step + vi_set1(((dx + 128) << 8) + own), vi_set1(65535));
    return (vf_from_vi(place) + vf_set1(0.5f)) * vf_set1(1.0f / 65536.0f);
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
        if (m->lobes && m->lobes->uv_moves)
            lobe_move_uv(m->lobes, &values);
        const vf threshold = alpha_threshold(vi_shr(x, 8), vi_shr(y, 8), dx, id);
        passed |= vm_bits(material_covers(m, &values, threshold)) << first;
    }
    return passed & lanes;
}
