// SPDX-License-Identifier: MIT
/// `instances` as a map: a crowd of one model on a grid or at a list of places, whose members vary.
/// A random number is a function of the seed, the member and its use: it is the same on every
/// machine and does not change when members are added after it.
#include "scene/scene_build.h"
#include "scene/scene_read.h"

#include <string.h>

enum { CROWD_LIMIT = 100000, SCENE_INSTANCE_LIMIT = 1000000, POSE_COUNT_DEFAULT = 16 };

typedef struct crowd {
    int64_t columns, rows; ///< size of a grid
    double step[2];
    uint32_t place_count; ///< length of a list
    double (*places)[3];
    int64_t seed;
    double move[3], turn_deg, size; ///< `vary`: members differ by up to this, either way
    double start_s, speed;
    int64_t poses;
} crowd;

// The use of a random number.
enum { CHANCE_X, CHANCE_Y, CHANCE_Z, CHANCE_TURN, CHANCE_SIZE, CHANCE_POSE, CHANCE_SPEED };

/// The step and the output function of SplitMix64 (Steele, Lea & Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014; constants of Stafford's variant 13).
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// From 0 to below 1, in steps of 2^-53.
static double chance(const crowd *c, uint64_t member, uint64_t use)
{
    const uint64_t bits = mix(mix(mix((uint64_t)c->seed) + member) + use);
    return (double)(bits >> 11) * (1.0 / 9007199254740992.0);
}

/// From -max to max.
static double either_way(const crowd *c, uint64_t member, uint64_t use, double max)
{
    return max * (2.0 * chance(c, member, use) - 1.0);
}

static zt_result read_count(document_reader *r, const document_node *value, void *target)
{
    crowd *c = target;
    ZT_TRY(value_list(r, value, 2, 2, "two whole numbers, [columns, rows]"));
    ZT_TRY(value_integer(r, value->first, 1, CROWD_LIMIT, &c->columns));
    ZT_TRY(value_integer(r, value->last, 1, CROWD_LIMIT, &c->rows));
    return c->columns * c->rows <= CROWD_LIMIT
               ? ZT_OK
               : value_fail(r, value, false, "a grid of %lld places (expected at most %d)",
                            (long long)(c->columns * c->rows), CROWD_LIMIT);
}

static zt_result read_grid(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("count", KEY_REQUIRED, read_count),
        KEY_PAIR("step", KEY_OPTIONAL, crowd, step, -1e9, 1e9, "two numbers, [x, z]"),
    };
    return value_map(r, value, "grid", keys, COUNT_OF(keys), target);
}

static zt_result read_places(document_reader *r, const document_node *value, void *target)
{
    crowd *c = target;
    ZT_TRY(value_list(r, value, 1, UINT32_MAX, "a list of places, [[x, y, z], ...]"));
    if (value->count > CROWD_LIMIT)
        return value_fail(r, value, false, "%u places (expected at most %d)", value->count,
                          CROWD_LIMIT);
    double(*places)[3] = arena_alloc(r->scratch, value->count, sizeof *places);
    if (!places)
        return arena_fail(r->scratch, r->err, "scene");
    c->places = places;
    for (const document_node *node = value->first; node; node = node->next)
        ZT_TRY(value_vector(r, node, -1e9, 1e9, places[c->place_count++]));
    return ZT_OK;
}

static zt_result read_vary(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_VECTOR("move", KEY_OPTIONAL, crowd, move, 0.0, 1e9),
        KEY_NUMBER("turn", KEY_OPTIONAL, crowd, turn_deg, 0.0, 180.0),
        KEY_NUMBER("size", KEY_OPTIONAL, crowd, size, 0.0, 0.9),
        KEY_NUMBER("start", KEY_OPTIONAL, crowd, start_s, 0.0, 1e6),
        KEY_NUMBER("speed", KEY_OPTIONAL, crowd, speed, 0.0, 1.0),
        KEY_INTEGER("poses", KEY_OPTIONAL, crowd, poses, 1, CROWD_LIMIT),
    };
    return value_map(r, value, "vary", keys, COUNT_OF(keys), target);
}

