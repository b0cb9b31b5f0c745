// SPDX-License-Identifier: MIT
// Depth and ids of a tile -> the list of what is to be shaded, block by block.

enum {
    BLOCK_PIXELS = 16,
    LIST_PADDING = 16,
    LIST_PLANE = TILE_SIZE * TILE_SIZE,
    LIST_LANES_MAX = 4, ///< samples that are compared in lanes
};

typedef struct tile_lister {
    const list_job *job;
    int32_t centre[BLOCK_PIXELS]; ///< places of the pixel centres of the tile's first block
    uint32_t count;
} tile_lister;

static void list_item(tile_lister *l, uint32_t id, uint32_t place, int32_t samples)
{
    l->job->items.id[l->count] = id;
    l->job->items.place[l->count] = place;
    l->job->items.count[l->count] = (uint8_t)samples;
    l->count++;
}

/// Appends the items of the `at`-th pixel in block order, whose samples differ.
static void list_mixed_pixel(tile_lister *l, size_t at, uint32_t centre)
{
    const shade_items *items = &l->job->items;
    const uint32_t start = l->count;
    for (int32_t s = 0; s < l->job->sample_count; s++) {
        const uint32_t id = l->job->tile.id[(size_t)s * LIST_PLANE + at];
        if (id == ID_NONE)
            continue;
        uint32_t known = start;
        while (known < l->count && items->id[known] != id)
            known++;
        if (known < l->count) {
            items->count[known]++;
            continue;
        }
        // Samples lie less than half a pixel from the centre: neither half of a place overflows.
        const uint32_t dx = (uint32_t)l->job->sample[s][0], dy = (uint32_t)l->job->sample[s][1];
        list_item(l, id, ((centre + dx) & 0xffff) | ((centre & 0xffff0000u) + (dy << 16)), 1);
    }
}

/// Bits of the block's pixels whose samples differ, and of those whose first sample shows nothing.
static inline void list_look(const list_job *job, size_t at, unsigned *differ, unsigned *nothing)
{
    const int32_t *id = (const int32_t *)job->tile.id + at;
    *differ = *nothing = 0;
    for (int32_t part = 0; part < BLOCK_PIXELS; part += ZT_W) {
        const vi one = vi_load(id + part), none = vi_set1(ID_NONE);
        vi other = none;
        for (int32_t s = 1; s < job->sample_count; s++)
            other = vi_or(other, vi_xor(vi_load(id + (size_t)s * LIST_PLANE + part), one));
        *differ |= vm_bits(vm_not(vi_eq(other, none))) << part;
        *nothing |= vm_bits(vi_eq(one, none)) << part;
    }
}

/// A block that shows one primitive in every pixel.
static inline void list_plain(tile_lister *l, size_t at, int32_t place)
{
    const shade_items *items = &l->job->items;
    for (int32_t i = 0; i < BLOCK_PIXELS; i += ZT_W) {
        const uint32_t to = l->count + (uint32_t)i;
        vi_store((int32_t *)items->id + to, vi_load((const int32_t *)l->job->tile.id + at + i));
        vi_store((int32_t *)items->place + to, vi_load(l->centre + i) + vi_set1(place));
        vi_store((int32_t *)l->job->first + at + i, vi_set1((int32_t)to) + vi_iota());
    }
    memset(items->count + l->count, l->job->sample_count, BLOCK_PIXELS);
    l->count += BLOCK_PIXELS;
}

/// What a block's pixels show at sample s: items of theirs that begin there.
typedef struct list_several {
    int32_t place[LIST_LANES_MAX][BLOCK_PIXELS];
    int32_t count[LIST_LANES_MAX][BLOCK_PIXELS];
    int32_t begins[BLOCK_PIXELS]; ///< bits of the samples at which an item of the pixel begins
    int32_t items[BLOCK_PIXELS];  ///< the number of those
} list_several;

/// Compares all samples of a block's pixels with each other, which is less than it seems: nothing
/// has to be guessed about their shapes.
ZT_LANE_OP void list_compare(const tile_lister *l, size_t at, int32_t place, unsigned visible,
                             int32_t samples, list_several *out)
{
    const vi zero = vi_set1(0), one = vi_set1(1);
    for (int32_t part = 0; part < BLOCK_PIXELS; part += ZT_W) {
        const int32_t *from = (const int32_t *)l->job->tile.id + at + part;
        const vm seen = vm_from_bits(visible >> part);
        const vi centre = vi_load(l->centre + part) + vi_set1(place);
        vi id[LIST_LANES_MAX], begins = zero, items = zero;
        for (int32_t s = 0; s < samples; s++)
            id[s] = vi_load(from + (size_t)s * LIST_PLANE);
        for (int32_t s = 0; s < samples; s++) {
            vm first = vm_and(seen, vm_not(vi_eq(id[s], vi_set1(ID_NONE))));
            for (int32_t k = 0; k < s; k++)
                first = vm_andnot(first, vi_eq(id[s], id[k]));
            vi count = one;
            for (int32_t k = s + 1; k < samples; k++)
                count = count + vi_sel(vi_eq(id[s], id[k]), one, zero);
            // Samples lie less than half a pixel from the centre: neither half of a place carries.
            const vi aside = vi_set1(l->job->sample[s][0] + l->job->sample[s][1] * 0x10000);
            const vm whole = vi_eq(count, vi_set1(samples));
            vi_store(out->place[s] + part, centre + vi_sel(whole, zero, aside));
            vi_store(out->count[s] + part, count);
            begins = vi_or(begins, vi_sel(first, vi_set1(1 << s), zero));
            items = items + vi_sel(first, one, zero);
        }
        vi_store(out->begins + part, begins);
        vi_store(out->items + part, items);
    }
}

