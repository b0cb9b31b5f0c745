// SPDX-License-Identifier: MIT
/// One model to one picture: is it needed, load, render, write, and the desktop's failure notes.
#define _XOPEN_SOURCE 700 // st_mtim
#include "cli/thumbnail_picture.h"

#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/output_name.h"
#include "cli/rendering.h"
#include "cli/warm.h"
#include "thumbnail/desktop_cache.h"

#include <string.h>
#include <sys/stat.h>

/// One model on its way.
typedef struct picture_job {
    const thumbnail_work *work;
    const char *input, *path;
    desktop_entry entry; ///< with a cache
    zt_picture_text texts[DESKTOP_TEXTS];
    char path_text[DESKTOP_PATH_SIZE], failure_path[DESKTOP_PATH_SIZE];
    zt_encode_def encode;
    thumbnail_outcome *out;
    zt_error *err;
} picture_job;

/// Whole, and of the size that the flags ask for.
static bool fits(const options *o, const char *path)
{
    zt_image image = {0};
    if (!file_is_regular(path) ||
        zt_image_read(path, false, o->renderer.budget, &image, NULL) != ZT_OK)
        return false;
    const bool same = image.width == o->shot.width && image.height == o->shot.height;
    zt_image_finish(&image);
    return same;
}

static bool is_newer(const char *path, const char *than)
{
    struct stat a, b;
    if (stat(path, &a) != 0 || stat(than, &b) != 0)
        return false;
    return a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec > b.st_mtim.tv_sec
                                                : a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec;
}

/// Before the model is opened. A failure that was noted counts, too.
static bool is_done(picture_job *j)
{
    const options *o = j->work->o;
    if (o->list_clips || o->verify.given || strcmp(j->path, "-") == 0)
        return false;
    if (o->skip == THUMBNAIL_SKIP_TIME && j->work->cache) {
        if (desktop_entry_is_current(&j->entry, j->path) && fits(o, j->path))
            return true;
        if (!desktop_entry_is_current(&j->entry, j->failure_path))
            return false;
        j->out->file = j->failure_path; // what is there
        return true;
    }
    if (o->skip == THUMBNAIL_SKIP_TIME)
        return is_newer(j->path, j->input) && fits(o, j->path);
    return o->sequence.resume && fits(o, j->path);
}

/// Of the same bytes: the model has been read, and the picture says from what it was made.
static bool is_known(const picture_job *j, const zt_scene *scene)
{
    int32_t width, height;
    zt_scene_size(scene, &width, &height);
    return j->work->o->skip == THUMBNAIL_SKIP_HASH && file_is_regular(j->path) &&
           zt_image_has_key(j->path, j->encode.key, width, height) &&
           (!j->work->cache || desktop_entry_is_current(&j->entry, j->path));
}

/// The cache holds files: writing to a pipe would wait for its reader.
static void clear_entry(const picture_job *j, const char *path)
{
    if (j->work->cache && file_exists(path) && !file_is_regular(path))
        (void)file_remove_below(path, FILE_ANYWHERE);
}

static zt_result write_picture(const picture_job *j, const zt_image *image)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const bool stream = strcmp(j->path, "-") == 0;
    const double start_s = console_clock();
    if (!stream) {
        interrupt_file(j->path);
        clear_entry(j, j->path);
    }
    zt_result result = zt_image_encode(image, &j->encode, &bytes, &size, j->err);
    drawn_add_stage(j->work->files, "encode", start_s);
    const double encoded_s = console_clock();
    if (result == ZT_OK && !stream)
        result = file_save(j->path, FILE_ANYWHERE, (file_bytes){bytes, size}, j->encode.fsync,
                           &image->budget->bytes, j->err);
    else if (result == ZT_OK && !write_stdout(NULL, bytes, size))
        result = zt_fail(j->err, ZT_ERR_OUTPUT, "standard output: could not be written");
    drawn_add_stage(j->work->files, "write", encoded_s);
    j->out->bytes = result == ZT_OK ? (int64_t)size : 0;
    zt_free(bytes);
    return result;
}

static zt_result render_picture(const picture_job *j, const zt_scene *scene)
{
    const thumbnail_work *w = j->work;
    char text[512];
    zt_image image = {0};
    const drawn_stats before = drawn_so_far(w->renderer);
    zt_result result = init_picture(w->o, scene, &image, j->err);
    image.keep_alpha = zt_scene_transparent(scene);
    image.cancel = interrupt_cancel();
    if (result == ZT_OK)
        result = zt_render(w->renderer, scene, zt_scene_frame(scene, 0), &image, j->err);
    if (result == ZT_OK)
        result = write_picture(j, &image);
    if (result == ZT_OK) {
        j->out->empty = drawn_so_far(w->renderer).sums.model_pixels == before.sums.model_pixels;
        j->out->hash = w->o->json || w->o->json_lines ? zt_image_hash(&image) : 0;
        j->out->width = image.width;
        j->out->height = image.height;
    }
    if (j->out->empty) {
        snprintf(text, sizeof text,
                 "%.400s: nothing is visible (expected something before the camera)", j->input);
        thumbnail_report_message(w->report, ZT_WARNING, text);
    }
    zt_image_finish(&image);
    return result;
}

