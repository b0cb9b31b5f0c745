// SPDX-License-Identifier: MIT
/// The contents of a scene file, section by section:
///
///     format
///     output                    scene_output.c
///     environment               scene_environment.c
///     ambient_occlusion         scene_occlusion.c
///     models                    here, and of each model or instance:
///       file, clips_from        scene_model_files.c
///       transform               here
///       animation               scene_animation.c; each layer scene_animation_layer.c
///       morph_targets, morphs   scene_morphs.c
///       parent                  scene_links.c
///       materials               scene_materials.c
///       ik                      scene_ik.c, scene_ik_*.c; its targets scene_links.c
///       springs                 scene_springs.c
///       instances               here; a crowd scene_crowd.c
///     springs                   scene_springs.c
///     camera                    scene_camera.c
///     lights                    scene_lights.c
///     preset, light, ground     scene_presets.c
///
/// The tables of keys are the reference of what a scene may contain; docs/scenes.md describes them.
#include "scene/scene_read.h"

#include "base/def_fields.h"
#include "base/hash.h"
#include "scene/scene_build.h"
#include "scene/scene_links.h"

#include <string.h>

// ---- Keys of models and instances ---------------------------------------------------------------

/// The names of models and instances that were read.
typedef struct name_set {
    hash_table table;
    const char **name; ///< [count]
    uint32_t count;
} name_set;

/// A member of `models`, or one of its instances.
typedef struct model_entry {
    scene_instance instance;
    model_file_keys file_keys;
    const document_node *instances, *materials;
    name_set *names;
} model_entry;

/// A name is unique: cameras, targets and parents refer to models by name.
static zt_result read_name(document_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    name_set *names = entry->names;
    ZT_TRY(value_text(r, value, "a name", &entry->instance.name));
    uint32_t *slot =
        hash_table_text(&names->table, names->name, sizeof *names->name, entry->instance.name);
    if (*slot != 0)
        return value_fail(r, value, false, "the name '%.80s' is used twice (expected once)",
                          entry->instance.name);
    names->name[names->count] = entry->instance.name;
    *slot = ++names->count;
    return ZT_OK;
}

static zt_result read_handedness(document_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"left", "right"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((model_entry *)target)->file_keys.handedness = choice == 0 ? 'l' : 'r';
    return ZT_OK;
}

static zt_result read_up(document_reader *r, const document_node *value, void *target)
{
    int32_t choice = 0;
    ZT_TRY(value_word(r, value, ZT_WORDS_UP, &choice));
    ((model_entry *)target)->file_keys.load.file_up = zt_word_at(ZT_WORDS_UP, choice);
    return ZT_OK;
}

static zt_result read_unit(document_reader *r, const document_node *value, void *target)
{
    int32_t unit_um = 0;
    ZT_TRY(value_named(r, value, length_units, &unit_um));
    ((model_entry *)target)->file_keys.load.unit_um = unit_um;
    return ZT_OK;
}

static zt_result read_file(document_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    return scene_read_model_file(r, value, &entry->file_keys, &entry->instance.model);
}

static zt_result read_shape(document_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    if (entry->instance.model)
        return value_fail(r, value, true, "both a file and a shape (expected one of them)");
    if (entry->file_keys.clips_from)
        return value_fail(r, value, true, "a shape with clips_from (expected a file)");
    return scene_read_shape(r, value, entry->file_keys.load.color, &entry->instance.model);
}

static zt_result read_morph_targets(document_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    return scene_read_morph_targets(r, value, &entry->file_keys, &entry->instance);
}

/// Keeps `materials` until the model is loaded: they decide whether it needs tangents.
static zt_result keep_materials(document_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    (void)r;
    entry->materials = value;
    entry->file_keys.tangents = entry->file_keys.tangents || scene_materials_need_tangents(value);
    return ZT_OK;
}

static zt_result keep_instances(document_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    if (value->kind != DOCUMENT_LIST && value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a list of instances, or a map that describes a crowd");
    entry->instances = value;
    for (const document_node *node = value->first; node; node = node->next)
        if (value->kind == DOCUMENT_LIST &&
            scene_materials_need_tangents(document_member(node, "materials")))
            entry->file_keys.tangents = true;
    return ZT_OK;
}

// ---- transform ----------------------------------------------------------------------------------

static zt_result read_transform(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_TRACK("translate", KEY_OPTIONAL, scene_instance, translate, TRACK_VECTOR, -1e9, 1e9),
        KEY_TRACK("rotate", KEY_OPTIONAL, scene_instance, rotate, TRACK_ROTATION, -1e6, 1e6),
        KEY_TRACK("scale", KEY_OPTIONAL, scene_instance, scale, TRACK_SCALE, -1e6, 1e6),
        KEY_READ("path", KEY_OPTIONAL, scene_read_path),
    };
    return value_map(r, value, "transform", keys, COUNT_OF(keys), target);
}

