// SPDX-License-Identifier: MIT
// Depth and ids of a tile -> the list of what is to be shaded, block by block.

enum {
    BLOCK_PIXELS = 16,
    COMPACT_PADDING = 16,
    COMPACT_LANES_MAX = ZT_W < 4 ? 1 : 4, ///< samples of a pixel that are compared in lanes
    COMPACT_LANES = 64,                   ///< samples of a block then, at most
};

typedef struct tile_compactor {
    const compact_job *job;
    int32_t centre[BLOCK_PIXELS]; ///< places of the pixel centres of the tile's first block
    // Of the samples of that block, when they are compared in lanes:
    int32_t from[COMPACT_LANES];   ///< places of the centres of their pixels
    int32_t offset[COMPACT_LANES]; ///< from there to the sample
    int32_t pixel[COMPACT_LANES];  ///< 1 << pixel
    uint32_t count;
} tile_compactor;

static void compact_sample(tile_compactor *l, uint32_t id, uint32_t place, int32_t samples)
{
    l->job->visible.id[l->count] = id;
    l->job->visible.position[l->count] = place;
    l->job->visible.count[l->count] = (uint8_t)samples;
    l->count++;
}

/// Samples lie less than half a pixel from the centre: neither half of the sum of both carries.
static inline int32_t compact_offset(const compact_job *job, int32_t s)
{
    return job->sample[s][0] + job->sample[s][1] * 0x10000;
}

/// Appends the visible samples of a pixel whose samples, at `ids`, differ.
static void compact_mixed_pixel(tile_compactor *l, const uint32_t *ids, int32_t centre)
{
    const visible_samples *visible = &l->job->visible;
    const uint32_t start = l->count;
    for (int32_t s = 0; s < l->job->sample_count; s++) {
        if (ids[s] == ID_NONE)
            continue;
        uint32_t known = start;
        while (known < l->count && visible->id[known] != ids[s])
            known++;
        if (known < l->count)
            visible->count[known]++;
        else
            compact_sample(l, ids[s], (uint32_t)(centre + compact_offset(l->job, s)), 1);
    }
}

/// A block whose samples all show something, the same in each pixel; ids are given to its visible
/// samples.
static inline void compact_plain(tile_compactor *l, size_t at, int32_t place)
{
    const visible_samples *visible = &l->job->visible;
    for (int32_t i = 0; i < BLOCK_PIXELS; i += ZT_W) {
        const uint32_t to = l->count + (uint32_t)i;
        vi_store((int32_t *)visible->position + to, vi_load(l->centre + i) + vi_set1(place));
        vi_store((int32_t *)l->job->blocks[at / BLOCK_PIXELS].first + i,
                 vi_set1((int32_t)to) + vi_iota());
    }
    memset(visible->count + l->count, l->job->sample_count, BLOCK_PIXELS);
    l->job->blocks[at / BLOCK_PIXELS].kind = BLOCK_PLAIN;
    l->count += BLOCK_PIXELS;
}

static inline void compact_empty(tile_compactor *l, size_t at)
{
    for (int32_t i = 0; i < BLOCK_PIXELS; i += ZT_W)
        vi_store((int32_t *)l->job->blocks[at / BLOCK_PIXELS].first + i,
                 vi_set1((int32_t)l->count));
    l->job->blocks[at / BLOCK_PIXELS].kind = BLOCK_EMPTY;
}

/// Lanes whose sample shows the same as the k-th sample after it of its pixel, around.
ZT_LANE_OP vm compact_same(vi id, int32_t samples, int32_t k)
{
    return vi_eq(id, samples == 2 ? vi_rotate2(id) : vi_rotate4(id, k));
}

/// Bits of the lanes for which that is an earlier sample of the pixel, not a later one.
ZT_LANE_OP unsigned compact_wraps(int32_t samples, int32_t k)
{
    const unsigned pixel = (1u << samples) - (1u << (samples - k));
    return 0xffffu / ((1u << samples) - 1u) * pixel;
}

