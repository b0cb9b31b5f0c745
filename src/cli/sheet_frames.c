// SPDX-License-Identifier: MIT
/// The cells of a sheet of one input: its frames, from one or several directions.
#include "cli/option_value.h"
#include "cli/output_name.h"
#include "cli/progress.h"
#include "cli/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Where the first of several directions is: as the flags say, or the front.
static double first_azimuth(const zt_shot_def *shot)
{
    static const struct {
        const char *view;
        double azimuth_deg;
    } views[] = {{"back", 180.0}, {"left", 270.0}, {"right", 90.0}, {"iso", 45.0}};
    if (!isnan(shot->azimuth_deg))
        return shot->azimuth_deg;
    for (size_t i = 0; shot->view && i < sizeof views / sizeof *views; i++)
        if (strcmp(shot->view, views[i].view) == 0)
            return views[i].azimuth_deg;
    return 0.0;
}

/// "045", or "022.5" between whole degrees.
static void azimuth_text(double azimuth_deg, char *out, size_t size)
{
    double turned = fmod(azimuth_deg, 360.0);
    turned += turned < 0.0 ? 360.0 : 0.0;
    const bool whole = fabs(turned - round(turned)) < 0.05;
    snprintf(out, size, whole ? "%03.0f" : "%05.1f", turned);
}

/// Milliseconds until the next selected frame; those of the last are as long as those before it.
static int32_t duration_of(const zt_scene *scene, int64_t index)
{
    int32_t numerator, denominator;
    const int64_t count = zt_scene_frame_count(scene);
    const int64_t from = index + 1 < count || index == 0 ? index : index - 1;
    const int64_t step =
        count > 1 ? zt_scene_frame(scene, from + 1) - zt_scene_frame(scene, from) : 1;
    zt_scene_fps(scene, &numerator, &denominator);
    const double ms = 1000.0 * (double)step * denominator / numerator;
    return ms < 1.0 ? 1 : ms > 1e9 ? 1000000000 : (int32_t)(ms + 0.5);
}

static zt_result find_pivot(const sheet *s, const zt_scene *scene, sheet_cell *cell, zt_error *err)
{
    const zt_result result =
        zt_renderer_project(s->renderer, scene, cell->frame, s->o->sheet.pivot, cell->pivot, err);
    if (result != ZT_ERR_ARGUMENT || s->o->sheet.pivot)
        return result;
    cell->pivot[0] = 0.5 * s->cell_width; // the origin is behind the camera
    cell->pivot[1] = 0.5 * s->cell_height;
    return ZT_OK;
}

/// All frames of a run.
static zt_result render_run(sheet *s, zt_scene *scene, const sheet_run *run, int32_t direction,
                            progress *bar, zt_error *err)
{
    for (int32_t f = 0; f < run->count; f++) {
        sheet_cell *cell = &s->cells[run->first + f];
        cell->direction = direction;
        cell->frame = zt_scene_frame(scene, f);
        cell->duration_ms = duration_of(scene, f);
        snprintf(cell->name, sizeof cell->name, "%.*s-%04lld", SHEET_NAME_SIZE - 24, run->name,
                 (long long)cell->frame);
        if (s->run_count > 1)
            snprintf(cell->caption, sizeof cell->caption, "%.*s/%lld", SHEET_NAME_SIZE - 24,
                     run->name + run->stem, (long long)cell->frame);
        else
            snprintf(cell->caption, sizeof cell->caption, "%lld", (long long)cell->frame);
        ZT_TRY(sheet_render_cell(s, scene, cell, err));
        ZT_TRY(find_pivot(s, scene, cell, err));
        sheet_report_cell(bar, s, run->first + f);
    }
    return ZT_OK;
}

/// A clip from a direction as the shot of a scene. `name` of the run: STEM[-CLIP][-AZIMUTH].
static zt_result apply_run(const sheet *s, zt_scene *scene, int32_t clip, int32_t direction,
                           sheet_run *out, zt_error *err)
{
    const options *o = s->o;
    zt_shot_def shot = o->shot;
    char stem[128], azimuth[32] = "";
    stem_of(o->inputs[0], stem, sizeof stem);
    if (o->sheet.clip_count > 1)
        shot.clip = o->sheet.clips[clip];
    if (s->directions > 1) {
        shot.azimuth_deg = first_azimuth(&o->shot) + 360.0 * direction / s->directions;
        azimuth_text(shot.azimuth_deg, azimuth, sizeof azimuth);
    }
    snprintf(out->name, sizeof out->name, "%s%s%s%s%s", stem, o->sheet.clip_count > 1 ? "-" : "",
             o->sheet.clip_count > 1 ? s->clip_names[clip] : "", azimuth[0] ? "-" : "", azimuth);
    out->stem = strlen(stem) + (out->name[strlen(stem)] == '-');
    const zt_result result = zt_scene_apply(scene, &shot, err);
    if (result != ZT_OK || o->sheet.clip_count < 2)
        return result;
    return zt_scene_frame_clips(scene, o->sheet.clips, o->sheet.clip_count, err); // one for all
}