// ---- models -------------------------------------------------------------------------------------

static const char *const skinnings[] = {"file", "linear", "dual_quaternion"};

static zt_result add_instance(document_reader *r, const scene_instance *instance)
{
    scene_instance *added = scene_new_instance(scene_of(r));
    if (!added)
        return arena_fail(r->keep, r->err, "scene");
    *added = *instance;
    return ZT_OK;
}

static zt_result read_instances(document_reader *r, const document_node *value,
                                const model_entry *model)
{
    static const map_key keys[] = {
        KEY_READ("name", KEY_OPTIONAL, read_name),
        KEY_READ_INTO("transform", KEY_OPTIONAL, read_transform, model_entry, instance),
        KEY_READ_INTO("animation", KEY_OPTIONAL, scene_read_animation, model_entry, instance),
        KEY_READ_INTO("bones", KEY_OPTIONAL, scene_read_bones, model_entry, instance),
        KEY_READ_INTO("ik", KEY_OPTIONAL, scene_read_ik, model_entry, instance),
        KEY_READ_INTO("springs", KEY_OPTIONAL, scene_read_springs, model_entry, instance),
        KEY_READ_INTO("morphs", KEY_OPTIONAL, scene_read_morphs, model_entry, instance),
        KEY_READ_INTO("expression", KEY_OPTIONAL, scene_read_expressions, model_entry, instance),
        KEY_READ_INTO("parent", KEY_OPTIONAL, scene_read_parent, model_entry, instance),
        KEY_CHOICE("skinning", KEY_OPTIONAL, model_entry, instance.skinning, skinnings),
        KEY_TRACK("visible", KEY_OPTIONAL, model_entry, instance.showing.visible, TRACK_SWITCH, 0,
                  1),
        KEY_TRACK("opacity", KEY_OPTIONAL, model_entry, instance.showing.opacity, TRACK_NUMBER, 0,
                  1),
        KEY_READ_INTO("nodes", KEY_OPTIONAL, scene_read_nodes, model_entry, instance),
        KEY_READ_INTO("materials", KEY_OPTIONAL, scene_read_materials, model_entry, instance),
    };
    if (value->kind == DOCUMENT_MAP)
        return scene_read_crowd(r, value);
    for (const document_node *node = value->first; node; node = node->next) {
        model_entry entry = *model;
        reading_of(r)->instance = &entry.instance;
        ZT_TRY(value_map(r, node, "instance", keys, COUNT_OF(keys), &entry));
        ZT_TRY(add_instance(r, &entry.instance));
    }
    return ZT_OK;
}

static zt_result read_model(document_reader *r, const document_node *value, name_set *names)
{
    // value_map reads keys in the order of this table, not of the file: first those that decide how
    // `file` is loaded, then those that refer to its clips and bones.
    static const map_key keys[] = {
        KEY_READ("name", KEY_OPTIONAL, read_name),
        KEY_READ("handedness", KEY_OPTIONAL, read_handedness),
        KEY_READ("up", KEY_OPTIONAL, read_up),
        KEY_READ("unit", KEY_OPTIONAL, read_unit),
        KEY_READ_INTO("color", KEY_OPTIONAL, value_color_text, model_entry, file_keys.load.color),
        KEY_BOOL("first_person", KEY_OPTIONAL, model_entry, file_keys.load.first_person),
        KEY_NODE("clips_from", KEY_OPTIONAL, model_entry, file_keys.clips_from),
        KEY_READ("instances", KEY_OPTIONAL, keep_instances),
        KEY_READ("materials", KEY_OPTIONAL, keep_materials),
        KEY_READ("file", KEY_OPTIONAL, read_file),
        KEY_READ("shape", KEY_OPTIONAL, read_shape),
        KEY_READ_INTO("transform", KEY_OPTIONAL, read_transform, model_entry, instance),
        KEY_READ_INTO("animation", KEY_OPTIONAL, scene_read_animation, model_entry, instance),
        KEY_READ("morph_targets", KEY_OPTIONAL, read_morph_targets),
        KEY_READ_INTO("morphs", KEY_OPTIONAL, scene_read_morphs, model_entry, instance),
        KEY_READ_INTO("expression", KEY_OPTIONAL, scene_read_expressions, model_entry, instance),
        KEY_READ_INTO("parent", KEY_OPTIONAL, scene_read_parent, model_entry, instance),
        KEY_CHOICE("skinning", KEY_OPTIONAL, model_entry, instance.skinning, skinnings),
        KEY_TRACK("visible", KEY_OPTIONAL, model_entry, instance.showing.visible, TRACK_SWITCH, 0,
                  1),
        KEY_TRACK("opacity", KEY_OPTIONAL, model_entry, instance.showing.opacity, TRACK_NUMBER, 0,
                  1),
        KEY_READ_INTO("nodes", KEY_OPTIONAL, scene_read_nodes, model_entry, instance),
        KEY_READ_INTO("bones", KEY_OPTIONAL, scene_read_bones, model_entry, instance),
        KEY_READ_INTO("ik", KEY_OPTIONAL, scene_read_ik, model_entry, instance),
        KEY_READ_INTO("springs", KEY_OPTIONAL, scene_read_springs, model_entry, instance),
    };
    model_entry entry = {.names = names};
    const double zero[3] = {0.0, 0.0, 0.0}, one = 1.0;
    ZT_TRY(value_constant(r, 3, zero, &entry.instance.translate));
    ZT_TRY(value_constant(r, 3, zero, &entry.instance.rotate));
    ZT_TRY(value_constant(r, 1, &one, &entry.instance.scale));
    reading_of(r)->instance = &entry.instance;
    if (value->kind == DOCUMENT_MAP && !document_member(value, "file") &&
        !document_member(value, "shape"))
        return value_fail(r, value, false,
                          "a model without a file (expected the key 'file', or 'shape')");
    ZT_TRY(value_map(r, value, "model", keys, COUNT_OF(keys), &entry));
    if (entry.materials)
        ZT_TRY(scene_read_materials(r, entry.materials, &entry.instance));
    return entry.instances ? read_instances(r, entry.instances, &entry)
                           : add_instance(r, &entry.instance);
}

