// SPDX-License-Identifier: MIT
// Number -> names -> planes -> bytes -> files. Messages of errors are in j->error.
#include "render/frame_job.h"

#include "base/def_fields.h"
#include "base/hash.h"
#include "image/png_text.h"
#include "image/png_write.h"
#include "render/crypto_names.h"
#include "render/frame_stats.h"

void frame_job_init(frame_job *j, zt_renderer *r, const zt_scene *scene, const zt_sequence_def *def,
                    const picture_writer *writer, const frame_files *files, animation *one_file)
{
    *j = (frame_job){.renderer = r,
                     .scene = scene,
                     .def = def,
                     .writer = writer,
                     .files = files,
                     .one_file = one_file};
    arena_init(&j->planes_arena, &r->budget);
    arena_init(&j->file_arena, &r->budget);
}

void frame_job_finish(frame_job *j)
{
    arena_finish(&j->planes_arena);
    arena_finish(&j->file_arena);
    j->planes = (picture_planes){0};
    j->bytes = (file_bytes){0};
}

uint64_t frame_key(const zt_scene *scene, int64_t frame, uint32_t planes,
                   const zt_encode_def *encoding)
{
    uint64_t hash = hash_text(HASH_START, zt_version());
    const int64_t words[] = {scene->width, scene->height, frame};
    hash = hash_words(hash, &scene->inputs, sizeof scene->inputs);
    hash = def_hash(hash, &encode_table, encoding, NULL);
    if (planes != 1u << PLANE_COLOR)
        hash = hash_words(hash, &planes, sizeof planes);
    if (scene->blur.subframes == SCENE_SUBFRAMES_AUTO &&
        (scene->blur.shutter.key_count || scene->blur.aperture.key_count))
        hash = hash_number(hash, (uint32_t)scene_blur_subframes_max(scene)); // a limit decides, too
    return hash_words(hash, words, sizeof words);
}

picture_stream scene_stream(const zt_scene *scene, const zt_encode_def *encoding)
{
    return (picture_stream){.width = scene->width,
                            .height = scene->height,
                            .fps_numerator = scene->fps_numerator,
                            .fps_denominator = scene->fps_denominator,
                            .alpha = scene->transparent,
                            .frame_count = scene->selected.count,
                            .encoding = encoding};
}

uint64_t zt_scene_frame_key(const zt_scene *scene, int64_t frame, const zt_encode_def *def)
{
    const zt_encode_def defaults = zt_default_encode_def();
    return scene ? frame_key(scene, frame, 1u << PLANE_COLOR, def ? def : &defaults) : 0;
}

void frame_origin(const zt_scene *scene, int64_t frame, uint32_t planes, zt_encode_def *def)
{
    def->has_key = def->metadata != ZT_METADATA_NONE;
    def->key = frame_key(scene, frame, planes, def);
    def->scene_hash = scene->inputs;
    def->frame = frame;
    def->time_s = scene_frame_time(scene, frame).shot_s;
}

void zt_scene_frame_origin(const zt_scene *scene, int64_t frame, zt_encode_def *def)
{
    if (scene && def)
        frame_origin(scene, frame, 1u << PLANE_COLOR, def);
}

zt_result frames_def_check(const zt_encode_def *def, zt_error *err)
{
    ZT_TRY(encode_def_check(def, err));
    if (def->has_key || def->text_count != 0)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "a key or texts for many frames (expected none: frames have their own key)");
    return ZT_OK;
}

/// Refuses a pattern, or a stream, that cannot tell the files apart.
static zt_result check_names(const zt_sequence_def *def, const picture_writer *writer,
                             const frame_files *files, zt_error *err)
{
    char better[FRAME_PATH_SIZE] = "";
    const bool plain = files->count == 1 && (files->asked[0] == 1u << PLANE_COLOR || !def->pattern);
    if (files->named || plain || writer->format.light)
        return ZT_OK;
    if (!def->pattern)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%d planes as one %s (expected one plane)",
                       (int)files->count, writer->format.title);
    frame_path_with_plane(def->pattern, better, sizeof better);
    return zt_fail(err, ZT_ERR_ARGUMENT, "%.300s: a %s holds one plane (expected {plane}: %.300s)",
                   def->pattern, writer->format.title, better);
}