/// A block of any kind: every sample that no earlier one of its pixel shows as well is a visible
/// sample.
ZT_LANE_OP void compact_mixed(tile_compactor *l, size_t at, int32_t place, unsigned visible,
                              int32_t samples)
{
    const int32_t *id = (const int32_t *)l->job->tile.id + at * (size_t)samples;
    const vi zero = vi_set1(0), all = vi_set1(samples);
    const visible_samples to = l->job->visible; // a store of bytes might change what is in the job
    block_samples *block = &l->job->blocks[at / BLOCK_PIXELS];
    uint32_t *first = block->first, count = l->count;
    for (int32_t part = 0; part < BLOCK_PIXELS * samples; part += ZT_W) {
        const vi own = vi_load(id + part);
        const vm none = vi_eq(vi_and(vi_load(l->pixel + part), vi_set1((int32_t)visible)), zero);
        vm again = vm_or(vi_eq(own, vi_set1(ID_NONE)), none);
        vi shown = vi_set1(1);
        for (int32_t k = 1; k < samples; k++) {
            const vm same = compact_same(own, samples, k);
            const vm earlier = vm_from_bits(compact_wraps(samples, k)); // not after, but before it
            shown = vi_plus(shown, same);
            again = vm_or(again, vm_and(same, earlier));
        }
        const unsigned begins = vm_bits(vm_not(again));
        const vi offset = vi_sel(vi_eq(shown, all), zero, vi_load(l->offset + part));
        const vi where = vi_load(l->from + part) + vi_set1(place) + offset;
        vi_store((int32_t *)to.id + count, vi_pack(own, begins));
        vi_store((int32_t *)to.position + count, vi_pack(where, begins));
        vi_store_u8(to.count + count, vi_pack(shown, begins));
        for (int32_t i = 0; i < ZT_W; i += samples)
            *first++ = count + lanes_count(begins & ((1u << i) - 1u));
        count += lanes_count(begins);
    }
    block->kind = count > l->count ? BLOCK_MIXED : BLOCK_EMPTY;
    l->count = count;
}

/// A block whose samples are compared in lanes: of 1, 2 or 4 samples a pixel, as a constant.
ZT_LANE_OP void compact_lanes(tile_compactor *l, size_t at, int32_t place, unsigned visible,
                              int32_t samples)
{
    const int32_t *id = (const int32_t *)l->job->tile.id + at * (size_t)samples;
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
        compact_empty(l, at);
    } else if (vm_any(vm_or(hole, differ)) || visible != 0xffff) {
        compact_mixed(l, at, place, visible, samples);
    } else {
        const unsigned firsts = ((1u << ZT_W) - 1u) / ((1u << samples) - 1u);
        int32_t *to = (int32_t *)l->job->visible.id + l->count;
        for (int32_t part = 0; part < BLOCK_PIXELS * samples; part += ZT_W, to += ZT_W / samples)
            vi_store(to, samples == 1 ? vi_load(id + part) : vi_pack(vi_load(id + part), firsts));
        compact_plain(l, at, place);
    }
}

/// Bits of the block's pixels whose samples differ, and of those whose first sample shows nothing,
/// for many samples a pixel.
static inline void compact_inspect(const compact_job *job, size_t at, unsigned *differ,
                                   unsigned *nothing)
{
    const int32_t samples = job->sample_count;
    const uint32_t *id = job->tile.id + at * (size_t)samples;
    *differ = *nothing = 0;
    for (int32_t p = 0; p < BLOCK_PIXELS; p++, id += samples) {
        uint32_t other = 0;
        for (int32_t s = 0; s < samples; s++)
            other |= id[s] ^ id[0];
        *differ |= (other != 0 ? 1u : 0u) << p;
        *nothing |= (id[0] == ID_NONE ? 1u : 0u) << p;
    }
}

/// The other way, for more samples: pixel by pixel.
static void compact_pixels(tile_compactor *l, size_t at, int32_t place, unsigned visible)
{
    const int32_t samples = l->job->sample_count;
    const uint32_t *id = l->job->tile.id + at * (size_t)samples;
    unsigned differ, nothing;
    compact_inspect(l->job, at, &differ, &nothing);
    const unsigned shown = (differ | ~nothing) & visible;
    if (!shown) {
        compact_empty(l, at);
        return;
    }
    if (visible == 0xffff && !differ && !nothing) {
        for (int32_t i = 0; i < BLOCK_PIXELS; i++)
            l->job->visible.id[l->count + (uint32_t)i] = id[i * samples];
        compact_plain(l, at, place);
        return;
    }
    block_samples *block = &l->job->blocks[at / BLOCK_PIXELS];
    block->kind = BLOCK_MIXED;
    for (size_t i = 0; i < BLOCK_PIXELS; i++, id += samples) {
        block->first[i] = l->count;
        if (!(shown >> i & 1u))
            continue;
        if (differ >> i & 1u)
            compact_mixed_pixel(l, id, l->centre[i] + place);
        else
            compact_sample(l, id[0], (uint32_t)(l->centre[i] + place), samples);
    }
}

