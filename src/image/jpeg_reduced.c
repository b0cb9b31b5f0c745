// SPDX-License-Identifier: MIT
/// Reduced decoding of progressive JPEG files. Each coefficient is added to the reduced pixels of
/// its block as soon as it is read, so no coefficients are stored: storing them is what makes
/// TurboJPEG slow here. The share of a coefficient in a pixel is the cosine of T.81 A.3.3 averaged
/// over the pixel's area; coefficients without a share (all but the mean at an eighth) are skipped.
#include "image/jpeg_reduced.h"

#include "image/jpeg_bits.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    COMPONENTS = 3,
    BLOCK = 64,
    PREDICTED_LIMIT = 1 << 14, // 8 times the maximum of 8-bit pixels
    SCAN_LIMIT = 100,          // encoders write about 10
};

typedef struct component {
    uint8_t id, h, v, quantiser;
    int32_t blocks_x, blocks_y; ///< of whole MCUs
    int32_t own_x, own_y;       ///< blocks in a scan of this component alone
    int32_t nx, ny;             ///< reduced pixels of a block
    float *share;               ///< [BLOCK][ny * nx], coefficients in zigzag order
    bool shared[BLOCK];         ///< false: its share is 0 everywhere
    float *sums;                ///< [blocks][ny * nx]
    int32_t *mean;              ///< [blocks] first coefficients
    uint8_t *plane;             ///< [blocks_y * ny][blocks_x * nx]
    int32_t predicted;
    const jpeg_codes *dc, *ac; ///< of the scan
} component;

typedef struct reduced_file {
    arena *temporary;
    const uint8_t *data, *end;
    int32_t halvings, width, height;
    bool jfif, adobe;
    uint8_t adobe_transform;
    int32_t scan_count, component_count, h_max, v_max, mcus_x, mcus_y, restart_interval;
    component component[COMPONENTS];
    uint16_t quantiser[4][BLOCK];
    bool quantiser_defined[4];
    jpeg_codes *codes; ///< [2][4]: DC, AC
} reduced_file;

typedef struct scan {
    int32_t count;
    component *of[COMPONENTS];
    int32_t first, last, high, low; ///< Ss, Se, Ah, Al
    int32_t end_run;                ///< blocks that end at once (EOBRUN)
    jpeg_bits bits;
} scan;

static const uint8_t natural_order[BLOCK] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// ---- Shares -------------------------------------------------------------------------------------

/// cos(k pi / 16).
static double cosine(int32_t k)
{
    static const double quarter[9] = {1.0,
                                      0.98078528040323044913,
                                      0.92387953251128675613,
                                      0.83146961230254523708,
                                      0.70710678118654752440,
                                      0.55557023301960222474,
                                      0.38268343236508977173,
                                      0.19509032201612826785,
                                      0.0};
    k &= 31;
    k = k > 16 ? 32 - k : k;
    return k > 8 ? -quarter[16 - k] : quarter[k];
}

/// The share of frequency `u` in pixel `i` of `n`: its cosine averaged over 8 / n samples, rounded
/// to 2^-40, so that sums that cancel are exactly 0.
static double share_along(int32_t u, int32_t i, int32_t n)
{
    const int32_t samples = 8 / n;
    double sum = 0.0;
    for (int32_t x = i * samples; x < (i + 1) * samples; x++)
        sum += cosine((2 * x + 1) * u);
    const double scale = (u == 0 ? cosine(4) : 1.0) * 0.5 / samples;
    const double steps = 1099511627776.0;
    const int64_t rounded = (int64_t)(sum * scale * steps + (sum < 0.0 ? -0.5 : 0.5));
    return (double)rounded / steps;
}

static bool make_shares(reduced_file *f, component *c)
{
    const int32_t pixels = c->nx * c->ny;
    c->share = ARENA_ARRAY_RAW(f->temporary, float, (size_t)BLOCK *(size_t)pixels);
    if (!c->share || !f->quantiser_defined[c->quantiser])
        return false;
    for (int32_t k = 0; k < BLOCK; k++) {
        const int32_t u = natural_order[k] % 8, v = natural_order[k] / 8;
        for (int32_t y = 0; y < c->ny; y++)
            for (int32_t x = 0; x < c->nx; x++) {
                const double share = share_along(u, x, c->nx) * share_along(v, y, c->ny) *
                                     f->quantiser[c->quantiser][k];
                c->share[k * pixels + y * c->nx + x] = (float)share;
                c->shared[k] |= share != 0.0;
            }
    }
    return true;
}

