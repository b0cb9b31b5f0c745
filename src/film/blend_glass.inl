// SPDX-License-Identifier: MIT
// Fragments of a tile in a frame with transmissive materials, the farthest first -> colours of its
// pixels. Each fragment adds the light that it reflects and lets a coloured share of what is behind
// it through. So glass behind glass, and blended surfaces before, between and behind it, all show.
//
// Behind all fragments of a pixel is an opaque surface or nothing. Smooth thin-walled glass shows
// it as it is, sample by sample; other glass shows the picture of the opaque surfaces (behind.h)
// elsewhere, or blurred. In a row of such fragments shifts add, and so do variances of blurs, as
// for thin lenses at small angles and in any order. A rule by the nearest layer alone would show
// frosted glass clear through a window.
//
// What blends behind the farthest fragment that moves light belongs to the picture: the pass that
// draws it keeps these fragments (draws_behind), others leave them out, so that a ground or pane is
// refracted and blurred with the rest. Fragments between two that move light, and all glass, are
// blended in order: the picture has one alpha, which cannot hold the tints of glass.

/// A blur with a variance below this, in square pixels, cannot be seen.
#define GLASS_SHARP 0.02f
/// Nor can a shift below this, in pixels: an index of 1 gives some by rounding.
#define GLASS_STILL 0.015625f

/// The light behind a pixel's fragments; `unlit` is 0 in frames without unlit materials.
typedef struct glass_view {
    qf lit, unlit;
} glass_view;

/// All fragments of a pixel taken together as one lens.
typedef struct glass_lens {
    float shift_x[3], shift_y[3]; ///< pixels, by channel
    float around[3];              ///< the environment behind
    float nearness;               ///< of the nearest glass
    uint32_t front;               ///< the nearest glass
    bool glass, moves, disperses;
} glass_lens;

typedef struct glass_pixel {
    blend_pixel blend;
    qf through[SAMPLES_MAX];                     ///< of a whole pixel only the first
    uint32_t begin, end;                         ///< its fragments in blend_job.sorted
    uint32_t from[SAMPLES_MAX], to[SAMPLES_MAX]; ///< those that are blended, besides glass
    float nearness[SAMPLES_MAX];                 ///< if draws_behind
    bool glass[SAMPLES_MAX];                     ///< some fragment is glass
    uint32_t front[SAMPLES_MAX];                 ///< the nearest of these, or `begin`
} glass_pixel;

static inline const float *glass_fragment(const blend_job *job, uint32_t i)
{
    return job->fragment_lens[job->sorted[i].fragment];
}

/// True for a fragment that shifts or blurs what is behind it.
static inline bool glass_moves(const float *lens)
{
    if (!(lens[LENS_IS_GLASS] > 0.0f)) // the rest is not written
        return false;
    bool moves = lens[LENS_SCATTER_FAR] > 0.0f;
    for (int32_t k = 0; k < 3; k++) {
        const float x = lens[LENS_SHIFT_XR + k], y = lens[LENS_SHIFT_YR + k];
        moves = moves || x * x + y * y > GLASS_STILL * GLASS_STILL;
    }
    return moves;
}

/// The farthest fragment that moves light, of those that show in `samples`; g->end: none does.
static uint32_t glass_rear(const blend_job *job, const glass_pixel *g, unsigned samples)
{
    uint32_t i = g->begin;
    while (i < g->end && !(job->sorted[i].samples & samples && glass_moves(glass_fragment(job, i))))
        i++;
    return i;
}

/// The depth in the sort key of a fragment (fragments.c).
static inline float glass_depth(const sorted_fragment *s)
{
    const uint32_t key = (uint32_t)(s->key >> 32);
    const uint32_t bits = key >> 31 ? key & 0x7fffffffu : ~key;
    float depth;
    memcpy(&depth, &bits, sizeof depth);
    return depth;
}

