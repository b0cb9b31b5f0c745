// SPDX-License-Identifier: MIT
/// test: the shots of a suite, rendered and compared with their goldens.
#include "base/letter_form.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/reports.h"
#include "cli/test_workers.h"
#include "suite/suite_run.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The requests of the command line.
typedef struct test_job {
    const options *o;
    suite s, other;     ///< other: with --against
    uint32_t *selected; ///< [count] indices of shots, rising
    uint32_t count;
    bool all, missing; ///< the words
    suite_results results;
    progress bar;
    double start_s;
} test_job;

static bool lacks_golden(const suite *s, const suite_shot *shot)
{
    return s->other    ? shot->gone
           : s->hashes ? !shot->has_hash
                       : access(shot->golden_path, F_OK) != 0;
}

static bool is_named(const options *o, const suite_shot *shot)
{
    for (int i = 1; i < o->input_count; i++)
        if (strcmp(o->inputs[i], shot->name) == 0)
            return true;
    return o->input_count == 1;
}

/// Names, or where no shot has such a name "all", or "missing": the shots without a golden, or of
/// the other checkout alone.
static zt_result check_names(test_job *job, zt_error *err)
{
    const options *o = job->o;
    const suite *s = &job->s;
    for (int i = 1; i < o->input_count; i++) {
        if (suite_find(s, o->inputs[i]) >= 0)
            continue;
        const bool all = strcmp(o->inputs[i], "all") == 0;
        const bool missing = strcmp(o->inputs[i], "missing") == 0;
        job->all |= all;
        job->missing |= missing;
        if (all || missing)
            continue;
        const char *nearest = suite_nearest(s, o->inputs[i]);
        if (nearest && letters_are_same(nearest, o->inputs[i], strlen(o->inputs[i]), false))
            return usage_error(err, "%.200s has no shot '%.80s', which " LETTERS_DIFFER, s->path,
                               o->inputs[i], nearest);
        return usage_error(err, "%.200s has no shot '%.80s'%s%.80s%s", s->path, o->inputs[i],
                           nearest ? " (did you mean '" : "", nearest ? nearest : "",
                           nearest ? "'?)" : "");
    }
    return ZT_OK;
}

/// By names, then --filter, then --shard. A shard of few shots may be empty; a filter may not.
static zt_result select_shots(test_job *job, zt_error *err)
{
    const options *o = job->o;
    const int32_t shards = o->sequence.shard_count, shard = o->sequence.shard_index;
    uint32_t matching = 0;
    ZT_TRY(check_names(job, err));
    job->selected = calloc(job->s.shot_count, sizeof *job->selected);
    if (!job->selected)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the shots of a suite");
    for (uint32_t i = 0; i < job->s.shot_count; i++) {
        const char *name = job->s.shots[i].name;
        if (!(job->all || (job->missing && lacks_golden(&job->s, &job->s.shots[i])) ||
              is_named(o, &job->s.shots[i])) ||
            (o->filter && fnmatch(o->filter, name, FNM_NOESCAPE) != 0))
            continue;
        if (shards <= 0 || (int32_t)(matching % (uint32_t)shards) == shard - 1)
            job->selected[job->count++] = i;
        matching++;
    }
    // There may be none unless one is asked for by its name.
    if (matching == 0 && (o->filter || o->input_count != 2 || !job->missing))
        return usage_error(err,
                           "no shot of %.200s matches --filter '%.80s' (expected a pattern as "
                           "'walk/*')",
                           job->s.path, o->filter);
    return ZT_OK;
}

static double either(double given, double own) { return isnan(given) ? own : given; }

/// Criteria of the command line replace those of the suite, each on its own.
static void override_criteria(const comparison_criteria *given, comparison_criteria *c)
{
    c->max_diff = given->max_diff >= 0 ? given->max_diff : c->max_diff;
    c->pixels = given->pixels >= 0 ? given->pixels : c->pixels;
    c->threshold = given->threshold >= 0 ? given->threshold : c->threshold;
    c->mean = either(given->mean, c->mean);
    c->rms = either(given->rms, c->rms);
    c->psnr = either(given->psnr, c->psnr);
    c->share = either(given->share, c->share);
    c->ssim = either(given->ssim, c->ssim);
    c->flip = either(given->flip, c->flip);
    c->pixels_per_degree = either(given->pixels_per_degree, c->pixels_per_degree);
    c->ignore_antialiasing |= given->ignore_antialiasing;
    c->straight |= given->straight;
}

static void on_shot(void *user, uint32_t done, const comparison *result)
{
    test_job *job = user;
    const zt_frame_report report = {
        .done = done, .total = job->count, .frame = done, .path = result->name};
    // Lines would say what the results say at the end.
    if (job->bar.kind != PROGRESS_LINES)
        progress_frame(&job->bar, &report);
}

/// A line of its own of a text that a file has; NULL: none.
static void print_named(const char *name, const char *text)
{
    if (!text)
        return;
    printf("  %s: ", name);
    utf8_write_harmless(stdout, text);
    printf("\n");
}

