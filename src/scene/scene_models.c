// SPDX-License-Identifier: MIT
/// `models`: files, where they stand, which clip plays, and instances of the same file.
#include "base/hash.h"
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { LENDER_LIMIT = 16 };

// The names that were read: a scene may hold very many.
typedef struct name_set {
    hash_table table;
    const char **name;
    uint32_t count, capacity;
} name_set;

// One entry of `models`, or one of its instances: what the keys fill in.
typedef struct model_entry {
    scene_instance instance;
    name_set *names;
    int handedness;
    const document_node *clips_from, *instances, *materials;
    bool tangents; ///< some of its materials, or those of its instances, ask for them
} model_entry;

static uint32_t *name_slot(const name_set *set, const char *name)
{
    uint32_t *slot = hash_table_first(&set->table, hash_text(HASH_START, name));
    while (*slot && strcmp(set->name[*slot - 1], name) != 0)
        slot = hash_table_next(&set->table, slot);
    return slot;
}

static bool name_set_grow(name_set *set, arena *a)
{
    name_set larger = {.capacity = set->capacity ? set->capacity * 2 : 32};
    larger.name = ARENA_ARRAY_RAW(a, const char *, larger.capacity);
    if (!larger.name || !hash_table_init(&larger.table, a, larger.capacity))
        return false;
    for (uint32_t i = 0; i < set->count; i++) {
        larger.name[i] = set->name[i];
        *name_slot(&larger, set->name[i]) = ++larger.count;
    }
    *set = larger;
    return true;
}

// A camera says by name which model it means, so that a name is given once.
static zt_result read_name(scene_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    name_set *names = entry->names;
    ZT_TRY(value_text(r, value, "a name", &entry->instance.name));
    if (names->count == names->capacity && !name_set_grow(names, r->scratch))
        return arena_fail(r->scratch, r->err, "scene");
    uint32_t *slot = name_slot(names, entry->instance.name);
    if (*slot)
        return value_fail(r, value, false, "the name '%.80s' is there twice (expected once)",
                          entry->instance.name);
    names->name[names->count] = entry->instance.name;
    *slot = ++names->count;
    return ZT_OK;
}

// The path of a model file beside the scene.
static zt_result read_path(scene_reader *r, const document_node *value, const char **out)
{
    if (value->kind != DOCUMENT_STRING || value->text[0] == 0)
        return value_wrong(r, value, "the path of a model file");
    *out = path_beside(&r->scene->arena, r->path, value->text);
    if (!*out)
        return arena_fail(&r->scene->arena, r->err, "scene");
    if (strcmp(value->text, "-") == 0)
        return value_wrong(r, value, "the path of a model file, not standard input");
    char place[DOCUMENT_LOCATION_SIZE];
    if (file_is_device(*out))
        return zt_fail(r->err, ZT_ERR_INPUT,
                       "%s: %.200s is a pipe or device (expected a model file)",
                       document_location(r->path, value, false, place), *out);
    return ZT_OK;
}

// A file that is not there is a mistake of the scene: say where the scene names it.
static zt_result fail_load(scene_reader *r, const document_node *value, zt_result result,
                           const zt_error *problem)
{
    char place[DOCUMENT_LOCATION_SIZE];
    if (result != ZT_ERR_INPUT)
        return zt_fail(r->err, result, "%s", problem->message);
    return zt_fail(r->err, result, "%s: %s", document_location(r->path, value, false, place),
                   problem->message);
}

zt_result scene_load_named(scene_reader *r, const document_node *value, int handedness,
                           bool tangents, const zt_model **out)
{
    const char *path = NULL;
    zt_error problem = {0};
    ZT_TRY(read_path(r, value, &path));
    const scene_model_key key = {.handedness = handedness, .clips_from = "", .tangents = tangents};
    const zt_result result = scene_load_model(r->scene, path, key, out, &problem);
    return result == ZT_OK ? ZT_OK : fail_load(r, value, result, &problem);
}

static uint32_t lender_count(const document_node *lenders)
{
    return !lenders ? 0 : lenders->kind == DOCUMENT_LIST ? lenders->count : 1;
}