/// Always inlined with a constant `pixels`, like all functions below with this parameter.
static ALWAYS_INLINE void add_coefficient(const component *c, float *sums, int32_t k, int32_t value,
                                          int32_t pixels)
{
    const float *share = c->share + k * pixels, factor = (float)value;
    for (int32_t i = 0; i < pixels; i++)
        sums[i] += share[i] * factor;
}

static ALWAYS_INLINE void store_block(const component *c, int32_t bx, int32_t by, const float *sums,
                                      int32_t pixels)
{
    uint8_t rounded[BLOCK];
    for (int32_t i = 0; i < pixels; i++) {
        const float value = sums[i] + 128.5f;
        const float above = value > 0.0f ? value : 0.0f;
        rounded[i] = (uint8_t)(int32_t)(above < 255.0f ? above : 255.0f);
    }
    const size_t nx = (size_t)c->nx, ny = (size_t)c->ny, pitch = (size_t)c->blocks_x * nx;
    uint8_t *out = c->plane + (size_t)by * ny * pitch + (size_t)bx * nx;
    for (size_t y = 0; y < ny; y++)
        memcpy(out + y * pitch, rounded + y * nx, nx);
}

// ---- Blocks -------------------------------------------------------------------------------------

/// Reads the DC coefficient of a block, or its next bit (G.1.2.1).
static bool read_mean(scan *s, component *c, int32_t bx, int32_t by)
{
    int32_t *mean = &c->mean[by * c->blocks_x + bx];
    if (s->high > 0) {
        jpeg_bits_refill(&s->bits);
        *mean += (int32_t)jpeg_bits_take(&s->bits, 1) << s->low;
        return true;
    }
    const uint32_t size = jpeg_bits_symbol(&s->bits, c->dc);
    if (size > 11 || s->bits.broken)
        return false;
    c->predicted += jpeg_bits_signed(&s->bits, (int32_t)size);
    if (c->predicted > PREDICTED_LIMIT || c->predicted < -PREDICTED_LIMIT)
        return false;
    *mean = c->predicted * (1 << s->low);
    return true;
}

/// Reads the first bits of AC coefficients (G.1.2.2).
static ALWAYS_INLINE bool read_band(scan *s, component *c, int32_t bx, int32_t by, int32_t pixels)
{
    float *sums = c->sums + (size_t)(by * c->blocks_x + bx) * (size_t)pixels;
    if (s->end_run > 0) {
        s->end_run--;
        return true;
    }
    jpeg_bits bits = s->bits;
    for (int32_t k = s->first; k <= s->last; k++) {
        const uint32_t symbol = jpeg_bits_symbol(&bits, c->ac);
        const int32_t run = (int32_t)(symbol >> 4), value_bits = (int32_t)(symbol & 15);
        if (value_bits == 0 && run < 15) {
            s->end_run = (1 << run) - 1;
            if (run > 0)
                s->end_run += (int32_t)jpeg_bits_take(&bits, run);
            break;
        }
        k += run;
        if (k > s->last)
            return false;
        const int32_t value = jpeg_bits_signed(&bits, value_bits);
        if (c->shared[k])
            add_coefficient(c, sums, k, value * (1 << s->low), pixels);
    }
    s->bits = bits;
    return !bits.broken;
}

static bool read_block(scan *s, component *c, int32_t bx, int32_t by)
{
    if (s->first == 0)
        return read_mean(s, c, bx, by);
    switch (c->nx * c->ny) {
    case 4:
        return read_band(s, c, bx, by, 4);
    case 16:
        return read_band(s, c, bx, by, 16);
    default:
        return read_band(s, c, bx, by, c->nx * c->ny);
    }
}

// ---- Scans --------------------------------------------------------------------------------------

/// Continues after a restart marker. False when there is none, or when bits before it were missing.
static bool restart(scan *s)
{
    jpeg_bits *b = &s->bits;
    if (b->padding > b->count || b->end - b->at < 2 || b->at[0] != 0xff ||
        (b->at[1] & 0xf8) != MARKER_RST0)
        return false;
    *b = (jpeg_bits){.at = b->at + 2, .end = b->end};
    for (int32_t i = 0; i < s->count; i++)
        s->of[i]->predicted = 0;
    s->end_run = 0;
    return true;
}