/// "walk/front: rms 1.25 is above 1; 312 pixels differ by up to 40".
static void print_shot(const options *o, const comparison *c)
{
    const zt_metrics *m = &c->metrics;
    if (c->class == COMPARISON_ERROR) {
        (void)console_fail((zt_result)c->code, c->message ? c->message : "");
        return;
    }
    if (c->class == COMPARISON_PASSED && !o->verbose && !o->update)
        return;
    utf8_write_harmless(stdout, c->name);
    printf(": ");
    utf8_write_harmless(stdout, report_reason(c));
    if (c->class == COMPARISON_CHANGED && c->measured && m->pixels > 0)
        printf("; %lld pixels differ by up to %d", (long long)m->pixels, m->max);
    printf("%s\n", c->blank ? "; the picture is blank" : "");
    if (c->class == COMPARISON_PASSED)
        return;
    for (int i = 0; i < COMPARISON_OBJECTS_MAX; i++)
        print_named("object", c->objects[i]);
    print_named("picture", c->picture_path);
    if (o->against || o->command == COMMAND_DIFF)
        print_named("before", c->golden_path);
    print_named("differences", c->diff_path);
    print_named("to accept", c->accept_command);
}

static void print_results(const options *o, const comparison_list *list)
{
    char summary[200] = "equal";
    for (size_t i = 0; i < list->count; i++)
        print_shot(o, &list->items[i]);
    if (o->command != COMMAND_DIFF || list->count > 0)
        comparison_summary(list, summary, sizeof summary);
    printf("%s\n", summary);
}

int test_finish(const options *o, const comparison_list *list, const char *title, double start_s,
                int code)
{
    zt_error err = {0};
    report_about about;
    const report_def def = reports_describe(o, list, title, start_s, &about);
    const zt_result result = reports_save(o, &def, &err);
    const int found = comparison_list_code(list);
    const int saved = result == ZT_OK ? 0 : console_fail(result, err.message);
    code = found > code ? found : code;
    code = saved > code ? saved : code;
    if (o->json) {
        json_stream document = document_begin(o);
        report_write_json(&document, &def, code);
        document_end();
    } else {
        print_results(o, list);
    }
    return code;
}

/// Temporary files may be in the folder of each picture.
static void watch_outputs(const test_job *job)
{
    int depth = 0;
    for (uint32_t i = 0; i < job->s.shot_count; i++) {
        int slashes = 0;
        for (const char *c = job->s.shots[i].name; *c; c++)
            slashes += *c == '/';
        depth = slashes > depth ? slashes : depth;
    }
    interrupt_folder(job->s.results, depth);
    if (job->o->update && !job->s.hashes)
        interrupt_folder(job->s.goldens, depth);
}

static zt_result run(test_job *job, zt_error *err)
{
    const options *o = job->o;
    const suite_run_def def = {.load = &o->load,
                               .renderer = &o->renderer,
                               .selected = job->selected,
                               .count = job->count,
                               .shot_timeout_s = o->shot_timeout_s,
                               .update = o->update,
                               .done = on_shot,
                               .done_user = job};
    watch_outputs(job);
    progress_begin(&job->bar, o);
    const zt_result result = job->count > 0 ? test_workers_run(o, &job->s, &def, &job->results, err)
                                            : suite_run(&job->s, &def, &job->results, err);
    progress_end(&job->bar);
    if (result != ZT_OK || !o->update || !job->s.hashes)
        return result;
    interrupt_output(job->s.hashes, 0);
    return suite_hashes_write(&job->s, job->selected, &job->results.list, &job->results.memory,
                              err);
}

static zt_result check_options(const options *o, zt_error *err)
{
    if (o->input_count < 1)
        return usage_error(err, "test without a suite (expected SUITE.yaml)");
    if (o->update && o->input_count == 1 && !o->filter)
        return usage_error(err, "--update without names (expected the names of shots, or --filter; "
                                "--filter '*' is all)");
    if (o->update && o->against)
        return usage_error(err, "--update with --against (expected one of them)");
    if (o->list && (o->json || o->update))
        return usage_error(err, "--list with %s (expected names alone)",
                           o->json ? "--json" : "--update");
    return reports_check(o, err);
}

/// Names have no control characters. Returns an exit code.
static int list_shots(const test_job *job)
{
    for (uint32_t i = 0; i < job->count; i++)
        printf("%s\n", job->s.shots[job->selected[i]].name);
    return (int)ZT_OK;
}

int command_test(const options *o)
{
    zt_error err = {0};
    test_job job = {.o = o, .start_s = console_clock()};
    zt_result result = check_options(o, &err);
    if (result == ZT_OK)
        result = suite_load(o->inputs[0], &o->load, o->results, &job.s, &err);
    if (result == ZT_OK && o->against)
        result = suite_against(&job.s, o->against, &o->load, &job.other, &err);
    if (result == ZT_OK) {
        for (uint32_t i = 0; i < job.s.shot_count; i++) {
            override_criteria(&o->criteria, &job.s.shots[i].criteria);
            for (uint32_t k = 0; k < job.s.shots[i].object_count; k++)
                override_criteria(&o->criteria, &job.s.shots[i].objects[k].criteria);
        }
        result = select_shots(&job, &err);
    }
    if (result == ZT_OK && !o->list)
        result = run(&job, &err);
    const int code = result != ZT_OK ? command_fail(o, result, err.message)
                     : o->list       ? list_shots(&job)
                               : test_finish(o, &job.results.list, job.s.path, job.start_s, 0);
    suite_results_finish(&job.results);
    free(job.selected);
    suite_finish(&job.s);
    suite_finish(&job.other);
    return code;
}