/// Standard deviation of the blur of all fragments that show in `samples`, squared, in pixels.
static float glass_variance(const blend_job *job, const glass_pixel *g, unsigned samples,
                            float nearness)
{
    float sum = 0.0f;
    for (uint32_t i = g->begin; i < g->end; i++) {
        const float *lens = glass_fragment(job, i);
        if (!(job->sorted[i].samples & samples) || lens[LENS_IS_GLASS] == 0.0f)
            continue;
        const float blur = lens[LENS_SCATTER_FAR] - lens[LENS_SCATTER_NEAR] * nearness;
        if (blur > 0.0f)
            sum = sum + blur * blur;
    }
    return sum;
}

/// Adds the fragments that show in `samples`; environment and nearness of the nearest one.
static glass_lens glass_lens_of(const blend_job *job, const glass_pixel *g, unsigned samples)
{
    glass_lens out = {0};
    for (uint32_t i = g->begin; i < g->end; i++) {
        const float *lens = glass_fragment(job, i);
        if (!(job->sorted[i].samples & samples) || lens[LENS_IS_GLASS] == 0.0f)
            continue;
        out.glass = true;
        out.front = i;
        out.nearness = lens[LENS_NEARNESS];
        out.moves = out.moves || glass_moves(lens);
        for (int32_t k = 0; k < 3; k++) {
            out.shift_x[k] = out.shift_x[k] + lens[LENS_SHIFT_XR + k];
            out.shift_y[k] = out.shift_y[k] + lens[LENS_SHIFT_YR + k];
            out.around[k] = lens[LENS_ENVIRONMENT_R + k];
        }
    }
    for (int32_t k = 1; k < 3; k++)
        out.disperses =
            out.disperses || out.shift_x[k] != out.shift_x[0] || out.shift_y[k] != out.shift_y[0];
    return out;
}

/// The picture behind as channel k sees it from pixel position (x, y). Its blur depends on the
/// distance of what is seen, first read as if infinitely far. What stands before the glass is not
/// seen through it: that ray goes straight on. Outside, the environment takes over, if it shows.
static glass_view glass_look(const blend_job *job, const glass_pixel *g, const glass_lens *lens,
                             unsigned samples, int32_t k, float x, float y)
{
    const behind_picture *behind = job->behind;
    if (!behind_is_nearer(behind, x + lens->shift_x[k], y + lens->shift_y[k], lens->nearness)) {
        x = x + lens->shift_x[k];
        y = y + lens->shift_y[k];
    }
    float variance = glass_variance(job, g, samples, 0.0f);
    if (variance < GLASS_SHARP)
        variance = 0.0f;
    for (int32_t i = 0; i < 2 && variance > 0.0f; i++)
        variance = glass_variance(job, g, samples, behind_nearness(behind, x, y, variance));
    glass_view seen = {behind_color(behind, BEHIND_LIT, x, y, variance), qf_set1(0.0f)};
    if (behind->level[0].unlit)
        seen.unlit = behind_color(behind, BEHIND_UNLIT, x, y, variance);
    if (job->environment_behind) {
        const float inside = 1.0f - 16.0f * behind_outside(behind, x, y);
        const qf share = qf_set1(inside > 0.0f ? inside : 0.0f);
        seen = (glass_view){qf_mul(seen.lit, share), qf_mul(seen.unlit, share)};
    }
    return seen;
}

/// A channel of each view: red, green and blue. Alphas are those of green.
static glass_view glass_channels(const glass_view from[3])
{
    _Alignas(16) float lit[3][4], unlit[3][4];
    for (int32_t k = 0; k < 3; k++) {
        qf_store(lit[k], from[k].lit);
        qf_store(unlit[k], from[k].unlit);
    }
    for (int32_t k = 0; k < 3; k += 2) {
        lit[1][k] = lit[k][k];
        unlit[1][k] = unlit[k][k];
    }
    return (glass_view){qf_load(lit[1]), qf_load(unlit[1])};
}

/// Position of the centre of a pixel of the tile, given in block order.
static inline void glass_position(const blend_job *job, int32_t pixel, float *x, float *y)
{
    const int32_t block = pixel / 16;
    *x = (float)(job->tile_x + block % TILE_BLOCKS * 4 + pixel % 4) + 0.5f;
    *y = (float)(job->tile_y + block / TILE_BLOCKS * 4 + pixel / 4 % 4) + 0.5f;
}

