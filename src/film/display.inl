// SPDX-License-Identifier: MIT
// The floats that film.inl encodes: linear display colours, premultiplied, or over the background.
// Blocks take the general way: the sums are the same. Glass before a background keeps its codes.

static inline void display_block(const film_job *job, uint32_t number, float out[16][4])
{
    const uint16_t black = job->black ? job->black_place[number] : 0;
    const unsigned blended = job->blended && !black ? job->blended_pixels[number] : 0;
    int32_t glass[16] = {0};
    qf sum[16];
    for (uint32_t i = 0; i < 16; i++) {
        const float alpha = black ? job->black[(size_t)(black - 1) * 16 + i] : 0.0f;
        sum[i] = qf_load((const float[4]){0.0f, 0.0f, 0.0f, alpha});
    }
    if (!black && job->blocks && job->blocks[number].kind != BLOCK_EMPTY)
        film_resolve(job, &job->blocks[number], FILM_DISPLAY, sum);
    for (uint32_t i = 0; i < 16; i++)
        sum[i] = blended >> i & 1u ? qf_load(job->blended[number * 16 + i]) : sum[i];
    if (blended && job->through)
        film_glass_pixels(job, number, sum, glass);
    for (int32_t at = 0; at < 16; at += ZT_W) {
        vf rgba[4];
        vf_from_qf4(sum + at, rgba);
        const vf behind = vf_set1(job->transparent ? 0.0f : 1.0f) * (vf_set1(1.0f) - rgba[3]);
        const film_rgb page = film_background(job, number, at);
        const vf mixed[4] = {rgba[0] + page.r * behind, rgba[1] + page.g * behind,
                             rgba[2] + page.b * behind, rgba[3] + behind};
        vf_to_qf4(mixed, sum + at);
    }
    for (int32_t i = 0; i < 16; i++) {
        qf_store(out[i], sum[i]);
        for (int32_t k = 0; k < 3 && glass[i]; k++)
            out[i][k] = job->srgb->linear[(uint32_t)glass[i] >> (8 * k) & 255u];
    }
}

static void display(const film_job *job)
{
    for (int32_t y = 0; y < job->height; y += 4)
        for (int32_t x = 0; x < job->width; x += 4) {
            float block[16][4];
            const int32_t columns = job->width - x < 4 ? job->width - x : 4;
            display_block(job, (uint32_t)((y / 4) * TILE_BLOCKS + x / 4), block);
            for (int32_t i = 0; i < 4 && y + i < job->height; i++)
                memcpy((char *)job->display + (size_t)(y + i) * job->display_stride +
                           sizeof *block * (size_t)x,
                       block[4 * i], sizeof *block * (size_t)columns);
        }
}