zt_result frame_files_find(const zt_scene *scene, const zt_sequence_def *def,
                           const picture_writer *writer, frame_files *out, zt_error *err)
{
    const bool deep = def->encode.bits == 16 || def->encode.linear, many = writer->format.light;
    const bool bytes = many ? writer->planes & PICTURE_PLANE_COLOR8 && !def->encode.linear : !deep;
    const uint32_t color = bytes  ? (uint32_t)PICTURE_PLANE_COLOR8
                           : many ? 1u << PLANE_COLOR
                                  : 1u << PLANE_DISPLAY;
    uint32_t asked = scene->planes ? scene->planes : 1u << PLANE_COLOR;
    if (def->planes)
        ZT_TRY(picture_planes_read(def->planes, &asked, err));
    *out = (frame_files){.named = def->pattern && frame_path_has_field(def->pattern, true)};
    if (def->hash && asked & 1u << PLANE_COLOR)
        out->drawn = PICTURE_PLANE_COLOR8;
    for (int p = 0; p < PLANE_COUNT; p++) {
        const uint32_t set = p == PLANE_COLOR ? color : 1u << p;
        if (!(asked >> p & 1u))
            continue;
        ZT_TRY(picture_writer_takes(writer, (picture_plane)p, &def->encode, err));
        if (out->count == 0 || out->named || !writer->format.light)
            out->name[out->count++] = picture_plane_table[p].kind.name;
        out->asked[out->count - 1] |= 1u << p;
        out->encoded[out->count - 1] |= set;
        out->drawn |= set;
    }
    return check_names(def, writer, out, err);
}

bool frame_job_is_done(frame_job *j)
{
    const int32_t width = j->scene->width, height = j->scene->height;
    for (int32_t i = 0; i < j->files->count && j->writer->known; i++) {
        const uint64_t size = picture_planes_pixel_size(j->files->encoded[i]);
        file_bytes bytes;
        if (frame_job_name(j, i) == ZT_OK && j->encoding.has_key &&
            file_read_own(&j->file_arena, j->path, picture_file_limit(width, height) * size,
                          &bytes) == ZT_OK &&
            j->writer->known(bytes, j->encoding.key, width, height))
            j->missing &= ~(1u << i);
        arena_reset(&j->file_arena);
    }
    return j->missing == 0;
}

zt_result frame_job_start(frame_job *j, int64_t frame)
{
    j->frame = frame;
    j->time = scene_frame_time(j->scene, frame);
    j->missing = (1u << j->files->count) - 1;
    return frame_job_name(j, 0);
}

zt_result frame_job_name(frame_job *j, int32_t file)
{
    j->encoding = j->def->encode;
    if (!j->one_file)
        frame_origin(j->scene, j->frame, j->files->asked[file], &j->encoding);
    return frame_path(j->def->pattern, j->frame, j->files->name[file],
                      j->one_file || j->scene->selected.count == 1, j->path, sizeof j->path,
                      &j->error);
}

/// ZT_ERR_LIMIT when an OpenEXR file of these planes, unpacked, would not fit. NumPy's is larger.
static zt_result check_file(const zt_scene *scene, uint32_t set, const budget *b, zt_error *err)
{
    uint64_t size = 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        if (set >> p & 1u)
            size += (picture_plane_table[p].kind.half ? 2u : 4u) *
                    (uint64_t)picture_plane_table[p].kind.channels;
    if (size * (uint64_t)scene->width * (uint64_t)scene->height <= budget_left(b))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_LIMIT,
                   "the file of a frame: does not fit into the memory limit of %llu bytes",
                   (unsigned long long)budget_whole_limit(b));
}

zt_result scene_planes_init(const zt_scene *scene, const frame_files *files, arena *a,
                            picture_planes *out, zt_error *err)
{
    const uint32_t set = files->drawn;
    picture_planes planes;
    if (set & (PICTURE_PLANES_MEAN | 1u << PLANE_DISPLAY) && scene->look == SCENE_LOOK_SKELETON)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "a skeleton as OpenEXR or PNG of 16 bits (expected 8 bits)");
    ZT_TRY(picture_planes_init(&planes, set, scene->width, scene->height, a, err));
    for (int32_t i = 0; i < files->count; i++)
        ZT_TRY(check_file(scene, files->encoded[i], a->budget, err));
    planes.fps_numerator = scene->fps_numerator;
    planes.fps_denominator = scene->fps_denominator;
    planes.color8.keep_alpha = scene->transparent; // one kind of file for the whole sequence
    *out = planes;
    return ZT_OK;
}

zt_result frame_job_draw(frame_job *j, const frame_workers *workers)
{
    j->stats = (frame_stats){0};
    if (!j->planes.width)
        ZT_TRY(scene_planes_init(j->scene, j->files, &j->planes_arena, &j->planes, &j->error));
    return frame_draw(j->renderer, workers, j->scene, j->time, &j->planes, &j->stats, &j->error);
}

typedef struct band_loop {
    const png_plan *plan;
    budget *work;
    uint8_t *scratch; ///< [workers][scratch_size]
    size_t scratch_size;
} band_loop;

