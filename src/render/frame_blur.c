// SPDX-License-Identifier: MIT
// A frame with an open shutter or lens: the mean of sub-frames, each drawn as any frame, at its own
// time and from its own place. Planes of data are those of the frame without blur.
#include "base/maths.h"
#include "film/film.h"
#include "render/frame_views.h"
#include "render/supersample.h"

#include <string.h>

/// The sums of sub-frames.
typedef struct frame_blur {
    frame_part part; ///< what all of them share
    const picture_planes *target;
    picture_planes drawn; ///< planes of means of one sub-frame
    subframe_plan plan;
    picture_sums sums; ///< of display colours, drawn larger by scene.supersample
    film_job film;     ///< tone map and page
    picture_planes fine;
    int32_t index; ///< of the sub-frame that is added
} frame_blur;

/// Lengths in pixels of what a frame shows, in its plane of motion over the open time.
static double largest_motion(const picture_planes *p)
{
    double largest = 0.0;
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++) {
            const float *m = picture_plane_at(p, PLANE_MOTION, x, y);
            const double dx = (double)m[0] - (double)m[2], dy = (double)m[1] - (double)m[3];
            largest = maths_max(largest, dx * dx + dy * dy);
        }
    return sqrt(largest);
}

/// The depth of the nearest surface around the middle of the picture; 0: there is none.
static double middle_depth(const picture_planes *p)
{
    const int32_t reach = 1 + p->height / 64;
    double nearest = 0.0;
    for (int32_t y = p->height / 2 - reach; y < p->height / 2 + reach; y++)
        for (int32_t x = p->width / 2 - reach; x < p->width / 2 + reach; x++) {
            if (x < 0 || y < 0 || x >= p->width || y >= p->height)
                continue;
            const double depth = (double)*picture_plane_at(p, PLANE_DEPTH, x, y);
            if (depth > 0.0 && isfinite(depth) && (nearest == 0.0 || depth < nearest))
                nearest = depth;
        }
    return nearest;
}

/// The diameter in pixels of the largest circle of confusion.
static double largest_circle(const picture_planes *p, double focus_m, double radius_px)
{
    double largest = 0.0;
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++) {
            const double depth = (double)*picture_plane_at(p, PLANE_DEPTH, x, y);
            if (depth > 0.0 && isfinite(depth))
                largest = maths_max(largest, fabs(1.0 / focus_m - 1.0 / depth));
        }
    return 2.0 * radius_px * largest;
}

/// Draws depth, and motion over the open time, for what is automatic.
static zt_result measure(frame_blur *b, arena *a, zt_error *err)
{
    const zt_scene *scene = b->part.scene;
    const bool counts = scene->blur.subframes == SCENE_SUBFRAMES_AUTO;
    const bool moves = counts && b->plan.to_s > b->plan.from_s;
    const uint32_t set = 1u << PLANE_DEPTH | (moves ? 1u << PLANE_MOTION : 0);
    picture_planes planes;
    view_camera camera;
    if (!counts && !(b->plan.open && scene->blur.focus == SCENE_FOCUS_AUTO))
        return ZT_OK;
    ZT_TRY(picture_planes_init(&planes, set, b->target->width, b->target->height, a, err));
    frame_part part = b->part;
    part.target = &planes;
    part.open = moves ? &b->plan : NULL;
    part.out_camera = &camera;
    ZT_TRY(frame_part_draw(&part, err));
    double circle = 0.0;
    if (b->plan.open) {
        const double radius = lens_radius(scene, part.time, &camera);
        double focus = middle_depth(&planes);
        if (!(focus > 0.0)) // nothing is there: infinity
            focus = 1e9;
        ZT_TRY(lens_focus(scene, part.renderer->kernels->pose, part.time, &camera, focus, a->budget,
                          &focus, err));
        b->plan.focus_m = focus;
        circle = largest_circle(&planes, focus, 0.5 * radius * camera.focal * planes.height);
    }
    if (counts)
        b->plan.count = subframe_count_for(scene, moves ? largest_motion(&planes) : 0.0, circle);
    return ZT_OK;
}

