// SPDX-License-Identifier: MIT
/// thumbnail: a framed picture of a model, or of many, into a folder or a desktop's cache.
#include "base/file.h"
#include "base/file_temporary.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/output_name.h"
#include "cli/rendering.h"
#include "cli/thumbnail_picture.h"
#include "cli/warm.h"
#include "report/report.h"
#include "thumbnail/desktop_cache.h"
#include "thumbnail/thumbnail_list.h"

#include <stdlib.h>
#include <string.h>

static bool is_batch(const options *o) { return o->outdir || o->freedesktop; }

/// A picture on standard output.
static bool is_stream(const options *o) { return o->output && strcmp(o->output, "-") == 0; }

static zt_result check_batch(const options *o, zt_error *err)
{
    if (o->input_count < 1)
        return usage_error(err, "thumbnail without a model (expected --outdir DIR MODEL...)");
    if (o->verify.given || o->list_clips)
        return usage_error(err, "%s with %s (expected one model and no picture)",
                           o->verify.given ? "--verify" : "--list-clips",
                           o->outdir ? "--outdir" : "--freedesktop");
    if (o->freedesktop && (o->outdir || o->name))
        return usage_error(err, "--freedesktop with %s (expected neither --outdir nor --name)",
                           o->outdir ? "--outdir" : "--name");
    if (o->freedesktop && o->encode.format && strcmp(o->encode.format, "png") != 0)
        return usage_error(err, "--freedesktop with --format %s (expected PNG)", o->encode.format);
    if (o->freedesktop && (o->shot.width != o->shot.height || !desktop_size_name(o->shot.width)))
        return usage_error(err,
                           "--freedesktop with a size of %dx%d (expected 128, 256, 512 or 1024)",
                           (int)o->shot.width, (int)o->shot.height);
    return ZT_OK;
}

/// A shell's *.glb must not overwrite the second model: only with --format, and never a model.
static bool is_picture_name(const options *o, const char *path, zt_error *err)
{
    return strcmp(path, "-") == 0 || check_picture_name(path, true, err) == ZT_OK ||
           (o->encode.format && !thumbnail_is_input_name(path));
}

static zt_result check_single(const options *o, zt_error *err)
{
    const bool needs_output = !o->verify.given && !o->list_clips;
    const int names = o->input_count + (o->output ? 1 : 0);
    if (o->input_count != 1 || (needs_output && !o->output))
        return usage_error(err,
                           "thumbnail with %d name%s (expected MODEL OUT.png, MODEL -o OUT.png, "
                           "or of many models --outdir DIR or -o DIR/)",
                           names, names == 1 ? "" : "s");
    if (o->output && !is_picture_name(o, o->output, err))
        return usage_error(err,
                           "output '%.200s' (expected OUT.png, .webp or .jpg; for many models "
                           "--outdir DIR or -o DIR/)",
                           o->output);
    if (needs_output && file_is_same(o->inputs[0], o->output))
        return usage_error(err, "%.200s would be replaced (expected another name of a picture)",
                           o->inputs[0]);
    if ((o->json || o->json_lines) && needs_output && is_stream(o))
        return usage_error(err, "--json with a picture on standard output");
    if (o->sequence.shard_count > 0)
        return usage_error(err, "--shard of one thumbnail (expected --outdir DIR MODEL...)");
    if (o->name || o->jobs > 0 || o->unordered || (o->model_timeout_s > 0.0 && !o->untrusted))
        return usage_error(err, "%s without --outdir",
                           o->name        ? "--name"
                           : o->jobs > 0  ? "--jobs"
                           : o->unordered ? "--unordered"
                                          : "--model-timeout");
    if (is_folder(o->inputs[0]))
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: is a folder (expected --outdir DIR FOLDER)",
                       o->inputs[0]);
    return ZT_OK;
}

