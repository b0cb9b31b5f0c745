// SPDX-License-Identifier: MIT
/// Images of a glTF file -> the textures that materials registered. Each image is decoded once, all
/// its textures are built from it, and it is dropped; several images at a time, on threads. An
/// image that is missing or broken takes its maps with it, with a warning, unless their textures
/// name another image: then those are made in a second round.
///
/// What comes of it must not depend on threads, the memory limit included: each job counts what it
/// takes, and unless the images one after another would stay below the limit as well, they are
/// thrown away and made one after another.
#include "base/messages.h"
#include "gltf/gltf_reader.h"

#include <stdio.h>
#include <string.h>

typedef struct image_job {
    gltf_reader *g; ///< read only while jobs run, but for the textures of this image
    uint32_t image;
    const char *name;
    const char *path; ///< of a file beside the model; NULL: `bytes`
    const char *note; ///< what of the picture is not shown; NULL: nothing
    file_bytes bytes;
    budget memory;
    arena keep; ///< mip chains and messages, moved into the model when all are done
    message_list messages;
    zt_result result;
    zt_error err;
} image_job;

/// A short name of an image for messages and for inspect.
static zt_result image_name(gltf_reader *g, uint32_t image, const json_place *place,
                            const char **out)
{
    const char *uri = json_string_value(json_object_get(place->value, "uri"));
    char number[32];
    ZT_TRY(gltf_name(g, place, out));
    if (**out)
        return ZT_OK;
    snprintf(number, sizeof number, "image %u", image);
    if (!uri || gltf_uri_is_data(uri))
        uri = number;
    *out = arena_text(g->keep, uri, strlen(uri));
    return *out ? ZT_OK : arena_fail(g->keep, g->err, "a name");
}

zt_result gltf_image_bytes(gltf_reader *g, const json_place *place, const char **out_path,
                           file_bytes *out)
{
    const char *uri;
    int32_t view;
    int64_t stride;
    *out_path = NULL;
    *out = (file_bytes){NULL, 0};
    const json_place member = json_member(place, "uri");
    ZT_TRY(gltf_text(g, place, "uri", &uri));
    ZT_TRY(gltf_member_index(g, place, "bufferView", g->view_count, "buffer view", &view));
    if (uri && !gltf_uri_is_data(uri))
        return gltf_uri_path(g, &member, uri, out_path);
    if (uri)
        return gltf_uri_decode(g, &member, uri, out);
    if (view >= 0)
        return gltf_view_bytes(g, view, out, &stride);
    return gltf_fail(g, place, ZT_ERR_FORMAT, "has neither a uri nor a bufferView");
}

static bool must_end(zt_result result)
{
    return result == ZT_ERR_MEMORY || result == ZT_ERR_LIMIT;
}

/// What of an image the calling thread does before the jobs: a broken one has its result then.
static zt_result prepare_job(gltf_reader *g, uint32_t image, image_job *job)
{
    json_place place;
    *job = (image_job){.g = g, .image = image};
    ZT_TRY(gltf_entry(g, &g->images, image, &place));
    ZT_TRY(image_name(g, image, &place, &job->name));
    job->result = gltf_image_bytes(g, &place, &job->path, &job->bytes);
    if (must_end(job->result))
        return job->result;
    job->err = *g->err;
    *g->err = (zt_error){ZT_OK, ""};
    return ZT_OK;
}

