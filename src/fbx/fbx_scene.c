// SPDX-License-Identifier: MIT
#include "fbx/fbx_scene.h"

#include <math.h>
#include <string.h>

enum { NUMBERED_FROM = 7000, OBJECTS_MAX = 1 << 24 };

static const struct {
    const char *node;
    fbx_class kind;
} classes[] = {
    {"Model", FBX_MODEL},
    {"Geometry", FBX_GEOMETRY},
    {"Material", FBX_MATERIAL},
    {"Texture", FBX_TEXTURE},
    {"Video", FBX_VIDEO},
    {"Deformer", FBX_DEFORMER},
    {"NodeAttribute", FBX_ATTRIBUTE},
    {"AnimationStack", FBX_STACK},
    {"AnimationLayer", FBX_LAYER},
    {"AnimationCurveNode", FBX_CURVE_NODE},
    {"AnimationCurve", FBX_CURVE},
};

static fbx_class class_of(const fbx_node *node)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (fbx_is_named(node, classes[i].node))
            return classes[i].kind;
    return FBX_OTHER;
}

static bool is_numbered(const fbx_scene *s) { return s->tree->version >= NUMBERED_FROM; }

/// "Model::Cube" in texts, "Cube\0\1Model" in binary files.
static zt_result set_name(const fbx_scene *s, const fbx_node *node, uint32_t index, fbx_object *o,
                          zt_error *err)
{
    o->full = o->name = fbx_text(s->tree, node, index);
    if (!o->name)
        return arena_fail(s->a, err, "a name");
    if (s->tree->is_text || node->value_count <= index || node->value[index].kind != FBX_TEXT) {
        const char *after = strstr(o->name, "::");
        o->name = after ? after + 2 : o->name;
        return ZT_OK;
    }
    // Both parts, as texts have them.
    const fbx_value *v = &node->value[index];
    const size_t length = strlen(o->name);
    if (v->count > length + 2) {
        char *full;
        ZT_TRY(ARENA_TAKE(s->a, &full, v->count + 1, "a name", err));
        const size_t class_length = v->count - length - 2;
        memcpy(full, (const char *)v->bytes + length + 2, class_length);
        memcpy(full + class_length, "::", 2);
        memcpy(full + class_length + 2, o->name, length);
        o->full = full;
    }
    return ZT_OK;
}

static uint64_t identity_hash(const fbx_scene *s, int64_t id, const char *full)
{
    return is_numbered(s) ? hash_bytes(HASH_START, &id, sizeof id) : hash_text(HASH_START, full);
}

static uint32_t *find_slot(const fbx_scene *s, int64_t id, const char *full)
{
    uint32_t *slot = hash_table_first(&s->slots, identity_hash(s, id, full));
    for (; *slot != 0; slot = hash_table_next(&s->slots, slot)) {
        const fbx_object *o = &s->object[*slot - 1];
        arena_count(s->a, 1);
        if (is_numbered(s) ? o->id == id : strcmp(o->full, full) == 0)
            break;
    }
    return slot;
}

int32_t fbx_find_named(const fbx_scene *s, const char *full)
{
    return (int32_t)*find_slot(s, 0, full) - 1;
}

/// The default properties of a class: of its first template.
static const fbx_node *defaults_of(const fbx_tree *tree, const fbx_node *object)
{
    const fbx_node *definitions = fbx_child(&tree->root, "Definitions");
    const fbx_node *type = fbx_child_of_text(definitions, object->name, object->name_length);
    return fbx_child(fbx_child(type, "PropertyTemplate"), "Properties70");
}

static zt_result add_object(fbx_scene *s, const fbx_node *node, zt_error *err)
{
    const bool numbered = is_numbered(s);
    fbx_object *o = &s->object[s->object_count];
    *o = (fbx_object){.kind = class_of(node), .node = node};
    ZT_TRY(set_name(s, node, numbered ? 1 : 0, o, err));
    o->id = numbered ? fbx_integer(node, 0, 0) : 0;
    o->type = fbx_text(s->tree, node, numbered ? 2 : 1);
    if (!o->type)
        return arena_fail(s->a, err, "a name");
    o->properties = fbx_child(node, numbered ? "Properties70" : "Properties60");
    o->defaults = numbered ? defaults_of(s->tree, node) : NULL;
    uint32_t *slot = find_slot(s, o->id, o->full);
    if (*slot == 0) // else: a second object of this identity, which nothing finds
        *slot = ++s->object_count;
    return ZT_OK;
}

