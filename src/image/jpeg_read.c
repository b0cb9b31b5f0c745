// SPDX-License-Identifier: MIT
/// JPEG files in memory -> 8-bit RGBA, by libjpeg-turbo with the accurate integer DCT and fancy
/// upsampling: its SIMD and C give the same bytes. Grey, YCbCr, RGB, CMYK, YCCK; baseline and
/// progressive (ITU-T T.81). A file that ends early is an error; damage only warned of is not.
#include "image/jpeg_components.h"
#include "image/picture_codecs.h"

#include <jerror.h>
#include <string.h>

enum {
    DECODER_ROWS = 64,         // of all samples of a row, in the decoder's buffers
    DECODER_BYTES = 128 << 10, // its tables
    COMPONENTS_FROM = 1 << 18, // pixels; smaller pictures are decoded in one piece
};

/// Known before the decoder begins.
typedef struct jpeg_markers {
    bool ended;        ///< there is an EOI marker
    int width, height; ///< of the frame header; 0 without one
} jpeg_markers;

/// A decoder and the file that it reads.
typedef struct jpeg_decoder {
    struct jpeg_decompress_struct lib;
    jpeg_errors errors;
    struct jpeg_progress_mgr progress;
    arena *temporary;
    jpeg_blocks blocks; ///< in an arena of their own
    job_pool *pool;
    const char *name;
    file_bytes bytes;
    uint8_t *pixels; ///< [lib.output_height][lib.output_width] RGBA or CMYK
    bool too_many_scans, cancelled;
} jpeg_decoder;

static jpeg_markers markers_read(file_bytes bytes)
{
    jpeg_markers m = {0};
    jpeg_segment s;
    for (size_t at = 2; jpeg_segment_next(bytes, &at, &s);) { // after SOI
        const size_t left = (size_t)(bytes.data + bytes.size - s.data);
        if (s.marker == MARKER_EOI) {
            m.ended = true;
            return m;
        }
        if (jpeg_marker_starts_frame(s.marker) && left > 7) {
            m.height = s.data[3] << 8 | s.data[4];
            m.width = s.data[5] << 8 | s.data[6];
        }
    }
    return m;
}

/// The scans that a reduced picture needs.
typedef struct needed_scans {
    int32_t halvings;
    bool fine_means;   ///< the last bit of a mean is at most half a code
    bool skipped[256]; ///< [identifier of a component]
} needed_scans;

/// False for a scan that adds next to nothing. At an eighth only means count; at a quarter the
/// first five frequencies in zigzag order, but for their last two bits, and of fine means all but
/// the last. A scan refines what was read before it, so after one that is skipped all others of its
/// component are.
static bool scan_is_needed(void *user, const jpeg_scan *scan)
{
    needed_scans *n = user;
    bool *skipped = &n->skipped[scan->component[0]];
    if (scan->component_count > 1 || scan->first == 0)
        return scan->high != 1 || !n->fine_means || n->halvings == 3;
    *skipped |= n->halvings == 3 || scan->first > 5 || (scan->high > 0 && scan->high <= 2);
    return !*skipped;
}

static uint8_t multiply_unorm8(uint32_t a, uint32_t b) { return (uint8_t)((a * b + 127) / 255); }

/// Converts CMYK to RGBA in place by R = (1 - C)(1 - K), without a colour profile.
static void rgba_from_cmyk(uint8_t *pixels, size_t count, bool inverted)
{
    const uint8_t flip = inverted ? 0 : 255;
    for (size_t i = 0; i < count; i++) {
        uint8_t *p = pixels + 4 * i;
        const uint8_t light = p[3] ^ flip;
        for (int c = 0; c < 3; c++)
            p[c] = multiply_unorm8(p[c] ^ flip, light);
        p[3] = 255;
    }
}