static bool read_mcu(scan *s, int32_t x, int32_t y)
{
    if (s->count == 1)
        return read_block(s, s->of[0], x, y);
    for (int32_t i = 0; i < s->count; i++) {
        component *c = s->of[i];
        for (int32_t k = 0; k < c->h * c->v; k++)
            if (!read_block(s, c, x * c->h + k % c->h, y * c->v + k / c->h))
                return false;
    }
    return true;
}

static bool read_mcus(const reduced_file *f, scan *s)
{
    const int32_t across = s->count == 1 ? s->of[0]->own_x : f->mcus_x;
    const int32_t down = s->count == 1 ? s->of[0]->own_y : f->mcus_y;
    int32_t until_restart = f->restart_interval;
    for (int32_t y = 0; y < down; y++)
        for (int32_t x = 0; x < across; x++) {
            if (f->restart_interval > 0 && until_restart-- == 0) {
                if (!restart(s))
                    return false;
                until_restart = f->restart_interval - 1;
            }
            if (!read_mcu(s, x, y))
                return false;
        }
    return s->bits.padding <= s->bits.count; // no padding was read
}

/// True for scans that change nothing, or too little to be worth the time.
static bool may_skip(const scan *s)
{
    return s->first > 0 && (s->high > 0 || (s->of[0]->nx == 1 && s->of[0]->ny == 1));
}

static bool read_scan_header(reduced_file *f, scan *s, const uint8_t *p, size_t size)
{
    if (size < 6 || p[0] < 1 || p[0] > f->component_count || size < 4 + 2 * (size_t)p[0])
        return false;
    s->count = p[0];
    const uint8_t *rest = p + 1 + 2 * (size_t)s->count;
    s->first = rest[0];
    s->last = rest[1];
    s->high = rest[2] >> 4;
    s->low = rest[2] & 15;
    for (int32_t i = 0; i < s->count; i++) {
        const uint8_t id = p[1 + 2 * i], tables = p[2 + 2 * i];
        for (int32_t k = 0; k < f->component_count; k++)
            if (f->component[k].id == id)
                s->of[i] = &f->component[k];
        if (!s->of[i] || (i > 0 && s->of[i] <= s->of[i - 1]) || (tables & 0xcc) != 0)
            return false;
        s->of[i]->dc = &f->codes[tables >> 4];
        s->of[i]->ac = &f->codes[4 + (tables & 15)];
        s->of[i]->predicted = 0;
        const bool has_dc = s->first == 0 && s->high == 0, has_ac = s->last > 0;
        if ((has_dc && !s->of[i]->dc->defined) || (has_ac && !s->of[i]->ac->defined))
            return false;
    }
    return s->low <= 13 && (s->high == 0 || s->low == s->high - 1) && s->last < BLOCK &&
           (s->first == 0 ? s->last == 0 : s->first <= s->last && s->count == 1);
}

// ---- The file -----------------------------------------------------------------------------------

static bool make_component(reduced_file *f, component *c)
{
    const size_t side = (size_t)1 << (3 - f->halvings);
    c->nx = (int32_t)side * f->h_max / c->h;
    c->ny = (int32_t)side * f->v_max / c->v;
    c->blocks_x = f->mcus_x * c->h;
    c->blocks_y = f->mcus_y * c->v;
    const int32_t width = (f->width * c->h + f->h_max - 1) / f->h_max;
    const int32_t height = (f->height * c->v + f->v_max - 1) / f->v_max;
    c->own_x = (width + 7) / 8;
    c->own_y = (height + 7) / 8;
    const size_t blocks = (size_t)c->blocks_x * (size_t)c->blocks_y;
    const size_t pixels = (size_t)c->nx * (size_t)c->ny;
    c->plane = arena_alloc_raw(f->temporary, blocks, pixels);
    c->sums = ARENA_ARRAY(f->temporary, float, blocks *pixels);
    c->mean = ARENA_ARRAY(f->temporary, int32_t, blocks);
    return c->plane && c->sums && c->mean;
}

