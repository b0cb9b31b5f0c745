// SPDX-License-Identifier: MIT
#include "cli/warm.h"

#include "base/file_inputs.h"
#include "cli/option_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SIZE = 8192,
    USES_MAX = 64 ///< of a scene: what each sets takes memory
};

struct warm_store {
    const options *o; ///< of the request
    serve_upload *upload;
    bool used;
    zt_budget *budget;
    uint64_t max_memory;
    zt_limits limits;
    zt_renderer *renderer;
    zt_isa isa;
    zt_scene *scene;
    serve_upload *scene_upload; ///< that its files come from; NULL: it is of the disk
    int uses;
    bool told;          ///< loading it had a message, which the next request would miss
    char key[KEY_SIZE]; ///< of the scene: what decided its loading
    char words[KEY_SIZE];
    size_t words_size; ///< of the request that the scene is set for; 0: of none
    bool is_set;       ///< this request is the same
};

warm_store *warm_store_create(void) { return calloc(1, sizeof(warm_store)); }

static void drop_scene(warm_store *w)
{
    zt_scene_destroy(w->scene);
    w->scene = NULL;
    w->words_size = 0;
    w->is_set = false;
    if (w->scene_upload != w->upload)
        serve_upload_destroy(w->scene_upload);
    w->scene_upload = NULL;
}

static void drop_renderer(warm_store *w)
{
    zt_renderer_destroy(w->renderer);
    w->renderer = NULL;
}

static void drop_all(warm_store *w)
{
    drop_scene(w);
    drop_renderer(w);
    zt_budget_destroy(w->budget);
    w->budget = NULL;
}

zt_result warm_store_begin(warm_store *w, options *o, serve_upload *upload, zt_error *err)
{
    const bool same =
        w->max_memory == o->max_memory && memcmp(&w->limits, &o->limits, sizeof w->limits) == 0;
    w->o = o;
    w->upload = upload;
    w->used = w->budget && same;
    if (!same)
        drop_all(w);
    w->max_memory = o->max_memory;
    memcpy(&w->limits, &o->limits, sizeof w->limits);
    zt_result result = ZT_OK;
    if (!w->budget)
        result = zt_budget_create(o->max_memory, NULL, &w->budget, err);
    if (result == ZT_OK)
        result = zt_budget_set_limits(w->budget, &o->limits, err);
    if (result == ZT_OK) {
        file_inputs_clear(w->budget);
        file_inputs_supply(w->budget, NULL, NULL);
    }
    o->load.budget = o->renderer.budget = w->budget;
    o->warm = w;
    return result;
}

bool warm_store_end(warm_store *w, bool keeps)
{
    if (!keeps)
        drop_all(w);
    else if (w->told || w->o->verbose)
        drop_scene(w);
    if (w->scene_upload != w->upload)
        serve_upload_destroy(w->upload);
    w->upload = NULL;
    w->o = NULL;
    return w->used;
}

// ---- Scenes -------------------------------------------------------------------------------------

/// Messages of a scene that may outlive its request go to the one that it is used by.
static void pass_message(void *user, zt_severity severity, const char *text)
{
    warm_store *w = user;
    const zt_load_def *load = &w->o->load;
    w->told = true;
    if (load->message)
        load->message(load->message_user, severity, text);
}

/// All that decides how an input is loaded. False: it is too long.
static bool make_key(const options *o, const char *input, char out[KEY_SIZE])
{
    const option_flag *flag = NULL;
    size_t length =
        (size_t)snprintf(out, KEY_SIZE, "%s\n%d %d %d %d\n", input, (int)o->load.picture_side,
                         o->load.no_textures, o->load.confine_scene, (int)o->load.threads);
    for (int i = 0; (flag = option_at(i)) != NULL && length < KEY_SIZE; i++)
        if (o->given[i] && flag->offset >= offsetof(options, load) &&
            flag->offset < offsetof(options, load) + sizeof o->load)
            length += (size_t)snprintf(out + length, KEY_SIZE - length, "%s=%s\n", flag->name,
                                       o->given[i]);
    return length < KEY_SIZE;
}

static bool is_same_scene(const warm_store *w, const char *key)
{
    const serve_upload *now = w->o->load.open ? w->upload : NULL;
    if (!w->scene || strcmp(w->key, key) != 0 || (w->scene_upload != NULL) != (now != NULL))
        return false;
    return now ? serve_upload_equals(w->scene_upload, now) : file_inputs_unchanged(w->budget);
}

/// The words of the request, which decide all that its scene is set to. 0: they are too long.
static size_t join_words(const warm_store *w, char out[KEY_SIZE])
{
    const serve_call *call = &w->upload->call;
    size_t length = 0;
    for (int i = 0; i < call->argc; i++) {
        const size_t size = strlen(call->argv[i]) + 1;
        if (size > KEY_SIZE - length)
            return 0;
        memcpy(out + length, call->argv[i], size);
        length += size;
    }
    return length;
}

zt_result warm_scene_load(const options *o, const char *input, zt_scene **out, zt_error *err)
{
    warm_store *w = o->warm;
    char key[KEY_SIZE];
    if (!w)
        return zt_scene_load(input, &o->load, out, err);
    const bool keyed = make_key(o, input, key);
    if (keyed && !o->verbose && o->encode.metadata != ZT_METADATA_FULL && w->uses++ < USES_MAX &&
        is_same_scene(w, key)) {
        char words[KEY_SIZE];
        const size_t size = join_words(w, words);
        w->is_set = size > 0 && size == w->words_size && memcmp(words, w->words, size) == 0;
        if (!w->is_set) {
            zt_scene_restore(w->scene);
            w->words_size = 0;
        }
        *out = w->scene;
        return ZT_OK;
    }
    drop_scene(w);
    w->told = !keyed;
    w->uses = 0;
    memcpy(w->key, key, sizeof key);
    zt_load_def load = o->load;
    load.message = pass_message;
    load.message_user = w;
    file_inputs_watch(w->budget, true);
    const zt_result result = zt_scene_load(input, &load, &w->scene, err);
    w->scene_upload = o->load.open ? w->upload : NULL;
    *out = w->scene;
    return result;
}

zt_result warm_scene_apply(const options *o, zt_scene *scene, zt_error *err)
{
    warm_store *w = o->warm;
    if (w && w->is_set)
        return ZT_OK;
    if (w)
        w->words_size = join_words(w, w->words);
    return zt_scene_apply(scene, &o->shot, err);
}

void warm_scene_destroy(const options *o, zt_scene *scene)
{
    if (!o->warm)
        zt_scene_destroy(scene);
}

// ---- Renderers ----------------------------------------------------------------------------------

zt_result warm_renderer_create(const options *o, zt_renderer **out, zt_error *err)
{
    warm_store *w = o->warm;
    if (!w)
        return zt_renderer_create(&o->renderer, out, err);
    // --stats and --json tell all that a renderer has done so far.
    if (w->isa != o->renderer.max_isa || o->stats || o->json)
        drop_renderer(w);
    w->isa = o->renderer.max_isa;
    const zt_result result =
        w->renderer ? ZT_OK : zt_renderer_create(&o->renderer, &w->renderer, err);
    *out = w->renderer;
    return result;
}

void warm_renderer_destroy(const options *o, zt_renderer *renderer)
{
    if (!o->warm)
        zt_renderer_destroy(renderer);
}