/// A member's offset from the model's transform: a centred grid, rows along z, members along x.
static void member_offset(const crowd *c, uint64_t member, scene_crowd_offset *out)
{
    *out = (scene_crowd_offset){.scale = 1.0 + either_way(c, member, CHANCE_SIZE, c->size),
                                .yaw_deg = either_way(c, member, CHANCE_TURN, c->turn_deg)};
    if (c->places) {
        memcpy(out->translation, c->places[member], sizeof out->translation);
    } else {
        const int64_t column = (int64_t)member % c->columns, row = (int64_t)member / c->columns;
        out->translation[0] = ((double)column - 0.5 * (double)(c->columns - 1)) * c->step[0];
        out->translation[2] = ((double)row - 0.5 * (double)(c->rows - 1)) * c->step[1];
    }
    for (uint64_t k = 0; k < 3; k++)
        out->translation[k] += either_way(c, member, CHANCE_X + k, c->move[k]);
}

/// The layers of one of the crowd's poses: clips start later, and play faster or slower. A layer in
/// sync follows the bottom one.
static zt_result vary_layers(document_reader *r, const crowd *c, uint64_t pose,
                             const scene_instance *model, const scene_layer **out)
{
    scene_layer *layers;
    ZT_TRY(ARENA_TAKE(r->keep, &layers, model->layer_count, "animation", r->err));
    const double ahead_s = c->start_s * (double)pose / (double)c->poses;
    const double rate = 1.0 + either_way(c, pose, CHANCE_SPEED, c->speed);
    for (uint32_t i = 0; i < model->layer_count; i++) {
        layers[i] = model->layers[i];
        layers[i].start_s += layers[i].sync ? 0.0 : ahead_s;
        layers[i].speed *= rate;
    }
    *out = layers;
    return ZT_OK;
}

static zt_result add_members(document_reader *r, const crowd *c, uint32_t count,
                             const scene_instance *model)
{
    const bool moves = model->layer_count > 0 && (c->start_s > 0.0 || c->speed > 0.0);
    const scene_layer **layers = ARENA_ARRAY(r->scratch, const scene_layer *, (size_t)c->poses);
    scene_crowd_offset *offsets = ARENA_ARRAY(r->keep, scene_crowd_offset, count);
    if (!layers || !offsets)
        return arena_fail(layers ? r->keep : r->scratch, r->err, "scene");
    for (uint32_t i = 0; i < count; i++) {
        scene_instance *added = scene_new_instance(scene_of(r));
        if (!added)
            return arena_fail(r->keep, r->err, "scene");
        *added = *model;
        member_offset(c, i, &offsets[i]);
        added->crowd_offset = &offsets[i];
        if (!moves)
            continue;
        const uint64_t pose = (uint64_t)(chance(c, i, CHANCE_POSE) * (double)c->poses);
        if (!layers[pose])
            ZT_TRY(vary_layers(r, c, pose, model, &layers[pose]));
        added->layers = layers[pose];
    }
    return ZT_OK;
}

zt_result scene_read_crowd(document_reader *r, const document_node *value)
{
    static const map_key keys[] = {
        KEY_READ("grid", KEY_OPTIONAL, read_grid),
        KEY_READ("places", KEY_OPTIONAL, read_places),
        KEY_INTEGER("seed", KEY_OPTIONAL, crowd, seed, 0, 1000000000),
        KEY_READ("vary", KEY_OPTIONAL, read_vary),
    };
    crowd c = {.step = {1.0, 1.0}, .poses = POSE_COUNT_DEFAULT};
    ZT_TRY(value_map(r, value, "instances", keys, COUNT_OF(keys), &c));
    if ((c.columns > 0) == (c.place_count > 0))
        return value_fail(r, value, false, "%s (expected either grid or places)",
                          c.columns > 0 ? "a grid and places" : "neither a grid nor places");
    const uint32_t count = c.columns > 0 ? (uint32_t)(c.columns * c.rows) : c.place_count;
    if (scene_of(r)->instance_count > SCENE_INSTANCE_LIMIT - count)
        return value_fail(r, value, false, "too many instances (expected at most %d in all)",
                          SCENE_INSTANCE_LIMIT);
    return add_members(r, &c, count, reading_of(r)->instance);
}
