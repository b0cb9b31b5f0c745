// SPDX-License-Identifier: MIT
// The picture behind transmissive surfaces: its levels, and lookups with a blur of any size. See
// behind.h.

/// Mean nearness of the opaque samples of a pixel of the tile, given in block order.
static inline float behind_depth(const behind_resolve_job *job, int32_t pixel)
{
    const float *depth = job->tile.depth + pixel * job->sample_count;
    float nearness = 0.0f;
    for (int32_t s = 0; s < job->sample_count && job->blocks; s++)
        nearness = nearness + (depth[s] > 0.0f ? depth[s] : 0.0f);
    return nearness * (1.0f / (float)job->sample_count);
}

/// Sums of the opaque samples of a block; `unlit` stays 0 in frames without unlit materials.
static void behind_opaque(const behind_resolve_job *job, int32_t block, qf color[16], qf unlit[16])
{
    const film_job film = {.visible = job->visible,
                           .color = job->color,
                           .blocks = job->blocks,
                           .sample_count = job->sample_count};
    for (int32_t i = 0; i < 16; i++)
        color[i] = unlit[i] = qf_set1(0.0f);
    if (!behind_shows(job->blocks, NULL, block))
        return;
    film_resolve(&film, &job->blocks[block], job->out_unlit ? FILM_LIT : FILM_ALL, color);
    if (job->out_unlit)
        film_resolve(&film, &job->blocks[block], FILM_UNLIT, unlit);
}

/// Replaces pixels of a block by what blends there.
static void behind_blended(const behind_resolve_job *job, int32_t block, qf color[16], qf unlit[16],
                           float nearness[16])
{
    for (int32_t i = 0; i < 16; i++) {
        const int32_t pixel = block * 16 + i;
        if (!(job->blended_pixels[block] >> i & 1u))
            continue;
        color[i] = qf_load(job->blended[pixel]);
        if (job->blended_unlit)
            unlit[i] = qf_load(job->blended_unlit[pixel]);
        if (job->through) { // then the alpha in job->blended is that of both
            color[i] = qf_with_w(color[i], qf_sub(color[i], unlit[i]));
            nearness[i] = job->through[pixel][3];
        }
    }
}

/// Colours and nearness of the pixels of a tile.
static void behind_resolve(const behind_resolve_job *job)
{
    for (int32_t block = 0; block < TILE_BLOCKS * TILE_BLOCKS; block++) {
        const int32_t left = block % TILE_BLOCKS * 4, top = block / TILE_BLOCKS * 4;
        const int32_t columns = job->width - left < 4 ? job->width - left : 4;
        qf color[16], unlit[16];
        float nearness[16] = {0.0f};
        if (columns <= 0 || top >= job->height ||
            (job->leaves_empty && !behind_shows(job->blocks, job->blended_pixels, block)))
            continue;
        behind_opaque(job, block, color, unlit);
        for (int32_t i = 0; i < 16 && job->out_nearness; i++)
            nearness[i] = behind_depth(job, block * 16 + i);
        if (job->blended && job->blended_pixels[block])
            behind_blended(job, block, color, unlit, nearness);
        for (int32_t y = top; y < top + 4 && y < job->height; y++)
            for (int32_t x = 0; x < columns; x++) {
                const size_t at = (size_t)y * job->stride + (size_t)(left + x);
                const int32_t i = (y - top) * 4 + x;
                qf_store(job->out[at], color[i]);
                if (job->out_unlit)
                    qf_store(job->out_unlit[at], unlit[i]);
                if (job->out_nearness)
                    job->out_nearness[at] = nearness[i];
            }
    }
}

static inline int32_t behind_clamp(int32_t i, int32_t size)
{
    const int32_t low = i > 0 ? i : 0;
    return low < size ? low : size - 1;
}

/// Offsets of four neighbours along an axis of `size`, `stride` apart, limited to the level.
static inline void behind_neighbours(int32_t first, int32_t size, size_t stride, size_t out[4])
{
    for (int32_t i = 0; i < 4; i++)
        out[i] = (size_t)behind_clamp(first + i, size) * stride;
}

/// Four rows of the level before, summed with the weights 1 3 3 1: column x of a row of `to`.
static inline qf behind_column(const behind_level *from, const size_t row[4], size_t x,
                               float *nearness)
{
    const qf outer = qf_set1(0.125f), inner = qf_set1(0.375f);
    const qf ends = qf_add(qf_load(from->color[row[0] + x]), qf_load(from->color[row[3] + x]));
    const qf middle = qf_add(qf_load(from->color[row[1] + x]), qf_load(from->color[row[2] + x]));
    *nearness = (from->nearness[row[0] + x] + from->nearness[row[3] + x]) * 0.125f +
                (from->nearness[row[1] + x] + from->nearness[row[2] + x]) * 0.375f;
    return qf_add(qf_mul(ends, outer), qf_mul(middle, inner));
}

