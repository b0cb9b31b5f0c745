// SPDX-License-Identifier: MIT
/// diff: what differs between two models. One worker does all of it, so that a hostile model costs
/// a line; what it finds comes back as comparisons, which all reports show.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/model_workers.h"
#include "cli/option_value.h"
#include "cli/reports.h"
#include "diff/model_diff.h"
#include "report/comparison_pack.h"
#include "report/golden_file.h"
#include "suite/suite_written.h"

#include <math.h>
#include <string.h>

typedef struct diff_job {
    options o; ///< in the worker: with its budget
    model_workers workers;
    const char *folder; ///< of pictures; NULL: there are none
    comparison_list list;
    zt_error err; ///< of the worker
    FILE *out;    ///< in the worker
    zt_scene *scenes[2];
    suite_written written; ///< pictures in `folder`
} diff_job;

// ---- In the worker ------------------------------------------------------------------------------

static void send(const diff_job *job, comparison item, const char *kind, const char *name)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%.1000s", kind, name);
    item.name = full;
    comparison_pack(&item, job->out);
}

/// Both scenes with one camera, into `image`, with what differs: a clip where it differs most.
/// Pictures that are equal are not sent.
static zt_result send_picture(diff_job *job, const char *clip, double time_s, uint32_t number,
                              zt_image image[3], zt_error *err)
{
    static const char *const names[] = {"old", "new", "diff"};
    const comparison_criteria none = comparison_criteria_none();
    const zt_metrics_def how = zt_default_metrics_def();
    comparison item = {0};
    const char **const paths[] = {&item.golden_path, &item.picture_path, &item.diff_path};
    zt_shot_def shot = job->o.shot;
    shot.clip = clip;
    shot.time_s = time_s;
    for (int i = 0; i < 2; i++)
        ZT_TRY(zt_scene_apply(job->scenes[i], &shot, err));
    ZT_TRY(model_diff_frame(job->workers.renderer, job->scenes, err));
    for (int i = 0; i < 2; i++) {
        ZT_TRY(zt_image_init(&image[i], shot.width, shot.height, job->o.load.budget, err));
        ZT_TRY(zt_render(job->workers.renderer, job->scenes[i], 0, &image[i], err));
    }
    ZT_TRY(
        comparison_measure(&job->list, &item, &none, &how, &image[0], &image[1], &image[2], err));
    if (item.class != COMPARISON_CHANGED)
        return ZT_OK;
    for (int i = 0; i < 3; i++) {
        *paths[i] = comparison_text(&job->list, "%s/%u.%s.png", job->folder, number, names[i]);
        if (!*paths[i])
            return comparison_list_refused(&job->list, err);
        ZT_TRY(golden_write(*paths[i], strlen(job->folder), &image[i], err));
        ZT_TRY(suite_written_add(&job->written, *paths[i], err));
    }
    send(job, item, "picture", number ? clip : "rest");
    return ZT_OK;
}

/// Pictures of an earlier run must not be taken for those of this one.
static zt_result remove_pictures(diff_job *job, arena *a, zt_error *err)
{
    suite_written *w = &job->written;
    ZT_TRY(suite_written_begin(w, &(suite){.results = job->folder}, a, err));
    for (uint32_t i = 0; i < w->count; i++) {
        const char *path = suite_written_path(w, i, a);
        if (!path)
            return arena_fail(a, err, "the list of results");
        if (suite_written_has(w, path))
            (void)file_remove_below(path, strlen(job->folder));
    }
    return ZT_OK;
}

static zt_result compare_models(diff_job *job, arena *a, zt_error *err)
{
    static const comparison_class classes[] = {COMPARISON_CHANGED, COMPARISON_NEW,
                                               COMPARISON_MISSING};
    model_changes changes;
    zt_result result = ZT_OK;
    ZT_TRY(job->workers.begun.code);
    job->o.load.picture_side = -1;
    for (int i = 0; i < 2; i++)
        ZT_TRY(zt_scene_load(job->o.inputs[i], &job->o.load, &job->scenes[i], err));
    ZT_TRY(model_diff(job->scenes[0]->models[0], job->scenes[1]->models[0], job->o.strict_names, a,
                      &changes, err));
    for (uint32_t i = 0; i < changes.count; i++) {
        const model_change *c = &changes.list[i];
        const comparison item = {
            .class = classes[c->state], .code = (int32_t)ZT_ERR_DIFFERENT, .rule = c->text};
        send(job, item, c->kind, c->name);
    }
    if (job->folder)
        ZT_TRY(remove_pictures(job, a, err));
    for (uint32_t i = 0; job->folder && i <= changes.count && changes.count > 0; i++) {
        zt_image image[3] = {{0}, {0}, {0}};
        if (i == 0)
            result = send_picture(job, "none", 0.0, i, image, err);
        else if (!isnan(changes.list[i - 1].worst_s))
            result = send_picture(job, changes.list[i - 1].name, changes.list[i - 1].worst_s, i,
                                  image, err);
        for (int k = 0; k < 3; k++)
            zt_image_finish(&image[k]);
        ZT_TRY(result);
    }
    return ZT_OK;
}

