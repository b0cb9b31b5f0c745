// SPDX-License-Identifier: MIT
#include "suite/suite_shot.h"

#include "base/def_fields.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/letter_form.h"
#include "report/golden_file.h"
#include "suite/shot_objects.h"
#include "suite/shot_plane.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool same_file(const suite_shot *a, const suite_shot *b)
{
    return strcmp(a->file, b->file) == 0 && def_all_same(&load_table, &a->load, &b->load);
}

bool suite_shot_same_scene(const suite_shot *a, const suite_shot *b)
{
    for (size_t i = 0; i < shot_table.count; i++) {
        const def_field *f = &shot_table.field[i];
        if (f->trace == DEF_STAYS ? !def_is_same(f, &a->shot, &b->shot)
                                  : def_is_set(f, &a->shot) != def_is_set(f, &b->shot))
            return false;
    }
    return same_file(a, b);
}

uint64_t suite_shot_scene_hash(const suite_shot *shot)
{
    const def_trace stays = DEF_STAYS;
    const uint64_t hash = hash_text(HASH_START, shot->file);
    return def_hash(def_hash(hash, &load_table, &shot->load, NULL), &shot_table, &shot->shot,
                    &stays);
}

bool suite_shot_same_values(const suite_shot *a, const suite_shot *b)
{
    return same_file(a, b) && def_all_same(&shot_table, &a->shot, &b->shot) &&
           strcmp(a->plane ? a->plane : "", b->plane ? b->plane : "") == 0;
}