/// One row of a level. Sums of columns serve two pixels each.
static void behind_reduce_row(const behind_level *from, const behind_level *to, int32_t y)
{
    const qf outer = qf_set1(0.125f), inner = qf_set1(0.375f);
    const int32_t last = from->width - 1;
    size_t row[4];
    qf color[4];
    float near[4];
    behind_neighbours(2 * y - 1, from->height, (size_t)from->width, row);
    for (int32_t i = 0; i < 2; i++) // columns -1, which is limited to 0, and 0
        color[i] = behind_column(from, row, 0, &near[i]);
    for (int32_t x = 0; x < to->width; x++) {
        for (int32_t i = 2; i < 4; i++) {
            const int32_t column = 2 * x + i - 1 < last ? 2 * x + i - 1 : last;
            color[i] = behind_column(from, row, (size_t)column, &near[i]);
        }
        const size_t at = (size_t)y * (size_t)to->width + (size_t)x;
        qf_store(to->color[at], qf_add(qf_mul(qf_add(color[0], color[3]), outer),
                                       qf_mul(qf_add(color[1], color[2]), inner)));
        to->nearness[at] = (near[0] + near[3]) * 0.125f + (near[1] + near[2]) * 0.375f;
        for (int32_t i = 0; i < 2; i++) {
            color[i] = color[i + 2];
            near[i] = near[i + 2];
        }
    }
}

static void behind_reduce(const behind_reduce_job *job)
{
    behind_level from = *job->from, to = *job->to;
    for (int32_t y = job->first_row; y < job->end_row; y++)
        behind_reduce_row(&from, &to, y);
    if (!from.unlit)
        return;
    from.color = from.unlit;
    to.color = to.unlit;
    for (int32_t y = job->first_row; y < job->end_row; y++) // nearness once more, the same
        behind_reduce_row(&from, &to, y);
}

/// Integer part and fraction of a position, which is limited to the picture.
static inline int32_t behind_split(float position, int32_t size, float *fraction)
{
    const float low = position > 0.0f ? position : 0.0f; // NaN becomes 0
    const float limited = low < (float)size ? low : (float)size;
    const float from_center = limited + 0.5f; // above 0, so that conversion rounds down
    const int32_t whole = (int32_t)from_center;
    *fraction = from_center - (float)whole;
    return whole - 1;
}

/// Variance of level `level` read through a B-spline, in pixels of the picture; see behind.h.
static inline float behind_level_variance(int32_t level)
{
    return level == 0 ? 0.0f : (7.0f / 12.0f) * (float)(1u << 2 * level) - 0.25f;
}

/// Which colours of the picture are read.
typedef enum behind_part { BEHIND_LIT, BEHIND_UNLIT } behind_part;

static inline const float (*behind_plane(const behind_level *level, behind_part part))[4]
{
    return (const float(*)[4])(part == BEHIND_UNLIT ? level->unlit : level->color);
}

/// Level 0 between its pixels, linearly.
static inline qf behind_linear(const behind_level *level, behind_part part, float x, float y)
{
    const float(*color)[4] = behind_plane(level, part);
    float fx, fy;
    const int32_t left = behind_split(x, level->width, &fx);
    const int32_t top = behind_split(y, level->height, &fy);
    qf line[2];
    for (int32_t row = 0; row < 2; row++) {
        const size_t start = (size_t)behind_clamp(top + row, level->height) * (size_t)level->width;
        const qf a = qf_load(color[start + (size_t)behind_clamp(left, level->width)]);
        const qf b = qf_load(color[start + (size_t)behind_clamp(left + 1, level->width)]);
        line[row] = qf_add(qf_mul(a, qf_set1(1.0f - fx)), qf_mul(b, qf_set1(fx)));
    }
    return qf_add(qf_mul(line[0], qf_set1(1.0f - fy)), qf_mul(line[1], qf_set1(fy)));
}

/// Weights of four neighbours in a uniform cubic B-spline, at fraction f between the middle two.
static inline void behind_spline(float f, float w[4])
{
    const float g = 1.0f - f, sixth = 1.0f / 6.0f;
    w[0] = ((g * g) * g) * sixth;
    w[3] = ((f * f) * f) * sixth;
    w[1] = (4.0f - (f * f) * (6.0f - 3.0f * f)) * sixth;
    w[2] = (4.0f - (g * g) * (6.0f - 3.0f * g)) * sixth;
}

