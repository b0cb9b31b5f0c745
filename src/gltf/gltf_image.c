// SPDX-License-Identifier: MIT
/// Images of a glTF file -> textures that materials registered. Each image is decoded once, its
/// textures are built and it is dropped; several at a time, on threads. Maps of a missing or broken
/// image are left out with a warning, or made of another image of the texture, in a second round.
///
/// The result must not depend on threads, not even at the memory limit: each job counts its memory,
/// and if images made in turn would exceed the limit, all are dropped and made in turn.
#include "base/messages.h"
#include "gltf/gltf_parts.h"
#include "texture/texture_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 8 << 10 }; ///< the part of an arena's first block that is touched

typedef struct image_job {
    const model_source *source;
    gltf_textures *textures; ///< read only while jobs run, but for those of this image
    uint32_t image;
    const char *name;
    const char *path; ///< of a file in the model's folder; NULL: `bytes`
    const char *note; ///< a feature of the picture that is not shown; NULL: none
    file_bytes bytes;
    budget memory;
    arena keep; ///< mip chains and messages, moved into the model when all are done
    arena held; ///< the picture, where maps are joined: moved into file->pictures
    message_list messages;
    job_pool *pool;   ///< helps; NULL: nobody does
    bool too_large;   ///< why `result` is ZT_ERR_LIMIT
    bool lfs_pointer; ///< why it is ZT_ERR_INPUT
    zt_result result;
    zt_error err;
} image_job;

/// A short name of an image for messages and for inspect.
static zt_result image_name(gltf_file *file, uint32_t image, const json_pointer *json,
                            const char **out)
{
    const char *uri = json_str(json_get(json->value, "uri"));
    char number[32];
    ZT_TRY(gltf_name(file->log, json, out));
    if (**out)
        return ZT_OK;
    snprintf(number, sizeof number, "image %u", image);
    if (!uri || gltf_uri_is_data(uri))
        uri = number;
    return ARENA_TEXT(file->keep, out, uri, "a name", file->log->err);
}

static bool must_end(zt_result result)
{
    return result == ZT_ERR_MEMORY || result == ZT_ERR_LIMIT || result == ZT_ERR_CANCELLED;
}

/// The result of a job that has run; too large a picture is left out where that is allowed.
static bool job_must_end(const image_job *job)
{
    return (must_end(job->result) && (!job->too_large || job->source->sink.strict)) ||
           job->lfs_pointer;
}

/// Done by the calling thread before the jobs run. A broken image has its result then.
static zt_result prepare_job(gltf_file *file, gltf_textures *textures, uint32_t image,
                             image_job *job)
{
    json_pointer json;
    *job = (image_job){
        .source = file->source, .textures = textures, .image = image, .pool = file->pool};
    ZT_TRY(gltf_list_entry(file, GLTF_IMAGES, image, &json));
    ZT_TRY(image_name(file, image, &json, &job->name));
    job->result = gltf_image_bytes(file, &json, &job->path, &job->bytes);
    if (must_end(job->result))
        return job->result;
    job->err = *file->log->err;
    *file->log->err = (zt_error){ZT_OK, ""};
    return ZT_OK;
}

/// A texture that is shown without mips is not reduced: its sampler selects these texels.
static picture_need need_of(const image_job *job)
{
    picture_need need = {
        .min_side = job->source->texture_min_side, .counted = true, .pool = job->pool};
    const gltf_texture *t;
    for (int32_t i = job->textures->image_first[job->image]; i >= 0; i = t->next) {
        t = &job->textures->texture[i];
        if (!t->shaded)
            continue;
        if (t->modes.mip == MODEL_MIP_NONE)
            need.min_side = 0;
        need.color |= t->content == MIPMAP_COLOR || t->content == MIPMAP_TINT;
    }
    return need;
}

