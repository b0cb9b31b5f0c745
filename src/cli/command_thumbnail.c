// SPDX-License-Identifier: MIT
/// thumbnail: one framed picture of one model, or of each of many into a folder.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/rendering.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// The file has been renamed into place already: its bytes and its name go to the disk.
static void flush_to_disk(const char *path)
{
    char folder[PATH_SIZE];
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

static zt_result write_picture(const options *o, const char *path, const zt_image *image,
                               zt_error *err)
{
    if (strcmp(path, "-") != 0) {
        const zt_result result = zt_png_write(path, image, o->sequence.png, err);
        if (result == ZT_OK && o->sequence.fsync)
            flush_to_disk(path);
        return result;
    }
    uint8_t *bytes = NULL;
    size_t size = 0;
    zt_result result = zt_png_encode(image, o->sequence.png, &bytes, &size, err);
    if (result == ZT_OK && fwrite(bytes, 1, size, stdout) != size) {
        snprintf(err->message, sizeof err->message, "standard output: could not be written");
        result = ZT_ERR_OUTPUT;
    }
    zt_bytes_free(bytes);
    return result;
}

// Begins one of the result document's files; the caller writes its last members.
static void print_entry(FILE *files, const char *input, const char *path)
{
    fprintf(files, "%s{\"input\":", ftell(files) > 0 ? "," : "");
    print_json_text(files, input);
    fprintf(files, ",\"file\":");
    print_json_text(files, path);
}

static zt_result render_picture(const options *o, zt_renderer *renderer, const zt_scene *scene,
                                const char *input, const char *path, FILE *files, zt_error *err)
{
    zt_image image = {0};
    const zt_stats before = drawn_so_far(renderer);
    zt_result result = init_picture(o, scene, &image, err);
    image.keep_alpha = zt_scene_transparent(scene);
    image.cancel = interrupt_cancel();
    if (result == ZT_OK)
        result = zt_render(renderer, scene, zt_scene_frame(scene, 0), &image, err);
    if (result == ZT_OK)
        result = write_picture(o, path, &image, err);
    if (result == ZT_OK)
        warn_empty(o, renderer, &before, input);
    if (result == ZT_OK && files) {
        print_entry(files, input, path);
        fprintf(files, ",\"hash\":\"%016" PRIx64 "\"}", zt_image_hash(&image));
    }
    zt_image_finish(&image);
    return result;
}

/// Whether --resume may leave a picture as it is: whole, and of this size.
static bool is_done(const options *o, const char *path)
{
    zt_image image = {0};
    if (!o->sequence.resume || o->list_clips || o->verify.given || access(path, F_OK) != 0 ||
        zt_png_read(path, &image, NULL) != ZT_OK)
        return false;
    const bool fits = image.width == o->shot.width && image.height == o->shot.height;
    zt_image_finish(&image);
    return fits;
}

static int one_thumbnail(const options *o, zt_renderer *renderer, const char *input,
                         const char *path, FILE *files)
{
    zt_error err = {0};
    zt_scene *scene = NULL;
    int code = (int)ZT_OK;
    if (is_done(o, path)) {
        if (files) {
            print_entry(files, input, path);
            fprintf(files, ",\"skipped\":true}");
        }
        return code;
    }
    zt_result result = open_scene(o, input, &scene, &err);
    if (result == ZT_OK && o->list_clips) {
        code = list_clips(o, scene);
    } else if (result == ZT_OK && o->verify.given) {
        code = verify_frame(o, renderer, scene);
    } else if (result == ZT_OK) {
        result = render_picture(o, renderer, scene, input, path, files, &err);
    }
    zt_scene_destroy(scene);
    if (result == ZT_OK)
        return code;
    if (!files || !o->outdir)
        return command_fail(o, result, err.message);
    code = console_fail(result, err.message);
    print_entry(files, input, path);
    fprintf(files, ",\"code\":%d,\"message\":", code);
    print_json_text(files, result == ZT_ERR_CANCELLED ? interrupt_message() : err.message);
    fprintf(files, "}");
    return code;
}

static bool out_path(const options *o, int index, char *out, size_t size)
{
    char stem[256];
    if (!o->outdir)
        return snprintf(out, size, "%s", o->input_count > 1 ? o->inputs[1] : "-") < (int)size;
    stem_of(o->inputs[index], stem, sizeof stem);
    return snprintf(out, size, "%s/%s.png", o->outdir, stem) < (int)size;
}

static zt_result check_options(const options *o, zt_error *err)
{
    char a[PATH_SIZE], b[PATH_SIZE];
    const bool needs_output = !o->verify.given && !o->list_clips;
    if (o->outdir
            ? o->input_count < 1
            : o->input_count != (needs_output ? 2 : 1) && !(o->input_count == 2 && !needs_output))
        return usage_error(err,
                           "thumbnail with %d names (expected MODEL OUT.png, or --outdir DIR "
                           "MODEL...)",
                           o->input_count);
    // A shell's *.glb must not turn the second model into a picture.
    if (!o->outdir && needs_output && strcmp(o->inputs[1], "-") != 0 &&
        !has_suffix(o->inputs[1], ".png"))
        return usage_error(err, "output '%.200s' (expected OUT.png; for many models --outdir DIR)",
                           o->inputs[1]);
    if (!o->outdir && o->json && needs_output && strcmp(o->inputs[1], "-") == 0)
        return usage_error(err, "--json with a picture on standard output");
    if (!o->outdir && o->sequence.shard_count > 0)
        return usage_error(err, "--shard of one thumbnail (expected --outdir DIR MODEL...)");
    for (int i = 0; o->outdir && i < o->input_count; i++) {
        if (!out_path(o, i, a, sizeof a))
            return usage_error(err, "a path that is too long for %.60s", o->inputs[i]);
        for (int k = 0; k < i; k++)
            if (out_path(o, k, b, sizeof b) && strcmp(a, b) == 0)
                return usage_error(err, "%.200s and %.200s would both be %.200s", o->inputs[k],
                                   o->inputs[i], a);
    }
    return ZT_OK;
}

// A picture on standard output leaves no room for a result document.
static int fail_start(const options *o, zt_result result, const char *message)
{
    const bool to_stdout = !o->outdir && o->input_count > 1 && strcmp(o->inputs[1], "-") == 0;
    return to_stdout ? console_fail(result, message) : command_fail(o, result, message);
}

int command_thumbnail(options *o)
{
    zt_error err = {0};
    zt_renderer *renderer = NULL;
    FILE *files = NULL;
    char *list = NULL;
    size_t list_size = 0;
    if (o->shot.width == 0)
        o->shot.width = o->shot.height = 256;
    o->shot.thumbnail = true;
    o->load.picture_side = longer_side(&o->shot);
    zt_result result = check_options(o, &err);
    if (result == ZT_OK)
        result = zt_renderer_create(&o->renderer, &renderer, &err);
    if (result != ZT_OK)
        return fail_start(o, result, err.message);
    if (o->json && !(files = open_memstream(&list, &list_size))) {
        zt_renderer_destroy(renderer);
        return console_fail(ZT_ERR_MEMORY, "no memory for the result document");
    }
    int code = (int)ZT_OK;
    const int count = o->outdir ? o->input_count : 1;
    for (int i = 0; i < count && !interrupt_raised(); i++) {
        char path[PATH_SIZE];
        if (o->sequence.shard_count > 0 &&
            i % o->sequence.shard_count != o->sequence.shard_index - 1)
            continue;
        out_path(o, i, path, sizeof path);
        if (i == 0)
            interrupt_output(path); // the folder of all
        const int one = one_thumbnail(o, renderer, o->inputs[i], path, files);
        code = one > code ? one : code; // a batch exits with the highest code met
    }
    if (files)
        fclose(files);
    // Verification and clip lists have printed theirs.
    if (o->json && !o->verify.given && !o->list_clips && (o->outdir || code == (int)ZT_OK)) {
        document_begin(o);
        printf(",\"files\":[%s],\"code\":%d}\n", list ? list : "", code);
    }
    if (o->stats && code == (int)ZT_OK)
        stats_print(stderr, renderer);
    free(list);
    zt_renderer_destroy(renderer);
    return code;
}