/// The frame of the shot; frames of a scene rise.
zt_result suite_shot_frame(const zt_scene *scene, const suite_shot *shot, int64_t *out,
                           zt_error *err)
{
    int64_t low = 0, high = zt_scene_frame_count(scene) - 1;
    const int64_t first = zt_scene_frame(scene, 0), last = zt_scene_frame(scene, high);
    *out = shot->has_frame ? shot->frame : first;
    while (low <= high) {
        const int64_t middle = low + (high - low) / 2, frame = zt_scene_frame(scene, middle);
        if (frame == *out)
            return ZT_OK;
        if (frame < *out)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return zt_fail(err, ZT_ERR_ARGUMENT,
                   "frame %lld is not in the shot of %s (expected %lld..%lld)", (long long)*out,
                   shot->file, (long long)first, (long long)last);
}

static zt_result render(const suite_shot_job *job, const suite_shot *shot, const shot_side *side,
                        zt_image *out, zt_error *err)
{
    int32_t width = 0, height = 0;
    zt_scene_size(side->scene, &width, &height);
    ZT_TRY(zt_image_init(out, width, height, job->budget, err));
    out->keep_alpha = zt_scene_transparent(side->scene);
    out->cancel = job->cancel;
    if (!shot->plane)
        return zt_render(job->renderer, side->scene, side->frame, out, err);
    return shot_plane_render(job->renderer, side->scene, side->frame, shot->plane, out, err);
}

/// Pictures of an earlier run must not be taken for those of this one.
static zt_result remove_results(const suite *s, const suite_written *written,
                                const suite_shot *shot, zt_error *err)
{
    const char *const paths[] = {shot->picture_path, shot->diff_path, shot->old_path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (suite_written_has(written, paths[i]) &&
            !file_remove_below(paths[i], strlen(s->results)))
            return zt_fail(err, ZT_ERR_OUTPUT,
                           "%s: cannot be removed (expected a file of ours, in folders that are no "
                           "links)",
                           paths[i]);
    return ZT_OK;
}

/// A golden that is there and cannot be read is a fault of its own, not a new picture.
static bool is_missing(const char *path)
{
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/// Writes a picture of the results, which `out` then names.
static zt_result write_result(const suite_shot_job *job, const char *path, const zt_image *picture,
                              const char **out, zt_error *err)
{
    *out = path;
    ZT_TRY(golden_write(path, strlen(job->s->results), picture, err));
    return suite_written_add(job->written, path, err);
}

/// "there is no such shot in new.yaml", and the other form of its name.
static const char *tell_alone(const suite_shot_job *job, const suite_shot *shot, const char *what)
{
    const char *other = job->s->other->path;
    return shot->form
               ? comparison_text(job->texts, "%s %s; " LETTERS_DIFFER, what, other, shot->form)
               : comparison_text(job->texts, "%s %s%s", what, other,
                                 job->s->other->shot_count > 0 ? "" : ", which is not there");
}

/// The line of the list stands for the golden.
static void take_line(const suite_shot *shot, comparison *out)
{
    out->golden_path = NULL;
    out->golden_hash = shot->hash;
    out->golden_width = shot->width;
    out->golden_height = shot->height;
}

/// The picture stands alone. A shot without a golden fails: nothing is accepted that nobody has
/// looked at. A list of hashes cannot say by how much a picture differs.
static zt_result report_alone(const suite_shot_job *job, const suite_shot *shot,
                              const zt_image *picture, comparison *out, zt_error *err)
{
    const suite *s = job->s;
    out->class = COMPARISON_NEW;
    out->code = (int32_t)ZT_ERR_DIFFERENT;
    if (s->other) {
        out->message = tell_alone(job, shot, "there is no such shot in");
    } else if (s->hashes && shot->has_hash) {
        out->class = COMPARISON_CHANGED;
        take_line(shot, out);
        out->rule = comparison_text(job->texts, "its pixel hash is not that of %s", s->hashes);
    } else {
        out->message = comparison_text(
            job->texts, "there is no %s %s",
            s->hashes ? "line in" : "golden:", s->hashes ? s->hashes : shot->golden_path);
    }
    return write_result(job, shot->picture_path, picture, &out->picture_path, err);
}

zt_result suite_shot_mask(const suite *s, const suite_shot *shot, zt_budget *whole, zt_image *out,
                          zt_error *err)
{
    *out = (zt_image){0};
    if (!shot->mask)
        return ZT_OK;
    const zt_result result = golden_read(shot->mask, s->root_length, whole, out, err);
    return result == ZT_ERR_FORMAT ? err->code = ZT_ERR_ARGUMENT : result;
}

static zt_result compare(const suite_shot_job *job, const suite_shot *shot,
                         const shot_side sides[2], const zt_image *golden, const zt_image *picture,
                         comparison *out, zt_error *err)
{
    zt_image diff = {0}, mask;
    zt_metrics_def how = zt_default_metrics_def();
    how.ignored = shot->ignored ? shot->ignored->at : NULL;
    how.ignored_count = shot->ignored ? shot->ignored->count : 0;
    ZT_TRY(suite_shot_mask(job->s, shot, job->budget, &mask, err));
    how.mask = mask.rgba8 ? &mask : NULL;
    zt_result result =
        comparison_measure(job->texts, out, &shot->criteria, &how, golden, picture, &diff, err);
    if (result == ZT_OK)
        result = shot_objects_judge(job, sides, shot, &how, golden, picture, out, err);
    zt_image_finish(&mask);
    if (result == ZT_OK && out->measured && out->metrics.compared == 0)
        result = zt_fail(err, ZT_ERR_ARGUMENT,
                         "mask and ignore leave no pixel (expected some to compare)");
    const bool equal = out->golden_hash == out->picture_hash;
    const bool stored = !job->s->other; // the golden
    // A picture that equals its golden is there already.
    const bool written = stored ? !equal : out->class != COMPARISON_PASSED;
    if (result == ZT_OK && written)
        result = write_result(job, shot->picture_path, picture, &out->picture_path, err);
    if (result == ZT_OK && written && !stored)
        result = write_result(job, shot->old_path, golden, &out->golden_path, err);
    if (!written)
        out->picture_path = out->golden_path;
    diff.cancel = job->cancel;
    if (result == ZT_OK && out->class != COMPARISON_PASSED && diff.rgba8)
        result = write_result(job, shot->diff_path, &diff, &out->diff_path, err);
    zt_image_finish(&diff);
    return result;
}

/// True when the picture is known to be equal by its hash alone.
static bool is_listed(const suite_shot *shot, const comparison *picture)
{
    return shot->has_hash && shot->hash == picture->picture_hash &&
           shot->width == picture->picture_width && shot->height == picture->picture_height;
}

/// Replaces the golden, unless its pixels are those of the picture.
static zt_result update(const suite_shot_job *job, const suite_shot *shot, shot_side sides[2],
                        const zt_image *picture, comparison *out, zt_error *err)
{
    zt_image golden = {0};
    const zt_metrics_def how = zt_default_metrics_def();
    comparison_picture(out, picture);
    out->class = COMPARISON_PASSED;
    bool old = shot->has_hash, same = is_listed(shot, out);
    if (job->s->hashes) {
        take_line(shot, out);
    } else {
        old = !is_missing(shot->golden_path) && golden_read(shot->golden_path, job->s->root_length,
                                                            job->budget, &golden, NULL) == ZT_OK;
        out->golden_hash = old ? zt_image_hash(&golden) : 0;
        same = old && out->golden_hash == out->picture_hash;
        zt_image_finish(&golden);
    }
    out->picture_path = out->golden_path;
    out->rule = comparison_text(job->texts, "the %s %s", job->s->hashes ? "line" : "golden",
                                same  ? "is the same"
                                : old ? "was replaced"
                                      : "is new");
    if (job->s->hashes)
        return ZT_OK;
    if (!same)
        ZT_TRY(golden_write(shot->golden_path, strlen(job->s->goldens), picture, err));
    const zt_result result = shot_objects_judge(job, sides, shot, &how, NULL, picture, out, err);
    return same && result == ZT_ERR_OUTPUT ? ZT_OK : result; // goldens that stay may be read alone
}

/// The golden, or the picture of the other checkout.
static zt_result open_golden(const suite_shot_job *job, const suite_shot *shot, shot_side *side,
                             zt_image *out, zt_error *err)
{
    if (!job->s->other)
        return golden_read(shot->golden_path, job->s->root_length, job->budget, out, err);
    zt_result result = job->open_other(job->open_user, shot->old, &side->scene, err);
    if (result == ZT_OK)
        result = suite_shot_frame(side->scene, shot->old, &side->frame, err);
    if (result == ZT_OK)
        result = render(job, shot, side, out, err);
    if (result != ZT_OK)
        suite_shot_locate(job->s->other, shot->old, err);
    return result == ZT_ERR_ARGUMENT ? ZT_ERR_FORMAT : result;
}

static zt_result judge(const suite_shot_job *job, const suite_shot *shot, shot_side sides[2],
                       const zt_image *picture, comparison *out, zt_error *err)
{
    const suite *s = job->s;
    zt_image golden = {0};
    // The lines of the other checkout say what its pictures are.
    const suite_shot *listed = s->other ? shot->old : shot;
    comparison_picture(out, picture);
    if (listed && is_listed(listed, out)) {
        out->class = COMPARISON_PASSED;
        take_line(listed, out);
        out->picture_path = NULL;
        out->rule = comparison_text(job->texts, "equal by its hash");
        return ZT_OK;
    }
    if (s->other ? !shot->old : s->hashes || is_missing(shot->golden_path))
        return report_alone(job, shot, picture, out, err);
    zt_result result = open_golden(job, shot, &sides[1], &golden, err);
    if (result == ZT_OK)
        result = compare(job, shot, sides, &golden, picture, out, err);
    zt_image_finish(&golden);
    return result;
}

void suite_shot_begin(const suite *s, const suite_shot *shot, comparison *out)
{
    *out = (comparison){.name = shot->name,
                        .golden_path = s->other ? NULL : shot->golden_path,
                        .picture_path = shot->picture_path,
                        .mask_path = shot->mask};
}

zt_result suite_shot_work(const suite_shot_job *job, const suite_shot *shot, comparison *out,
                          zt_error *err)
{
    zt_image picture = {0};
    shot_side sides[2] = {{.scene = job->scene}};
    if (!job->update)
        ZT_TRY(remove_results(job->s, job->written, shot, err));
    if (shot->gone) {
        out->class = COMPARISON_MISSING;
        out->code = (int32_t)ZT_ERR_DIFFERENT;
        out->picture_path = NULL;
        out->message = tell_alone(job, shot, "is only in");
        return ZT_OK;
    }
    ZT_TRY(suite_shot_frame(job->scene, shot, &sides[0].frame, err));
    out->render_command = suite_render_command(shot, sides[0].frame, job->texts);
    if (!job->s->other)
        out->accept_command = suite_accept_command(job->s, shot, job->texts);
    zt_result result = render(job, shot, &sides[0], &picture, err);
    if (result == ZT_OK)
        result = (job->update ? update : judge)(job, shot, sides, &picture, out, err);
    zt_image_finish(&picture);
    return result;
}

void suite_shot_locate(const suite *s, const suite_shot *shot, zt_error *err)
{
    char line[32] = "";
    const zt_error said = *err;
    if ((said.code != ZT_ERR_ARGUMENT && said.code != ZT_ERR_INPUT) ||
        (s->other && strncmp(said.message, s->other->path, strlen(s->other->path)) == 0))
        return; // the other suite is at fault
    if (shot->line)
        snprintf(line, sizeof line, "%u:%u:", shot->line, shot->column);
    // A value that the scene refuses is a fault of the suite's text.
    (void)zt_fail(err, said.code == ZT_ERR_ARGUMENT ? ZT_ERR_FORMAT : said.code,
                  "%s:%s shot %s: %s", s->path, line, shot->name, said.message);
}

void suite_shot_fail(const suite *s, const suite_written *written, const suite_shot *shot,
                     zt_result code, const char *message, comparison_list *texts, comparison *out)
{
    zt_error located = {.code = code};
    snprintf(located.message, sizeof located.message, "%s", message);
    suite_shot_locate(s, shot, &located);
    out->class = COMPARISON_ERROR;
    out->code = (int32_t)located.code;
    out->message = comparison_text(texts, "%s", located.message);
    out->picture_path = NULL;
    (void)remove_results(s, written, shot, NULL);
}