static zt_result build_texture(image_job *job, const picture *source, gltf_texture *t)
{
    t->made = (model_texture){.name = job->name,
                              .format = source->codec,
                              .image = (int32_t)job->image,
                              .mag = t->modes.mag,
                              .min = t->modes.min,
                              .mip = t->modes.mip,
                              .is_normal_map = t->content == MIPMAP_NORMAL,
                              .two_channel = t->content == MIPMAP_NORMAL && source->two_channel};
    t->made.mipmap = (mipmap){
        .format = t->content == MIPMAP_COLOR || t->content == MIPMAP_TINT ? MIPMAP_U15 : MIPMAP_U8,
        .wrap_u = t->modes.wrap_u,
        .wrap_v = t->modes.wrap_v,
        .level = {{.width = source->width, .height = source->height}}};
    if (t->made.is_normal_map)
        t->made.shortness = mipmap_shortness(source);
    const bool joined = t->use.joined && job->source->joined_maps;
    if (!t->shaded)
        return ZT_OK;
    if (joined)
        t->picture = *source;
    if (joined && !t->use.alone) {
        mipmap_measure(source, t->content, t->modes.wrap_u, t->modes.wrap_v,
                       t->modes.mip != MODEL_MIP_NONE, &t->made.mipmap);
        return ZT_OK;
    }
    picture from = *source;
    from.mask_cutoff = t->use.mask_cutoff;
    return mipmap_build_shared(job->pool, &job->keep, &from, t->content, t->modes.wrap_u,
                               t->modes.wrap_v, t->modes.mip != MODEL_MIP_NONE, &t->made.mipmap,
                               &job->err);
}

/// Measures a picture of which no texture is shaded. False: it must be decoded after all.
static bool measure(image_job *job, arena *pictures, picture *out)
{
    const gltf_textures *textures = job->textures;
    const texture_origin origin = model_texture_origin(job->source);
    file_bytes bytes = job->bytes;
    zt_error unsaid = {ZT_OK, ""};
    for (int32_t t = textures->image_first[job->image]; t >= 0; t = textures->texture[t].next)
        if (textures->texture[t].shaded)
            return false;
    if (job->path &&
        texture_read(pictures, &origin, job->path, &(message_sink){0}, &bytes, &unsaid) != ZT_OK)
        return false;
    return picture_measure(bytes, out);
}

static zt_result decode_and_build(image_job *job, arena *pictures)
{
    const gltf_textures *textures = job->textures;
    const model_source *source = job->source;
    const picture_need need = need_of(job);
    zt_result result = ZT_OK;
    picture decoded = {0};
    if (measure(job, pictures, &decoded)) {
        // Nothing else is needed.
    } else if (job->path) {
        const message_sink sink = message_list_sink(&job->messages, &source->sink);
        const texture_origin origin = model_texture_origin(source);
        result = texture_load(pictures, &origin, job->path, need, &sink, &decoded, &job->err);
        if (result == ZT_OK && job->keep.failed != ZT_OK)
            return arena_fail(&job->keep, &job->err, "a message");
    } else {
        result = picture_decode(pictures, job->name, job->bytes, need, &decoded, &job->err);
    }
    job->too_large = decoded.too_large;
    job->lfs_pointer = decoded.lfs_pointer;
    ZT_TRY(result);
    for (int32_t t = textures->image_first[job->image]; t >= 0; t = textures->texture[t].next)
        ZT_TRY(build_texture(job, &decoded, &textures->texture[t]));
    if (decoded.note)
        job->note = arena_text(&job->keep, decoded.note, strlen(decoded.note));
    return decoded.note && !job->note ? arena_fail(&job->keep, &job->err, "a note") : ZT_OK;
}

/// True when a texture of the image is joined with others, for which its picture is kept.
static bool is_joined(const image_job *job)
{
    const gltf_textures *textures = job->textures;
    for (int32_t t = textures->image_first[job->image]; t >= 0; t = textures->texture[t].next)
        if (textures->texture[t].shaded && textures->texture[t].use.joined)
            return job->source->joined_maps;
    return false;
}

static void run_job(image_job *job)
{
    arena pictures;
    if (job->result != ZT_OK)
        return;
    const uint64_t start = job_clock_ns();
    arena_init(&pictures, &job->memory);
    job->result = decode_and_build(job, is_joined(job) ? &job->held : &pictures);
    arena_finish(&pictures);
    trace_add(job->memory.trace, "texture", start, job_clock_ns());
}

static void run_nth_job(void *user, int64_t index, int32_t worker)
{
    image_job *job = ((image_job *const *)user)[index];
    work_count *own = job->memory.work, *all = job->memory.parent->work;
    (void)worker;
    job->memory.work = all;
    if (job->result == ZT_OK) // too much at once is done in turn
        job->result = arena_work(&job->keep, 0, "images", &job->err);
    job->memory.work = own;
    run_job(job);
    all->bytes += own->bytes;
    all->steps += own->steps;
}

/// The largest file first, so that no worker is left alone with it; else as in the model.
static int by_size(const void *a, const void *b)
{
    const image_job *x = *(image_job *const *)a, *y = *(image_job *const *)b;
    if (x->bytes.size != y->bytes.size)
        return x->bytes.size > y->bytes.size ? -1 : 1;
    return (x > y) - (x < y);
}

