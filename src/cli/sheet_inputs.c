// SPDX-License-Identifier: MIT
/// The cells of a sheet of several inputs: a picture of each. Models are drawn side by side in
/// workers, each in a process of its own; where pictures are among them, one by one in this
/// process.
#include "base/utf8.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/model_workers.h"
#include "cli/output_name.h"
#include "cli/rendering.h"
#include "cli/sheet.h"
#include "cli/warm.h"

#include <stdlib.h>
#include <string.h>

/// Copies a picture into the middle of a cell.
static zt_result put_into_cell(const sheet *s, const zt_image *from, const char *input,
                               zt_image *out, zt_error *err)
{
    if (from->width > s->cell_width || from->height > s->cell_height)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "%.200s: a picture of %dx%d (expected at most the --size of a cell, %dx%d)",
                       input, from->width, from->height, s->cell_width, s->cell_height);
    ZT_TRY(zt_image_init(out, s->cell_width, s->cell_height, s->o->renderer.budget, err));
    const int32_t left = (s->cell_width - from->width) / 2;
    const int32_t top = (s->cell_height - from->height) / 2;
    for (int32_t y = 0; y < from->height; y++)
        memcpy(out->rgba8 + (size_t)(top + y) * out->stride + (size_t)left * 4,
               from->rgba8 + (size_t)y * from->stride, (size_t)from->width * 4);
    return ZT_OK;
}

static zt_result read_cell(const sheet *s, const char *input, zt_image *out, zt_error *err)
{
    zt_image picture = {0};
    zt_result result = zt_image_read(input, true, s->o->renderer.budget, &picture, err);
    if (result == ZT_OK)
        result = put_into_cell(s, &picture, input, out, err);
    zt_image_finish(&picture);
    return result;
}

static zt_result make_input(sheet *s, const char *input, sheet_cell *cell, zt_error *err)
{
    zt_scene *scene = NULL;
    ZT_TRY(file_check_pipe(input, err));
    cell->from_file = has_suffix(input, ".png");
    if (cell->from_file)
        return read_cell(s, input, &cell->image, err);
    const drawn_stats before = drawn_so_far(s->renderer);
    zt_result result = open_scene(s->o, input, &scene, err);
    if (result == ZT_OK) {
        cell->frame = zt_scene_frame(scene, 0);
        result = sheet_render_cell(s, scene, cell, err);
    }
    if (result == ZT_OK)
        warn_empty(s->o, s->renderer, &before, input);
    warm_scene_destroy(s->o, scene);
    return result;
}

static bool same_stem(const char *a, const char *b)
{
    char stem[2][256];
    stem_of(a, stem[0], sizeof stem[0]);
    stem_of(b, stem[1], sizeof stem[1]);
    return strcmp(stem[0], stem[1]) == 0;
}

/// The stem of an input, behind its folder where a neighbour has the same (scene.gltf).
static void caption_input(const options *o, int32_t index, char *out, size_t size)
{
    const char *input = o->inputs[index], *name = strrchr(input, '/');
    char stem[256];
    stem_of(input, stem, sizeof stem);
    const bool same = (index > 0 && same_stem(input, o->inputs[index - 1])) ||
                      (index + 1 < o->input_count && same_stem(input, o->inputs[index + 1]));
    if (!same || !name) {
        snprintf(out, size, "%s", stem);
        return;
    }
    const char *folder = name;
    while (folder > input && folder[-1] != '/')
        folder--;
    snprintf(out, size, "%.*s/%s", (int)(name - folder), folder, stem);
}

static bool is_printable(char c) { return c >= ' ' && c <= '~'; }

bool sheet_is_one_name(const char *a, const char *b)
{
    char one[SHEET_NAME_SIZE], other[SHEET_NAME_SIZE];
    size_t same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    if (!a[same] || !b[same] || (is_printable(a[same]) && is_printable(b[same])))
        return a[same] == b[same];
    snprintf(one, sizeof one, "%s", a);
    snprintf(other, sizeof other, "%s", b);
    utf8_make_harmless(one);
    utf8_make_harmless(other);
    return strcmp(one, other) == 0;
}

/// The first cell before `end` with that name, or NULL.
static sheet_cell *find_name(const sheet *s, int32_t end, const char *name)
{
    for (int32_t i = 0; i < end; i++)
        if (sheet_is_one_name(s->cells[i].name, name))
            return &s->cells[i];
    return NULL;
}

/// The name of an input; if another one has it, with a number.
static void name_input(const sheet *s, int32_t index)
{
    sheet_cell *cell = &s->cells[index];
    const char *input = s->o->inputs[index];
    const int room = SHEET_NAME_SIZE - 16;
    snprintf(cell->name, sizeof cell->name, "%.*s", room, input);
    sheet_cell *first = find_name(s, index, cell->name);
    if (!first)
        return;
    do
        snprintf(cell->name, sizeof cell->name, "%.*s-%d", room, input, (int)++first->copies + 1);
    while (find_name(s, index, cell->name));
}

static void add_code(sheet *s, int code) { s->code = code > s->code ? code : s->code; }

static zt_result make_here(sheet *s, progress *bar, zt_error *err)
{
    for (int32_t i = 0; i < s->count; i++) {
        sheet_cell *cell = &s->cells[i];
        zt_error problem = {0};
        const zt_result made = make_input(s, s->o->inputs[i], cell, &problem);
        if (interrupt_raised() || made == ZT_ERR_CANCELLED) {
            *err = problem;
            return ZT_ERR_CANCELLED;
        }
        if (made != ZT_OK) {
            zt_image_finish(&cell->image);
            progress_clear(bar);
            add_code(s, console_fail(made, problem.message));
        }
        sheet_report_cell(bar, s, i);
    }
    return ZT_OK;
}