static zt_result check_options(const options *o, zt_error *err)
{
    if (o->json && o->json_lines)
        return usage_error(err, "--json with --json-lines (both are standard output)");
    if (o->list_clips && (o->json || o->json_lines))
        return usage_error(err, "--list-clips with %s (expected inspect --json)",
                           o->json ? "--json" : "--json-lines");
    if (o->verify.given && o->json_lines)
        return usage_error(err, "--verify with --json-lines (expected --json)");
    const zt_picture_format *format = format_of(o, o->name);
    if (!format->suffix || format->stream || format->light)
        return usage_error(err, "--format %s (expected png, webp or jpeg)", format->name);
    if (o->skip != THUMBNAIL_SKIP_NONE && o->sequence.resume)
        return usage_error(err, "--skip with --resume (expected one of them)");
    return is_batch(o) ? check_batch(o, err) : check_single(o, err);
}

static zt_result find_models(const options *o, thumbnail_list *list, zt_error *err)
{
    const char *suffix = format_of(o, o->name)->suffix;
    const thumbnail_naming naming = {
        .outdir = o->outdir, .pattern = o->name, .extension = suffix + 1};
    for (int i = 0; i < o->input_count; i++)
        ZT_TRY(thumbnail_list_add(list, o->inputs[i], err));
    if (!o->outdir)
        return ZT_OK;
    ZT_TRY(thumbnail_list_name(list, &naming, err));
    return thumbnail_list_guard(list, err);
}

/// The models of this shard, moved to the front; returns how many.
static size_t select_shard(const options *o, thumbnail_list *list)
{
    const size_t step = o->sequence.shard_count > 0 ? (size_t)o->sequence.shard_count : 1;
    const size_t first = o->sequence.shard_count > 0 ? (size_t)o->sequence.shard_index - 1 : 0;
    size_t count = 0, index = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i].dropped && index++ % step == first)
            list->items[count++] = list->items[i];
    return count;
}

/// By their folders; 0: they have one in common.
static int compare_folders(const void *a, const void *b)
{
    const char *one = *(const char *const *)a, *other = *(const char *const *)b;
    const size_t n = path_folder_length(one), m = path_folder_length(other);
    const int order = memcmp(one, other, n < m ? n : m);
    return order != 0 ? order : (n > m) - (n < m);
}

/// Each folder of pictures once.
static zt_result sweep_folders(const options *o, const thumbnail_item *items, size_t count,
                               zt_error *err)
{
    const uint64_t bytes = (uint64_t)count * sizeof(char *);
    size_t named = 0;
    if (!zt_budget_take(o->renderer.budget, bytes))
        return zt_fail(err, ZT_ERR_LIMIT,
                       "the folders of pictures do not fit into the memory limit");
    const char **paths = malloc((size_t)bytes + 1);
    for (size_t i = 0; paths && i < count; i++)
        if (items[i].name && !items[i].fault)
            paths[named++] = items[i].name;
    if (named > 0)
        qsort(paths, named, sizeof *paths, compare_folders);
    for (size_t i = 0; i < named && !interrupt_raised(); i++)
        if (i == 0 || compare_folders(&paths[i - 1], &paths[i]) != 0)
            file_temporary_sweep(paths[i], 0.0);
    const bool taken = paths != NULL;
    free(paths);
    zt_budget_give(o->renderer.budget, bytes);
    return taken ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the folders of pictures");
}

/// --resume. `cache`: the folder of --freedesktop, or "".
static zt_result sweep(const options *o, const char *cache, const thumbnail_item *items,
                       size_t count, zt_error *err)
{
    char path[DESKTOP_PATH_SIZE + 128], failures[96];
    if (!o->sequence.resume)
        return ZT_OK;
    if (!o->freedesktop)
        return sweep_folders(o, items, count, err);
    snprintf(path, sizeof path, "%s/%s/x.png", cache, desktop_size_name(o->shot.width));
    file_temporary_sweep(path, 0.0);
    desktop_failures(failures, sizeof failures);
    snprintf(path, sizeof path, "%s/%s/x.png", cache, failures);
    file_temporary_sweep(path, 0.0);
    return ZT_OK;
}

