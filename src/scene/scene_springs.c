// SPDX-License-Identifier: MIT
/// `springs` of a model: chains of bones that swing; and `springs` of the scene: when they move.
#include "base/dvec3.h"
#include "scene/scene_names.h"
#include "scene/scene_read.h"

#include <string.h>

/// Colliders that the links of a model look at, all together: each is looked at in every step.
enum {
    COLLISION_LIMIT = 1000000,
    CHAIN_BONE_LIMIT = 1024,
    CHAIN_LIMIT = 1 << 20,
    COLLIDER_LIMIT = 4096
};

zt_result scene_read_spring_steps(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NUMBER("rate", KEY_OPTIONAL, scene_spring_steps, rate, 30.0, 1000.0),
        KEY_NUMBER("warmup", KEY_OPTIONAL, scene_spring_steps, warmup_s, 0.0, 60.0),
        KEY_NUMBER("start", KEY_OPTIONAL, scene_spring_steps, start_s, -1e6, 1e6),
    };
    scene_spring_steps *steps = &((zt_scene *)target)->springs;
    ZT_TRY(value_map(r, value, "springs", keys, COUNT_OF(keys), steps));
    steps->has_start = document_member(value, "start") != NULL;
    return ZT_OK;
}

typedef struct collider_entry {
    const document_node *bone;
    double offset[3], tail[3], radius;
} collider_entry;

static zt_result read_collider(document_reader *r, const document_node *value, spring_collider *out)
{
    static const map_key keys[] = {
        KEY_NODE("bone", KEY_REQUIRED, collider_entry, bone),
        KEY_VECTOR("offset", KEY_OPTIONAL, collider_entry, offset, -1e9, 1e9),
        KEY_VECTOR("tail", KEY_OPTIONAL, collider_entry, tail, -1e9, 1e9),
        KEY_NUMBER("radius", KEY_REQUIRED, collider_entry, radius, 0.0, 1e9),
    };
    collider_entry entry = {0};
    ZT_TRY(value_map(r, value, "collider", keys, COUNT_OF(keys), &entry));
    memcpy(out->from, entry.offset, sizeof out->from);
    memcpy(out->to, document_member(value, "tail") ? entry.tail : entry.offset, sizeof out->to);
    out->radius = entry.radius;
    return scene_value_bone(r, entry.bone, &out->node);
}

/// The chains of a model while they are read.
typedef struct spring_reader {
    spring_builder builder;
    spring_collider *colliders;
    uint32_t collider_count, collision_count;
    spring_tree tree;
} spring_reader;

typedef struct chain_entry {
    const document_node *bone, *bones, *center, *colliders;
    double stiffness, drag, gravity, direction[3], radius, tip;
    spring_link link; ///< what all links of the chain share
} chain_entry;

static zt_result read_colliders(document_reader *r, const document_node *list, spring_reader *s,
                                spring_link *link)
{
    uint32_t *index;
    ZT_TRY(ARENA_TAKE(r->keep, &index, list->count, "colliders", r->err));
    link->colliders = index;
    for (const document_node *item = list->first; item; item = item->next) {
        ZT_TRY(read_collider(r, item, &s->colliders[s->collider_count]));
        index[link->collider_count++] = s->collider_count++;
    }
    return ZT_OK;
}

static zt_result count_collisions(document_reader *r, const document_node *at, uint32_t colliders,
                                  spring_reader *s)
{
    s->collision_count += colliders;
    if (s->collision_count > COLLISION_LIMIT)
        return value_fail(r, at, false, "bones and their colliders make more than %d pairs",
                          COLLISION_LIMIT);
    return ZT_OK;
}

