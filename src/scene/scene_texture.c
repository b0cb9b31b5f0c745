// SPDX-License-Identifier: MIT
/// Pictures that materials of a scene name, as textures. What two materials want alike is loaded
/// once.
#include "image/texture_file.h"
#include "load/load.h"
#include "scene/scene_parts.h"

#include <string.h>

struct scene_texture {
    scene_texture *next;
    const char *name; ///< as the scene writes it
    const char *path; ///< the same from here; unlike those of models it may lead anywhere
    mipmap_content content;
    model_texture texture;
};

static bool same_sampler(const model_texture *a, const model_texture *b)
{
    return a->mag == b->mag && a->min == b->min && a->mip == b->mip &&
           a->mipmap.wrap_u == b->mipmap.wrap_u && a->mipmap.wrap_v == b->mipmap.wrap_v;
}

static scene_texture *find_texture(const zt_scene *scene, const scene_texture *sought)
{
    scene_texture *t = scene->textures;
    while (t && (strcmp(t->name, sought->name) != 0 || t->content != sought->content ||
                 !same_sampler(&t->texture, &sought->texture)))
        t = t->next;
    return t;
}

// Decodes into memory of its own, so that the picture is gone when its mip chain is made.
static zt_result load_texture(scene_reader *r, scene_texture *t, zt_error *problem)
{
    zt_scene *scene = r->scene;
    model_texture *made = &t->texture;
    const model_source source = model_source_of(&scene->load, t->path);
    const bool mips = made->mip != MODEL_MIP_NONE;
    const picture_need need = {mips ? source.texture_least : 0, t->content == MIPMAP_COLOR};
    arena pictures;
    arena_init(&pictures, &scene->budget_own);
    picture decoded;
    zt_result result = texture_load(&pictures, t->path, path_name(t->path), source.texture_dir,
                                    need, &source.sink, &decoded, problem);
    if (result == ZT_OK)
        result = mipmap_build(&scene->arena, &decoded, t->content, made->mipmap.wrap_u,
                              made->mipmap.wrap_v, mips, &made->mipmap, problem);
    if (result == ZT_OK && decoded.note)
        message_warn(&source.sink, "%s: %s", t->path, decoded.note);
    made->two_channel = result == ZT_OK && made->is_normal_map && decoded.two_channel;
    arena_finish(&pictures);
    return result;
}

// A picture that is not there is a mistake of the scene: say where the scene names it.
static zt_result fail_load(scene_reader *r, const document_node *value, const scene_texture *t,
                           zt_result result, const zt_error *problem)
{
    char place[DOCUMENT_LOCATION_SIZE];
    if (result != ZT_ERR_INPUT)
        return zt_fail(r->err, result, "%s", problem->message);
    const size_t length = strlen(t->path);
    const char *text = problem->message;
    if (strncmp(text, t->path, length) == 0 && text[length] == ':' && text[length + 1] == ' ')
        text += length + 2;
    return zt_fail(r->err, result, "%s: %s", document_location(r->path, value, false, place), text);
}

zt_result scene_read_texture(scene_reader *r, const document_node *value, mipmap_content content,
                             const model_texture *like, const model_texture **out)
{
    arena *a = &r->scene->arena;
    if (value->kind != DOCUMENT_STRING || value->text[0] == 0)
        return value_wrong(r, value, "the path of a picture");
    const char *path = path_beside(a, r->path, value->text);
    scene_texture *t = ARENA_ARRAY(a, scene_texture, 1);
    if (!path || !t)
        return arena_fail(a, r->err, "textures of the scene");
    if (strcmp(value->text, "-") == 0 || file_is_device(path))
        return value_wrong(r, value, "the path of a picture, no pipe or device");
    t->name = arena_text(a, value->text, strlen(value->text));
    if (!t->name)
        return arena_fail(a, r->err, "textures of the scene");
    t->path = path;
    t->content = content;
    t->texture = (model_texture){.name = t->name,
                                 .mag = like ? like->mag : MODEL_LINEAR_FILTER,
                                 .min = like ? like->min : MODEL_LINEAR_FILTER,
                                 .mip = like ? like->mip : MODEL_MIP_LINEAR,
                                 .is_normal_map = content == MIPMAP_NORMAL};
    t->texture.mipmap.wrap_u = like ? like->mipmap.wrap_u : MIPMAP_REPEAT;
    t->texture.mipmap.wrap_v = like ? like->mipmap.wrap_v : MIPMAP_REPEAT;
    scene_texture *known = find_texture(r->scene, t);
    if (!known) {
        zt_error problem = {0};
        const zt_result result = load_texture(r, t, &problem);
        if (result != ZT_OK)
            return fail_load(r, value, t, result, &problem);
        t->next = r->scene->textures;
        r->scene->textures = known = t;
    }
    *out = &known->texture;
    return ZT_OK;
}