static zt_result check_size(const char *name, file_bytes bytes, int width, int height,
                            int32_t side_limit, picture *out, zt_error *err)
{
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken JPEG: %d x %d pixels", name, width, height);
    out->too_large = width > side_limit || height > side_limit;
    if (out->too_large)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: JPEG of %d x %d pixels (at most %d a side)", name,
                       width, height, (int)side_limit);
    // Every MCU (at most 32 x 32 pixels) takes at least one bit.
    if ((uint64_t)width * (uint64_t)height / 1024 / 8 > bytes.size)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s: broken JPEG: %d x %d pixels cannot come from %zu bytes", name, width,
                       height, bytes.size);
    return ZT_OK;
}

/// A decoder allocates from the system: tables, and rows of each component before and after
/// upsampling. As much is charged first.
static uint64_t decoder_bytes(const jpeg_decoder *d)
{
    const uint64_t padded_width = ((uint64_t)d->lib.image_width + 31) & ~(uint64_t)31;
    return DECODER_BYTES + padded_width * JPEG_COMPONENTS_MAX * DECODER_ROWS;
}

static zt_result fail_decoder(const jpeg_decoder *d, zt_error *err)
{
    if (d->cancelled)
        return cancel_fail(err);
    if (d->too_many_scans)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken JPEG: more than %d scans", d->name,
                       JPEG_SCANS_MAX);
    if (jpeg_lacks_memory(&d->errors) && d->blocks.a->failed != ZT_OK)
        return arena_fail(d->blocks.a, err, "the decoder of a JPEG");
    if (jpeg_lacks_memory(&d->errors))
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a JPEG decoder", d->name);
    return zt_fail(err, ZT_ERR_FORMAT, "%s: broken JPEG: %s", d->name, d->errors.text);
}

/// Called for each row of blocks of each scan.
static void watch(j_common_ptr lib)
{
    jpeg_decoder *d = (jpeg_decoder *)lib;
    d->too_many_scans = d->lib.input_scan_number > JPEG_SCANS_MAX;
    d->cancelled = budget_cancelled(d->temporary->budget);
    if (d->too_many_scans || d->cancelled)
        lib->err->error_exit(lib);
}

static void read_header(void *user)
{
    jpeg_decoder *d = user;
    jpeg_create_decompress(&d->lib);
    jpeg_blocks_use(&d->lib, &d->blocks);
    d->progress.progress_monitor = watch;
    d->lib.progress = &d->progress;
    jpeg_mem_src(&d->lib, d->bytes.data, (unsigned long)d->bytes.size);
    jpeg_read_header(&d->lib, TRUE);
}

/// Begins again with other bytes of the same picture.
static void read_header_again(void *user)
{
    jpeg_decoder *d = user;
    jpeg_abort_decompress(&d->lib);
    arena_reset(d->blocks.a);
    d->blocks.count = 0;
    jpeg_mem_src(&d->lib, d->bytes.data, (unsigned long)d->bytes.size);
    jpeg_read_header(&d->lib, TRUE);
}

static void read_rows(jpeg_decoder *d)
{
    while (d->lib.output_scanline < d->lib.output_height) {
        JSAMPROW row = d->pixels + (size_t)d->lib.output_scanline * d->lib.output_width * 4;
        jpeg_read_scanlines(&d->lib, &row, 1);
    }
}

static void read_pixels(void *user)
{
    jpeg_decoder *d = user;
    jpeg_start_decompress(&d->lib);
    read_rows(d);
    jpeg_finish_decompress(&d->lib);
}

/// The means of a picture whose components are decoded by decoders of their own.
static void read_means(void *user)
{
    jpeg_decoder *d = user;
    d->lib.buffered_image = TRUE;
    jpeg_start_decompress(&d->lib);
    d->cancelled = !jpeg_read_scans(&d->lib, d->temporary->budget);
}

/// Afterwards.
static void read_pixels_of_components(void *user)
{
    jpeg_decoder *d = user;
    d->lib.do_block_smoothing = FALSE; // all frequencies are known
    jpeg_start_output(&d->lib, d->lib.input_scan_number);
    read_rows(d);
    jpeg_finish_output(&d->lib);
    jpeg_finish_decompress(&d->lib);
}

