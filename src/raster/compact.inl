// SPDX-License-Identifier: MIT
// Ids of a tile -> visible samples, block by block.

enum {
    BLOCK_PIXELS = 16,
    COMPACT_LANES_MAX = ZT_W < 4 ? 1 : 4, ///< maximum samples of a pixel that are compared in lanes
    COMPACT_LANES = 64,                   ///< samples of a block with that many
};

typedef struct tile_compactor {
    const compact_job *job;
    int32_t centre[BLOCK_PIXELS]; ///< positions of the pixel centres in the tile's first block
    // For each sample of that block, if they are compared in lanes:
    int32_t from[COMPACT_LANES];   ///< position of its pixel's centre
    int32_t offset[COMPACT_LANES]; ///< from there to the sample
    int32_t pixel[COMPACT_LANES];  ///< 1 << pixel
    uint32_t count;                ///< visible samples so far
} tile_compactor;

static void compact_sample(tile_compactor *c, uint32_t id, uint32_t position, int32_t samples)
{
    c->job->visible.id[c->count] = id;
    c->job->visible.position[c->count] = position;
    c->job->visible.count[c->count] = (uint8_t)samples;
    c->count++;
}

/// The offset of a sample, packed like a position. Samples lie at most half a pixel from the
/// centre, so adding it to that of a pixel centre carries from neither half.
static inline int32_t compact_offset(const compact_job *job, int32_t s)
{
    return job->sample[s][0] + job->sample[s][1] * 0x10000;
}

/// Appends the visible samples of a pixel whose samples have different `ids`.
static void compact_mixed_pixel(tile_compactor *c, const uint32_t *ids, int32_t centre)
{
    const visible_samples *visible = &c->job->visible;
    const uint32_t start = c->count;
    for (int32_t s = 0; s < c->job->sample_count; s++) {
        if (ids[s] == ID_NONE)
            continue;
        uint32_t found = start;
        while (found < c->count && visible->id[found] != ids[s])
            found++;
        if (found < c->count)
            visible->count[found]++;
        else
            compact_sample(c, ids[s], (uint32_t)(centre + compact_offset(c->job, s)), 1);
    }
}

/// A block of pixels whose samples have one id, not ID_NONE. Ids of the 16 samples are written.
static inline void compact_plain(tile_compactor *c, size_t first_pixel, int32_t position)
{
    const visible_samples *visible = &c->job->visible;
    for (int32_t i = 0; i < BLOCK_PIXELS; i += ZT_W) {
        const uint32_t to = c->count + (uint32_t)i;
        vi_store((int32_t *)visible->position + to, vi_load(c->centre + i) + vi_set1(position));
        vi_store((int32_t *)c->job->blocks[first_pixel / BLOCK_PIXELS].first + i,
                 vi_set1((int32_t)to) + vi_iota());
    }
    memset(visible->count + c->count, c->job->sample_count, BLOCK_PIXELS);
    c->job->blocks[first_pixel / BLOCK_PIXELS].kind = BLOCK_PLAIN;
    c->count += BLOCK_PIXELS;
}

static inline void compact_empty(tile_compactor *c, size_t first_pixel)
{
    for (int32_t i = 0; i < BLOCK_PIXELS; i += ZT_W)
        vi_store((int32_t *)c->job->blocks[first_pixel / BLOCK_PIXELS].first + i,
                 vi_set1((int32_t)c->count));
    c->job->blocks[first_pixel / BLOCK_PIXELS].kind = BLOCK_EMPTY;
}

/// Lanes with the same id as the k-th next sample of the pixel, wrapping at its last sample.
ZT_LANE_OP vm compact_same(vi id, int32_t samples, int32_t k)
{
    return vi_eq(id, samples == 2 ? vi_rotate2(id) : vi_rotate4(id, k));
}

/// Bits of the lanes for which that wraps: the other sample comes earlier in the pixel.
ZT_LANE_OP unsigned compact_wraps(int32_t samples, int32_t k)
{
    const unsigned pixel = (1u << samples) - (1u << (samples - k));
    return 0xffffu / ((1u << samples) - 1u) * pixel;
}