static zt_result open_cache(const options *o, char cache[DESKTOP_PATH_SIZE], zt_error *err)
{
    if (!o->freedesktop)
        return ZT_OK;
    if (!desktop_cache_folder(cache))
        return usage_error(err, "--freedesktop without XDG_CACHE_HOME and HOME (expected one)");
    return ZT_OK;
}

static int make_batch(options *o, zt_renderer *renderer, drawn_stats *files, thumbnail_list *list)
{
    zt_error err = {0};
    thumbnail_report report;
    char cache[DESKTOP_PATH_SIZE] = "";
    zt_result result = open_cache(o, cache, &err);
    if (result == ZT_OK)
        result = find_models(o, list, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    const size_t count = select_shard(o, list);
    result = sweep(o, cache, list->items, count, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    if (!thumbnail_report_begin(&report, o, count > 1, (int64_t)count))
        return console_fail(ZT_ERR_MEMORY, "no memory for the result document");
    o->load.message = thumbnail_report_message;
    o->load.message_user = &report;
    const thumbnail_work work = {.o = o,
                                 .renderer = renderer,
                                 .report = &report,
                                 .files = files,
                                 .cache = o->freedesktop ? cache : NULL};
    if (list->passed_over > 0)
        thumbnail_report_passed(&report, list->passed_over, list->passed);
    if (list->links > 0)
        console_say(
            o, ZT_WARNING, "%zu %s out of the folder, such as %.700s (expected --follow-links)",
            list->links,
            list->links == 1 ? "link is left out: it leads" : "links are left out: they lead",
            list->link);
    const int code = thumbnail_batch(&work, o, list->items, count);
    return thumbnail_report_finish(&report, true, code);
}

static int make_single(options *o, zt_renderer *renderer, drawn_stats *files)
{
    thumbnail_report report;
    const char *path = o->output ? o->output : "-";
    if (!thumbnail_report_begin(&report, o, false, 1))
        return console_fail(ZT_ERR_MEMORY, "no memory for the result document");
    o->load.message = thumbnail_report_message;
    o->load.message_user = &report;
    const thumbnail_work work = {.o = o, .renderer = renderer, .report = &report, .files = files};
    thumbnail_outcome one;
    if (o->sequence.resume && o->output && !is_stream(o))
        file_temporary_sweep(path, 0.0);
    thumbnail_picture(&work, o->inputs[0], path, &one);
    const bool printed = o->verify.given || o->list_clips; // standard output has theirs
    const int code = thumbnail_report_finish(&report, !printed && one.code == (int)ZT_OK, one.code);
    if (one.message[0])
        print_failure(o, one.code, one.message);
    return code;
}

int command_thumbnail(options *o)
{
    zt_error err = {0};
    zt_renderer *renderer = NULL;
    thumbnail_shot(o);
    zt_result result = check_options(o, &err);
    const char *name = is_batch(o) ? o->name : o->output;
    o->shot.opaque = result == ZT_OK && !o->verify.given && !format_of(o, name)->alpha;
    if (result == ZT_OK && (!is_batch(o) || o->stats)) // workers have their own
        result = warm_renderer_create(o, &renderer, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    thumbnail_list list = {.budget = o->renderer.budget,
                           .cancel = interrupt_cancel(),
                           .follow_links = o->load.follow_links};
    drawn_stats files = {.stage_ns = {0}}, stats;
    const int code =
        is_batch(o) ? make_batch(o, renderer, &files, &list) : make_single(o, renderer, &files);
    stats = drawn_so_far(renderer);
    drawn_add(&stats, &files, 1);
    if (renderer && o->stats && code == (int)ZT_OK)
        stats_print(stderr, &stats, zt_renderer_isa(renderer));
    thumbnail_list_finish(&list);
    warm_renderer_destroy(o, renderer);
    return code;
}
