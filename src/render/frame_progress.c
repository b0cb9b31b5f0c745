// SPDX-License-Identifier: MIT
// The share of a frame that is drawn, for zt_renderer_def.progress.
#include "render/renderer.h"

void renderer_progress_begin(zt_renderer *r, int32_t pass, int32_t pass_count, int64_t tiles)
{
    if (!r->progress.on)
        return;
    r->progress.pass = pass;
    r->progress.pass_count = pass_count;
    r->progress.tiles = tiles;
    atomic_store_explicit(&r->progress.done, 0, memory_order_relaxed);
}

void renderer_progress_tile(zt_renderer *r, const render_worker *worker)
{
    frame_progress *p = &r->progress;
    if (!p->on)
        return;
    const int64_t done = atomic_fetch_add_explicit(&p->done, 1, memory_order_relaxed) + 1;
    const double share = (p->pass + (double)done / (double)p->tiles) / p->pass_count;
    if (worker != r->workers || share <= p->shown) // the caller's thread alone reports
        return;
    p->shown = share;
    p->report(p->user, share);
}
