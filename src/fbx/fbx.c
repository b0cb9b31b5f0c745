// SPDX-License-Identifier: MIT
/// See fbx.h. File -> tree -> objects -> nodes, materials, meshes, clips.
#include "fbx/fbx.h"

#include "fbx/fbx_parts.h"

#include <string.h>

/// Properties of objects of a type, which are shown from `min` to `max`.
static const struct {
    const char *type, *name;
    double min, max;
} shown[] = {
    {"Camera", "FilmOffsetX", 0.0, 0.0},
    {"Camera", "FilmOffsetY", 0.0, 0.0},
    {"Camera", "FilmSqueezeRatio", 1.0, 1.0},
    {"Camera", "FilmRollValue", 0.0, 0.0},
    {"Camera", "UseDepthOfField", 0.0, 0.0},
    {"Light", "LightType", 0.0, 2.0},
    {"Light", "CastLight", 1.0, 1.0},
    {"Light", "EnableFarAttenuation", 0.0, 0.0},
    {"Light", "EnableNearAttenuation", 0.0, 0.0},
    {"", "Mute", 0.0, 0.0}, // of layers
    {"", "Solo", 0.0, 0.0},
};

static bool is_one_of(const char *text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, list[i]) == 0)
            return true;
    return false;
}

/// Targets that an object turns to, and constraints that move one.
static zt_result report_links(fbx_file *f, int32_t object, zt_error *err)
{
    static const char *const targets[] = {"LookAtProperty", "UpVectorProperty"};
    const fbx_scene *s = &f->scene;
    const fbx_object *o = &s->object[object];
    uint32_t textures = 0;
    for (uint32_t i = s->first_link[object]; i < s->first_link[object + 1]; i++) {
        ZT_TRY(arena_work(s->a, 1, "connections", err));
        textures += fbx_is_named(o->node, "LayeredTexture") &&
                    s->object[s->link[i].child].kind == FBX_TEXTURE;
        if (is_one_of(s->link[i].name, targets, 2))
            ZT_TRY(model_unsupported(&f->report, err, "%s of '%.64s' is not read", s->link[i].name,
                                     o->name));
    }
    if (textures > 1 && s->first_parent[object] < s->first_parent[object + 1])
        ZT_TRY(model_unsupported(&f->report, err, "of the textures of '%.64s' the first is shown",
                                 o->name));
    return fbx_is_named(o->node, "Constraint") &&
                   fbx_first_child(s, object, FBX_MODEL, NULL) >= 0 &&
                   fbx_property_number(s, object, "Active", 1.0) != 0.0 &&
                   fbx_property_number(s, object, "Weight", 100.0) != 0.0
               ? model_unsupported(&f->report, err, "a constraint (%.64s '%.200s') is not read",
                                   o->type, o->name)
               : ZT_OK;
}

/// Properties, surfaces and deformers. Caches are named by their files, which move vertices.
static zt_result report_object(fbx_file *f, int32_t object, zt_error *err)
{
    static const char *const surfaces[] = {"NurbsSurface", "Nurb", "Patch", "TrimNurbsSurface"};
    static const char *const deformers[] = {"Skin", "Cluster", "BlendShape", "BlendShapeChannel"};
    const fbx_scene *s = &f->scene;
    const fbx_object *o = &s->object[object];
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const fbx_node *own =
            strcmp(o->type, shown[i].type) == 0 ? fbx_own_property(s, object, shown[i].name) : NULL;
        const double value = fbx_number(own, fbx_property_values(s), shown[i].min);
        if (value < shown[i].min || value > shown[i].max)
            ZT_TRY(model_unsupported(&f->report, err, "%s: %g is not shown", shown[i].name, value));
    }
    if (o->kind == FBX_GEOMETRY && is_one_of(o->type, surfaces, 4))
        return model_unsupported(&f->report, err, "curved surfaces (%s) are not shown", o->type);
    if (o->kind != FBX_DEFORMER || is_one_of(o->type, deformers, 4) ||
        s->first_parent[object] == s->first_parent[object + 1] ||
        fbx_property_integer(s, object, "Active", 1) == 0)
        return ZT_OK;
    const int32_t cache = fbx_first_child(s, object, FBX_OTHER, NULL);
    const char *name = "";
    if (cache >= 0 && !s->object[cache].made) { // which many deformers may use
        const fbx_node *file = fbx_own_property(s, cache, "CacheFileName");
        s->object[cache].made = fbx_text(s->tree, file, fbx_property_values(s));
        if (!s->object[cache].made)
            return arena_fail(s->a, err, "a name");
    }
    if (cache >= 0)
        name = s->object[cache].made;
    return model_unsupported(&f->report, err,
                             "a geometry cache or deformer (%.64s '%.200s') is not read: what it "
                             "deforms stands still",
                             o->type, *name ? name : o->name);
}

