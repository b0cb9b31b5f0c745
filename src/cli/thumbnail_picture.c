// SPDX-License-Identifier: MIT
/// One model to one picture: what need not be made again, load, render, write.
#define _XOPEN_SOURCE 700 // st_mtim
#include "cli/thumbnail_picture.h"

#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/rendering.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// One model on its way.
typedef struct picture_job {
    const thumbnail_work *work;
    const char *input, *path;
    thumbnail_outcome *out;
    zt_error *err;
} picture_job;

// ---- What need not be made ----------------------------------------------------------------------

/// Whole, and of the size that the flags ask for.
static bool fits(const options *o, const char *path)
{
    zt_image image = {0};
    struct stat status;
    if (stat(path, &status) != 0 ||
        zt_png_read_within(path, o->renderer.budget, &image, NULL) != ZT_OK)
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

/// Before the model is opened.
static bool is_done(const picture_job *j)
{
    const options *o = j->work->o;
    if (o->list_clips || o->verify.given || strcmp(j->path, "-") == 0)
        return false;
    if (o->skip == THUMBNAIL_SKIP_TIME)
        return is_newer(j->path, j->input) && fits(o, j->path);
    return o->sequence.resume && fits(o, j->path);
}

// ---- The picture --------------------------------------------------------------------------------

// The file has been renamed into place already: its bytes and its name go to the disk.
static void flush_to_disk(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    const char *names[] = {path, folder};
    for (int i = 0; i < 2; i++) {
        const int file = open(names[i], O_RDONLY);
        if (file < 0)
            continue;
        (void)fsync(file);
        close(file);
    }
}

static zt_result write_picture(const picture_job *j, const zt_image *image)
{
    struct stat status;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (strcmp(j->path, "-") != 0) {
        zt_encode_def def = zt_default_encode_def();
        def.format = j->work->o->format;
        def.png = j->work->o->sequence.png;
        def.jpeg_quality = j->work->o->sequence.jpeg_quality;
        const zt_result result = zt_image_write(j->path, image, &def, j->err);
        if (result == ZT_OK && j->work->o->sequence.fsync)
            flush_to_disk(j->path);
        j->out->bytes = result == ZT_OK && stat(j->path, &status) == 0 ? status.st_size : 0;
        return result;
    }
    zt_result result = zt_png_encode(image, j->work->o->sequence.png, &bytes, &size, j->err);
    if (result == ZT_OK && !write_stdout(NULL, bytes, size)) {
        snprintf(j->err->message, sizeof j->err->message, "standard output: could not be written");
        result = ZT_ERR_OUTPUT;
    }
    j->out->bytes = (int64_t)size;
    zt_bytes_free(bytes);
    return result;
}

static zt_result render_picture(const picture_job *j, const zt_scene *scene)
{
    const thumbnail_work *w = j->work;
    char text[512];
    zt_image image = {0};
    const zt_stats before = drawn_so_far(w->renderer);
    zt_result result = init_picture(w->o, scene, &image, j->err);
    image.keep_alpha = zt_scene_transparent(scene);
    image.cancel = interrupt_cancel();
    if (result == ZT_OK)
        result = zt_render(w->renderer, scene, zt_scene_frame(scene, 0), &image, j->err);
    if (result == ZT_OK)
        result = write_picture(j, &image);
    if (result == ZT_OK) {
        j->out->empty = drawn_so_far(w->renderer).model_pixels == before.model_pixels;
        j->out->hash = zt_image_hash(&image);
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

static zt_result make_picture(const picture_job *j)
{
    const thumbnail_work *w = j->work;
    zt_scene *scene = NULL;
    zt_result result = open_scene(w->o, j->input, &scene, j->err);
    if (result == ZT_OK && w->o->list_clips) {
        j->out->code = list_clips(w->o, scene);
    } else if (result == ZT_OK && w->o->verify.given) {
        j->out->code = verify_frame(w->o, w->renderer, scene);
    } else if (result == ZT_OK) {
        result = render_picture(j, scene);
    }
    zt_scene_destroy(scene);
    return result;
}

void thumbnail_picture(const thumbnail_work *w, const char *input, const char *path,
                       thumbnail_outcome *out)
{
    zt_error err = {0};
    const picture_job j = {.work = w, .input = input, .path = path, .out = out, .err = &err};
    *out = (thumbnail_outcome){.input = input, .file = path};
    thumbnail_report_model(w->report);
    zt_result result = ZT_OK;
    if (is_done(&j))
        out->skipped = true;
    else
        result = make_picture(&j);
    if (result != ZT_OK)
        thumbnail_report_failure(w->report, result, err.message, out);
    thumbnail_report_outcome(w->report, out);
}
