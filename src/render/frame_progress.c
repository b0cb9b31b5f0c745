// SPDX-License-Identifier: MIT
// The share of a frame that is drawn, for zt_renderer_def.progress.
#include "base/maths.h"
#include "render/frame_views.h"

void renderer_progress_begin(zt_renderer *r, const subframe *sub, int32_t pass, int32_t pass_count,
                             int64_t tiles)
{
    if (!r->progress.on)
        return;
    r->progress.pass = pass + (sub ? sub->index * pass_count : 0);
    r->progress.pass_count = pass_count * (sub ? sub->count : 1);
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

void renderer_progress_of(zt_renderer *r, const zt_sequence_def *def, int64_t frames, int64_t files)
{
    r->progress.sequence = def->progress && def->samples ? def : NULL;
    r->progress.files = (zt_frame_report){.total = frames * files, .share = 1.0 / (double)frames};
    atomic_store_explicit(&r->progress.parts, 0, memory_order_relaxed);
}

void frame_progress_rays(const frame *f, const render_worker *worker, int64_t more)
{
    frame_progress *p = &f->renderer->progress;
    const light_shares *s = &f->rays->shares;
    const int64_t bands = (s->view.height + OCCLUSION_BAND - 1) / OCCLUSION_BAND;
    const int64_t index = f->sub ? f->sub->index : 0, count = f->sub ? f->sub->count : 1;
    const int64_t part = (more << 32) / (bands * count);
    const int64_t done =
        more + atomic_fetch_add_explicit(&f->rays->bands, more, memory_order_relaxed);
    const int64_t parts = part + atomic_fetch_add_explicit(&p->parts, part, memory_order_relaxed);
    if (!p->sequence || worker != f->renderer->workers || (more > 0) == (done == bands))
        return; // the caller's thread alone reports, and the end once
    zt_frame_report report = p->files;
    report.frame = f->time.frame;
    const int64_t samples = (int64_t)s->view.width * s->view.height * s->kinds * s->samples;
    report.samples_total = samples * count;
    report.samples = samples * index + samples * done / bands;
    report.share = maths_min((double)parts / 0x1p32 * report.share, 1.0);
    p->sequence->progress(p->sequence->progress_user, &report);
}
