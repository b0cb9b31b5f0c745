// SPDX-License-Identifier: MIT
/// The cells of a sheet, however they get their pictures.
#include "cli/rendering.h"
#include "cli/sheet.h"

#include <math.h>
#include <stdlib.h>

zt_result sheet_begin_cells(sheet *s, int64_t count, int64_t frames, zt_error *err)
{
    if (count < 1 || count > SHEET_CELLS_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "a sheet of %lld pictures (expected 1 to %d)",
                       (long long)count, SHEET_CELLS_MAX);
    if (!zt_budget_take(s->o->renderer.budget, (uint64_t)count * sizeof *s->cells))
        return zt_fail(err, ZT_ERR_LIMIT, "no memory for a sheet (see --max-memory)");
    s->cells = calloc((size_t)count, sizeof *s->cells);
    s->count = (int32_t)count;
    if (!s->cells)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a sheet");
    s->columns = s->o->sheet.columns > 0 ? s->o->sheet.columns : (int32_t)frames;
    if (s->columns == 0) // as many rows as columns, or one less
        s->columns = (int32_t)ceil(sqrt((double)s->count));
    if (s->o->sheet.captions)
        s->caption_scale = s->cell_width >= 192 ? 2 : 1;
    return s->o->sheet.trim ? ZT_OK : sheet_place_grid(s, err);
}

void sheet_free_cells(sheet *s)
{
    for (int32_t i = 0; s->cells && i < s->count; i++)
        zt_image_finish(&s->cells[i].image);
    zt_budget_give(s->o->renderer.budget, (uint64_t)s->count * sizeof *s->cells);
    free(s->cells);
    free(s->runs);
    arena_finish(&s->memory);
    s->runs = NULL;
    s->cells = NULL;
    s->count = 0;
}

void sheet_report_cell(progress *bar, const sheet *s, int32_t index)
{
    const sheet_cell *cell = &s->cells[index];
    const zt_frame_report text = {.done = index + 1,
                                  .total = s->count,
                                  .frame = cell->frame,
                                  .path = cell->image.rgba8 ? cell->name : NULL};
    progress_frame(bar, &text);
}

zt_result sheet_render_cell(sheet *s, const zt_scene *scene, sheet_cell *cell, zt_error *err)
{
    zt_result result = init_picture(s->o, scene, &cell->image, err);
    if (result == ZT_OK)
        result = sheet_render_planes(s, scene, cell, err);
    return result;
}