static bool read_frame(reduced_file *f, const uint8_t *p, size_t size)
{
    if (f->component_count > 0 || size < 6 || p[0] != 8 || (p[5] != 1 && p[5] != COMPONENTS) ||
        size < 6 + 3 * (size_t)p[5])
        return false;
    f->height = p[1] << 8 | p[2];
    f->width = p[3] << 8 | p[4];
    f->component_count = p[5];
    const int32_t mask = (1 << f->halvings) - 1;
    if (f->width < 1 || f->height < 1 || ((f->width | f->height) & mask) != 0)
        return false;
    for (int32_t i = 0; i < f->component_count; i++) {
        const uint8_t *q = p + 6 + 3 * i;
        component *c = &f->component[i];
        *c = (component){.id = q[0], .h = q[1] >> 4, .v = q[1] & 15, .quantiser = q[2]};
        if (f->component_count == 1)
            c->h = c->v = 1; // a single component has no interleaving
        const uint8_t max = i == 0 ? 2 : 1;
        if (c->h < 1 || c->h > max || c->v < 1 || c->v > max || c->quantiser > 3)
            return false;
    }
    f->h_max = f->component[0].h;
    f->v_max = f->component[0].v;
    f->mcus_x = (f->width + 8 * f->h_max - 1) / (8 * f->h_max);
    f->mcus_y = (f->height + 8 * f->v_max - 1) / (8 * f->v_max);
    for (int32_t i = 0; i < f->component_count; i++)
        if (!make_component(f, &f->component[i]))
            return false;
    return true;
}

static bool read_quantisers(reduced_file *f, const uint8_t *p, size_t size)
{
    while (size > 0) {
        const size_t bytes = p[0] >> 4 ? 2 : 1;
        const uint8_t index = p[0] & 15;
        if (p[0] >> 4 > 1 || index > 3 || size < 1 + bytes * BLOCK)
            return false;
        for (size_t k = 0; k < BLOCK; k++)
            f->quantiser[index][k] =
                (uint16_t)(bytes == 1 ? p[1 + k] : p[1 + 2 * k] << 8 | p[2 + 2 * k]);
        f->quantiser_defined[index] = true;
        p += 1 + bytes * BLOCK;
        size -= 1 + bytes * BLOCK;
    }
    return true;
}

static bool read_codes(reduced_file *f, const uint8_t *p, size_t size)
{
    while (size > 0) {
        size_t values = 0;
        if (size < 17 || (p[0] & 0xec) != 0)
            return false;
        for (int i = 0; i < 16; i++)
            values += p[1 + i];
        if (size < 17 + values || values > 256 ||
            !jpeg_codes_init(&f->codes[(p[0] >> 4) * 4 + (p[0] & 15)], p + 1, p + 17))
            return false;
        p += 17 + values;
        size -= 17 + values;
    }
    return true;
}

/// Finds the segment of the next marker; stray bytes before it are tolerated. False at the end.
static bool next_segment(reduced_file *f, uint8_t *out_marker, const uint8_t **out,
                         size_t *out_size)
{
    for (; f->end - f->data >= 2; f->data++) {
        if (f->data[0] != 0xff || f->data[1] == 0 || f->data[1] == 0xff ||
            (f->data[1] >= MARKER_RST0 && f->data[1] <= MARKER_SOI))
            continue;
        *out_marker = f->data[1];
        *out_size = 0;
        f->data += 2;
        if (*out_marker == MARKER_EOI)
            return true;
        if (f->end - f->data < 2)
            return false;
        const size_t length = (size_t)f->data[0] << 8 | f->data[1];
        if (length < 2 || length > (size_t)(f->end - f->data))
            return false;
        *out = f->data + 2;
        *out_size = length - 2;
        f->data += length;
        return true;
    }
    return false;
}

static bool read_scan(reduced_file *f, const uint8_t *p, size_t size)
{
    scan s = {
        .bits = {.at = f->data, .end = f->end}
    };
    if (f->component_count == 0 || f->scan_count++ == SCAN_LIMIT ||
        !read_scan_header(f, &s, p, size))
        return false;
    for (int32_t i = 0; i < s.count; i++)
        if (!s.of[i]->share && !make_shares(f, s.of[i]))
            return false;
    if (may_skip(&s))
        return true; // next_segment() skips its data
    if (!read_mcus(f, &s))
        return false;
    f->data = s.bits.at;
    return true;
}

static bool read_segment(reduced_file *f, uint8_t marker, const uint8_t *p, size_t size)
{
    switch (marker) {
    case MARKER_SOF2:
        return read_frame(f, p, size);
    case MARKER_DQT:
        return f->component[0].share == NULL && read_quantisers(f, p, size);
    case MARKER_DHT:
        return read_codes(f, p, size);
    case MARKER_DRI:
        f->restart_interval = size >= 2 ? p[0] << 8 | p[1] : 0;
        return size >= 2;
    case MARKER_SOS:
        return read_scan(f, p, size);
    case MARKER_APP0:
        f->jfif |= size >= 5 && memcmp(p, "JFIF", 5) == 0;
        return true;
    case MARKER_APP14:
        f->adobe |= size >= 12 && memcmp(p, "Adobe", 5) == 0;
        f->adobe_transform = f->adobe && size >= 12 ? p[11] : 0;
        return true;
    default:
        return marker == MARKER_COM || (marker > MARKER_APP0 && marker < 0xf0);
    }
}

