// SPDX-License-Identifier: MIT
/// Plant over time: a pelvis that does not follow every stone, and feet that stay where they land.
/// Both are functions of the frame's time: they pose the clips at other times around it, and
/// nothing is remembered from frame to frame. Solvers before plant are not seen there.
#include "base/maths.h"
#include "pose/ik_plant.h"

#include <string.h>

/// Parts of the window of the pelvis on each side. The lowest rise of a window is smoothed over
/// another one, so that no mean is above the rise of the frame: every foot reaches its place.
enum { SIDE = 12, WINDOW = 2 * SIDE + 1, RISES = 4 * SIDE + 1 };

/// Contacts: steps of the search, and how far it goes back, in seconds.
#define CONTACT_STEP 0.025
#define CONTACT_MAX  4.0
/// The time over which a lifted foot goes back to its clip, and that between which its speed is
/// measured.
#define RELEASE    0.2
#define DIFFERENCE 0.004
/// Halvings of the step at the end of a contact.
enum { HALVINGS = 12 };
/// A planted ankle is at most so much higher than at rest, of the leg, and moves over the ground
/// at most so fast, of the model and in legs a second.
#define CONTACT_HEIGHT 0.06
#define CONTACT_SHARE  0.75
#define CONTACT_SPEED  0.5
/// The longest way of a locked ankle, of the leg.
#define LOCK_MAX 0.35

/// Poses the clips of the instance at another time: a context with matrices of its own.
static ik_context context_at(const ik_context *context, double time_s)
{
    const ik_clips *clips = context->other;
    const scene_instance *instance = clips->instance;
    const frame_time time = scene_shot_time(clips->scene, time_s);
    ik_context out = *context;
    out.time_s = time_s;
    out.local = clips->scratch->other;
    out.world = clips->scratch->other_world;
    if (instance->parent_change_count == 0) {
        pose_instance_transform(clips->scene, instance, time, *clips->scratch->other_place);
        out.world_from_model = (const vec4 *)*clips->scratch->other_place;
    }
    pose_layers(clips->loops, instance, time, clips->scratch, out.local);
    mat4 place;
    memcpy(place, out.world_from_model, sizeof place);
    pose_blocks_to_world(clips->loops, instance->model, place, out.local, out.world);
    return out;
}

static double rise_at(const ik_context *context, const scene_ik *ik, double time_s)
{
    ik_foot feet[SCENE_IK_FOOT_LIMIT] = {0};
    ik_limb legs[SCENE_IK_FOOT_LIMIT];
    const ik_context at = context_at(context, time_s);
    if (!ik_plant_feet(&at, ik, NULL, feet, legs))
        return 0.0;
    return ik_pelvis_rise(feet, ik->bone_count / 3, ik->drop_m, ik->rise_m);
}

double ik_plant_rise(const ik_context *context, const scene_ik *ik, double now)
{
    double rise[RISES], sum = 0.0, weights = 0.0;
    if (!(ik->smooth_s > 0.0))
        return now;
    for (int k = 0; k < RISES; k++)
        rise[k] = rise_at(context, ik, context->time_s + (k - 2 * SIDE) * ik->smooth_s / SIDE);
    for (int k = 0; k < WINDOW; k++) {
        double lowest = rise[k], sine, cosine;
        for (int i = 1; i < WINDOW; i++)
            lowest = maths_min(lowest, rise[k + i]);
        maths_sincos_deg(180.0 * (k - SIDE) / (SIDE + 1), &sine, &cosine);
        sum += (1.0 + cosine) * lowest;
        weights += 1.0 + cosine;
    }
    return sum / weights;
}

typedef struct contact_search {
    const ik_context *context;
    const scene_ik *ik;
    int32_t ankle;
    double leg, rest_height; ///< of the ankle above the floor of the clips, in the model
} contact_search;

/// The ankle of the clips at a time.
typedef struct ankle_state {
    dvec3 place; ///< in the world
    bool planted;
} ankle_state;

static dvec3 rest_position(const zt_model *model, int32_t node)
{
    dvec3 p = {0.0, 0.0, 0.0};
    for (; node >= 0; node = model->nodes[node].parent) {
        mat4 m;
        model_node_matrix(&model->nodes[node], &model->nodes[node].rest, m);
        const affine a = affine_from_floats(m[0]);
        p = affine_point(&a, p);
    }
    return p;
}