/// The capacity is the number of models and listed instances.
static bool init_names(document_reader *r, const document_node *models, name_set *out)
{
    size_t capacity = models->count;
    for (const document_node *node = models->first; node; node = node->next) {
        const document_node *instances = document_member(node, "instances");
        capacity += instances && instances->kind == DOCUMENT_LIST ? instances->count : 0;
    }
    *out = (name_set){.name = ARENA_ARRAY(r->scratch, const char *, capacity)};
    return out->name && hash_table_init(&out->table, r->scratch, capacity);
}

static zt_result read_models(document_reader *r, const document_node *value, void *target)
{
    (void)target;
    ZT_TRY(value_list(r, value, 1, UINT32_MAX, "a list of models"));
    name_set names;
    if (!init_names(r, value, &names))
        return arena_fail(r->scratch, r->err, "names of models");
    for (const document_node *node = value->first; node; node = node->next)
        ZT_TRY(read_model(r, node, &names));
    return scene_resolve_links(r);
}

// ---- The top level ------------------------------------------------------------------------------

static zt_result read_scene(document_reader *r, const document_node *root)
{
    // Models before the camera, which may name one.
    static const map_key keys[] = {
        KEY_READ("format", KEY_REQUIRED, value_format),
        KEY_READ("output", KEY_OPTIONAL, scene_read_output),
        KEY_READ("environment", KEY_OPTIONAL, scene_read_environment),
        KEY_READ("models", KEY_REQUIRED, read_models),
        KEY_READ("springs", KEY_OPTIONAL, scene_read_spring_steps),
        KEY_READ("camera", KEY_OPTIONAL, scene_read_camera),
        KEY_READ("lights", KEY_OPTIONAL, scene_read_lights),
        KEY_WORD("preset", KEY_OPTIONAL, zt_scene, lighting_keys.preset, ZT_WORDS_PRESET),
        KEY_READ("light", KEY_OPTIONAL, scene_read_light),
        KEY_READ("ambient_occlusion", KEY_OPTIONAL, scene_read_occlusion),
        KEY_READ("ground", KEY_OPTIONAL, scene_read_ground),
    };
    if (root->kind == DOCUMENT_MAP && (!root->first || strcmp(root->first->key, "format") != 0))
        return value_fail(r, root->first ? root->first : root, true,
                          "a scene without its format (expected 'format: 1' first)");
    return value_map(r, root, "scene", keys, COUNT_OF(keys), scene_of(r));
}

zt_result scene_read(const char *path, file_bytes bytes, zt_scene *scene, zt_error *err)
{
    arena scratch;
    arena_init(&scratch, &scene->budget_own);
    scene_reading reading = {.scene = scene};
    document_reader r = {.path = path,
                         .keep = &scene->arena,
                         .scratch = &scratch,
                         .root_length = scene->root_length,
                         .in_memory = scene->in_memory,
                         .user = &reading,
                         .err = err};
    document_node *root = NULL;
    zt_result result = scene_set_defaults(scene, err);
    if (result == ZT_OK && bytes.size > DOCUMENT_SIZE_LIMIT)
        result = zt_fail(err, ZT_ERR_LIMIT, "%s: a scene file of %zu bytes (at most %d)", path,
                         bytes.size, (int)DOCUMENT_SIZE_LIMIT);
    if (result == ZT_OK)
        result = document_read(&scratch, path, bytes, &root, err);
    if (result == ZT_OK)
        result = read_scene(&r, root);
    if (result == ZT_OK)
        result = scene_light_up(scene, err);
    arena_finish(&scratch);
    return result;
}
