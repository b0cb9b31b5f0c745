// SPDX-License-Identifier: MIT
// Scenes, pictures and clip lists for render, turntable and thumbnail.
#include "cli/rendering.h"

#include "base/file_inputs.h"
#include "base/hash.h"
#include "base/text_stream.h"
#include "cli/console.h"
#include "cli/option_table.h"
#include "cli/option_value.h"
#include "cli/warm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SETTINGS_MAX = (1 << 20) - 1024 }; ///< bytes; the text of a picture has a limit

bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int32_t longer_side(const zt_shot_def *shot)
{
    return shot->width > shot->height ? shot->width : shot->height;
}

void thumbnail_shot(options *o)
{
    if (o->shot.width == 0)
        o->shot.width = o->shot.height = 256;
    o->shot.thumbnail = true;
    o->load.picture_side = longer_side(&o->shot);
}

zt_result open_scene(const options *o, const char *input, zt_scene **out_scene, zt_error *err)
{
    zt_result result = warm_scene_load(o, input, out_scene, err);
    if (result == ZT_OK && !o->list_clips)
        result = zt_scene_apply(*out_scene, &o->shot, err);
    return result;
}

zt_result init_picture(const options *o, const zt_scene *scene, zt_image *out, zt_error *err)
{
    int32_t width, height;
    zt_scene_size(scene, &width, &height);
    return zt_image_init(out, width, height, o->renderer.budget, err);
}

static void write_flags(const options *o, json_stream *s)
{
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        const char *value = o->given[i] ? option_picture_value(flag, o->given[i]) : NULL;
        if (!value || (o->command != COMMAND_THUMBNAIL && strcmp(flag->name, "--frames") == 0))
            continue;
        json_stream_text(s, NULL, flag->name);
        if (flag->kind != OPTION_SWITCH)
            json_stream_text(s, NULL, value);
    }
}

zt_result settings_make(const options *o, zt_encode_def *out, zt_error *err)
{
    char *text = NULL, input[sizeof(file_record) + 64];
    size_t size;
    const file_input_list *list = &o->load.budget->inputs;
    if (o->encode.metadata != ZT_METADATA_FULL)
        return ZT_OK;
    json_stream s = {.out = text_stream_open(&text, &size)};
    if (!s.out)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the settings of a picture");
    json_stream_open(&s, NULL, '{');
    json_stream_text(&s, "command", command_at(o->command)->name);
    json_stream_open(&s, "flags", '[');
    write_flags(o, &s);
    json_stream_close(&s, ']');
    json_stream_open(&s, "inputs", '[');
    for (uint32_t i = 0; i < list->record_count; i++) {
        const file_record *r = &list->record[i];
        snprintf(input, sizeof input, "%016" PRIx64 " %" PRIu64 " %s", r->hash, r->size, r->name);
        json_stream_text(&s, NULL, input);
    }
    json_stream_close(&s, ']');
    json_stream_close(&s, '}');
    const bool whole = text_stream_close(s.out, &text);
    if (whole && (size > SETTINGS_MAX || list->record_count == FILE_RECORDS_MAX)) {
        console_say(o, ZT_WARNING,
                    "no settings are written: of %zu bytes and %d inputs (expected at most %d and "
                    "fewer than %d)",
                    size, (int)list->record_count, (int)SETTINGS_MAX, (int)FILE_RECORDS_MAX);
        zt_free(text);
        text = NULL;
    }
    out->settings = text;
    return whole ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the settings of a picture");
}

drawn_stats drawn_so_far(const zt_renderer *renderer)
{
    drawn_stats stats = {.stage_ns = {0}};
    zt_renderer_stats(renderer, &stats.sums);
    for (int32_t i = 0; i < DRAWN_STAGES && zt_renderer_stage(renderer, i, NULL); i++)
        zt_renderer_stage(renderer, i, &stats.stage_ns[i]);
    return stats;
}