/// Adds the means, which are complete only after all scans, and rounds all pixels.
static void finish_component(const component *c)
{
    const int32_t pixels = c->nx * c->ny;
    for (int32_t by = 0; by < c->blocks_y; by++)
        for (int32_t bx = 0; bx < c->blocks_x; bx++) {
            const int32_t block = by * c->blocks_x + bx;
            float *sums = c->sums + (size_t)block * (size_t)pixels;
            add_coefficient(c, sums, 0, c->mean[block], pixels);
            store_block(c, bx, by, sums, pixels);
        }
}

// ---- Colour -------------------------------------------------------------------------------------

static uint32_t to_u8(int32_t value)
{
    const int32_t above = value > 0 ? value : 0;
    return (uint32_t)(above < 255 ? above : 255);
}

static uint32_t little_endian_u32(uint32_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

/// JFIF: R = Y + 1.402 Cr', G = Y - 0.344136 Cb' - 0.714136 Cr', B = Y + 1.772 Cb', in units of
/// 2^-16.
static void rgba_from_ycc(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int32_t count,
                          uint8_t *out)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t light = y[i] * 65536 + 32768, b = cb[i] - 128, r = cr[i] - 128;
        const uint32_t red = to_u8((light + 91881 * r) >> 16);
        const uint32_t green = to_u8((light - 22554 * b - 46802 * r) >> 16);
        const uint32_t blue = to_u8((light + 116130 * b) >> 16);
        const uint32_t pixel = little_endian_u32(red | green << 8 | blue << 16 | 255u << 24);
        memcpy(out + 4 * i, &pixel, 4);
    }
}

static void write_pixels(const reduced_file *f, uint8_t *pixels)
{
    const int32_t width = f->width >> f->halvings, height = f->height >> f->halvings;
    const uint8_t *row[COMPONENTS];
    for (int32_t y = 0; y < height; y++) {
        uint8_t *out = pixels + (size_t)y * (size_t)width * 4;
        for (int32_t i = 0; i < f->component_count; i++) {
            const component *c = &f->component[i];
            row[i] = c->plane + (size_t)y * (size_t)c->blocks_x * (size_t)c->nx;
        }
        if (f->component_count == COMPONENTS) {
            rgba_from_ycc(row[0], row[1], row[2], width, out);
            continue;
        }
        for (int32_t x = 0; x < width; x++) {
            memset(out + 4 * x, row[0][x], 3);
            out[4 * x + 3] = 255;
        }
    }
}

/// Three components are Y, Cb and Cr by a JFIF or an Adobe marker, or when their ids are 1, 2, 3.
static bool is_ycc(const reduced_file *f)
{
    if (f->adobe && f->adobe_transform != 1)
        return false;
    const component *c = f->component;
    return f->jfif || f->adobe || (c[0].id == 1 && c[1].id == 2 && c[2].id == 3);
}

bool jpeg_reduced_decode(arena *temporary, file_bytes bytes, int32_t halvings, uint8_t *pixels)
{
    reduced_file f = {.temporary = temporary,
                      .data = bytes.data + 2, // after SOI
                      .end = bytes.data + bytes.size,
                      .halvings = halvings};
    uint8_t marker = 0;
    const uint8_t *segment = NULL;
    size_t size = 0;
    f.codes = ARENA_ARRAY(temporary, jpeg_codes, 8);
    if (!f.codes || bytes.size < 4)
        return false;
    while (next_segment(&f, &marker, &segment, &size) && marker != MARKER_EOI)
        if (!read_segment(&f, marker, segment, size))
            return false;
    if (marker != MARKER_EOI || f.component_count == 0)
        return false;
    for (int32_t i = 0; i < f.component_count; i++)
        if (!f.component[i].share) // in no scan
            return false;
    if (f.component_count == COMPONENTS && !is_ycc(&f))
        return false;
    for (int32_t i = 0; i < f.component_count; i++)
        finish_component(&f.component[i]);
    write_pixels(&f, pixels);
    return true;
}