static void begin_job(image_job *job, budget *whole)
{
    budget_init_part(&job->memory, whole);
    job->memory.work = &job->memory.own_work; // until it is its turn
    arena_init(&job->keep, &job->memory);
    arena_init(&job->held, &job->memory);
    // There may be 100,000 images, each with first blocks of its own.
    if (job->result == ZT_OK &&
        (!arena_charge(&job->keep, FIRST_BLOCK_BYTES) ||
         (is_joined(job) && !arena_charge(&job->held, FIRST_BLOCK_BYTES)))) {
        job->result =
            arena_fail(job->keep.failed != ZT_OK ? &job->keep : &job->held, &job->err, "images");
        job->memory.peak = 1;
    }
    job->messages = (message_list){.a = &job->keep};
}

/// Takes over the textures of a job, or reports that its image is left out.
static zt_result accept_job(gltf_file *file, gltf_textures *textures, image_job *job)
{
    json_pointer json;
    message_list_send(&job->messages, &file->source->sink);
    budget_read(file->keep->budget, job->memory.own_work.bytes);
    ZT_TRY(arena_work(file->keep, job->memory.own_work.steps, "images", file->log->err));
    if (job_must_end(job)) {
        *file->log->err = job->err;
        return job->result;
    }
    if (job->result == ZT_OK) {
        for (int32_t t = textures->image_first[job->image]; t >= 0; t = textures->texture[t].next)
            textures->texture[t].final = 0; // made; numbered when all are
        arena_absorb(file->keep, &job->keep);
        arena_absorb(&file->pictures, &job->held);
    }
    ZT_TRY(gltf_list_entry(file, GLTF_IMAGES, job->image, &json));
    if (job->result == ZT_OK)
        return job->note ? gltf_unsupported(file->log, &json, "%s", job->note) : ZT_OK;
    return gltf_unsupported(file->log, &json, "the image is left out: %s",
                            error_without_path(job->err.message, file->log->path));
}

/// True when the jobs, which ran at the same time, would have fitted one after another as well.
static bool fit_in_turn(uint64_t left, const image_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (jobs[i].result == ZT_ERR_LIMIT && !jobs[i].too_large && jobs[i].memory.peak > 0)
            return false;
        if (jobs[i].memory.peak > left)
            return false;
        left -= jobs[i].result == ZT_OK ? jobs[i].keep.used + jobs[i].held.used : 0;
    }
    return true;
}

static zt_result build_in_turn(gltf_file *file, gltf_textures *textures, image_job *jobs,
                               uint32_t count)
{
    zt_result result = ZT_OK;
    for (uint32_t i = 0; i < count && result == ZT_OK; i++) {
        begin_job(&jobs[i], file->keep->budget);
        run_job(&jobs[i]);
        result = accept_job(file, textures, &jobs[i]);
        arena_finish(&jobs[i].keep);
        arena_finish(&jobs[i].held);
    }
    return result;
}

/// `*out_done` is false when the jobs must be done again, one after another.
static zt_result build_at_once(gltf_file *file, gltf_textures *textures, image_job *jobs,
                               uint32_t count, bool *out_done)
{
    const uint64_t left = budget_left(file->keep->budget);
    zt_result result = ZT_OK;
    image_job **queue;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &queue, count, "images", file->log->err));
    for (uint32_t i = 0; i < count; i++) {
        queue[i] = &jobs[i];
        begin_job(&jobs[i], file->keep->budget);
    }
    qsort(queue, count, sizeof(image_job *), by_size);
    work_count *work = file->keep->budget->work;
    const uint64_t bytes = work->bytes, steps = work->steps;
    job_pool_run(file->pool, count, run_nth_job, queue);
    work->bytes = bytes; // accept_job() counts in order
    work->steps = steps;
    *out_done = fit_in_turn(left, jobs, count);
    for (uint32_t i = 0; i < count; i++) {
        if (*out_done && result == ZT_OK)
            result = accept_job(file, textures, &jobs[i]);
        arena_finish(&jobs[i].keep);
        arena_finish(&jobs[i].held);
    }
    return result;
}