void drawn_add(drawn_stats *sum, const drawn_stats *one, int times)
{
    sum->sums.frames += times * one->sums.frames;
    sum->sums.vertices += times * one->sums.vertices;
    sum->sums.triangles += times * one->sums.triangles;
    sum->sums.triangles_drawn += times * one->sums.triangles_drawn;
    sum->sums.pixels_shaded += times * one->sums.pixels_shaded;
    sum->sums.model_pixels += times * one->sums.model_pixels;
    for (int i = 0; i < DRAWN_STAGES; i++)
        sum->stage_ns[i] += (uint64_t)times * one->stage_ns[i];
    if (one->sums.frame_memory > sum->sums.frame_memory)
        sum->sums.frame_memory = one->sums.frame_memory;
}

void drawn_add_stage(drawn_stats *sum, const char *stage, double start_s)
{
    int32_t i = 0;
    const char *name;
    while ((name = zt_renderer_stage(NULL, i, NULL)) && strcmp(name, stage) != 0)
        i++;
    ZT_ASSERT(name);
    if (name)
        sum->stage_ns[i] += (uint64_t)((console_clock() - start_s) * 1e9);
}

void warn_empty(const options *o, const zt_renderer *renderer, const drawn_stats *before,
                const char *input)
{
    const drawn_stats now = drawn_so_far(renderer);
    if (now.sums.frames > before->sums.frames && now.sums.model_pixels == before->sums.model_pixels)
        console_say(o, ZT_WARNING,
                    "%.400s: nothing is visible (expected something before the camera)", input);
}

bool write_stdout(void *user, const void *bytes, size_t size)
{
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size;
}

int list_clips(const options *o, const zt_scene *scene)
{
    zt_error err = {0};
    char *text = NULL;
    const zt_result result = zt_scene_list_clips(scene, &text, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    fputs(text, stdout);
    zt_free(text);
    return (int)ZT_OK;
}

void stage_hashes_json(json_stream *document, const options *o, const zt_renderer *renderer)
{
    const char *name;
    uint64_t hash;
    if (!o->hash_stages)
        return;
    json_stream_open(document, "stage_hashes", '{');
    for (int32_t i = 0; (name = zt_renderer_product(renderer, i, &hash)); i++)
        if (hash != 0)
            json_stream_hash(document, name, hash);
    json_stream_close(document, '}');
}

int verify_frame(const options *o, zt_renderer *renderer, const zt_scene *scene)
{
    zt_error err = {0};
    zt_image image = {0};
    if (zt_scene_frame_count(scene) != 1)
        return command_fail(o,
                            usage_error(&err,
                                        "--verify of %" PRId64 " frames (expected one; see "
                                        "--frames)",
                                        zt_scene_frame_count(scene)),
                            err.message);
    zt_result result = init_picture(o, scene, &image, &err);
    if (result == ZT_OK)
        result = zt_render(renderer, scene, zt_scene_frame(scene, 0), &image, &err);
    if (result != ZT_OK) {
        zt_image_finish(&image);
        return command_fail(o, result, err.message);
    }
    const uint64_t hash = o->verify.rows ? hash_pixel_rows(&image) : zt_image_hash(&image);
    const bool same = hash == o->verify.value;
    zt_metrics_def def = zt_default_metrics_def();
    zt_metrics metrics;
    def.straight = true;
    if (!same && o->verify.picture && !o->verify.rows &&
        zt_image_measure(o->verify.picture, &image, &def, &metrics, NULL, &err) == ZT_OK)
        console_tell(o, "%" PRId64 " pixels differ", metrics.pixels);
    zt_image_finish(&image);
    if (o->json) {
        json_stream document = document_begin(o);
        JSON_STREAM_INTEGERS(&document, {"frame", zt_scene_frame(scene, 0)});
        json_stream_hash(&document, "hash", hash);
        json_stream_hash(&document, "expected", o->verify.value);
        json_stream_bool(&document, "verified", same);
        stage_hashes_json(&document, o, renderer);
        document_end();
    }
    if (!same)
        fprintf(stderr, "zoetrope: pixel hash %016" PRIx64 " (expected %016" PRIx64 ")\n", hash,
                o->verify.value);
    return same ? (int)ZT_OK : (int)ZT_ERR_DIFFERENT;
}