/// Parts of the file that are not shown.
static zt_result report_losses(fbx_file *f, zt_error *err)
{
    ZT_TRY(model_warn_count(&f->report, f->lost_polygons,
                            "polygons have a corner that is no vertex, or not finite: left out",
                            err));
    if (f->lost_weights > 0)
        ZT_TRY(model_unsupported(&f->report, err,
                                 "more than 8 influences of a vertex: the 8 largest are kept"));
    for (int32_t i = 1; i < (int32_t)f->scene.object_count; i++) {
        ZT_TRY(report_links(f, i, err));
        ZT_TRY(report_object(f, i, err));
    }
    return f->model->mesh_count == 0 && f->model->camera_count == 0 && f->placed_count == 0
               ? model_warn(&f->report, err, "there are no models")
               : ZT_OK;
}

static zt_result parse(fbx_tree *tree, zt_error *err)
{
    tree->is_text = !file_starts_with(tree->bytes, 0, "Kaydara FBX Binary");
    if (tree->is_text)
        ZT_TRY(fbx_parse_text(tree, err));
    else
        ZT_TRY(fbx_parse_binary(tree, err));
    return tree->version >= FBX_OLDEST
               ? ZT_OK
               : zt_fail(err, ZT_ERR_UNSUPPORTED,
                         "%s: this FBX is older than version 6, which is not read (expected 6.0 "
                         "to 7.7: convert it with a later version of its program)",
                         tree->path);
}

static zt_result read_parts(fbx_file *f, zt_error *err)
{
    ZT_TRY(parse(&f->tree, err));
    ZT_TRY(fbx_scene_read(&f->tree, &f->report, &f->scene, err));
    ZT_TRY(fbx_motion_read(&f->scene, &f->motion, err));
    ZT_TRY(fbx_place_models(f, err));
    ZT_TRY(fbx_make_materials(f, err));
    ZT_TRY(fbx_make_meshes(f, err));
    ZT_TRY(fbx_make_cameras(f, err));
    ZT_TRY(fbx_make_clips(f, err));
    f->model->nodes = f->nodes;
    f->model->exact = f->source->at_origin ? f->exact : NULL;
    f->model->node_count = f->node_count;
    ZT_TRY(report_losses(f, err));
    ZT_TRY(arena_work(f->scratch, 1, "connections", err));
    return model_report_finish(&f->report, f->model, err);
}

static zt_result fbx_read(const model_source *source, zt_model *model, arena *scratch,
                          zt_error *err)
{
    fbx_file f = {.source = source,
                  .tree = {.path = source->path, .bytes = source->bytes, .a = scratch},
                  .model = model,
                  .keep = &model->arena,
                  .scratch = scratch,
                  .lasting = scratch};
    ZT_TRY(model_report_begin(&f.report, source, &fbx_format, model, scratch, err));
    return read_parts(&f, err);
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    (void)path;
    return file_starts_with(bytes, start, "Kaydara FBX Binary") ||
           file_starts_with(bytes, start, "; FBX") ||
           file_starts_with(bytes, start, "FBXHeaderExtension");
}

const model_format fbx_format = {
    .name = "FBX",
    .noun = "an FBX",
    .extensions = {{"fbx", "'Kaydara FBX Binary' or '; FBX'"}},
    .recognise = recognise,
    .read = fbx_read,
};