/// A level through a B-spline: (x, y) in its pixels.
static inline qf behind_smooth(const behind_level *level, behind_part part, float x, float y)
{
    float fx, fy, wx[4], wy[4];
    size_t column[4], row[4];
    const int32_t left = behind_split(x, level->width, &fx) - 1;
    const int32_t top = behind_split(y, level->height, &fy) - 1;
    behind_spline(fx, wx);
    behind_spline(fy, wy);
    behind_neighbours(left, level->width, 1, column);
    behind_neighbours(top, level->height, (size_t)level->width, row);
    qf sum = qf_set1(0.0f);
    for (int32_t k = 0; k < 4; k++) {
        const float(*from)[4] = behind_plane(level, part) + row[k];
        qf line = qf_mul(qf_load(from[column[0]]), qf_set1(wx[0]));
        for (int32_t i = 1; i < 4; i++)
            line = qf_add(line, qf_mul(qf_load(from[column[i]]), qf_set1(wx[i])));
        sum = qf_add(sum, qf_mul(line, qf_set1(wy[k])));
    }
    return sum;
}

static inline qf behind_level_color(const behind_picture *b, behind_part part, int32_t level,
                                    float x, float y)
{
    const float scale = 1.0f / (float)(1u << level);
    if (level == 0)
        return behind_linear(&b->level[0], part, x, y);
    return behind_smooth(&b->level[level], part, x * scale, y * scale);
}

/// The last level whose variance is at most `variance`.
static inline int32_t behind_level_for(const behind_picture *b, float variance)
{
    int32_t level = 0;
    while (level + 1 < b->level_count && behind_level_variance(level + 1) <= variance)
        level++;
    return level;
}

/// Colour at pixel position (x, y), blurred with a variance of `variance` square pixels along each
/// axis: two levels, mixed so that a wave which a Gaussian would leave 1/e of is left about as
/// strong. (Mixed so that the variances agree, more detail would remain. The fraction is a fit
/// within 0.06 of the exact share, (e^(-V/v) - e^-1) / (e^(-V/v) - e^(-4V/v)), V = own.)
static qf behind_color(const behind_picture *b, behind_part part, float x, float y, float variance)
{
    const int32_t level = behind_level_for(b, variance);
    const qf fine = behind_level_color(b, part, level, x, y);
    const float own = behind_level_variance(level), next = behind_level_variance(level + 1);
    if (level + 1 >= b->level_count || !(variance > own))
        return fine;
    const float t = (variance - own) / (next - own), share = (1.85f * t) / (t + 0.85f);
    const qf coarse = behind_level_color(b, part, level + 1, x, y);
    return qf_add(qf_mul(fine, qf_set1(1.0f - share)), qf_mul(coarse, qf_set1(share)));
}

/// True when the pixel at (x, y) shows something that is nearer than `nearness`.
static inline bool behind_is_nearer(const behind_picture *b, float x, float y, float nearness)
{
    const behind_level *level = &b->level[0];
    float fraction;
    const int32_t column = behind_split(x - 0.5f, level->width, &fraction) + 1;
    const int32_t row = behind_split(y - 0.5f, level->height, &fraction) + 1;
    const size_t at = (size_t)behind_clamp(row, level->height) * (size_t)level->width +
                      (size_t)behind_clamp(column, level->width);
    return level->nearness[at] > nearness;
}

/// Pixels by which (x, y) lies outside the picture, as a share of its larger side, at most 1.
static inline float behind_outside(const behind_picture *b, float x, float y)
{
    const float width = (float)b->level[0].width, height = (float)b->level[0].height;
    float distance = 0.0f;
    distance = -x > distance ? -x : distance;
    distance = -y > distance ? -y : distance;
    distance = x - width > distance ? x - width : distance;
    distance = y - height > distance ? y - height : distance;
    const float share = distance / (width > height ? width : height);
    return share < 1.0f ? share : 1.0f;
}

/// Mean nearness around (x, y), over about the same pixels.
static float behind_nearness(const behind_picture *b, float x, float y, float variance)
{
    const int32_t number = behind_level_for(b, variance);
    const behind_level *level = &b->level[number];
    const float scale = 1.0f / (float)(1u << number);
    float fx, fy, line[2];
    const int32_t left = behind_split(x * scale, level->width, &fx);
    const int32_t top = behind_split(y * scale, level->height, &fy);
    for (int32_t row = 0; row < 2; row++) {
        const size_t start = (size_t)behind_clamp(top + row, level->height) * (size_t)level->width;
        const float a = level->nearness[start + (size_t)behind_clamp(left, level->width)];
        const float c = level->nearness[start + (size_t)behind_clamp(left + 1, level->width)];
        line[row] = a * (1.0f - fx) + c * fx;
    }
    return line[0] * (1.0f - fy) + line[1] * fy;
}