static zt_result build_images(gltf_file *file, gltf_textures *textures, image_job *jobs,
                              uint32_t count)
{
    if (file->pool && count > 1) {
        image_job *retry = ARENA_ARRAY_RAW(file->scratch, image_job, count);
        bool done = false;
        if (!retry)
            return arena_fail(file->scratch, file->log->err, "images");
        memcpy(retry, jobs, count * sizeof *jobs);
        hash_sum *inputs = file->source->inputs;
        const uint64_t before = inputs ? *inputs : 0;
        const zt_result result = build_at_once(file, textures, jobs, count, &done);
        if (done || result != ZT_OK)
            return result;
        jobs = retry;
        if (inputs)
            *inputs = before; // each file counts once
    }
    return build_in_turn(file, textures, jobs, count);
}

static void number_slot(const gltf_textures *textures, model_slot *slot)
{
    if (slot->texture >= 0)
        slot->texture = textures->texture[slot->texture].final;
}

zt_result gltf_keep_textures(gltf_file *file, gltf_textures *textures, gltf_materials *materials,
                             zt_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < textures->count; i++)
        count += textures->texture[i].final >= 0;
    model_texture *made = ARENA_ARRAY(file->keep, model_texture, count);
    textures->pictures = ARENA_ARRAY(file->scratch, const picture *, count);
    if (!made || !textures->pictures)
        return arena_fail(made ? file->scratch : file->keep, file->log->err, "textures");
    count = 0;
    for (uint32_t i = 0; i < textures->count; i++)
        if (textures->texture[i].final >= 0) {
            made[count] = textures->texture[i].made;
            if (textures->texture[i].picture.width > 0)
                textures->pictures[count] = &textures->texture[i].picture;
            textures->texture[i].final = (int32_t)count++;
        }
    model->textures = made;
    model->texture_count = count;
    for (uint32_t i = 0; i < materials->count; i++) {
        model_material *m = &materials->material[i];
        model_slot *const slots[] = {&m->base_map,          &m->metal_rough_map, &m->normal_map,
                                     &m->occlusion_map,     &m->emissive_map,    &m->specular_map,
                                     &m->specular_color_map};
        for (size_t k = 0; k < sizeof slots / sizeof *slots; k++)
            number_slot(textures, slots[k]);
        for (int k = 0; k < MATERIAL_EXTENSION_MAP_COUNT; k++)
            number_slot(textures, &m->extensions.map[k]);
    }
    return ZT_OK;
}

/// Makes all textures of the chains of images.
static zt_result build_chains(gltf_file *file, gltf_textures *textures)
{
    const uint32_t image_count = file->list[GLTF_IMAGES].count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < image_count; i++)
        count += textures->image_first[i] >= 0;
    image_job *jobs;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &jobs, count, "images", file->log->err));
    count = 0;
    for (uint32_t i = 0; i < image_count; i++)
        if (textures->image_first[i] >= 0)
            ZT_TRY(prepare_job(file, textures, i, &jobs[count++]));
    return build_images(file, textures, jobs, count);
}

/// New chains, of the textures that were not made and have another image. True when there are any.
static bool chain_fallbacks(gltf_file *file, gltf_textures *textures)
{
    bool any = false;
    for (uint32_t i = 0; i < file->list[GLTF_IMAGES].count; i++)
        textures->image_first[i] = -1;
    for (uint32_t i = 0; i < textures->count; i++) {
        gltf_texture *t = &textures->texture[i];
        if (t->final >= 0 || t->fallback < 0)
            continue;
        t->image = (uint32_t)t->fallback;
        t->fallback = -1;
        t->next = textures->image_first[t->image];
        textures->image_first[t->image] = (int32_t)i;
        any = true;
    }
    return any;
}

static zt_result find_uses(const gltf_file *file, gltf_textures *textures,
                           const gltf_materials *materials)
{
    texture_use *uses;
    ZT_TRY(ARENA_TAKE(file->scratch, &uses, textures->count, "textures", file->log->err));
    for (uint32_t i = 0; i < materials->count; i++)
        model_texture_uses(&materials->material[i], uses);
    for (uint32_t i = 0; i < textures->count; i++)
        textures->texture[i].use = uses[i];
    return ZT_OK;
}

zt_result gltf_build_textures(gltf_file *file, gltf_textures *textures, gltf_materials *materials,
                              zt_model *model)
{
    if (file->source->no_textures)
        return ZT_OK;
    ZT_TRY(find_uses(file, textures, materials));
    ZT_TRY(build_chains(file, textures));
    if (chain_fallbacks(file, textures))
        ZT_TRY(build_chains(file, textures));
    return gltf_keep_textures(file, textures, materials, model);
}