/// A texture that is shown without mips is not reduced: its sampler asked for these texels.
static picture_need need_of(const gltf_reader *g, uint32_t image)
{
    picture_need need = {.min_side = g->source->texture_least};
    for (int32_t t = g->image_first[image]; t >= 0; t = g->texture[t].next) {
        if (!g->texture[t].shaded)
            continue;
        if (g->texture[t].modes.mip == MODEL_MIP_NONE)
            need.min_side = 0;
        need.color |= g->texture[t].content == MIPMAP_COLOR || g->texture[t].content == MIPMAP_TINT;
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
    if (!t->shaded)
        return ZT_OK;
    return mipmap_build(&job->keep, source, t->content, t->modes.wrap_u, t->modes.wrap_v,
                        t->modes.mip != MODEL_MIP_NONE, &t->made.mipmap, &job->err);
}

/// Measures a picture of which no texture is shaded. False: it must be decoded after all.
static bool measure(image_job *job, arena *pictures, picture *out)
{
    const gltf_reader *g = job->g;
    const model_source *source = g->source;
    file_bytes bytes = job->bytes;
    zt_error unsaid = {ZT_OK, ""};
    for (int32_t t = g->image_first[job->image]; t >= 0; t = g->texture[t].next)
        if (g->texture[t].shaded)
            return false;
    if (job->path && texture_read(pictures, source->path, job->path, source->texture_dir,
                                  &(message_sink){0}, &bytes, &unsaid) != ZT_OK)
        return false;
    return picture_measure(bytes, out);
}

static zt_result decode_and_build(image_job *job, arena *pictures)
{
    const gltf_reader *g = job->g;
    const model_source *source = g->source;
    const picture_need need = need_of(g, job->image);
    picture decoded;
    if (measure(job, pictures, &decoded)) {
        // Nothing else is asked of it.
    } else if (job->path) {
        const message_sink sink = message_list_sink(&job->messages, &source->sink);
        ZT_TRY(texture_load(pictures, source->path, job->path, source->texture_dir, need, &sink,
                            &decoded, &job->err));
        if (job->keep.failed != ZT_OK)
            return arena_fail(&job->keep, &job->err, "a message");
    } else {
        ZT_TRY(picture_decode(pictures, job->name, job->bytes, need, &decoded, &job->err));
    }
    for (int32_t t = g->image_first[job->image]; t >= 0; t = g->texture[t].next)
        ZT_TRY(build_texture(job, &decoded, &g->texture[t]));
    if (decoded.note)
        job->note = arena_text(&job->keep, decoded.note, strlen(decoded.note));
    return decoded.note && !job->note ? arena_fail(&job->keep, &job->err, "a note") : ZT_OK;
}

static void run_job(void *user, int64_t index, int32_t worker)
{
    (void)worker;
    image_job *job = (image_job *)user + index;
    arena pictures;
    if (job->result != ZT_OK)
        return;
    arena_init(&pictures, &job->memory);
    job->result = decode_and_build(job, &pictures);
    arena_finish(&pictures);
}

static void begin_job(image_job *job)
{
    budget_init_part(&job->memory, job->g->keep->budget);
    arena_init(&job->keep, &job->memory);
    job->messages = (message_list){.a = &job->keep};
}

/// A message that begins with the file's path, without it: it is about to be put in front again.
static const char *without_path(const gltf_reader *g, const char *message)
{
    const size_t length = strlen(g->source->path);
    if (strncmp(message, g->source->path, length) != 0 || message[length] != ':')
        return message;
    message += length + 1;
    return *message == ' ' ? message + 1 : message;
}

/// Takes over what a job made, or says that its image is left out.
static zt_result accept_job(gltf_reader *g, image_job *job)
{
    json_place place;
    message_list_send(&job->messages, &g->source->sink);
    if (must_end(job->result)) {
        *g->err = job->err;
        return job->result;
    }
    if (job->result == ZT_OK) {
        for (int32_t t = g->image_first[job->image]; t >= 0; t = g->texture[t].next)
            g->texture[t].final = 0; // made; numbered when all are
        arena_absorb(g->keep, &job->keep);
    }
    ZT_TRY(gltf_entry(g, &g->images, job->image, &place));
    if (job->result == ZT_OK)
        return job->note ? gltf_unsupported(g, &place, "%s", job->note) : ZT_OK;
    return gltf_unsupported(g, &place, "the image is left out: %s",
                            without_path(g, job->err.message));
}

/// True when the jobs, which ran at the same time, would have fitted one after another as well.
static bool fit_in_turn(const budget *memory, uint64_t used, const image_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (jobs[i].result == ZT_ERR_LIMIT && jobs[i].memory.peak > 0)
            return false;
        if (used > memory->limit || jobs[i].memory.peak > memory->limit - used)
            return false;
        used += jobs[i].result == ZT_OK ? jobs[i].keep.used : 0;
    }
    return true;
}

static zt_result build_in_turn(gltf_reader *g, image_job *jobs, uint32_t count)
{
    zt_result result = ZT_OK;
    for (uint32_t i = 0; i < count && result == ZT_OK; i++) {
        begin_job(&jobs[i]);
        run_job(jobs, i, 0);
        result = accept_job(g, &jobs[i]);
        arena_finish(&jobs[i].keep);
    }
    return result;
}