static void begin(void *user)
{
    diff_job *job = user;
    model_workers_begin(&job->workers, &job->o);
}

static void work(void *user, int64_t index, FILE *out)
{
    diff_job *job = user;
    budget memory;
    arena a;
    zt_error err = job->workers.begun;
    (void)index;
    job->out = out;
    budget_init_within(&memory, job->o.load.budget, 0, NULL);
    cancel_init(&memory.cancel, job->o.load.cancel);
    arena_init(&a, &memory);
    const zt_result result = compare_models(job, &a, &err);
    if (job->written.list)
        suite_written_end(&job->written, &a);
    suite_written_finish(&job->written);
    arena_finish(&a);
    zt_scene_destroy(job->scenes[0]);
    zt_scene_destroy(job->scenes[1]);
    if (result != ZT_OK)
        send(job,
             (comparison){
                 .class = COMPARISON_ERROR, .code = (int32_t)result, .message = err.message},
             "error", "");
}

// ---- In this process ----------------------------------------------------------------------------

static void done(void *user, int64_t index, const worker_result *result)
{
    diff_job *job = user;
    const char *bytes = result->bytes;
    size_t size = result->size;
    bool whole = result->end == WORKER_DONE;
    char both[700]; // models: which of them is not known
    (void)index;
    if (result->message_size > 0)
        fwrite(result->messages, 1, result->message_size, stderr);
    while (whole && size > 0) {
        comparison *item = comparison_list_add(&job->list);
        whole = item && comparison_unpack(&bytes, &size, &job->list, item);
        if (whole && item->class == COMPARISON_ERROR && job->list.count == 1) // nothing was found
            (void)zt_fail(&job->err, (zt_result)item->code, "%s", item->message);
    }
    snprintf(both, sizeof both, "%.340s, %.340s", job->o.inputs[0], job->o.inputs[1]);
    if (job->list.refused != ZT_OK)
        job->err.code = comparison_list_refused(&job->list, &job->err);
    else if (!whole)
        job->err.code =
            model_workers_failure(&job->o, both, result, job->err.message, sizeof job->err.message);
}

static zt_result run(diff_job *job, zt_error *err)
{
    const options *o = &job->o;
    const worker_pool_def pool = {.workers = 1,
                                  .count = 1,
                                  .single = o->untrusted,
                                  .begin = begin,
                                  .work = work,
                                  .done = done,
                                  .user = job};
    if (o->input_count != 2)
        return usage_error(err, "diff with %d inputs (expected OLD NEW)", o->input_count);
    for (int i = 0; i < 2; i++)
        if (strcmp(o->inputs[i], "-") == 0 || is_scene_name(o->inputs[i]))
            return usage_error(err, "diff of '%.200s' (expected two model files)", o->inputs[i]);
    ZT_TRY(reports_check(o, err));
    if (job->folder)
        interrupt_folder(job->folder, 0);
    model_workers_share(&job->workers, o, 1, 0);
    ZT_TRY(worker_pool_run(&pool, err));
    if (interrupt_raised())
        return zt_fail(err, ZT_ERR_CANCELLED, "%s", interrupt_message());
    *err = job->err;
    return err->code;
}

int command_diff(const options *o)
{
    zt_error err = {0};
    char folder[4096]; // of a page without --results
    diff_job job = {.o = *o, .folder = o->results};
    const double start_s = console_clock();
    if (o->shot.width == 0)
        job.o.shot.width = job.o.shot.height = 512;
    if (!o->results && o->html &&
        snprintf(folder, sizeof folder, "%s.pictures", o->html) < (int)sizeof folder)
        job.folder = folder;
    comparison_list_init(&job.list, o->load.budget);
    zt_result result = run(&job, &err);
    const int code = result != ZT_OK ? command_fail(o, result, err.message)
                                     : test_finish(o, &job.list, o->inputs[0], start_s, (int)ZT_OK);
    comparison_list_finish(&job.list);
    return code;
}