/// A block of any kind. A sample is added if no earlier one of its pixel shows the same.
ZT_LANE_OP void compact_mixed(tile_compactor *c, size_t first_pixel, int32_t position,
                              unsigned visible, int32_t samples)
{
    const int32_t *id = (const int32_t *)c->job->tile.id + first_pixel * (size_t)samples;
    const vi zero = vi_set1(0), all = vi_set1(samples);
    const visible_samples to = c->job->visible; // a copy: byte stores may alias the job
    block_samples *block = &c->job->blocks[first_pixel / BLOCK_PIXELS];
    uint32_t *first = block->first, count = c->count;
    for (int32_t part = 0; part < BLOCK_PIXELS * samples; part += ZT_W) {
        const vi own = vi_load(id + part);
        const vm none = vi_eq(vi_and(vi_load(c->pixel + part), vi_set1((int32_t)visible)), zero);
        vm repeated = vm_or(vi_eq(own, vi_set1(ID_NONE)), none);
        vi shown = vi_set1(1);
        for (int32_t k = 1; k < samples; k++) {
            const vm same = compact_same(own, samples, k);
            const vm earlier = vm_from_bits(compact_wraps(samples, k));
            shown = vi_increment(shown, same);
            repeated = vm_or(repeated, vm_and(same, earlier));
        }
        const unsigned begins = vm_bits(vm_not(repeated));
        const vi offset = vi_sel(vi_eq(shown, all), zero, vi_load(c->offset + part));
        const vi where = vi_load(c->from + part) + vi_set1(position) + offset;
        vi_store((int32_t *)to.id + count, vi_pack(own, begins));
        vi_store((int32_t *)to.position + count, vi_pack(where, begins));
        vi_store_u8(to.count + count, vi_pack(shown, begins));
        for (int32_t i = 0; i < ZT_W; i += samples)
            *first++ = count + lanes_count(begins & ((1u << i) - 1u));
        count += lanes_count(begins);
    }
    block->kind = count > c->count ? BLOCK_MIXED : BLOCK_EMPTY;
    c->count = count;
}

/// A block whose samples are compared in lanes. `samples` is a constant: 1, 2 or 4.
ZT_LANE_OP void compact_lanes(tile_compactor *c, size_t first_pixel, int32_t position,
                              unsigned visible, int32_t samples)
{
    const int32_t *id = (const int32_t *)c->job->tile.id + first_pixel * (size_t)samples;
    vi any = vi_set1(0);
    vm differ = vm_from_bits(0), hole = vm_from_bits(0);
    for (int32_t part = 0; part < BLOCK_PIXELS * samples; part += ZT_W) {
        const vi own = vi_load(id + part);
        any = vi_or(any, own);
        hole = vm_or(hole, vi_eq(own, vi_set1(ID_NONE)));
        if (samples > 1)
            differ = vm_or(differ, vm_not(compact_same(own, samples, 1)));
    }
    if (vm_all(vi_eq(any, vi_set1(ID_NONE)))) {
        compact_empty(c, first_pixel);
    } else if (vm_any(vm_or(hole, differ)) || visible != 0xffff) {
        compact_mixed(c, first_pixel, position, visible, samples);
    } else {
        const unsigned firsts = ((1u << ZT_W) - 1u) / ((1u << samples) - 1u);
        int32_t *to = (int32_t *)c->job->visible.id + c->count;
        for (int32_t part = 0; part < BLOCK_PIXELS * samples; part += ZT_W, to += ZT_W / samples)
            vi_store(to, samples == 1 ? vi_load(id + part) : vi_pack(vi_load(id + part), firsts));
        compact_plain(c, first_pixel, position);
    }
}

/// Bits of a block's pixels whose samples differ, and of those whose first sample shows nothing.
static inline void compact_inspect(const compact_job *job, size_t first_pixel, unsigned *differ,
                                   unsigned *nothing)
{
    const int32_t samples = job->sample_count;
    const uint32_t *id = job->tile.id + first_pixel * (size_t)samples;
    *differ = *nothing = 0;
    for (int32_t p = 0; p < BLOCK_PIXELS; p++, id += samples) {
        uint32_t other = 0;
        for (int32_t s = 0; s < samples; s++)
            other |= id[s] ^ id[0];
        *differ |= (other != 0 ? 1u : 0u) << p;
        *nothing |= (id[0] == ID_NONE ? 1u : 0u) << p;
    }
}

/// A block of more samples per pixel: pixel by pixel.
static void compact_pixels(tile_compactor *c, size_t first_pixel, int32_t position,
                           unsigned visible)
{
    const int32_t samples = c->job->sample_count;
    const uint32_t *id = c->job->tile.id + first_pixel * (size_t)samples;
    unsigned differ, nothing;
    compact_inspect(c->job, first_pixel, &differ, &nothing);
    const unsigned shown = (differ | ~nothing) & visible;
    if (!shown) {
        compact_empty(c, first_pixel);
        return;
    }
    if (visible == 0xffff && !differ && !nothing) {
        for (int32_t i = 0; i < BLOCK_PIXELS; i++)
            c->job->visible.id[c->count + (uint32_t)i] = id[i * samples];
        compact_plain(c, first_pixel, position);
        return;
    }
    block_samples *block = &c->job->blocks[first_pixel / BLOCK_PIXELS];
    block->kind = BLOCK_MIXED;
    for (size_t i = 0; i < BLOCK_PIXELS; i++, id += samples) {
        block->first[i] = c->count;
        if (!(shown >> i & 1u))
            continue;
        if (differ >> i & 1u)
            compact_mixed_pixel(c, id, c->centre[i] + position);
        else
            compact_sample(c, id[0], (uint32_t)(c->centre[i] + position), samples);
    }
}