static void encode_band(void *user, int64_t index, int32_t worker)
{
    const band_loop *loop = user;
    const uint64_t start = job_clock_ns();
    if (!budget_cancelled(loop->work))
        png_band_encode(loop->plan, (int32_t)index,
                        loop->scratch + loop->scratch_size * (size_t)worker);
    trace_add(loop->work->trace, frame_stage_name(STAGE_ENCODE), start, job_clock_ns());
}

static zt_result encode_bands(frame_job *j)
{
    png_plan plan;
    ZT_TRY(png_plan_begin(&plan, &j->planes.color8, &j->file_arena, &j->error));
    plan.key = j->encoding.has_key ? &j->encoding.key : NULL;
    band_loop loop = {.plan = &plan,
                      .work = &j->renderer->budget,
                      .scratch_size = (plan.scratch_size + 63u) & ~(size_t)63u};
    const size_t workers = (size_t)j->renderer->worker_count;
    loop.scratch = arena_alloc_raw(&j->file_arena, workers, loop.scratch_size);
    if (!loop.scratch)
        return arena_fail(&j->file_arena, &j->error, "encoding a PNG");
    job_pool_run_split(j->renderer->pool, plan.band_count, encode_band, &loop);
    if (budget_cancelled(loop.work))
        return cancel_fail(&j->error);
    ZT_TRY(png_plan_finish(&plan, &j->file_arena, &j->bytes, &j->error));
    return png_texts_add(
        hash_words(HASH_START, plan.row_hash, (size_t)plan.image->height * sizeof *plan.row_hash),
        NULL, &j->encoding, &j->file_arena, &j->bytes, &j->error);
}

zt_result frame_job_encode_bands(frame_job *j)
{
    const uint64_t start = job_clock_ns();
    if (!j->writer->png_bands || j->def->encode.png != ZT_PNG_FAST ||
        !(j->missing & 1u && j->files->encoded[0] == PICTURE_PLANE_COLOR8))
        return ZT_OK;
    ZT_TRY(frame_job_name(j, 0));
    const zt_result result = encode_bands(j);
    j->stats.stage_ns[STAGE_ENCODE] += job_clock_ns() - start;
    if (result != ZT_OK) {
        arena_reset(&j->file_arena);
        j->bytes = (file_bytes){0};
    }
    return result;
}

static zt_result write_file(frame_job *j, int32_t file)
{
    const uint64_t start = job_clock_ns();
    const picture_planes planes = picture_planes_only(&j->planes, j->files->encoded[file]);
    zt_result result = frame_job_name(j, file);
    if (result == ZT_OK)
        result = crypto_texts_make(j->scene, j->files->encoded[file], &j->file_arena, &j->encoding,
                                   &j->error);
    if (result == ZT_OK && !j->bytes.data)
        result = j->writer->encode(&planes, &j->encoding, &j->file_arena, &j->bytes, &j->error);
    const uint64_t encoded = job_clock_ns();
    trace_add(j->renderer->budget.trace, frame_stage_name(STAGE_ENCODE), start, encoded);
    if (result == ZT_OK && j->renderer->hash_stages)
        j->stats.hash[PRODUCT_FILE] ^= product_hash_bytes(j->bytes.data, j->bytes.size);
    if (result == ZT_OK && j->one_file)
        result = animation_add(j->one_file, j->index, j->bytes, &j->file_arena, &j->error);
    else if (result == ZT_OK)
        result = file_save(j->path, FILE_ANYWHERE, j->bytes, j->def->encode.fsync,
                           &j->renderer->budget, &j->error);
    j->stats.stage_ns[STAGE_ENCODE] += encoded - start;
    const uint64_t end = job_clock_ns();
    j->stats.stage_ns[STAGE_WRITE] += end - encoded;
    trace_add(j->renderer->budget.trace, frame_stage_name(STAGE_WRITE), encoded, end);
    arena_reset(&j->file_arena);
    j->bytes = (file_bytes){0};
    return result;
}

zt_result frame_job_write(frame_job *j)
{
    zt_result result = ZT_OK;
    uint32_t added = 0; // files where there were none
    j->hash = j->def->hash ? picture_planes_hash(&j->planes) : 0;
    for (int32_t i = 0; i < j->files->count && result == ZT_OK; i++) {
        if (!(j->missing >> i & 1u))
            continue;
        const bool adds = frame_job_name(j, i) == ZT_OK && !file_exists(j->path);
        result = write_file(j, i);
        added |= (uint32_t)(adds && result == ZT_OK) << i;
    }
    for (int32_t i = 0; i < j->files->count && result != ZT_OK; i++)
        if (added >> i & 1u && frame_job_name(j, i) == ZT_OK) // no part of a frame is left
            (void)file_remove_below(j->path, FILE_ANYWHERE);
    return result;
}
