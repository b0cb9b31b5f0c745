// SPDX-License-Identifier: MIT
/// thumbnail: one framed picture of one model, or of each of many into a folder.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

static zt_result write_picture(const options *o, const char *path, const zt_image *image,
                               zt_error *err)
{
    if (strcmp(path, "-") != 0) {
        interrupt_defer(true);
        const zt_result result = zt_png_write(path, image, o->sequence.png, err);
        interrupt_defer(false);
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

static zt_result render_picture(const options *o, zt_renderer *renderer, const zt_scene *scene,
                                const char *input, const char *path, FILE *files, zt_error *err)
{
    zt_image image = {0};
    int32_t width, height;
    zt_scene_size(scene, &width, &height);
    zt_result result = zt_image_init(&image, width, height, err);
    if (result == ZT_OK)
        result = zt_render(renderer, scene, zt_scene_frame(scene, 0), &image, err);
    if (result == ZT_OK)
        result = write_picture(o, path, &image, err);
    if (result == ZT_OK && files) {
        fprintf(files, "%s{\"input\":", ftell(files) > 0 ? "," : "");
        print_json_text(files, input);
        fprintf(files, ",\"file\":");
        print_json_text(files, path);
        fprintf(files, ",\"hash\":\"%016" PRIx64 "\"}", zt_image_hash(&image));
    }
    zt_image_finish(&image);
    return result;
}

static int one_thumbnail(const options *o, zt_renderer *renderer, const char *input,
                         const char *path, FILE *files)
{
    zt_error err = {0};
    zt_scene *scene = NULL;
    int code = (int)ZT_OK;
    zt_result result = open_scene(o, input, &scene, &err);
    if (result == ZT_OK && o->list_clips) {
        char *text = NULL;
        result = zt_scene_list_clips(scene, &text, &err);
        if (result == ZT_OK)
            fputs(text, stdout);
        zt_text_free(text);
    } else if (result == ZT_OK && o->verify) {
        code = verify_frame(o, renderer, scene);
    } else if (result == ZT_OK) {
        result = render_picture(o, renderer, scene, input, path, files, &err);
    }
    zt_scene_destroy(scene);
    return result == ZT_OK ? code : console_fail(result, err.message);
}

static bool out_path(const options *o, int index, char *out, size_t size)
{
    char stem[256];
    if (!o->outdir)
        return snprintf(out, size, "%s", o->input_count > 1 ? o->inputs[1] : "-") < (int)size;
    stem_of(o->inputs[index], stem, sizeof stem);
    return snprintf(out, size, "%s/%s.png", o->outdir, stem) < (int)size;
}

static bool is_picture_name(const char *path)
{
    const size_t length = strlen(path);
    return strcmp(path, "-") == 0 || (length > 4 && (strcmp(path + length - 4, ".png") == 0 ||
                                                     strcmp(path + length - 4, ".PNG") == 0));
}

static zt_result check_options(const options *o, zt_error *err)
{
    char a[PATH_SIZE], b[PATH_SIZE];
    const bool needs_output = !o->verify && !o->list_clips;
    if (o->outdir
            ? o->input_count < 1
            : o->input_count != (needs_output ? 2 : 1) && !(o->input_count == 2 && !needs_output))
        return usage_error(err,
                           "thumbnail with %d names (expected MODEL OUT.png, or --outdir DIR "
                           "MODEL...)",
                           o->input_count);
    // A shell's *.glb must not turn the second model into a picture.
    if (!o->outdir && needs_output && !is_picture_name(o->inputs[1]))
        return usage_error(err, "output '%.200s' (expected OUT.png; for many models --outdir DIR)",
                           o->inputs[1]);
    if (!o->outdir && o->json && needs_output && strcmp(o->inputs[1], "-") == 0)
        return usage_error(err, "--json with a picture on standard output");
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
    zt_result result = check_options(o, &err);
    if (result == ZT_OK)
        result = zt_renderer_create(&o->renderer, &renderer, &err);
    if (result != ZT_OK)
        return console_fail(result, err.message);
    if (o->json && !(files = open_memstream(&list, &list_size))) {
        zt_renderer_destroy(renderer);
        return console_fail(ZT_ERR_MEMORY, "no memory for the result document");
    }
    int code = (int)ZT_OK;
    const int count = o->outdir ? o->input_count : 1;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        out_path(o, i, path, sizeof path);
        const int one = one_thumbnail(o, renderer, o->inputs[i], path, files);
        code = one > code ? one : code; // a batch exits with the highest code met
    }
    if (files)
        fclose(files);
    // Verification and clip lists have printed theirs; a batch prints what it made.
    if (o->json && !o->verify && !o->list_clips && (o->outdir || code == (int)ZT_OK))
        printf("{\"command\":\"thumbnail\",\"files\":[%s]}\n", list ? list : "");
    if (o->stats && code == (int)ZT_OK)
        stats_print(stderr, renderer);
    free(list);
    zt_renderer_destroy(renderer);
    return code;
}