/// The part of `behind` that the fragments in `samples`, straight before it, show. `lens`: theirs.
static glass_view glass_behind(const blend_job *job, const glass_pixel *g, unsigned samples,
                               const glass_lens *lens, glass_view behind)
{
    if (lens->moves && job->behind) {
        float x, y;
        glass_position(job, g->blend.pixel, &x, &y);
        behind = glass_look(job, g, lens, samples, 1, x, y);
        if (lens->disperses)
            behind =
                glass_channels((glass_view[]){glass_look(job, g, lens, samples, 0, x, y), behind,
                                              glass_look(job, g, lens, samples, 2, x, y)});
    }
    if (!lens->glass || !job->environment_behind)
        return behind;
    _Alignas(16) float lit[4], unlit[4];
    qf_store(lit, behind.lit);
    qf_store(unlit, behind.unlit);
    for (int32_t k = 0; k < 3; k++)
        lit[k] = lit[k] + (1.0f - (lit[3] + unlit[3])) * lens->around[k];
    lit[3] = 1.0f - unlit[3];
    return (glass_view){qf_load(lit), behind.unlit};
}

/// The colour that sample `s` shows behind its fragments. Lit and unlit colours stay apart.
ZT_LANE_OP void glass_sample(const blend_job *job, bool split, glass_pixel *g, int32_t s)
{
    const unsigned bits = g->blend.whole ? ~0u : 1u << s;
    const qf one = qf_set1(1.0f), none = qf_set1(0.0f);
    const glass_view straight = {g->blend.sample[s], split ? g->blend.unlit[s] : none};
    g->from[s] = g->begin;
    g->to[s] = g->end;
    if (job->draws_behind) {
        const float depth = job->tile.depth[g->blend.pixel * job->sample_count + s];
        g->to[s] = glass_rear(job, g, bits);
        g->nearness[s] = depth > 0.0f ? depth : 0.0f;
        g->through[s] = qf_sub(one, qf_spread(qf_add(straight.lit, straight.unlit), 3));
        return;
    }
    if (job->layers_behind) {
        const uint32_t rear = glass_rear(job, g, bits);
        g->from[s] = rear < g->end ? rear : g->begin;
    }
    const glass_lens lens = glass_lens_of(job, g, bits);
    const glass_view seen = glass_behind(job, g, bits, &lens, straight);
    const bool shows = lens.glass || !job->only_behind;
    g->through[s] = qf_sub(one, qf_spread(qf_add(seen.lit, seen.unlit), 3));
    g->blend.sample[s] = shows ? seen.lit : none;
    g->glass[s] = lens.glass;
    g->front[s] = lens.glass ? lens.front : g->begin;
    if (split)
        g->blend.unlit[s] = shows ? seen.unlit : none;
}

ZT_LANE_OP void glass_begin(const blend_job *job, bool split, int32_t pixel, glass_pixel *g)
{
    blend_begin(job, split, pixel, &g->blend);
    const int32_t samples = g->blend.whole ? 1 : job->sample_count;
    for (int32_t s = 0; s < samples; s++)
        glass_sample(job, split, g, s);
}

ZT_LANE_OP void glass_over(bool split, glass_pixel *g, int32_t s, qf color, bool unlit, qf through)
{
    const qf none = qf_set1(0.0f);
    qf *lit = &g->blend.sample[s], *apart = &g->blend.unlit[s];
    *lit = qf_add(split && unlit ? none : color, qf_mul(*lit, through));
    if (split)
        *apart = qf_add(unlit ? color : none, qf_mul(*apart, through));
    g->through[s] = qf_mul(g->through[s], through);
}

