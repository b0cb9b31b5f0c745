// SPDX-License-Identifier: MIT
#include "pose/pose_springs.h"

#include "base/quat.h"
#include "pose/pose_pass.h"

#include <string.h>

/// The cost of a step besides that of posed bones, counted as bones:
#define COLLISION_FOR 0.25 ///< a collider of a link, which may be looked at many times
#define MATRIX_FOR    0.25 ///< a matrix that is put together

/// The cost of a step of a model's springs besides its bones, in bones.
static double springs_cost(const zt_model *model, const model_springs *springs)
{
    double collisions = 0.0, matrices = springs->collider_count;
    for (uint32_t i = 0; i < springs->link_count; i++) {
        const spring_link *link = &springs->links[i];
        collisions += link->collider_count;
        if (link->tail >= 0)
            for (int32_t n = model->parent[link->tail]; n != link->head; n = model->parent[n])
                matrices += 1.0;
    }
    return COLLISION_FOR * collisions + MATRIX_FOR * matrices;
}

bool pose_springs_init(const zt_scene *scene, arena *a, spring_state *out)
{
    size_t links = 0, colliders = 0;
    double cost = 0.0, start_s = scene->springs.has_start ? scene->springs.start_s : 0.0;
    if (!scene->springs.has_start && scene->shot.count > 0)
        start_s = scene_frame_time(scene, scene->shot.frame[0]).shot_s;
    const double rate = scene->springs.rate;
    *out = (spring_state){.clock = {.start_s = start_s,
                                    .rate = rate,
                                    .warm_steps = (int64_t)(scene->springs.warmup_s * rate + 0.5)},
                          .step = -1,
                          .first = ARENA_ARRAY(a, uint32_t, scene->instance_count)};
    for (uint32_t i = 0; out->first && i < scene->instance_count; i++) {
        const model_springs *springs = scene_springs(&scene->instances[i]);
        out->first[i] = (uint32_t)links;
        links += springs ? springs->link_count : 0;
        if (springs && springs->collider_count > colliders)
            colliders = springs->collider_count;
        cost += springs ? springs_cost(scene->instances[i].model, springs) : 0.0;
    }
    out->step_cost = cost + MATRIX_FOR * (double)scene->instance_count;
    out->tails = ARENA_ARRAY(a, spring_tail, links);
    out->factors = ARENA_ARRAY_RAW(a, spring_factors, links);
    out->obstacles = ARENA_ARRAY_RAW(a, spring_obstacle, colliders);
    if (!out->first || !out->tails || !out->factors || !out->obstacles)
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const model_springs *springs = scene_springs(&scene->instances[i]);
        for (uint32_t k = 0; springs && k < springs->link_count; k++)
            out->factors[out->first[i] + k] =
                spring_factors_of(&springs->links[k], 1.0 / out->clock.rate);
    }
    out->tail_count = links;
    return true;
}

double pose_springs_time(const spring_clock *clock, int64_t step)
{
    const int64_t since = step - clock->warm_steps;
    return since <= 0 ? clock->start_s : clock->start_s + (double)since / clock->rate;
}

void pose_springs_show(spring_state *s, double time_s)
{
    if (!s->tails || s->step < 0)
        return;
    const double share = (time_s - pose_springs_time(&s->clock, s->step)) * s->clock.rate;
    s->action = time_s < s->clock.start_s ? SPRINGS_REST : SPRINGS_SHOW;
    s->share = share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
}

/// An instance while its nodes are visited, parents first.
typedef struct spring_visit {
    const spring_state *state;
    const zt_model *model;
    const vec4 *world_from_model; ///< a mat4
    pose_block *local;
    mat4 *world;
} spring_visit;

static void local_matrix(const spring_visit *v, int32_t node, mat4 out)
{
    const trs x = pose_block_trs(v->local, (uint32_t)node);
    model_node_matrix(&v->model->nodes[node], &x, out);
}

static const vec4 *parent_world(const spring_visit *v, int32_t node)
{
    const int32_t parent = v->model->parent[node];
    return parent < 0 ? v->world_from_model : (const vec4 *)v->world[parent];
}

// As pose_to_world().
static void update_world(const spring_visit *v, int32_t node, mat4 parent_from_node)
{
    mat4 world_from_parent;
    memcpy(world_from_parent, parent_world(v, node), sizeof world_from_parent);
    glm_mat4_mul(world_from_parent, parent_from_node, v->world[node]);
}

static double longest_axis(const dmat3 *m)
{
    const double x = dvec3_dot(m->x, m->x), y = dvec3_dot(m->y, m->y), z = dvec3_dot(m->z, m->z);
    const double xy = x > y ? x : y;
    return sqrt(xy > z ? xy : z);
}

/// Colliders where the clips and the solvers have their bones.
static void place_obstacles(const spring_visit *v, const model_springs *springs)
{
    for (uint32_t i = 0; i < springs->collider_count; i++) {
        const spring_collider *c = &springs->colliders[i];
        const affine bone = affine_from_floats(v->world[c->node][0]);
        v->state->obstacles[i] = (spring_obstacle){.from = affine_point(&bone, dvec3_load(c->from)),
                                                   .to = affine_point(&bone, dvec3_load(c->to)),
                                                   .radius = c->radius * longest_axis(&bone.m)};
    }
}