/// The block whose first pixel is the `at`-th, of which bits of `visible` lie in the picture.
static void compact_block(tile_compactor *l, size_t at, int32_t place, unsigned visible)
{
    const int32_t samples = l->job->sample_count;
    if (samples == 1)
        compact_lanes(l, at, place, visible, 1);
    else if (samples == 2 && COMPACT_LANES_MAX >= 2)
        compact_lanes(l, at, place, visible, 2);
    else if (samples == 4 && COMPACT_LANES_MAX >= 4)
        compact_lanes(l, at, place, visible, 4);
    else
        compact_pixels(l, at, place, visible);
}

/// Bits of the pixels of the block at (x, y) that lie in the picture.
static unsigned compact_pixels_inside(const compact_job *job, int32_t x, int32_t y)
{
    if (x + 4 <= job->width && y + 4 <= job->height)
        return 0xffff;
    unsigned bits = 0;
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        bits |= (x + i % 4 < job->width && y + i / 4 < job->height ? 1u : 0u) << i;
    return bits;
}

static void compact_init(tile_compactor *l)
{
    const int32_t samples = l->job->sample_count;
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        l->centre[i] = (i % 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) |
                       (i / 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) << 16;
    for (int32_t i = 0; i < BLOCK_PIXELS * samples && samples <= COMPACT_LANES_MAX; i++) {
        l->from[i] = l->centre[i / samples];
        l->offset[i] = compact_offset(l->job, i % samples);
        l->pixel[i] = 1 << (i / samples);
    }
}

/// Numbers of the blocks of a tile along a Z-order curve: a square's quarters one after another,
/// top left, top right, bottom left, bottom right, and so on within each.
#define COMPACT_SQUARE_2(first) (first), (first) + 1, (first) + 16, (first) + 17
#define COMPACT_SQUARE_4(first)                                                                    \
    COMPACT_SQUARE_2(first), COMPACT_SQUARE_2((first) + 2), COMPACT_SQUARE_2((first) + 32),        \
        COMPACT_SQUARE_2((first) + 34)
#define COMPACT_SQUARE_8(first)                                                                    \
    COMPACT_SQUARE_4(first), COMPACT_SQUARE_4((first) + 4), COMPACT_SQUARE_4((first) + 64),        \
        COMPACT_SQUARE_4((first) + 68)
static const uint8_t compact_order[TILE_BLOCK_COUNT] = {
    COMPACT_SQUARE_8(0), COMPACT_SQUARE_8(8), COMPACT_SQUARE_8(128), COMPACT_SQUARE_8(136)};

static uint32_t compact(const compact_job *job)
{
    tile_compactor l;
    l.job = job;
    l.count = 0;
    compact_init(&l);
    for (uint32_t along = 0; along < TILE_BLOCK_COUNT; along++) {
        const int32_t block = compact_order[along];
        const int32_t x = block % TILE_BLOCKS * 4, y = block / TILE_BLOCKS * 4;
        compact_block(&l, (size_t)block * BLOCK_PIXELS, x * SUBPIXEL_ONE | y * SUBPIXEL_ONE << 16,
                      compact_pixels_inside(job, x, y));
        job->blocks[block].first[BLOCK_PIXELS] = l.count;
    }
    for (uint32_t i = 0; i < COMPACT_PADDING && l.count > 0; i++) {
        job->visible.id[l.count + i] = job->visible.id[l.count - 1];
        job->visible.position[l.count + i] = job->visible.position[l.count - 1];
        job->visible.count[l.count + i] = job->visible.count[l.count - 1];
    }
    return l.count;
}