static zt_result add_link(document_reader *r, const document_node *at, const chain_entry *entry,
                          int32_t head, int32_t tail, spring_reader *s)
{
    const zt_model *model = model_of(r);
    spring_link link = entry->link;
    link.head = head;
    link.tail = tail;
    if (tail < 0) {
        if (!(entry->tip > 0.0))
            return ZT_OK;
        spring_tip(&model->nodes[head], entry->tip, link.tip);
    }
    if (model->nodes[head].has_matrix)
        return value_fail(r, at, false,
                          "the bone '%.80s' is sheared (expected one that can rotate)",
                          model->nodes[head].name);
    ZT_TRY(count_collisions(r, at, link.collider_count, s));
    if (!spring_builder_add(&s->builder, &link))
        return value_fail(r, at, false, "the bone '%.80s' swings in two chains (expected one)",
                          model->nodes[head].name);
    return ZT_OK;
}

/// A bone and all below it: each towards its first child.
static zt_result add_tree(document_reader *r, const chain_entry *entry, spring_reader *s)
{
    const zt_model *model = model_of(r);
    int32_t root = -1;
    ZT_TRY(scene_read_solver_bone(r, entry->bone, model, &root));
    for (int32_t i = root; i >= 0; i = spring_tree_after(&s->tree, root, i))
        ZT_TRY(add_link(r, entry->bone, entry, i, s->tree.first[i], s));
    return ZT_OK;
}

static zt_result add_list(document_reader *r, const chain_entry *entry, spring_reader *s)
{
    const document_node *list = entry->bones;
    const zt_model *model = model_of(r);
    int32_t before = -1, node = -1;
    ZT_TRY(value_list(r, list, 1, CHAIN_BONE_LIMIT, "a list of 1 to 1024 bones"));
    for (const document_node *item = list->first; item; item = item->next, before = node) {
        ZT_TRY(scene_read_bone(r, item, model, &node));
        if (before < 0)
            continue;
        if (!scene_bone_is_below(model, node, before))
            return value_fail(r, item, false,
                              "the bone '%.80s' is not below '%.80s' (expected a chain that starts "
                              "at its root)",
                              item->text, model->nodes[before].name);
        ZT_TRY(add_link(r, item, entry, before, node, s));
    }
    return add_link(r, list->last, entry, node, -1, s);
}

static zt_result read_chain(document_reader *r, const document_node *value, spring_reader *s)
{
    static const map_key keys[] = {
        KEY_NODE("bone", KEY_OPTIONAL, chain_entry, bone),
        KEY_NODE("bones", KEY_OPTIONAL, chain_entry, bones),
        KEY_NUMBER("stiffness", KEY_OPTIONAL, chain_entry, stiffness, 0.0, 1e6),
        KEY_NUMBER("drag", KEY_OPTIONAL, chain_entry, drag, 0.0, 1.0),
        KEY_NUMBER("gravity", KEY_OPTIONAL, chain_entry, gravity, -1e6, 1e6),
        KEY_DIRECTION("gravity_dir", KEY_OPTIONAL, chain_entry, direction),
        KEY_NUMBER("radius", KEY_OPTIONAL, chain_entry, radius, 0.0, 1e9),
        KEY_NUMBER("tip", KEY_OPTIONAL, chain_entry, tip, 0.0, 1e9),
        KEY_NODE("center", KEY_OPTIONAL, chain_entry, center),
        KEY_NODE("colliders", KEY_OPTIONAL, chain_entry, colliders),
    };
    chain_entry entry = {.stiffness = 1.0, .drag = 0.5, .direction = {0.0, -1.0, 0.0}};
    ZT_TRY(value_map(r, value, "spring", keys, COUNT_OF(keys), &entry));
    if (!entry.bone == !entry.bones)
        return value_fail(r, value, false, "a spring needs either 'bone' or 'bones'");
    dvec3 down = dvec3_load(entry.direction);
    if (!dvec3_normalize(&down, 0.0))
        down = (dvec3){0.0, 0.0, 0.0};
    entry.link = (spring_link){
        .stiffness = entry.stiffness, .drag = entry.drag, .radius = entry.radius, .center = -1};
    dvec3_store(dvec3_scale(down, entry.gravity), entry.link.gravity);
    if (entry.center)
        ZT_TRY(scene_value_bone(r, entry.center, &entry.link.center));
    if (entry.colliders)
        ZT_TRY(read_colliders(r, entry.colliders, s, &entry.link));
    entry.link.chain = s->builder.chain_count;
    s->builder.chains[s->builder.chain_count++] = (spring_chain){.name = ""};
    return entry.bone ? add_tree(r, &entry, s) : add_list(r, &entry, s);
}

