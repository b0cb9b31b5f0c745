// SPDX-License-Identifier: MIT
// Number -> name -> pixels -> bytes -> file. Every message is left in m->error.
#include "render/frame_maker.h"

#include "image/png_write.h"
#include "render/frame_stats.h"

void frame_maker_init(frame_maker *m, zt_renderer *r, const zt_scene *scene,
                      const zt_sequence_def *def, const picture_writer *writer)
{
    *m = (frame_maker){.renderer = r, .scene = scene, .def = def, .writer = writer};
    arena_init(&m->image_arena, &r->budget);
    arena_init(&m->file_arena, &r->budget);
}

void frame_maker_finish(frame_maker *m)
{
    arena_finish(&m->image_arena);
    arena_finish(&m->file_arena);
    m->image.rgba8 = NULL;
}

zt_result frame_maker_name(frame_maker *m, int64_t frame)
{
    m->frame = frame;
    return zt_frame_path(m->def->pattern, frame, m->scene->selected.count == 1, m->path,
                         sizeof m->path, &m->error);
}

static zt_result make_picture(frame_maker *m)
{
    const zt_scene *scene = m->scene;
    if (m->image.rgba8)
        return ZT_OK;
    const size_t stride = (size_t)scene->width * 4;
    m->image = (zt_image){.width = scene->width, .height = scene->height, .stride = stride};
    m->image.keep_alpha = scene->transparent; // one kind of file for the whole sequence
    m->image.rgba8 = arena_alloc_raw(&m->image_arena, (size_t)scene->height, stride);
    return m->image.rgba8 ? ZT_OK : arena_fail(&m->image_arena, &m->error, "a picture");
}

zt_result frame_maker_draw(frame_maker *m, const frame_crew *crew)
{
    m->stats = (zt_stats){0};
    ZT_TRY(make_picture(m));
    return frame_draw(m->renderer, crew, m->scene, m->frame, &m->image, &m->stats, &m->error);
}

typedef struct band_loop {
    const png_plan *plan;
    uint8_t *scratch; ///< [workers][scratch_size]
    size_t scratch_size;
} band_loop;

static void encode_band(void *user, int64_t index, int32_t worker)
{
    const band_loop *loop = user;
    png_band_encode(loop->plan, (int32_t)index,
                    loop->scratch + loop->scratch_size * (size_t)worker);
}

static zt_result encode_bands(frame_maker *m)
{
    png_plan plan;
    ZT_TRY(png_plan_begin(&plan, &m->image, &m->file_arena, &m->error));
    band_loop loop = {.plan = &plan, .scratch_size = (plan.scratch_size + 63u) & ~(size_t)63u};
    const size_t workers = (size_t)m->renderer->worker_count;
    loop.scratch = arena_alloc_raw(&m->file_arena, workers, loop.scratch_size);
    if (!loop.scratch)
        return arena_fail(&m->file_arena, &m->error, "encoding a PNG");
    job_pool_run(m->renderer->pool, plan.band_count, encode_band, &loop);
    return png_plan_finish(&plan, &m->file_arena, &m->bytes, &m->error);
}

zt_result frame_maker_encode_bands(frame_maker *m)
{
    const uint64_t start = job_clock_ns();
    if (!m->writer->png_bands || m->def->png != ZT_PNG_FAST)
        return ZT_OK;
    const zt_result result = encode_bands(m);
    m->stats.stage_ns[ZT_STAGE_ENCODE] += job_clock_ns() - start;
    if (result != ZT_OK)
        arena_reset(&m->file_arena);
    return result;
}

static zt_result write_bytes(const frame_maker *m, zt_error *err)
{
    file_writer writer;
    ZT_TRY(file_writer_open(&writer, m->path, err));
    zt_result result = file_writer_write(&writer, m->bytes.data, m->bytes.size, err);
    if (result == ZT_OK)
        result = file_writer_commit(&writer, m->def->fsync, err);
    else
        file_writer_abandon(&writer);
    return result;
}

zt_result frame_maker_write(frame_maker *m)
{
    const uint64_t start = job_clock_ns();
    const picture_planes planes = {.color8 = &m->image};
    zt_result result = ZT_OK;
    m->hash = m->def->hash ? zt_image_hash(&m->image) : 0;
    if (!m->bytes.data)
        result = m->writer->encode(&planes, m->def->png, &m->file_arena, &m->bytes, &m->error);
    const uint64_t encoded = job_clock_ns();
    if (result == ZT_OK && m->renderer->hash_stages)
        m->stats.hash[ZT_PRODUCT_FILE] = product_hash_bytes(m->bytes.data, m->bytes.size);
    if (result == ZT_OK)
        result = write_bytes(m, &m->error);
    m->stats.stage_ns[ZT_STAGE_ENCODE] += encoded - start;
    m->stats.stage_ns[ZT_STAGE_WRITE] += job_clock_ns() - encoded;
    arena_reset(&m->file_arena);
    m->bytes = (file_bytes){0};
    return result;
}