/// Adds a pixel of names to those that the target has so far.
static void add_crypto(const float *from, float share, bool first, float *to)
{
    crypto_list list = {0};
    for (int i = 0; i < 2 * CRYPTO_RANKS; i++) {
        const float *pair = i < CRYPTO_RANKS ? to + 2 * i : from + 2 * (i - CRYPTO_RANKS);
        uint32_t id;
        if (first && i < CRYPTO_RANKS)
            continue;
        memcpy(&id, pair, sizeof id);
        crypto_add(&list, id, i < CRYPTO_RANKS ? pair[1] : pair[1] * share);
    }
    crypto_write(&list, to);
}

/// Adds one row of the planes of means to the target's.
static void add_row(void *user, int64_t row, int32_t worker)
{
    const frame_blur *b = user;
    const int32_t y = (int32_t)row;
    (void)worker;
    const float share = 1.0f / (float)b->plan.count;
    for (int p = 0; p < PLANE_DISPLAY; p++) {
        const picture_plane plane = (picture_plane)p;
        const int32_t channels = picture_plane_table[p].kind.channels;
        if (!b->target->plane[p].data)
            continue;
        const float *from = picture_plane_at(&b->drawn, plane, 0, y);
        float *to = picture_plane_at(b->target, plane, 0, y);
        if (PICTURE_PLANES_CRYPTO >> p & 1)
            for (int32_t x = 0; x < b->target->width; x++)
                add_crypto(from + x * channels, share, b->index == 0, to + x * channels);
        else
            for (int32_t i = 0; i < b->target->width * channels; i++)
                to[i] = (b->index == 0 ? 0.0f : to[i]) + from[i] * share;
    }
}

/// One row of blocks of sums -> display colours.
static void end_row(void *user, int64_t row, int32_t worker)
{
    const frame_blur *b = user;
    const picture_planes *to = &b->fine;
    (void)worker;
    for (int32_t column = 0; column < b->sums.columns; column++) {
        float display[16][4];
        int32_t rgba[16];
        const int32_t left = 4 * column, top = 4 * (int32_t)row;
        const size_t columns = to->width - left < 4 ? (size_t)(to->width - left) : 4;
        b->part.renderer->kernels->film->blur_end(
            &b->film, &b->sums, (size_t)row * (size_t)b->sums.columns + (size_t)column, display,
            rgba);
        for (int32_t y = 0; y < 4 && top + y < to->height; y++) {
            if (to->color8.rgba8)
                memcpy(to->color8.rgba8 + (size_t)(top + y) * to->color8.stride + 4 * (size_t)left,
                       rgba + 4 * y, 4 * columns);
            if (to->plane[PLANE_DISPLAY].data)
                memcpy(picture_plane_at(to, PLANE_DISPLAY, left, top + y), display[4 * y],
                       columns * sizeof *display);
        }
    }
}

/// Memory for the sums of display colours.
static zt_result prepare_sums(frame_blur *b, uint32_t shown, arena *a, zt_error *err)
{
    const zt_scene *scene = b->part.scene;
    const int32_t factor = scene->supersample;
    film_settings film;
    frame_film(scene, &film);
    b->film = (film_job){.tone_map = film.look.kind == FILM_LOOK_LIGHT ? film.tone_map
                                                                       : (int32_t)TONE_MAP_LINEAR,
                         .transparent = film.transparent,
                         .srgb = b->part.renderer->srgb};
    memcpy(b->film.background, film.background, sizeof film.background);
    b->fine = picture_planes_only(b->target, shown);
    if (factor > 1)
        ZT_TRY(picture_planes_init(&b->fine, shown, factor * b->target->width,
                                   factor * b->target->height, a, err));
    b->sums = (picture_sums){.columns = (b->fine.width + 3) / 4,
                             .rows = (b->fine.height + 3) / 4,
                             .count = b->plan.count};
    const size_t blocks = (size_t)b->sums.columns * (size_t)b->sums.rows;
    const uint64_t bytes = (uint64_t)blocks * (128 * sizeof(float));
    const uint64_t fit = budget_left(a->budget) / 5 * 2; // the frame needs more than these
    if (bytes > fit)
        return zt_fail(err, ZT_ERR_LIMIT, "the sums of sub-frames take %llu MB (limit %llu)",
                       (unsigned long long)bytes / 1000000, (unsigned long long)fit / 1000000);
    ZT_TRY(ARENA_TAKE(a, &b->sums.pixel, blocks * 128, "sums of sub-frames", err));
    ZT_TRY(ARENA_TAKE(a, &b->sums.plain, blocks, "sums of sub-frames", err));
    b->drawn.sums = &b->sums;
    return ZT_OK;
}