/// The chains of the model's file, in addition to those of the scene.
static zt_result add_file(document_reader *r, const document_node *value, spring_reader *s)
{
    const model_springs *file = model_of(r)->springs;
    if (!file)
        return ZT_OK;
    const uint32_t first = s->collider_count, chain = s->builder.chain_count;
    for (uint32_t i = 0; i < file->collider_count; i++)
        s->colliders[s->collider_count++] = file->colliders[i];
    for (uint32_t i = 0; i < file->chain_count; i++)
        s->builder.chains[s->builder.chain_count++] = (spring_chain){.name = file->chains[i].name};
    for (uint32_t i = 0; i < file->link_count; i++) {
        spring_link link = file->links[i];
        uint32_t *index;
        ZT_TRY(ARENA_TAKE_RAW(r->keep, &index, link.collider_count, "colliders", r->err));
        for (uint32_t k = 0; k < link.collider_count; k++)
            index[k] = first + link.colliders[k];
        link.colliders = index;
        link.chain += chain;
        ZT_TRY(count_collisions(r, value, link.collider_count, s));
        if (!spring_builder_add(&s->builder, &link))
            return value_fail(r, value, false,
                              "the bone '%.80s' swings in two chains (expected one)",
                              model_of(r)->nodes[link.head].name);
    }
    return ZT_OK;
}

/// Room for all colliders and chains of a list.
static zt_result init_reader(document_reader *r, const document_node *list, spring_reader *out)
{
    const zt_model *model = model_of(r);
    size_t colliders = 0, chains = list->count;
    *out = (spring_reader){0};
    for (const document_node *item = list->first; item; item = item->next) {
        const document_node *own = document_member(item, "colliders");
        if (own && own->kind != DOCUMENT_LIST)
            return value_wrong(r, own, "a list of colliders");
        colliders += own ? own->count : 0;
        if (!document_is(item, "file") || !model->springs)
            continue;
        colliders += model->springs->collider_count;
        chains += model->springs->chain_count;
    }
    if (colliders > COLLIDER_LIMIT)
        return value_fail(r, list, false, "%zu colliders (expected at most %d)", colliders,
                          COLLIDER_LIMIT);
    if (chains > CHAIN_LIMIT)
        return value_fail(r, list, false, "%zu chains of springs (expected at most %d)", chains,
                          CHAIN_LIMIT);
    ZT_TRY(ARENA_TAKE(r->keep, &out->colliders, colliders, "colliders", r->err));
    return spring_builder_init(&out->builder, model->node_count, (uint32_t)chains, r->scratch) &&
                   spring_tree_init(&out->tree, model->nodes, model->node_count, r->scratch)
               ? ZT_OK
               : arena_fail(r->scratch, r->err, "springs");
}

zt_result scene_read_springs(document_reader *r, const document_node *value, void *target)
{
    scene_instance *out = target;
    spring_reader s;
    out->springs = NULL;
    out->has_springs = !document_is(value, "file");
    if (document_is(value, "none") || document_is(value, "file"))
        return ZT_OK;
    ZT_TRY(value_list(r, value, 0, UINT32_MAX, "none, file, or a list of springs"));
    ZT_TRY(init_reader(r, value, &s));
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(document_is(item, "file") ? add_file(r, item, &s) : read_chain(r, item, &s));
    out->springs = spring_builder_finish(&s.builder, s.colliders, s.collider_count, r->keep);
    return out->springs ? ZT_OK : arena_fail(r->keep, r->err, "springs");
}