ZT_LANE_OP void glass_add(const blend_job *job, bool split, glass_pixel *g, uint32_t i)
{
    const uint32_t fragment = job->sorted[i].fragment;
    const qf color = qf_load(job->fragment_color[fragment]);
    const float *lens = glass_fragment(job, i);
    qf through = qf_load(lens);
    if (split) // the last component dims the alpha of what is unlit
        through = qf_with_w(through, qf_set1(((lens[0] + lens[1]) + lens[2]) * (1.0f / 3.0f)));
    const bool unlit = split && job->fragment_unlit[fragment];
    const bool glass = lens[LENS_IS_GLASS] > 0.0f;
    for (unsigned left = g->blend.whole ? 1u : job->sorted[i].samples; left; left &= left - 1) {
        const int32_t s = __builtin_ctz(left);
        if (job->draws_behind ? glass || i >= g->to[s] : !glass && i < g->from[s])
            continue;
        const bool passes = !job->only_behind || i < g->front[s];
        glass_over(split, g, s, passes ? color : qf_set1(0.0f), unlit, through);
        if (job->draws_behind) {
            const float open = ((lens[0] + lens[1]) + lens[2]) * (1.0f / 3.0f);
            g->nearness[s] = g->nearness[s] * open + glass_depth(&job->sorted[i]) * (1.0f - open);
        }
    }
}

/// The mean nearness of the samples of a pixel.
static inline float glass_nearness(const blend_job *job, const glass_pixel *g)
{
    float sum = g->nearness[0];
    for (int32_t s = 1; s < job->sample_count && !g->blend.whole; s++)
        sum = sum + g->nearness[s];
    return g->blend.whole ? sum : sum * (1.0f / (float)job->sample_count);
}

ZT_LANE_OP void glass_end(const blend_job *job, bool split, const glass_pixel *g, display_queue *q)
{
    const blend_pixel *b = &g->blend;
    if (job->film) {
        display_begin(job, b->pixel);
        for (int32_t s = 0; s < (b->whole ? 1 : job->sample_count); s++)
            display_add(job, q, b->pixel, b->whole, b->sample[s],
                        split ? b->unlit[s] : qf_set1(0.0f), g->through[s], g->glass[s]);
        return;
    }
    const qf color = blend_mean(job, &g->blend, g->blend.sample);
    const qf through = blend_mean(job, &g->blend, g->through);
    _Alignas(16) float t[4];
    qf_store(t, through);
    const float alpha = 1.0f - ((t[0] + t[1]) + t[2]) * (1.0f / 3.0f);
    const qf fourth = job->draws_behind ? qf_set1(glass_nearness(job, g)) : through;
    qf_store(job->out_through[g->blend.pixel], qf_with_w(through, fourth));
    qf_store(job->out[g->blend.pixel], qf_with_w(color, qf_set1(alpha)));
    if (split)
        qf_store(job->out_unlit[g->blend.pixel], blend_mean(job, &g->blend, g->blend.unlit));
}

/// Blends the pixels of one block that have fragments; returns their bits.
ZT_LANE_OP unsigned glass_block(const blend_job *job, bool split, int32_t block, display_queue *q)
{
    const uint32_t end = job->first_sorted[block * 16 + 16];
    unsigned pixels = 0;
    glass_pixel g;
    for (uint32_t i = job->first_sorted[block * 16]; i < end; i = g.end) {
        const int32_t pixel = job->sorted[i].pixel;
        g.begin = i;
        g.end = job->first_sorted[pixel + 1];
        glass_begin(job, split, pixel, &g);
        for (uint32_t k = g.begin; k < g.end; k++)
            glass_add(job, split, &g, k);
        glass_end(job, split, &g, q);
        pixels |= 1u << (pixel % 16);
    }
    return pixels;
}

ZT_LANE_OP void blend_tile(const blend_job *job, bool split)
{
    display_queue queue;
    memset(&queue, 0, sizeof queue);
    for (int32_t block = job->first_block; block < job->end_block; block++)
        job->pixels[block] =
            (uint16_t)(job->fragment_lens ? glass_block(job, split, block, &queue)
                                          : blend_block(job, split, block, &queue));
    if (queue.count > 0)
        display_flush(job, &queue);
}

static void blend_split(const blend_job *job) { blend_tile(job, true); }

static void blend(const blend_job *job)
{
    if (job->color.unlit)
        blend_split(job);
    else
        blend_tile(job, false);
}