/// A block of any kind. `samples` is a power of two of at most LIST_LANES_MAX, as a constant.
ZT_LANE_OP void list_lanes(tile_lister *l, size_t at, int32_t place, unsigned visible,
                           int32_t samples)
{
    const int32_t pixels = 64 / samples < BLOCK_PIXELS ? 64 / samples : BLOCK_PIXELS;
    list_several block;
    list_compare(l, at, place, visible, samples, &block);
    lanes_to_memory(&block);
    // Out of the structures: a store of bytes might change them, for all a compiler knows.
    const shade_items to = l->job->items;
    const uint32_t *id = l->job->tile.id + at;
    uint32_t *first = l->job->first + at;
    uint32_t count = l->count;
    for (int32_t p = 0, begin = (int32_t)count; p < BLOCK_PIXELS; p++) {
        first[p] = (uint32_t)begin;
        begin += block.items[p];
    }
    for (int32_t p = 0; p < BLOCK_PIXELS; p += pixels) {
        uint64_t left = 0;
        for (int32_t i = 0; i < pixels; i++)
            left |= (uint64_t)(uint32_t)block.begins[p + i] << (i * samples);
        for (; left; left &= left - 1, count++) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            const uint32_t s = bit % (uint32_t)samples, i = (uint32_t)p + bit / (uint32_t)samples;
            to.id[count] = id[s * LIST_PLANE + i];
            to.place[count] = (uint32_t)block.place[s][i];
            to.count[count] = (uint8_t)block.count[s][i];
        }
    }
    l->count = count;
}

/// The other way, for more samples: pixel by pixel.
static void list_pixels(tile_lister *l, size_t at, int32_t place, unsigned shown, unsigned differ)
{
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        l->job->first[at + i] = l->count;
        if (!(shown >> i & 1u))
            continue;
        if (differ >> i & 1u)
            list_mixed_pixel(l, at + i, (uint32_t)(l->centre[i] + place));
        else
            list_item(l, l->job->tile.id[at + i], (uint32_t)(l->centre[i] + place),
                      l->job->sample_count);
    }
}

/// The block whose first pixel is the `at`-th, of which bits of `visible` lie in the picture.
static void list_block(tile_lister *l, size_t at, int32_t place, unsigned visible)
{
    const list_job *job = l->job;
    uint8_t *kind = &job->kind[at / BLOCK_PIXELS];
    unsigned differ, nothing;
    list_look(job, at, &differ, &nothing);
    const unsigned shown = (differ | ~nothing) & visible;
    *kind = shown ? TILE_MIXED : TILE_EMPTY;
    if (visible == 0xffff && !differ && !nothing) {
        *kind = TILE_PLAIN;
        list_plain(l, at, place);
    } else if (!shown) {
        for (int32_t i = 0; i < BLOCK_PIXELS; i += ZT_W)
            vi_store((int32_t *)job->first + at + i, vi_set1((int32_t)l->count));
    } else if (job->sample_count == 1) {
        list_lanes(l, at, place, visible, 1);
    } else if (job->sample_count == 2) {
        list_lanes(l, at, place, visible, 2);
    } else if (job->sample_count == 4) {
        list_lanes(l, at, place, visible, 4);
    } else {
        list_pixels(l, at, place, shown, differ);
    }
}

/// Bits of the pixels of the block at (x, y) that lie in the picture.
static unsigned list_visible(const list_job *job, int32_t x, int32_t y)
{
    if (x + 4 <= job->width && y + 4 <= job->height)
        return 0xffff;
    unsigned bits = 0;
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        bits |= (x + i % 4 < job->width && y + i / 4 < job->height ? 1u : 0u) << i;
    return bits;
}

static uint32_t list(const list_job *job)
{
    tile_lister l = {.job = job};
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        l.centre[i] = (i % 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) |
                      (i / 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) << 16;
    for (int32_t y = 0, block = 0; y < TILE_SIZE; y += 4)
        for (int32_t x = 0; x < TILE_SIZE; x += 4, block++)
            list_block(&l, (size_t)block * BLOCK_PIXELS, x * SUBPIXEL_ONE | y * SUBPIXEL_ONE << 16,
                       list_visible(job, x, y));
    job->first[LIST_PLANE] = l.count;
    for (uint32_t i = 0; i < LIST_PADDING && l.count > 0; i++) {
        job->items.id[l.count + i] = job->items.id[l.count - 1];
        job->items.place[l.count + i] = job->items.place[l.count - 1];
        job->items.count[l.count + i] = job->items.count[l.count - 1];
    }
    return l.count;
}