static zt_result read_objects(fbx_scene *s, zt_error *err)
{
    const fbx_node *objects = fbx_child(&s->tree->root, "Objects");
    const uint32_t count = objects ? objects->child_count : 0;
    if (count > OBJECTS_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: %u objects (expected at most %d)", s->tree->path,
                       count, (int)OBJECTS_MAX);
    ZT_TRY(ARENA_TAKE(s->a, &s->object, (size_t)count + 1, "objects", err));
    if (!hash_table_init(&s->slots, s->a, (size_t)count + 1))
        return arena_fail(s->a, err, "objects");
    s->object[FBX_ROOT] =
        (fbx_object){.kind = FBX_MODEL, .name = "", .type = "Root", .full = "Model::Scene"};
    *find_slot(s, 0, "Model::Scene") = ++s->object_count;
    for (const fbx_node *c = objects ? objects->child : NULL; c; c = c->next) {
        ZT_TRY(arena_work(s->a, 1, "objects", err));
        ZT_TRY(add_object(s, c, err));
    }
    return ZT_OK;
}

int32_t fbx_find_object(const fbx_scene *s, const fbx_node *node, uint32_t index)
{
    zt_error ignored;
    fbx_object named;
    if (is_numbered(s))
        return (int32_t)*find_slot(s, fbx_integer(node, index, -1), "") - 1;
    if (set_name(s, node, index, &named, &ignored) != ZT_OK)
        return FBX_NONE;
    return fbx_find_named(s, named.full);
}

/// Lists links by parent or by child, in the file's order.
static bool sort_links(const fbx_scene *s, const fbx_link *link, bool by_child, uint32_t *first,
                       uint32_t *order)
{
    uint32_t *at = ARENA_ARRAY(s->a, uint32_t, (size_t)s->object_count + 1);
    if (!at)
        return false;
    for (uint32_t i = 0; i < s->link_count; i++)
        first[(by_child ? link[i].child : link[i].parent) + 1]++;
    for (uint32_t i = 0; i < s->object_count; i++)
        first[i + 1] += first[i];
    memcpy(at, first, s->object_count * sizeof *at);
    for (uint32_t i = 0; i < s->link_count; i++)
        order[at[by_child ? link[i].child : link[i].parent]++] = i;
    return true;
}

static zt_result index_links(fbx_scene *s, const fbx_link *link, zt_error *err)
{
    uint32_t *first_link, *first_parent, *order, *parent_link;
    fbx_link *sorted;
    ZT_TRY(ARENA_TAKE(s->a, &first_link, (size_t)s->object_count + 1, "connections", err));
    ZT_TRY(ARENA_TAKE(s->a, &first_parent, (size_t)s->object_count + 1, "connections", err));
    ZT_TRY(ARENA_TAKE(s->a, &order, s->link_count, "connections", err));
    ZT_TRY(ARENA_TAKE(s->a, &parent_link, s->link_count, "connections", err));
    ZT_TRY(ARENA_TAKE(s->a, &sorted, s->link_count, "connections", err));
    if (!sort_links(s, link, false, first_link, order))
        return arena_fail(s->a, err, "connections");
    for (uint32_t i = 0; i < s->link_count; i++)
        sorted[i] = link[order[i]];
    if (!sort_links(s, sorted, true, first_parent, parent_link))
        return arena_fail(s->a, err, "connections");
    s->link = sorted;
    s->first_link = first_link;
    s->first_parent = first_parent;
    s->parent_link = parent_link;
    return ZT_OK;
}

static zt_result read_links(fbx_scene *s, zt_error *err)
{
    const fbx_node *list = fbx_child(&s->tree->root, "Connections");
    fbx_link *link;
    ZT_TRY(ARENA_TAKE(s->a, &link, list ? list->child_count : 0, "connections", err));
    for (const fbx_node *c = list ? list->child : NULL; c; c = c->next) {
        ZT_TRY(arena_work(s->a, 1, "connections", err));
        const int32_t child = fbx_find_object(s, c, 1), parent = fbx_find_object(s, c, 2);
        const char *name = fbx_text(s->tree, c, 3);
        if (s->a->failed != ZT_OK || !name)
            return arena_fail(s->a, err, "connections");
        if (child >= FBX_ROOT && parent >= 0 && child != parent)
            link[s->link_count++] = (fbx_link){child, parent, name};
    }
    return index_links(s, link, err);
}