// The files that lend clips, and the text by which a model with just these is known.
static zt_result read_lenders(scene_reader *r, const document_node *lenders, const char **paths,
                              const char **out_key)
{
    const uint32_t count = lender_count(lenders);
    const document_node *node =
        lenders && lenders->kind == DOCUMENT_LIST ? lenders->first : lenders;
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++, node = node->next) {
        ZT_TRY(read_path(r, node, &paths[i]));
        length += strlen(paths[i]) + 1;
    }
    char *key = ARENA_ARRAY(&r->scene->arena, char, length + 1), *end = key;
    if (!key)
        return arena_fail(&r->scene->arena, r->err, "scene");
    for (uint32_t i = 0; i < count; i++) {
        const size_t own = strlen(paths[i]);
        memcpy(end, paths[i], own);
        end[own] = '\n';
        end += own + 1;
    }
    *out_key = key;
    return ZT_OK;
}

static zt_result read_file(scene_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    const char *path = NULL, *lenders[LENDER_LIMIT] = {NULL};
    scene_model_key key = {.handedness = entry->handedness, .tangents = entry->tangents};
    zt_error problem = {0};
    ZT_TRY(read_path(r, value, &path));
    ZT_TRY(read_lenders(r, entry->clips_from, lenders, &key.clips_from));
    const uint32_t before = r->scene->model_count;
    zt_result result = scene_load_model(r->scene, path, key, &entry->instance.model, &problem);
    if (result != ZT_OK)
        return fail_load(r, value, result, &problem);
    if (r->scene->model_count == before)
        return ZT_OK; // loaded for an earlier entry
    const document_node *node = entry->clips_from;
    if (node && node->kind == DOCUMENT_LIST)
        node = node->first;
    for (uint32_t i = 0; i < lender_count(entry->clips_from); i++, node = node->next) {
        result = scene_add_clips(r->scene, lenders[i], &problem);
        if (result != ZT_OK)
            return fail_load(r, node, result, &problem);
    }
    return ZT_OK;
}

static zt_result read_clips_from(scene_reader *r, const document_node *value, void *target)
{
    if (value->kind == DOCUMENT_LIST && value->count > LENDER_LIMIT)
        return value_fail(r, value, false, "%u files (expected at most %d)", value->count,
                          LENDER_LIMIT);
    ((model_entry *)target)->clips_from = value;
    return ZT_OK;
}

static zt_result read_handedness(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"left", "right"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((model_entry *)target)->handedness = choice == 0 ? 'l' : 'r';
    return ZT_OK;
}

// ---- Transform
// ------------------------------------------------------------------------------------

static zt_result read_translate(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &((scene_instance *)target)->translate);
}

static zt_result read_rotate(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_ROTATION, -1e6, 1e6, &((scene_instance *)target)->rotate);
}

static zt_result read_scale(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_SCALE, -1e6, 1e6, &((scene_instance *)target)->scale);
}

static zt_result read_transform(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"translate", read_translate, KEY_OPTIONAL},
        {"rotate",    read_rotate,    KEY_OPTIONAL},
        {"scale",     read_scale,     KEY_OPTIONAL},
    };
    return value_map(r, value, "transform", keys, COUNT_OF(keys),
                     &((model_entry *)target)->instance);
}

// ---- Models and their instances
// -------------------------------------------------------------------

static zt_result read_animation(scene_reader *r, const document_node *value, void *target)
{
    scene_instance *instance = &((model_entry *)target)->instance;
    return scene_read_layers(r, value, instance);
}

static zt_result read_ik(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_ik(r, value, &((model_entry *)target)->instance);
}

static zt_result read_targets(scene_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    return scene_read_targets(r, value, entry->handedness, entry->tangents, &entry->instance);
}

static zt_result read_parent(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_parent(r, value, &((model_entry *)target)->instance);
}

static zt_result read_skinning(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"linear", "dual_quaternion"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((model_entry *)target)->instance.skinning = choice == 0 ? SCENE_SKIN_LINEAR : SCENE_SKIN_DUAL;
    return ZT_OK;
}

static zt_result read_morphs(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_morphs(r, value, &((model_entry *)target)->instance);
}

static zt_result read_materials(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_materials(r, value, &((model_entry *)target)->instance);
}