/// The block from `first_pixel` and `position` on. Bits of `visible`: pixels inside the picture.
static void compact_block(tile_compactor *c, size_t first_pixel, int32_t position, unsigned visible)
{
    const int32_t samples = c->job->sample_count;
    if (samples == 1)
        compact_lanes(c, first_pixel, position, visible, 1);
    else if (samples == 2 && COMPACT_LANES_MAX >= 2)
        compact_lanes(c, first_pixel, position, visible, 2);
    else if (samples == 4 && COMPACT_LANES_MAX >= 4)
        compact_lanes(c, first_pixel, position, visible, 4);
    else
        compact_pixels(c, first_pixel, position, visible);
}

/// Bits of the pixels inside the picture, of the block at pixel (x, y) of the tile.
static unsigned compact_pixels_inside(const compact_job *job, int32_t x, int32_t y)
{
    if (x + 4 <= job->width && y + 4 <= job->height)
        return 0xffff;
    unsigned bits = 0;
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        bits |= (x + i % 4 < job->width && y + i / 4 < job->height ? 1u : 0u) << i;
    return bits;
}

static void compact_init(tile_compactor *c)
{
    const int32_t samples = c->job->sample_count;
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        c->centre[i] = (i % 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) |
                       (i / 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) << 16;
    for (int32_t i = 0; i < BLOCK_PIXELS * samples && samples <= COMPACT_LANES_MAX; i++) {
        c->from[i] = c->centre[i / samples];
        c->offset[i] = compact_offset(c->job, i % samples);
        c->pixel[i] = 1 << (i / samples);
    }
}

/// Numbers of the blocks of a tile along a Z-order curve: the quarters of a square in the order top
/// left, top right, bottom left, bottom right, and each quarter likewise.
#define COMPACT_SQUARE_2(first) (first), (first) + 1, (first) + 16, (first) + 17
#define COMPACT_SQUARE_4(first)                                                                    \
    COMPACT_SQUARE_2(first), COMPACT_SQUARE_2((first) + 2), COMPACT_SQUARE_2((first) + 32),        \
        COMPACT_SQUARE_2((first) + 34)
#define COMPACT_SQUARE_8(first)                                                                    \
    COMPACT_SQUARE_4(first), COMPACT_SQUARE_4((first) + 4), COMPACT_SQUARE_4((first) + 64),        \
        COMPACT_SQUARE_4((first) + 68)
static const uint8_t compact_order[TILE_BLOCK_COUNT] = {
    COMPACT_SQUARE_8(0), COMPACT_SQUARE_8(8), COMPACT_SQUARE_8(128), COMPACT_SQUARE_8(136)};

/// Begins to load a block of a saved tile: it is in memory, in an order no processor foresees.
static inline void compact_prefetch(const compact_job *job, int32_t block)
{
    __builtin_prefetch(job->tile.id + (size_t)block * BLOCK_PIXELS * (size_t)job->sample_count);
}

static uint32_t compact(const compact_job *job)
{
    enum { BLOCKS_AHEAD = 16 };
    tile_compactor c;
    c.job = job;
    c.count = 0;
    compact_init(&c);
    for (uint32_t i = 0; i < TILE_BLOCK_COUNT; i++) {
        const int32_t block = compact_order[i];
        const int32_t x = block % TILE_BLOCKS * 4, y = block / TILE_BLOCKS * 4;
        if (i + BLOCKS_AHEAD < TILE_BLOCK_COUNT)
            compact_prefetch(job, compact_order[i + BLOCKS_AHEAD]);
        compact_block(&c, (size_t)block * BLOCK_PIXELS, x * SUBPIXEL_ONE | y * SUBPIXEL_ONE << 16,
                      compact_pixels_inside(job, x, y));
        job->blocks[block].first[BLOCK_PIXELS] = c.count;
    }
    for (uint32_t i = 0; i < VISIBLE_PADDING && c.count > 0; i++) {
        job->visible.id[c.count + i] = job->visible.id[c.count - 1];
        job->visible.position[c.count + i] = job->visible.position[c.count - 1];
        job->visible.count[c.count + i] = job->visible.count[c.count - 1];
    }
    return c.count;
}