/// `*out_done` is false when the jobs must be done again, one after another.
static zt_result build_at_once(gltf_reader *g, image_job *jobs, uint32_t count, bool *out_done)
{
    const uint64_t used = g->keep->budget->used;
    zt_result result = ZT_OK;
    for (uint32_t i = 0; i < count; i++)
        begin_job(&jobs[i]);
    job_pool_run(g->pool, count, run_job, jobs);
    *out_done = fit_in_turn(g->keep->budget, used, jobs, count);
    for (uint32_t i = 0; i < count; i++) {
        if (*out_done && result == ZT_OK)
            result = accept_job(g, &jobs[i]);
        arena_finish(&jobs[i].keep);
    }
    return result;
}

static zt_result build_images(gltf_reader *g, image_job *jobs, uint32_t count)
{
    if (g->pool && count > 1) {
        image_job *retry = ARENA_ARRAY_RAW(g->scratch, image_job, count);
        bool done = false;
        if (!retry)
            return arena_fail(g->scratch, g->err, "images");
        memcpy(retry, jobs, count * sizeof *jobs);
        const zt_result result = build_at_once(g, jobs, count, &done);
        if (done || result != ZT_OK)
            return result;
        jobs = retry;
    }
    return build_in_turn(g, jobs, count);
}

static void number_slot(const gltf_reader *g, model_slot *slot)
{
    if (slot->texture >= 0)
        slot->texture = g->texture[slot->texture].final;
}

/// Numbers the textures that were made, in the order in which materials named them.
static zt_result keep_textures(gltf_reader *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->made_textures; i++)
        count += g->texture[i].final >= 0;
    model_texture *textures = ARENA_ARRAY(g->keep, model_texture, count);
    if (!textures)
        return arena_fail(g->keep, g->err, "textures");
    count = 0;
    for (uint32_t i = 0; i < g->made_textures; i++)
        if (g->texture[i].final >= 0) {
            textures[count] = g->texture[i].made;
            g->texture[i].final = (int32_t)count++;
        }
    g->model->textures = textures;
    g->model->texture_count = count;
    for (uint32_t i = 0; i < g->made_materials; i++) {
        model_material *m = &g->material[i];
        model_slot *const slots[] = {&m->base_map,          &m->metal_rough_map, &m->normal_map,
                                     &m->occlusion_map,     &m->emissive_map,    &m->specular_map,
                                     &m->specular_color_map};
        for (size_t k = 0; k < sizeof slots / sizeof *slots; k++)
            number_slot(g, slots[k]);
        for (int k = 0; k < MODEL_LAYER_MAP_COUNT; k++)
            number_slot(g, &m->layers.map[k]);
    }
    return ZT_OK;
}

/// Makes all textures of the chains of images.
static zt_result build_chains(gltf_reader *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->image_count; i++)
        count += g->image_first[i] >= 0;
    image_job *jobs = ARENA_ARRAY_RAW(g->scratch, image_job, count);
    if (!jobs)
        return arena_fail(g->scratch, g->err, "images");
    count = 0;
    for (uint32_t i = 0; i < g->image_count; i++)
        if (g->image_first[i] >= 0)
            ZT_TRY(prepare_job(g, i, &jobs[count++]));
    return build_images(g, jobs, count);
}

/// New chains, of the textures that were not made and have another image. True when there are any.
static bool chain_fallbacks(gltf_reader *g)
{
    bool any = false;
    for (uint32_t i = 0; i < g->image_count; i++)
        g->image_first[i] = -1;
    for (uint32_t i = 0; i < g->made_textures; i++) {
        gltf_texture *t = &g->texture[i];
        if (t->final >= 0 || t->fallback < 0)
            continue;
        t->image = (uint32_t)t->fallback;
        t->fallback = -1;
        t->next = g->image_first[t->image];
        g->image_first[t->image] = (int32_t)i;
        any = true;
    }
    return any;
}

zt_result gltf_build_textures(gltf_reader *g)
{
    ZT_TRY(build_chains(g));
    if (chain_fallbacks(g))
        ZT_TRY(build_chains(g));
    return keep_textures(g);
}