// Before the file is read: what its materials are to become decides how.
static zt_result note_materials(scene_reader *r, const document_node *value, void *target)
{
    model_entry *entry = target;
    (void)r;
    entry->materials = value;
    entry->tangents = entry->tangents || scene_materials_want_tangents(value);
    return ZT_OK;
}

static zt_result add_instance(scene_reader *r, const scene_instance *instance)
{
    scene_instance *added = scene_new_instance(r->scene);
    if (!added)
        return arena_fail(&r->scene->arena, r->err, "scene");
    *added = *instance;
    return ZT_OK;
}

static zt_result read_instances(scene_reader *r, const document_node *value, void *target)
{
    if (value->kind != DOCUMENT_LIST && value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a list of instances, or a map that makes them");
    model_entry *entry = target;
    entry->instances = value;
    for (const document_node *node = value->first; node; node = node->next)
        if (value->kind == DOCUMENT_LIST && node->kind == DOCUMENT_MAP)
            entry->tangents = entry->tangents ||
                              scene_materials_want_tangents(document_member(node, "materials"));
    return ZT_OK;
}

static zt_result add_instances(scene_reader *r, const model_entry *entry)
{
    static const map_key keys[] = {
        {"name",      read_name,      KEY_OPTIONAL},
        {"transform", read_transform, KEY_OPTIONAL},
        {"animation", read_animation, KEY_OPTIONAL},
        {"ik",        read_ik,        KEY_OPTIONAL},
        {"morphs",    read_morphs,    KEY_OPTIONAL},
        {"parent",    read_parent,    KEY_OPTIONAL},
        {"skinning",  read_skinning,  KEY_OPTIONAL},
        {"materials", read_materials, KEY_OPTIONAL},
    };
    if (entry->instances->kind == DOCUMENT_MAP)
        return scene_read_crowd(r, entry->instances, &entry->instance);
    for (const document_node *node = entry->instances->first; node; node = node->next) {
        model_entry own = *entry;
        ZT_TRY(value_map(r, node, "instance", keys, COUNT_OF(keys), &own));
        ZT_TRY(add_instance(r, &own.instance));
    }
    return ZT_OK;
}

// In this order: the file is loaded as its handedness says, with clips of other files, and an
// animation is resolved against the clips of the file.
static zt_result read_model(scene_reader *r, const document_node *value, name_set *names)
{
    static const map_key keys[] = {
        {"name",          read_name,       KEY_OPTIONAL},
        {"handedness",    read_handedness, KEY_OPTIONAL},
        {"clips_from",    read_clips_from, KEY_OPTIONAL},
        {"instances",     read_instances,  KEY_OPTIONAL},
        {"materials",     note_materials,  KEY_OPTIONAL},
        {"file",          read_file,       KEY_REQUIRED},
        {"transform",     read_transform,  KEY_OPTIONAL},
        {"animation",     read_animation,  KEY_OPTIONAL},
        {"morph_targets", read_targets,    KEY_OPTIONAL},
        {"morphs",        read_morphs,     KEY_OPTIONAL},
        {"parent",        read_parent,     KEY_OPTIONAL},
        {"skinning",      read_skinning,   KEY_OPTIONAL},
        {"ik",            read_ik,         KEY_OPTIONAL},
    };
    model_entry entry = {.names = names};
    const double zero[3] = {0.0, 0.0, 0.0}, one = 1.0;
    ZT_TRY(value_constant(r, 3, zero, &entry.instance.translate));
    ZT_TRY(value_constant(r, 3, zero, &entry.instance.rotate));
    ZT_TRY(value_constant(r, 1, &one, &entry.instance.scale));
    ZT_TRY(value_map(r, value, "model", keys, COUNT_OF(keys), &entry));
    if (entry.materials)
        ZT_TRY(read_materials(r, entry.materials, &entry));
    return entry.instances ? add_instances(r, &entry) : add_instance(r, &entry.instance);
}

zt_result scene_read_models(scene_reader *r, const document_node *value, void *target)
{
    (void)target;
    if (value->kind != DOCUMENT_LIST || value->count == 0)
        return value_wrong(r, value, "a list of models");
    name_set names = {0};
    for (const document_node *node = value->first; node; node = node->next)
        ZT_TRY(read_model(r, node, &names));
    return scene_resolve_targets(r);
}
