// SPDX-License-Identifier: MIT
/// sheet: frames and directions of one input, or one picture of each of several, in one picture
/// with an atlas.
#include "base/file.h"
#include "base/file_group.h"
#include "base/file_inputs.h"
#include "base/text_stream.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/rendering.h"
#include "cli/sheet.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/// The path of the atlas: that of the picture with .json, unless a flag names it.
static bool atlas_path(const options *o, char *out, size_t size)
{
    if (o->sheet.atlas)
        return snprintf(out, size, "%s", o->sheet.atlas) < (int)size;
    const int stem = (int)(strlen(o->output) - strlen(".png"));
    return snprintf(out, size, "%.*s.json", stem, o->output) < (int)size;
}

/// True when two paths name one file, which need not be there: a.png and ./a.png.
static bool names_same_file(const char *a, const char *b)
{
    char one[PATH_SIZE], other[PATH_SIZE];
    if (strcmp(a, b) == 0 || file_is_same(a, b))
        return true;
    return strcmp(path_name(a), path_name(b)) == 0 &&
           file_is_same(path_folder(a, one, sizeof one), path_folder(b, other, sizeof other));
}

static zt_result check_outputs(const options *o, char *atlas, size_t size, zt_error *err)
{
    if (!o->output)
        return usage_error(err,
                           "sheet without its picture (expected -o OUT.png, or MODEL OUT.png)");
    if (!has_suffix(o->output, ".png"))
        return usage_error(err, "output '%.200s' of a sheet (expected OUT.png or DIR/)", o->output);
    if (!atlas_path(o, atlas, size))
        return usage_error(err, "a path that is too long for the atlas");
    for (int i = 0; i < o->input_count; i++)
        if (names_same_file(o->inputs[i], atlas) || names_same_file(o->inputs[i], o->output))
            return usage_error(err, "%.200s would be replaced (expected another -o or --atlas)",
                               o->inputs[i]);
    if (strcmp(atlas, "-") == 0)
        return usage_error(err, "--atlas - (expected the name of a file)");
    if (names_same_file(o->output, atlas))
        return usage_error(err, "picture and atlas would both be %.200s", atlas);
    return ZT_OK;
}

static zt_result check_options(options *o, char *atlas, size_t size, zt_error *err)
{
    if (o->input_count < 1)
        return usage_error(err, "sheet without an input (expected a model, a scene or pictures)");
    if (o->input_count > 1 && o->shot.directions > 1)
        return usage_error(err, "--directions with %d inputs (expected one)", o->input_count);
    if (o->input_count > 1 && o->sheet.clip_count > 1)
        return usage_error(err, "%d clips with %d inputs (expected one)", o->sheet.clip_count,
                           o->input_count);
    if (o->input_count > 1 && o->sheet.pivot)
        return usage_error(err, "--pivot with %d inputs (expected one)", o->input_count);
    if ((o->jobs > 0 || (o->model_timeout_s > 0.0 && !o->untrusted)) && !options_many_models(o))
        return usage_error(err, "%s without several models (expected models alone)",
                           o->jobs > 0 ? "--jobs" : "--model-timeout");
    if (o->shot.directions > 1 && o->shot.camera)
        return usage_error(err, "--directions cannot be combined with a camera of the model");
    if (o->sheet.trim && o->sheet.captions)
        return usage_error(err, "--trim cannot be combined with --captions");
    if (o->sheet.trim && o->sheet.columns > 0)
        return usage_error(err, "--trim cannot be combined with --columns");
    if (o->input_count == 1 && is_folder(o->inputs[0]))
        return zt_fail(err, ZT_ERR_INPUT, "%.200s: is a folder (expected %.200s/*.glb -o OUT.png)",
                       o->inputs[0], o->inputs[0]);
    return check_outputs(o, atlas, size, err);
}

/// The size of a cell that holds every picture among the inputs.
static void fit_pictures(options *o)
{
    for (int i = 0; i < o->input_count; i++) {
        zt_image picture = {0};
        if (!has_suffix(o->inputs[i], ".png") ||
            zt_image_read(o->inputs[i], true, o->renderer.budget, &picture, NULL) != ZT_OK)
            continue;
        o->shot.width = picture.width > o->shot.width ? picture.width : o->shot.width;
        o->shot.height = picture.height > o->shot.height ? picture.height : o->shot.height;
        zt_image_finish(&picture);
    }
}