// ---- In workers ---------------------------------------------------------------------------------

typedef struct sheet_batch {
    sheet *s;
    progress *bar;
    model_workers workers;
} sheet_batch;

/// A worker's word on a cell; its pixels follow if `code` is 0.
typedef struct cell_outcome {
    int64_t frame;
    drawn_stats drawn; ///< for this cell
    zt_isa isa;
    int code;
} cell_outcome;

static void begin(void *user)
{
    sheet_batch *b = user;
    model_workers_begin(&b->workers, b->s->o);
    b->s->renderer = b->workers.renderer;
}

static void work(void *user, int64_t index, FILE *out)
{
    sheet_batch *b = user;
    sheet *s = b->s;
    sheet_cell *cell = &s->cells[index];
    zt_error err = b->workers.begun;
    cell_outcome one = {0};
    zt_result result = err.code;
    const drawn_stats before = drawn_so_far(s->renderer);
    if (s->renderer)
        result = make_input(s, s->o->inputs[index], cell, &err);
    one.drawn = drawn_so_far(s->renderer);
    drawn_add(&one.drawn, &before, -1);
    one.frame = cell->frame;
    one.isa = zt_renderer_isa(s->renderer);
    if (result != ZT_OK)
        one.code = interrupt_raised() ? (int)ZT_ERR_CANCELLED : console_fail(result, err.message);
    fwrite(&one, sizeof one, 1, out);
    for (int32_t y = 0; y < s->cell_height && result == ZT_OK; y++)
        fwrite(cell->image.rgba8 + (size_t)y * cell->image.stride, 4, (size_t)s->cell_width, out);
    zt_image_finish(&cell->image);
}

/// Takes what a worker has written over into a cell. False: it is not whole.
static bool take_outcome(sheet *s, sheet_cell *cell, const worker_result *result, cell_outcome *out,
                         zt_error *err)
{
    const size_t row = (size_t)s->cell_width * 4, pixels = row * (size_t)s->cell_height;
    if (result->end != WORKER_DONE || result->size < sizeof *out)
        return false;
    memcpy(out, result->bytes, sizeof *out);
    if (result->size != sizeof *out + (out->code == 0 ? pixels : 0))
        return false;
    cell->frame = out->frame;
    if (out->code != 0)
        return true;
    out->code =
        (int)zt_image_init(&cell->image, s->cell_width, s->cell_height, s->o->renderer.budget, err);
    if (out->code != 0) {
        out->code = console_fail(err->code, err->message);
        return true;
    }
    for (int32_t y = 0; y < s->cell_height; y++)
        memcpy(cell->image.rgba8 + (size_t)y * cell->image.stride,
               result->bytes + sizeof *out + (size_t)y * row, row);
    return true;
}

static void done(void *user, int64_t index, const worker_result *result)
{
    sheet_batch *b = user;
    sheet *s = b->s;
    cell_outcome one = {0};
    zt_error err = {0};
    char message[1024];
    if (interrupt_raised())
        return;
    if (result->message_size > 0) {
        progress_clear(b->bar);
        fwrite(result->messages, 1, result->message_size, stderr);
    }
    if (!take_outcome(s, &s->cells[index], result, &one, &err)) {
        const zt_result code =
            model_workers_failure(s->o, s->o->inputs[index], result, message, sizeof message);
        one.code = console_fail(code, message);
    }
    drawn_add(&s->stats, &one.drawn, 1);
    s->isa = one.isa > s->isa ? one.isa : s->isa;
    add_code(s, one.code);
    sheet_report_cell(b->bar, s, (int32_t)index);
}

static zt_result make_in_workers(sheet *s, progress *bar, zt_error *err)
{
    sheet_batch b = {.s = s, .bar = bar};
    // The cells, and the sheet.
    const uint64_t cell = (uint64_t)s->cell_width * (uint64_t)s->cell_height * 4;
    model_workers_share(&b.workers, s->o, (size_t)s->count, 2 * cell * (uint64_t)s->count);
    const worker_pool_def def = {.workers = b.workers.count,
                                 .count = s->count,
                                 .item_timeout_s = s->o->model_timeout_s,
                                 .single = s->o->untrusted,
                                 .begin = begin,
                                 .work = work,
                                 .done = done,
                                 .user = &b};
    const zt_result result = worker_pool_run(&def, err);
    if (result != ZT_OK || !interrupt_raised())
        return result;
    return zt_fail(err, ZT_ERR_CANCELLED, "%s", interrupt_message());
}

zt_result sheet_make_inputs(sheet *s, progress *bar, zt_error *err)
{
    s->directions = 1;
    s->cell_width = s->o->shot.width;
    s->cell_height = s->o->shot.height;
    ZT_TRY(sheet_begin_cells(s, s->o->input_count, 0, err));
    for (int32_t i = 0; i < s->count; i++) {
        sheet_cell *cell = &s->cells[i];
        name_input(s, i);
        caption_input(s->o, i, cell->caption, sizeof cell->caption);
        cell->pivot[0] = 0.5 * s->cell_width;
        cell->pivot[1] = 0.5 * s->cell_height;
        cell->duration_ms = 100;
    }
    return s->renderer ? make_here(s, bar, err) : make_in_workers(s, bar, err);
}