zt_result fbx_scene_read(const fbx_tree *tree, model_report *report, fbx_scene *out, zt_error *err)
{
    *out = (fbx_scene){.tree = tree, .a = tree->a, .report = report};
    ZT_TRY(read_objects(out, err));
    return read_links(out, err);
}

int32_t fbx_next_child(const fbx_scene *s, int32_t parent, fbx_class kind, const char *type,
                       uint32_t *at, const fbx_link **out_link)
{
    const uint32_t first = s->first_link[parent], end = s->first_link[parent + 1];
    while (first + *at < end) {
        const fbx_link *link = &s->link[first + (*at)++];
        const fbx_object *o = &s->object[link->child];
        if (arena_work(s->a, 1, "connections", NULL) != ZT_OK)
            return FBX_NONE; // told by the next one
        if (o->kind != kind || (type && strcmp(o->type, type) != 0))
            continue;
        if (out_link)
            *out_link = link;
        return link->child;
    }
    return FBX_NONE;
}

int32_t fbx_walk_next(const fbx_scene *s, int32_t geometry, fbx_walk *w)
{
    for (;;) {
        if (w->inside) {
            const int32_t found =
                fbx_next_child(s, w->at, FBX_DEFORMER, w->held, &w->held_at, NULL);
            if (found >= 0)
                return found;
        }
        w->at = fbx_next_child(s, geometry, FBX_DEFORMER, w->deformer, &w->deformer_at, NULL);
        w->held_at = 0;
        w->inside = w->at >= 0;
        if (!w->inside)
            return FBX_NONE;
    }
}

int32_t fbx_first_child(const fbx_scene *s, int32_t parent, fbx_class kind, const char *type)
{
    uint32_t at = 0;
    return fbx_next_child(s, parent, kind, type, &at, NULL);
}

int32_t fbx_first_parent(const fbx_scene *s, int32_t child, fbx_class kind, const char *type)
{
    for (uint32_t i = s->first_parent[child]; i < s->first_parent[child + 1]; i++) {
        const int32_t parent = s->link[s->parent_link[i]].parent;
        if (arena_work(s->a, 1, "connections", NULL) != ZT_OK)
            return FBX_NONE;
        const fbx_object *o = &s->object[parent];
        if (o->kind == kind && (!type || strcmp(o->type, type) == 0))
            return parent;
    }
    return FBX_NONE;
}

uint32_t fbx_property_values(const fbx_scene *s) { return is_numbered(s) ? 4 : 3; }

const fbx_node *fbx_own_property(const fbx_scene *s, int32_t object, const char *name)
{
    return fbx_child_of_text(s->object[object].properties, name, strlen(name));
}

static const fbx_node *find_property(const fbx_scene *s, int32_t object, const char *name)
{
    const fbx_node *own = fbx_own_property(s, object, name);
    return own ? own : fbx_child_of_text(s->object[object].defaults, name, strlen(name));
}

static double finite_or(double x, double fallback) { return isfinite(x) ? x : fallback; }

dvec3 fbx_property_vector(const fbx_scene *s, int32_t object, const char *name, dvec3 fallback)
{
    const fbx_node *p = find_property(s, object, name);
    const uint32_t at = fbx_property_values(s);
    return (dvec3){finite_or(fbx_number(p, at, fallback.x), fallback.x),
                   finite_or(fbx_number(p, at + 1, fallback.y), fallback.y),
                   finite_or(fbx_number(p, at + 2, fallback.z), fallback.z)};
}

double fbx_property_number(const fbx_scene *s, int32_t object, const char *name, double fallback)
{
    const fbx_node *p = find_property(s, object, name);
    return finite_or(fbx_number(p, fbx_property_values(s), fallback), fallback);
}

int32_t fbx_property_integer(const fbx_scene *s, int32_t object, const char *name, int32_t fallback)
{
    const fbx_node *p = find_property(s, object, name);
    const int64_t value = fbx_integer(p, fbx_property_values(s), fallback);
    return value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : fallback;
}
