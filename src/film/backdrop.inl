// SPDX-License-Identifier: MIT
// The light that a tile shows where nothing covers it, as a background: `background: environment`.

/// Radiance from beyond everything along the ray of a pixel, in the direction of any length.
ZT_LANE_OP vec3_lanes backdrop_radiance(const film_backdrop *b, const shade_frame *f,
                                        const ambient_light *ambient, vec3_lanes direction)
{
    const environment_view *e = f->environment;
    if (!e)
        return ambient_radiance(ambient, vec3_unit(direction).y);
    if (!b->rgb)
        return environment_radiance(e, direction, vf_set1(b->roughness));
    const vf c = vf_set1(e->cosine), s = vf_set1(e->sine);
    vf rgb[3];
    equirectangular_lookup(b->rgb, b->width, b->height, direction.x * c - direction.z * s,
                           direction.y, direction.x * s + direction.z * c, rgb);
    return vec3_scale((vec3_lanes){rgb[0], rgb[1], rgb[2]}, vf_set1(e->intensity));
}

/// The backdrop of the pixels of a block, exposed and tone mapped, from `at` on.
ZT_LANE_OP film_rgb backdrop_pixels(const backdrop_job *job, const ambient_light *ambient,
                                    uint32_t number, int32_t at)
{
    const shade_frame *f = job->frame;
    const vi pixel = vi_iota() + vi_set1(at);
    const vi x = vi_and(pixel, vi_set1(3)), y = vi_shr(pixel, 2);
    const int32_t column = job->tile_x + (int32_t)(number % TILE_BLOCKS) * 4;
    const int32_t row = job->tile_y + (int32_t)(number / TILE_BLOCKS) * 4;
    const vf px = vf_from_vi(x + vi_set1(column)) + vf_set1(0.5f);
    const vf py = vf_from_vi(y + vi_set1(row)) + vf_set1(0.5f);
    const vec3_lanes ray =
        f->view.transform.orthographic ? vec3_set1(f->view.forward) : shade_ray(f, px, py);
    const vec3_lanes light = backdrop_radiance(job->film->backdrop, f, ambient, ray);
    film_rgb c = {light.x, light.y, light.z};
    film_lit(job->film, &c, 1);
    return film_clamp(c);
}

static void film_fill_backdrop(const backdrop_job *job)
{
    const ambient_light ambient = ambient_light_of(job->frame->sky, job->frame->ambient_below);
    const film_job *film = job->film;
    for (uint32_t number = 0; number < TILE_BLOCK_COUNT; number++) {
        // What is lit and covers its whole pixel hides it; other pixels multiply it.
        if (film->blocks && film->blocks[number].kind == BLOCK_PLAIN && !film->color.unlit &&
            !(film->blended && film->blended_pixels[number]))
            continue;
        for (int32_t at = 0; at < 16; at += ZT_W) {
            const film_rgb c = backdrop_pixels(job, &ambient, number, at);
            float *out = job->out + number * 16 + (uint32_t)at;
            vf_store(out, c.r);
            vf_store(out + FILM_BACKDROP_PLANE, c.g);
            vf_store(out + 2 * FILM_BACKDROP_PLANE, c.b);
        }
    }
}