static zt_result add_subframe(frame_blur *b, zt_error *err)
{
    frame_part part = b->part;
    const subframe s = subframe_at(part.scene, &b->plan, b->index);
    part.sub = &s;
    part.time = subframe_time(part.scene, part.time, s.time_s);
    part.target = &b->drawn;
    ZT_TRY(frame_part_draw(&part, err));
    job_pool_run(b->part.workers->pool, b->target->height, add_row, b);
    return ZT_OK;
}

/// Draws the sub-frames and their mean, of the planes that have one.
static zt_result draw_mean(frame_blur *b, uint32_t set, arena *a, zt_error *err)
{
    const uint32_t shown = set & (PICTURE_PLANE_COLOR8 | 1u << PLANE_DISPLAY);
    ZT_TRY(picture_planes_init(&b->drawn, set & PICTURE_PLANES_MEAN, b->target->width,
                               b->target->height, a, err));
    if (shown)
        ZT_TRY(prepare_sums(b, shown, a, err));
    for (b->index = 0; b->index < b->plan.count; b->index++)
        ZT_TRY(add_subframe(b, err));
    if (!shown)
        return ZT_OK;
    job_pool_run(b->part.workers->pool, b->sums.rows, end_row, b);
    if (b->part.scene->supersample > 1) {
        const picture_planes out = picture_planes_only(b->target, shown);
        supersample_reduce(&b->fine, b->part.scene->supersample, b->part.renderer->kernels->film,
                           b->part.renderer->srgb, &out);
    }
    return ZT_OK;
}

enum { BLUR_MEANS = PICTURE_PLANES_MEAN | PICTURE_PLANE_COLOR8 | 1 << PLANE_DISPLAY };

/// Measures, and draws the planes of the frame without blur.
static zt_result draw_sharp(frame_blur *b, uint32_t set, arena *a, zt_error *err)
{
    ZT_TRY(measure(b, a, err));
    if (b->plan.count == 1 || !(set & ~(uint32_t)BLUR_MEANS))
        return ZT_OK;
    const picture_planes planes = picture_planes_only(b->target, set & ~(uint32_t)BLUR_MEANS);
    frame_part part = b->part;
    part.target = &planes;
    return frame_part_draw(&part, err);
}

static zt_result draw_blurred(frame_blur *b, arena *a, zt_error *err)
{
    zt_renderer *r = b->part.renderer;
    const uint32_t set = picture_planes_present(b->target);
    ZT_TRY(scene_blur_limit(b->part.scene, b->plan.count > 0 ? b->plan.count : 1, err));
    const bool reports = r->progress.on;
    if (reports) // sub-frames are counted
        r->progress.on = false;
    const zt_result result = draw_sharp(b, set, a, err);
    if (reports)
        r->progress.on = true;
    ZT_TRY(result);
    if (b->plan.count == 1)
        return frame_part_draw(&b->part, err);
    arena_reset(a);
    return set & BLUR_MEANS ? draw_mean(b, set & BLUR_MEANS, a, err) : ZT_OK;
}

zt_result frame_draw(zt_renderer *r, const frame_workers *workers, const zt_scene *scene,
                     frame_time time, const picture_planes *target, frame_stats *out_stats,
                     zt_error *err)
{
    time.trail = &r->trail;
    const int64_t frames = out_stats->sums.frames;
    arena *a = &workers->workers[0].blur_arena;
    frame_blur b = {.part = {.renderer = r,
                             .workers = workers,
                             .scene = scene,
                             .time = time,
                             .target = target,
                             .stats = out_stats},
                    .target = target};
    const uint64_t saved = float_state_enter();
    arena_reset(a);
    zt_result result = subframe_plan_make(scene, time, a, &b.plan, err);
    if (result == ZT_OK)
        result =
            subframe_plan_blurs(&b.plan) ? draw_blurred(&b, a, err) : frame_part_draw(&b.part, err);
    float_state_leave(saved);
    out_stats->sums.frames = frames + 1;
    if (r->hash_stages && subframe_plan_blurs(&b.plan))
        out_stats->hash[PRODUCT_PIXELS] = picture_planes_hash(target); // not of a sub-frame
    return result;
}