static zt_result find_entry(picture_job *j)
{
    char failures[96];
    const thumbnail_work *w = j->work;
    ZT_TRY(desktop_entry_make(j->input, w->cache, &j->entry, j->err));
    desktop_failures(failures, sizeof failures);
    if (!desktop_entry_path(&j->entry, w->cache, desktop_size_name(w->o->shot.width),
                            j->path_text) ||
        !desktop_entry_path(&j->entry, w->cache, failures, j->failure_path))
        return zt_fail(j->err, ZT_ERR_ARGUMENT, "a path that is too long: %.60s", w->cache);
    j->path = j->out->file = j->path_text;
    desktop_entry_texts(&j->entry, j->texts);
    j->encode.texts = j->texts;
    j->encode.text_count = DESKTOP_TEXTS;
    return ZT_OK;
}

/// A picture of one pixel says that the model has no thumbnail, so that nobody tries in vain. It
/// lasts: failures that other flags may do without are no reason.
static void note_failure(const picture_job *j, zt_result result)
{
    zt_image image = {0};
    zt_encode_def encode = j->encode;
    const bool lasting =
        (result == ZT_ERR_FORMAT || result == ZT_ERR_UNSUPPORTED) && !j->work->o->load.strict;
    if (!j->work->cache || !lasting || zt_image_init(&image, 1, 1, NULL, NULL) != ZT_OK)
        return;
    encode.has_key = false;
    interrupt_file(j->failure_path);
    clear_entry(j, j->failure_path);
    (void)zt_image_write(j->failure_path, &image, &encode, NULL);
    zt_image_finish(&image);
}

/// As open_scene(), in two steps: only the first one is about the model alone.
static zt_result open_model(const picture_job *j, zt_scene **out_scene)
{
    const options *o = j->work->o;
    const zt_result result = warm_scene_load(o, j->input, out_scene, j->err);
    if (result != ZT_OK)
        note_failure(j, result);
    return result == ZT_OK && !o->list_clips ? warm_scene_apply(o, *out_scene, j->err) : result;
}

static zt_result make_picture(picture_job *j)
{
    const thumbnail_work *w = j->work;
    zt_scene *scene = NULL;
    w->o->load.budget->inputs.record_count = 0; // those of the model before
    zt_result result = open_model(j, &scene);
    if (result == ZT_OK)
        result = settings_make(w->o, &j->encode, j->err);
    if (result == ZT_OK && w->o->list_clips) {
        j->out->code = list_clips(w->o, scene);
    } else if (result == ZT_OK && w->o->verify.given) {
        j->out->code = verify_frame(w->o, w->renderer, scene);
    } else if (result == ZT_OK) {
        zt_scene_frame_origin(scene, zt_scene_frame(scene, 0), &j->encode);
        j->out->skipped = is_known(j, scene);
        if (!j->out->skipped)
            result = render_picture(j, scene);
    }
    zt_free((void *)(uintptr_t)j->encode.settings);
    warm_scene_destroy(w->o, scene);
    return result;
}

void thumbnail_picture(const thumbnail_work *w, const char *input, const char *path,
                       thumbnail_outcome *out)
{
    zt_error err = {0};
    picture_job j = {
        .work = w, .input = input, .path = path, .encode = w->o->encode, .out = out, .err = &err};
    // In a batch the suffix of the pattern decides, not one that {stem} brings: a.jpg.glb.
    j.encode.format = w->cache ? "png" : format_of(w->o, w->o->outdir ? w->o->name : path)->name;
    *out = (thumbnail_outcome){.input = input, .file = path};
    thumbnail_report_model(w->report);
    zt_result result = w->cache ? find_entry(&j) : ZT_OK;
    if (result == ZT_OK && is_done(&j)) {
        out->skipped = true;
    } else if (result == ZT_OK) {
        result = make_picture(&j);
    }
    if (result != ZT_OK)
        thumbnail_report_failure(w->report, result, err.message, out);
    // Its text is gone with the entry: what is reported was copied.
    thumbnail_report_outcome(w->report, out);
    out->file = NULL;
}