static bool is_cmyk(const jpeg_decoder *d)
{
    return d->lib.jpeg_color_space == JCS_CMYK || d->lib.jpeg_color_space == JCS_YCCK;
}

/// True when all components have the size of the picture.
static bool has_whole_components(const jpeg_decoder *d)
{
    for (int i = 0; i < d->lib.num_components; i++) {
        const jpeg_component_info *c = &d->lib.comp_info[i];
        if (c->h_samp_factor != d->lib.max_h_samp_factor ||
            c->v_samp_factor != d->lib.max_v_samp_factor)
            return false;
    }
    return true;
}

/// Number of halvings by the decoder: it means 2 x 2, 4 x 4 or 8 x 8 pixels from low
/// frequencies. Both sides must be divisible: it rounds sizes up, mip chains round them down.
static int32_t decoder_halvings(int width, int height, picture_need need)
{
    int32_t halvings = picture_reduction(width, height, need.min_side);
    if (halvings > 0 && need.color)
        halvings--;
    if (halvings > 3)
        halvings = 3;
    while (((width | height) & ((1 << halvings) - 1)) != 0)
        halvings--;
    return halvings;
}

/// A mean is an eighth of its coefficient (ITU-T T.81, A.3.3).
static bool has_fine_means(const jpeg_decoder *d)
{
    for (int i = 0; i < d->lib.num_components; i++) {
        const int table = d->lib.comp_info[i].quant_tbl_no; // any byte of the file
        const JQUANT_TBL *steps = table < NUM_QUANT_TBLS ? d->lib.quant_tbl_ptrs[table] : NULL;
        if (!steps || steps->quantval[0] > 4)
            return false;
    }
    return true;
}

/// Components of half the size are reduced once less.
static zt_result skip_scans(jpeg_decoder *d, int32_t halvings, zt_error *err)
{
    needed_scans needed = {.halvings = halvings, .fine_means = has_fine_means(d)};
    if (halvings < 2 || !jpeg_has_multiple_scans(&d->lib) || !has_whole_components(d))
        return ZT_OK;
    uint8_t *copy;
    ZT_TRY(ARENA_TAKE_RAW(d->temporary, &copy, d->bytes.size + 2, "the scans of a JPEG", err));
    d->bytes = (file_bytes){copy, jpeg_scans_copy(d->bytes, scan_is_needed, &needed, copy)};
    return jpeg_attempt(&d->errors, read_header_again, d) ? ZT_OK : fail_decoder(d, err);
}

static void set_output(jpeg_decoder *d, int32_t halvings)
{
    d->lib.scale_num = 1;
    d->lib.scale_denom = 1u << halvings;
    d->lib.out_color_space = is_cmyk(d) ? JCS_CMYK : JCS_EXT_RGBA;
    d->lib.dct_method = JDCT_ISLOW;
    d->lib.do_block_smoothing = halvings < 2; // what skip_scans() left out is not to be guessed
}

