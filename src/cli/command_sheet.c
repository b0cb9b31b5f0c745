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

/// True when two paths name one file, which need not be there: a.png and ./a.png.
static bool names_same_file(const char *a, const char *b)
{
    char one[PATH_SIZE], other[PATH_SIZE];
    if (strcmp(a, b) == 0 || file_is_same(a, b))
        return true;
    return strcmp(path_name(a), path_name(b)) == 0 &&
           file_is_same(path_folder(a, one, sizeof one), path_folder(b, other, sizeof other));
}

/// Names the atlas, behind the pictures: that of colour with .json, unless a flag does.
static bool name_atlas(sheet *s)
{
    char *path = s->files[s->file_count].path;
    const char *given = s->o->sheet.atlas, *color = s->files[0].path;
    const int stem = (int)(strlen(color) - strlen(".png"));
    return snprintf(path, PATH_SIZE, "%.*s%s", given ? PATH_SIZE : stem, given ? given : color,
                    given ? "" : ".json") < PATH_SIZE;
}

/// Refuses a file that would replace an input or one of the files before.
static zt_result check_file(const sheet *s, int32_t file, zt_error *err)
{
    const char *path = s->files[file].path;
    for (int i = 0; i < s->o->input_count; i++)
        if (names_same_file(s->o->inputs[i], path))
            return usage_error(err, "%.200s would be replaced (expected another -o or --atlas)",
                               s->o->inputs[i]);
    for (int32_t i = 0; i < file; i++)
        if (names_same_file(s->files[i].path, path))
            return usage_error(err, "two of the pictures and the atlas would both be %.200s", path);
    return ZT_OK;
}

static zt_result check_outputs(sheet *s, zt_error *err)
{
    options *o = s->o;
    if (!o->output)
        return usage_error(err,
                           "sheet without its picture (expected -o OUT.png, or MODEL OUT.png)");
    if (!has_suffix(o->output, ".png"))
        return usage_error(err, "output '%.200s' of a sheet (expected OUT.png or DIR/)", o->output);
    ZT_TRY(sheet_name_files(s, err));
    o->output = s->files[0].path;
    if (!name_atlas(s))
        return usage_error(err, "a path that is too long for the atlas");
    if (o->sheet.atlas && strcmp(o->sheet.atlas, "-") == 0)
        return usage_error(err, "--atlas - (expected the name of a file)");
    for (int32_t i = 0; i <= s->file_count; i++)
        ZT_TRY(check_file(s, i, err));
    return ZT_OK;
}

static zt_result check_options(sheet *s, zt_error *err)
{
    const options *o = s->o;
    if (o->input_count < 1)
        return usage_error(err, "sheet without an input (expected a model, a scene or pictures)");
    if (o->input_count > 1 && o->shot.directions > 1)
        return usage_error(err, "--directions with %d inputs (expected one)", o->input_count);
    if (o->input_count > 1 && o->sheet.clip_count > 1)
        return usage_error(err, "%d clips with %d inputs (expected one)", o->sheet.clip_count,
                           o->input_count);
    if (o->input_count > 1 && o->sheet.pivot)
        return usage_error(err, "--pivot with %d inputs (expected one)", o->input_count);
    if (o->sequence.planes && (o->input_count > 1 || has_suffix(o->inputs[0], ".png")))
        return usage_error(err, "--planes of several inputs or a picture (expected one model)");
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
    return check_outputs(s, err);
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
    if (o->sequence.planes && !o->shot.space)
        o->shot.space = "camera";
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

static zt_result write_files(sheet *s, const zt_image *image, zt_error *err)
{
    uint8_t *bytes[FILE_GROUP_MAX] = {NULL};
    char *text = NULL;
    group_file files[FILE_GROUP_MAX] = {{0}};
    const int32_t last = s->file_count;
    zt_encode_def color = s->o->encode;
    color.format = "png";
    color.bits = 0; // they are those of planes
    zt_result result = encode_atlas(s, &text, &files[last].size, err);
    const double start_s = console_clock();
    for (int32_t i = 0; i < last && result == ZT_OK; i++)
        result = i == 0
                     ? zt_image_encode(image, &color, &bytes[i], &files[i].size, err)
                     : sheet_encode_plane(s, &s->files[i], image, &bytes[i], &files[i].size, err);
    drawn_add_stage(&s->stats, "encode", start_s);
    if (result == ZT_OK && interrupt_raised())
        result = ZT_ERR_CANCELLED;
    budget *work = &s->o->load.budget->bytes;
    for (int32_t i = 0; i <= last && result == ZT_OK; i++) {
        files[i].path = s->files[i].path;
        files[i].bytes = i < last ? (const void *)bytes[i] : text;
        result = file_input_check(work, files[i].path, err);
    }
    if (result == ZT_OK) {
        const double encoded_s = console_clock();
        result = file_group_write(files, (size_t)last + 1, s->o->encode.fsync, err);
        drawn_add_stage(&s->stats, "write", encoded_s);
    }
    for (int32_t i = 0; i < last; i++)
        zt_free(bytes[i]);
    free(text);
    return result;
}

static void print_result(const sheet *s, uint64_t hash)
{
    json_stream document = document_begin(s->o);
    json_stream_text(&document, "file", s->o->output);
    json_stream_text(&document, "atlas", s->files[s->file_count].path);
    sheet_write_planes(&document, s, true);
    JSON_STREAM_INTEGERS(&document, {"width", s->width}, {"height", s->height});
    json_stream_hash(&document, "hash", hash);
    JSON_STREAM_INTEGERS(&document, {"pictures", s->count}, {"directions", s->directions},
                         {"code", s->code});
    stats_json(&document, &s->stats);
    document_end();
}

static zt_result make_sheet(sheet *s, zt_error *err)
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
        result = write_files(s, &image, err);
    if (result == ZT_OK && s->o->json)
        print_result(s, hash);
    zt_image_finish(&image);
    return result;
}

int command_sheet(options *o)
{
    zt_error err = {0};
    sheet s = {.o = o};
    arena_init(&s.memory, &o->load.budget->bytes);
    zt_result result = check_options(&s, &err);
    if (result == ZT_OK && !options_many_models(o))
        result = zt_renderer_create(&o->renderer, &s.renderer, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    set_defaults(o);
    interrupt_output(o->output, 0);
    interrupt_output(s.files[s.file_count].path, 0);
    result = make_sheet(&s, &err);
    int code = s.code;
    if (result != ZT_OK)
        code = command_fail(o, result, err.message);
    else if (o->stats)
        stats_print(stderr, &s.stats, s.isa);
    sheet_free_cells(&s);
    zt_renderer_destroy(s.renderer);
    return code;
}