/// The tail of a link in the space of its head, as the clips have it.
static dvec3 tail_in_head(const spring_visit *v, const spring_link *link)
{
    if (link->tail < 0)
        return dvec3_load(link->tip);
    const pose_block *b = &v->local[link->tail / POSE_LANES];
    const int32_t lane = link->tail % POSE_LANES;
    dvec3 p = {(double)b->t[0][lane], (double)b->t[1][lane], (double)b->t[2][lane]};
    if (v->model->nodes[link->tail].has_matrix)
        p = dvec3_from_floats(v->model->nodes[link->tail].matrix[3]);
    for (int32_t n = v->model->parent[link->tail]; n != link->head; n = v->model->parent[n]) {
        mat4 local;
        local_matrix(v, n, local);
        const affine between = affine_from_floats(local[0]);
        p = affine_point(&between, p);
    }
    return p;
}

/// Rotates the head of a link, whose tail is at `at_rest` in the space of its parent, so that it
/// points along `direction` in the world. A parent without volume: it cannot.
static void rotate_head(const spring_visit *v, const spring_link *link, const affine *world_of,
                        dvec3 at_rest, dvec3 direction)
{
    affine parent_from_world;
    float(*r)[POSE_LANES] = v->local[link->head / POSE_LANES].r;
    const int32_t lane = link->head % POSE_LANES;
    const float posed[4] = {r[0][lane], r[1][lane], r[2][lane], r[3][lane]};
    float turned[4];
    if (!affine_invert(world_of, &parent_from_world))
        return;
    const quat swing = quat_between(at_rest, dmat3_transform(&parent_from_world.m, direction),
                                    dvec3_smallest_axis(at_rest));
    quat_to_floats(quat_multiply(swing, quat_from_floats(posed)), turned);
    if (!quatf_normalize(turned))
        return;
    for (int k = 0; k < 4; k++)
        r[k][lane] = turned[k];
    mat4 local;
    local_matrix(v, link->head, local);
    update_world(v, link->head, local);
}

/// A link that has no place in this step.
static void forget(const spring_visit *v, spring_tail *tail)
{
    if (v->state->action != SPRINGS_SHOW)
        tail->known = false;
}

/// The direction of a link in the world after the step, of which the state keeps the tail.
static dvec3 swing(const spring_visit *v, const spring_link *link, const spring_body *body,
                   spring_factors factors, spring_tail *tail)
{
    affine centre, from_world;
    dvec3 now = tail->now, before = tail->before, direction = body->rest;
    const bool moved = link->center >= 0;
    const bool starts = v->state->action == SPRINGS_START || !tail->known;
    if (moved) {
        centre = affine_from_floats(v->world[link->center][0]);
        if (!affine_invert(&centre, &from_world)) { // flat: nothing is kept in it
            forget(v, tail);
            return direction;
        }
        now = affine_point(&centre, now);
        before = affine_point(&centre, before);
    }
    if (!starts)
        direction = spring_swing(link, body, factors, v->state->share, now, before);
    if (v->state->action == SPRINGS_SHOW)
        return direction;
    const dvec3 at = dvec3_add(body->head, dvec3_scale(direction, body->length));
    tail->before = tail->now;
    tail->now = moved ? affine_point(&from_world, at) : at;
    tail->known = true;
    if (starts)
        tail->before = tail->now;
    return direction;
}

/// Moves the tail of one link; one without length stays as in the clips. `local`: of its head.
static void visit_link(const spring_visit *v, const spring_link *link, mat4 local,
                       spring_factors factors, spring_tail *tail)
{
    const affine parent = affine_from_floats(parent_world(v, link->head)[0]);
    const affine head = affine_from_floats(v->world[link->head][0]);
    const affine parent_from_head = affine_from_floats(local[0]);
    const dvec3 at_rest = dmat3_transform(&parent_from_head.m, tail_in_head(v, link));
    spring_body body = {.head = head.t,
                        .rest = dmat3_transform(&parent.m, at_rest),
                        .obstacles = v->state->obstacles};
    body.length = dvec3_length(body.rest);
    if (link->radius > 0.0)
        body.radius = link->radius * longest_axis(&head.m);
    if (!dvec3_normalize(&body.rest, 0.0)) {
        forget(v, tail);
        return;
    }
    const dvec3 direction = swing(v, link, &body, factors, tail);
    if (v->state->action != SPRINGS_START)
        rotate_head(v, link, &parent, at_rest, direction);
}

void pose_springs_apply(const pose_pass *p, uint32_t instance, mat4 world_from_model,
                        pose_block *local)
{
    const scene_instance *owner = &p->scene->instances[instance];
    const model_springs *springs = scene_springs(owner);
    if (p->springs.action == SPRINGS_REST || !springs)
        return;
    const spring_visit v = {.state = &p->springs,
                            .model = owner->model,
                            .world_from_model = (const vec4 *)world_from_model,
                            .local = local,
                            .world = p->memory[instance]};
    const uint32_t first = p->springs.first[instance];
    bool *changed = p->scratch.changed;
    uint32_t next = 0;
    place_obstacles(&v, springs);
    for (uint32_t i = 0; i < owner->model->node_count; i++) {
        const int32_t parent = owner->model->parent[i];
        const bool swings = next < springs->link_count && springs->links[next].head == (int32_t)i;
        mat4 matrix;
        changed[i] = parent >= 0 && changed[parent];
        if (changed[i] || swings)
            local_matrix(&v, (int32_t)i, matrix);
        if (changed[i])
            update_world(&v, (int32_t)i, matrix);
        if (!swings)
            continue;
        visit_link(&v, &springs->links[next], matrix, p->springs.factors[first + next],
                   &p->springs.tails[first + next]);
        changed[i] = true;
        next++;
    }
    memset(changed, 0, owner->model->node_count * sizeof *changed);
}