/// Decodes a large progressive picture component by component. False: not all of it is as it should
/// be, and it must be decoded in one piece.
static bool decode_components(jpeg_decoder *d, int32_t halvings)
{
    uint8_t component[JPEG_COMPONENTS_MAX];
    const uint64_t pixels = (uint64_t)d->lib.image_width * d->lib.image_height;
    const int count = pixels >= COMPONENTS_FROM && jpeg_has_multiple_scans(&d->lib)
                          ? jpeg_scans_separate(d->bytes, component)
                          : 0;
    const file_bytes whole = d->bytes;
    arena streams;
    bool done = false;
    if (count == 0)
        return false;
    arena_init(&streams, d->temporary->budget);
    const size_t size = jpeg_scans_copy(whole, jpeg_scan_has_means, NULL, NULL);
    uint8_t *means = arena_alloc_raw(&streams, size, 1);
    if (means) {
        jpeg_scans_copy(whole, jpeg_scan_has_means, NULL, means);
        d->bytes = (file_bytes){means, size};
        done = jpeg_attempt(&d->errors, read_header_again, d);
        set_output(d, halvings);
        done = done && jpeg_attempt(&d->errors, read_means, d) && !d->cancelled &&
               d->errors.warning == 0 &&
               jpeg_components_read(whole, &d->blocks, component, count, decoder_bytes(d), &streams,
                                    d->pool) &&
               jpeg_attempt(&d->errors, read_pixels_of_components, d);
        d->bytes = whole;
        if (!done) { // as if the attempt had not been
            d->errors.code = d->errors.warning = 0;
            d->cancelled = false;
            (void)jpeg_attempt(&d->errors, read_header_again,
                               d); // if it fails, so does what follows
        }
    }
    arena_finish(&streams);
    return done;
}

static zt_result decode_pixels(jpeg_decoder *d, int32_t halvings, zt_error *err)
{
    if (!arena_charge(d->temporary, decoder_bytes(d)))
        return arena_fail(d->temporary, err, "the decoder of a JPEG");
    if (halvings < 2 && decode_components(d, halvings))
        return ZT_OK;
    ZT_TRY(skip_scans(d, halvings, err));
    set_output(d, halvings);
    const bool done = jpeg_attempt(&d->errors, read_pixels, d);
    const int warning = d->errors.warning;
    if (!done)
        return fail_decoder(d, err);
    if (warning == JWRN_JPEG_EOF || warning == JWRN_HIT_MARKER)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken JPEG: the data ends early", d->name);
    return ZT_OK;
}

static zt_result decode(jpeg_decoder *d, arena *a, picture_need need, picture *out, zt_error *err)
{
    const jpeg_markers markers = markers_read(d->bytes);
    const int32_t side_limit = a->budget->limits->texture_side;
    int width = markers.width, height = markers.height;
    if (width <= side_limit && height <= side_limit) {
        if (!jpeg_attempt(&d->errors, read_header, d))
            return fail_decoder(d, err);
        width = (int)d->lib.image_width;
        height = (int)d->lib.image_height;
    }
    ZT_TRY(check_size(d->name, d->bytes, width, height, side_limit, out, err));
    if (!markers.ended)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken JPEG: the data ends early (no EOI)",
                       d->name, d->bytes.size);
    const int32_t halvings = decoder_halvings(width, height, need);
    const int32_t skip = picture_reduction(width, height, need.min_side) - halvings;
    width >>= halvings;
    height >>= halvings;
    picture p;
    ZT_TRY(picture_take(a, width, height, "the pixels of a JPEG", &p, &d->pixels, err));
    p.skip = skip;
    ZT_TRY(decode_pixels(d, halvings, err));
    if (is_cmyk(d))
        rgba_from_cmyk(d->pixels, (size_t)width * (size_t)height, d->lib.saw_Adobe_marker);
    *out = p;
    return ZT_OK;
}

zt_result jpeg_decode(arena *a, const char *name, file_bytes bytes, picture_need need, picture *out,
                      zt_error *err)
{
    *out = (picture){0};
    if (bytes.size < 3 || bytes.data[0] != 0xff || bytes.data[1] != MARKER_SOI ||
        bytes.data[2] != 0xff)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a JPEG (no SOI marker)", name);
    arena temporary, blocks;
    arena_init(&temporary, a->budget);
    arena_init(&blocks, a->budget);
    jpeg_decoder d = {.temporary = &temporary,
                      .blocks = {.a = &blocks},
                      .pool = need.pool,
                      .name = name,
                      .bytes = bytes};
    d.lib.err = jpeg_errors_init(&d.errors);
    const zt_result result = decode(&d, a, need, out, err);
    jpeg_destroy_decompress(&d.lib);
    arena_finish(&blocks);
    arena_finish(&temporary);
    return result;
}