static void set_defaults(options *o)
{
    const bool one = o->input_count == 1 && !has_suffix(o->inputs[0], ".png");
    if (o->shot.width == 0 && !one)
        fit_pictures(o);
    if (o->shot.width == 0)
        o->shot.width = o->shot.height = one ? 128 : 256;
    if (!o->shot.background)
        o->shot.background = "transparent";
    if (one)
        return;
    o->shot.thumbnail = true;
    o->load.picture_side = longer_side(&o->shot);
}

static zt_result encode_atlas(const sheet *s, char **out_text, size_t *out_size, zt_error *err)
{
    FILE *out = text_stream_open(out_text, out_size);
    if (out) {
        sheet_write_atlas(s, path_name(s->o->output), out);
        if (text_stream_close(out, out_text))
            return ZT_OK;
    }
    return zt_fail(err, ZT_ERR_MEMORY, "no memory for the atlas");
}

static zt_result write_files(sheet *s, const zt_image *image, const char *atlas, zt_error *err)
{
    uint8_t *png = NULL;
    char *text = NULL;
    size_t png_size = 0, text_size = 0;
    zt_encode_def encode = s->o->encode;
    encode.format = "png";
    zt_result result = encode_atlas(s, &text, &text_size, err);
    const double start_s = console_clock();
    if (result == ZT_OK)
        result = zt_image_encode(image, &encode, &png, &png_size, err);
    drawn_add_stage(&s->stats, "encode", start_s);
    if (result == ZT_OK && interrupt_raised())
        result = ZT_ERR_CANCELLED;
    budget *work = &s->o->load.budget->bytes;
    if (result == ZT_OK)
        result = file_input_check(work, s->o->output, err);
    if (result == ZT_OK)
        result = file_input_check(work, atlas, err);
    if (result == ZT_OK) {
        const double encoded_s = console_clock();
        const group_file files[] = {{s->o->output, png, png_size}, {atlas, text, text_size}};
        result = file_group_write(files, 2, s->o->encode.fsync, err);
        drawn_add_stage(&s->stats, "write", encoded_s);
    }
    zt_free(png);
    free(text);
    return result;
}

static void print_result(const sheet *s, uint64_t hash, const char *atlas)
{
    json_stream document = document_begin(s->o);
    json_stream_text(&document, "file", s->o->output);
    json_stream_text(&document, "atlas", atlas);
    JSON_STREAM_INTEGERS(&document, {"width", s->width}, {"height", s->height});
    json_stream_hash(&document, "hash", hash);
    JSON_STREAM_INTEGERS(&document, {"pictures", s->count}, {"directions", s->directions},
                         {"code", s->code});
    stats_json(&document, &s->stats);
    document_end();
}

static zt_result make_sheet(sheet *s, const char *atlas, zt_error *err)
{
    zt_image image = {0};
    zt_result result = sheet_make_cells(s, err);
    if (s->renderer) {
        s->stats = drawn_so_far(s->renderer);
        s->isa = zt_renderer_isa(s->renderer);
    }
    if (result == ZT_OK)
        result = sheet_place(s, err);
    if (result == ZT_OK)
        result = sheet_draw(s, &image, err);
    image.cancel = interrupt_cancel();
    // Large pictures take a while, and once the files are there, the document follows at once.
    const uint64_t hash = result == ZT_OK && s->o->json ? zt_image_hash(&image) : 0;
    if (result == ZT_OK)
        result = write_files(s, &image, atlas, err);
    if (result == ZT_OK && s->o->json)
        print_result(s, hash, atlas);
    zt_image_finish(&image);
    return result;
}

int command_sheet(options *o)
{
    zt_error err = {0};
    char atlas[PATH_SIZE];
    sheet s = {.o = o};
    zt_result result = check_options(o, atlas, sizeof atlas, &err);
    if (result == ZT_OK && !options_many_models(o))
        result = zt_renderer_create(&o->renderer, &s.renderer, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    set_defaults(o);
    interrupt_output(o->output, 0);
    interrupt_output(atlas, 0);
    result = make_sheet(&s, atlas, &err);
    int code = s.code;
    if (result != ZT_OK)
        code = command_fail(o, result, err.message);
    else if (o->stats)
        stats_print(stderr, &s.stats, s.isa);
    sheet_free_cells(&s);
    zt_renderer_destroy(s.renderer);
    return code;
}