/// Names a clip in the atlas, with its index where an earlier one has its name.
static void name_clip(sheet *s, int32_t clip, const char *name)
{
    char *out = s->clip_names[clip];
    snprintf(out, sizeof s->clip_names[clip], "%.100s", name);
    for (int32_t i = 0, number = clip; i < clip; i++)
        if (sheet_is_one_name(s->clip_names[i], out)) {
            snprintf(out, sizeof s->clip_names[clip], "%.100s-%d", name, (int)number++);
            i = -1; // that may be taken, too
        }
}

/// Names the clips; --clip all of a model stands for each of its clips.
static zt_result list_clips_of(sheet *s, const zt_scene *scene, zt_error *err)
{
    sheet_options *given = &s->o->sheet;
    int32_t count = 0;
    char *text = NULL, *end = NULL;
    for (int32_t i = 0; i < given->clip_count; i++)
        name_clip(s, i, given->clips[i]);
    if (given->clip_count != 1 || strcmp(given->clips[0], "all") != 0 ||
        is_scene_name(s->o->inputs[0]))
        return ZT_OK;
    ZT_TRY(zt_scene_list_clips(scene, &text, err));
    for (char *line = text; (end = strchr(line, '\n')) && count < SHEET_CLIPS_MAX; line = end + 1) {
        char *name = line + strcspn(line, " "); // INDEX NAME START END
        *name++ = *end = '\0';
        *strrchr(name, ' ') = '\0';
        *strrchr(name, ' ') = '\0';
        name_clip(s, count, name[0] ? name : line);
        // Names come before indices: a clip that is called so would be shown.
        snprintf(s->clip_indices[count], sizeof s->clip_indices[count], "+%09d", (int)count);
        given->clips[count] = s->clip_indices[count];
        count++;
    }
    const bool whole = !end;
    zt_free(text);
    given->clip_count = count > 0 ? count : 1;
    s->o->shot.clip = given->clips[0];
    return whole ? ZT_OK
                 : zt_fail(err, ZT_ERR_LIMIT, "more than %d clips of a sheet", SHEET_CLIPS_MAX);
}

/// The runs, and the cells that they have together.
static zt_result plan_runs(sheet *s, zt_scene *scene, zt_error *err)
{
    const int32_t clips = s->o->sheet.clip_count > 1 ? s->o->sheet.clip_count : 1;
    int64_t cells = 0, longest = 0;
    s->run_count = clips * s->directions;
    s->runs = calloc((size_t)s->run_count, sizeof *s->runs);
    if (!s->runs)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a sheet");
    for (int32_t r = 0; r < s->run_count; r++) {
        sheet_run *run = &s->runs[r];
        s->o->repeats = r % s->directions > 0; // directions have the warnings of the first
        ZT_TRY(apply_run(s, scene, r / s->directions, r % s->directions, run, err));
        const int64_t frames = zt_scene_frame_count(scene);
        if (cells + frames > SHEET_CELLS_MAX)
            return zt_fail(err, ZT_ERR_LIMIT,
                           "a sheet of more than %lld pictures (expected at most %d)",
                           (long long)(cells + frames) - 1, SHEET_CELLS_MAX);
        run->first = (int32_t)cells;
        run->count = (int32_t)frames;
        cells += frames;
        longest = frames > longest ? frames : longest;
    }
    zt_scene_size(scene, &s->cell_width, &s->cell_height);
    const int64_t widest =
        s->o->limits.picture_side / (s->cell_width + 2 * s->o->sheet.extrude + s->o->sheet.padding);
    longest = longest > widest && widest > 0 ? widest : longest; // more rows, not too wide
    return sheet_begin_cells(s, cells, s->run_count > 1 ? longest : 0, err);
}

static zt_result make_frames(sheet *s, progress *bar, zt_error *err)
{
    zt_scene *scene = NULL;
    s->directions = s->o->shot.directions > 1 ? s->o->shot.directions : 1;
    zt_result result = zt_scene_load(s->o->inputs[0], &s->o->load, &scene, err);
    if (result == ZT_OK)
        result = list_clips_of(s, scene, err);
    if (result == ZT_OK)
        result = plan_runs(s, scene, err);
    for (int32_t r = 0; r < s->run_count && result == ZT_OK; r++) {
        s->o->repeats = true;
        result = apply_run(s, scene, r / s->directions, r % s->directions, &s->runs[r], err);
        s->o->repeats = false;
        if (result == ZT_OK)
            result = render_run(s, scene, &s->runs[r], r % s->directions, bar, err);
    }
    zt_scene_destroy(scene);
    return result;
}

zt_result sheet_make_cells(sheet *s, zt_error *err)
{
    progress bar;
    const bool frames = s->o->input_count == 1 && !has_suffix(s->o->inputs[0], ".png");
    s->animated = frames;
    progress_begin(&bar, s->o);
    const zt_result result = frames ? make_frames(s, &bar, err) : sheet_make_inputs(s, &bar, err);
    progress_end(&bar);
    return result;
}