static double level_speed(dvec3 before, dvec3 after)
{
    const dvec3 step = dvec3_sub(after, before);
    return sqrt(step.x * step.x + step.z * step.z) / (2.0 * DIFFERENCE);
}

static ankle_state ankle_at(const contact_search *s, double time_s)
{
    ik_context at = context_at(s->context, time_s - DIFFERENCE);
    const dvec3 before = ik_bone_position(&at, s->ankle),
                body = ik_bone_position(&at, s->ik->pelvis);
    at = context_at(s->context, time_s + DIFFERENCE);
    const dvec3 after = ik_bone_position(&at, s->ankle);
    const affine model = affine_from_floats(at.world_from_model[0]);
    const double scale = dvec3_length(model.m.y);
    const double floor_y = affine_point(&model, (dvec3){0.0, s->ik->floor_m, 0.0}).y;
    const double height = scale > 0.0 ? (after.y - floor_y) / scale : 0.0;
    const double fastest =
        maths_max(CONTACT_SHARE * level_speed(body, ik_bone_position(&at, s->ik->pelvis)),
                  CONTACT_SPEED * s->leg * scale);
    return (ankle_state){.place = dvec3_scale(dvec3_add(before, after), 0.5),
                         .planted = height < s->rest_height + CONTACT_HEIGHT * s->leg &&
                                    level_speed(before, after) < fastest};
}

static contact_search search_of(const ik_context *context, const scene_ik *ik, uint32_t foot)
{
    const int32_t *bones = &ik->bones[3 * foot];
    const dvec3 hip = rest_position(context->model, bones[0]),
                knee = rest_position(context->model, bones[1]),
                ankle = rest_position(context->model, bones[2]);
    return (contact_search){.context = context,
                            .ik = ik,
                            .ankle = bones[2],
                            .leg = dvec3_length(dvec3_sub(knee, hip)) +
                                   dvec3_length(dvec3_sub(ankle, knee)),
                            .rest_height = ankle.y - ik->floor_m};
}

/// The time up to `max_s` from `from_s` on, forwards or backwards, at which the ankle is no longer
/// as there, with its place. False: it stays so.
static bool find_change(const contact_search *s, double from_s, double max_s, double direction,
                        double *out_s, dvec3 *out_place)
{
    const ankle_state first = ankle_at(s, from_s);
    double same = 0.0, other = 0.0;
    bool found = false;
    *out_s = from_s + direction * max_s;
    *out_place = first.place;
    while (same < max_s && !found) {
        other = maths_min(same + CONTACT_STEP, max_s);
        found = ankle_at(s, from_s + direction * other).planted != first.planted;
        same = found ? same : other;
    }
    for (int i = 0; i < HALVINGS && found; i++) {
        const double middle = 0.5 * (same + other);
        if (ankle_at(s, from_s + direction * middle).planted == first.planted)
            same = middle;
        else
            other = middle;
    }
    *out_s = from_s + direction * same;
    *out_place = ankle_at(s, *out_s).place;
    return found;
}

dvec3 ik_plant_lock(const ik_context *context, const scene_ik *ik, uint32_t foot)
{
    const contact_search s = search_of(context, ik, foot);
    const ankle_state now = ankle_at(&s, context->time_s);
    double lifted_s = context->time_s, landed_s, share = 1.0;
    dvec3 from = now.place, landed;
    if (!now.planted) {
        double next_s;
        dvec3 place;
        if (!find_change(&s, context->time_s, RELEASE, -1.0, &lifted_s, &from))
            return (dvec3){0.0, 0.0, 0.0};
        lifted_s -= CONTACT_STEP / (1 << HALVINGS); // on the planted side
        from = ankle_at(&s, lifted_s).place;
        find_change(&s, context->time_s, RELEASE, 1.0, &next_s, &place);
        const double end_s = maths_min(lifted_s + RELEASE, next_s);
        const double part = (end_s - context->time_s) / maths_max(end_s - lifted_s, 1e-9);
        share = maths_clamp(part, 0.0, 1.0);
        share = share * share * (3.0 - 2.0 * share);
    }
    find_change(&s, lifted_s, CONTACT_MAX, -1.0, &landed_s, &landed);
    dvec3 step = dvec3_scale(dvec3_sub(landed, from), share);
    step.y = 0.0;
    const double length = dvec3_length(step), max = LOCK_MAX * s.leg;
    return length > max ? dvec3_scale(step, max / length) : step;
}
