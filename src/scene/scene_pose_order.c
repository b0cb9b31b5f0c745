// SPDX-License-Identifier: MIT
/// The order of posing: sorts the steps of all instances (scene_pose_run) by dependency.
#include "scene/scene_links.h"

#include <stdio.h>

// ---- Sorting ------------------------------------------------------------------------------------

typedef struct sort_state {
    const uint32_t *first; ///< [count + 1], into `on`
    const uint32_t *on;    ///< dependencies by step, in the order given
    uint32_t *next;        ///< [count] the dependency to visit next
    uint8_t *state;        ///< [count]
    uint32_t *stack;       ///< [count]
    uint32_t *order, sorted_count;
} sort_state;

enum { UNSEEN, OPEN, DONE };

static bool group_by_step(arena *scratch, uint32_t count, const scene_dependency *dependencies,
                          size_t dependency_count, sort_state *s)
{
    uint32_t *first = ARENA_ARRAY(scratch, uint32_t, (size_t)count + 2);
    uint32_t *on = ARENA_ARRAY(scratch, uint32_t, dependency_count);
    if (!first || !on)
        return false;
    for (size_t i = 0; i < dependency_count; i++)
        first[dependencies[i].step + 2]++;
    for (uint32_t i = 1; i < count; i++)
        first[i + 1] += first[i];
    for (size_t i = 0; i < dependency_count; i++)
        on[first[dependencies[i].step + 1]++] = dependencies[i].on;
    s->first = first; // the loop above advanced first[i + 1] to the end of i
    s->on = on;
    return true;
}

/// Appends `from` after all that it depends on: a depth-first search. Returns the length of the
/// cycle that it met, moved to the start of the stack, or 0.
static uint32_t visit(sort_state *s, uint32_t from)
{
    uint32_t depth = 0;
    s->stack[depth++] = from;
    s->state[from] = OPEN;
    while (depth > 0) {
        const uint32_t step = s->stack[depth - 1];
        if (s->next[step] == s->first[step + 1]) {
            s->state[step] = DONE;
            s->order[s->sorted_count++] = step;
            depth--;
            continue;
        }
        const uint32_t on = s->on[s->next[step]++];
        if (s->state[on] == OPEN) {
            uint32_t begin = depth - 1;
            while (s->stack[begin] != on)
                begin--;
            for (uint32_t i = begin; i < depth; i++)
                s->stack[i - begin] = s->stack[i];
            return depth - begin;
        }
        if (s->state[on] == UNSEEN) {
            s->state[on] = OPEN;
            s->stack[depth++] = on;
        }
    }
    return 0;
}

bool scene_sort_steps(arena *scratch, uint32_t count, const scene_dependency *dependencies,
                      size_t dependency_count, uint32_t *out_order, uint32_t **out_cycle,
                      uint32_t *out_cycle_count)
{
    sort_state s = {.order = out_order};
    *out_cycle_count = 0;
    if (!group_by_step(scratch, count, dependencies, dependency_count, &s) ||
        !(s.next = ARENA_ARRAY(scratch, uint32_t, count)) ||
        !(s.state = ARENA_ARRAY(scratch, uint8_t, count)) ||
        !(s.stack = ARENA_ARRAY(scratch, uint32_t, count)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        s.next[i] = s.first[i];
    *out_cycle = s.stack;
    for (uint32_t i = 0; i < count && *out_cycle_count == 0; i++)
        if (s.state[i] == UNSEEN)
            *out_cycle_count = visit(&s, i);
    return true;
}

// ---- Steps ----------------------------------------------------------------------------------

/// The steps of posing all instances, numbered by instance, and in each from its last step to its
/// first: the sort begins with last steps, so that what they wait for comes before the clips of
/// their instance and fewer instances have several runs.
typedef struct step_table {
    const zt_scene *scene;
    uint32_t count;
    uint32_t *last;          ///< [instance_count] number of the last step of each
    uint32_t *instance;      ///< [count]
    uint32_t **last_of_node; ///< [instance_count][node], NULL: step 0
    scene_dependency *dependencies;
    size_t dependency_count;
} step_table;

static uint32_t step_of(const step_table *t, uint32_t number)
{
    const uint32_t own = t->instance[number];
    return scene_step_count(&t->scene->instances[own]) - 1 - (number - t->last[own]);
}

/// By node, the step after which it stays: of the last solver that moves it or one above it, or of
/// springs. Of a whole instance: hostile scenes link to many bones. NULL: no memory.
static uint32_t *last_steps(const scene_instance *instance, arena *scratch)
{
    const zt_model *model = instance->model;
    uint32_t *out = ARENA_ARRAY(scratch, uint32_t, model->node_count);
    if (!out)
        return NULL;
    for (uint32_t k = 0; k < instance->ik_count; k++) {
        const scene_ik *ik = &instance->ik[k];
        for (uint32_t i = 0; i < ik->bone_count; i++)
            out[ik->bones[i]] = k + 1;
        if (ik->pelvis >= 0)
            out[ik->pelvis] = k + 1;
    }
    const model_springs *springs = scene_springs(instance);
    if (springs)
        for (uint32_t k = 0; k < springs->link_count; k++)
            out[springs->links[k].head] = instance->ik_count + 1;
    for (uint32_t i = 0; i < model->node_count; i++) { // parents come first
        const int32_t parent = model->nodes[i].parent;
        if (parent >= 0 && out[parent] > out[i])
            out[i] = out[parent];
    }
    return out;
}

/// Fills t->last_of_node of the instances that links refer to and that have solvers.
static bool find_last_steps(const document_reader *r, step_table *t)
{
    t->last_of_node = ARENA_ARRAY(r->scratch, uint32_t *, t->scene->instance_count);
    if (!t->last_of_node)
        return false;
    for (const bone_request *request = reading_of(r)->bone_requests; request;
         request = request->next) {
        const int32_t on = request->target->instance;
        const scene_instance *instance = &t->scene->instances[on];
        if (scene_step_count(instance) > 1 && !t->last_of_node[on] &&
            !(t->last_of_node[on] = last_steps(instance, r->scratch)))
            return false;
    }
    return true;
}

enum { LINKS_OF_SOLVER = 2 }; ///< a target and an orientation

/// The bones that a step reads of other instances or, by a parent, of its own: count, and one.
static uint32_t links_of_step(const scene_instance *instance, uint32_t step, uint32_t index,
                              const scene_target **out)
{
    if (step > instance->ik_count)
        return 0; // springs
    if (step > 0) {
        const scene_ik *ik = &instance->ik[step - 1];
        const scene_target *links[LINKS_OF_SOLVER];
        uint32_t count = 0;
        if (ik->target.instance >= 0)
            links[count++] = &ik->target;
        if (ik->orient.target.instance >= 0)
            links[count++] = &ik->orient.target;
        if (index < count)
            *out = links[index];
        return count;
    }
    if (index < instance->parent_change_count)
        *out = &instance->parent_changes[index].bone;
    return instance->parent_change_count;
}

/// The step that a link waits for; false: none. A solver's own instance is as left before it.
static bool link_step(const step_table *t, uint32_t from, const scene_target *link, uint32_t *out)
{
    if (link->instance < 0)
        return false;
    const uint32_t to = (uint32_t)link->instance;
    const scene_instance *instance = &t->scene->instances[to];
    if (to == t->instance[from] && step_of(t, from) > 0)
        return false;
    const bool solved = t->last_of_node[to] && !link->before_solvers && link->node >= 0;
    const uint32_t step = solved ? t->last_of_node[to][link->node] : 0;
    *out = t->last[to] + (scene_step_count(instance) - 1 - step);
    return true;
}

static void list_dependencies(step_table *t)
{
    for (uint32_t from = 0; from < t->count; from++) {
        const scene_instance *instance = &t->scene->instances[t->instance[from]];
        const uint32_t step = step_of(t, from);
        const scene_target *link = NULL;
        uint32_t on = 0;
        for (uint32_t k = 0; k < links_of_step(instance, step, k, &link); k++)
            if (link_step(t, from, link, &on))
                t->dependencies[t->dependency_count++] = (scene_dependency){from, on};
        if (step > 0)
            t->dependencies[t->dependency_count++] = (scene_dependency){from, from + 1};
    }
}

static bool build_steps(const document_reader *r, step_table *out)
{
    const zt_scene *scene = scene_of(r);
    arena *scratch = r->scratch;
    size_t links = 0;
    *out =
        (step_table){.scene = scene, .last = ARENA_ARRAY(scratch, uint32_t, scene->instance_count)};
    if (!out->last)
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        out->last[i] = out->count;
        out->count += scene_step_count(&scene->instances[i]);
        links += (size_t)scene->instances[i].ik_count * LINKS_OF_SOLVER +
                 scene->instances[i].parent_change_count;
    }
    out->instance = ARENA_ARRAY(scratch, uint32_t, out->count);
    out->dependencies = ARENA_ARRAY(scratch, scene_dependency, out->count + links);
    if (!out->instance || !out->dependencies || !find_last_steps(r, out))
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t k = 0; k < scene_step_count(&scene->instances[i]); k++)
            out->instance[out->last[i] + k] = i;
    list_dependencies(out);
    return true;
}

/// The link by which step `from` waits for step `on`; NULL: it follows it in its own instance.
static const scene_target *find_link(const step_table *t, uint32_t from, uint32_t on)
{
    const scene_instance *instance = &t->scene->instances[t->instance[from]];
    const uint32_t step = step_of(t, from);
    const scene_target *link = NULL;
    uint32_t to = 0;
    for (uint32_t k = 0; k < links_of_step(instance, step, k, &link); k++)
        if (link_step(t, from, link, &to) && to == on)
            return link;
    return NULL;
}

/// Names the bones of a cycle, at the link that closes it.
static zt_result fail_cycle(document_reader *r, const step_table *t, const uint32_t *cycle,
                            uint32_t count)
{
    const zt_scene *scene = scene_of(r);
    const scene_target *at = NULL;
    bool solvers = false; // a target of a solver is in the cycle
    char path[512] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < count && used < sizeof path - 200; i++) {
        const scene_target *link = find_link(t, cycle[i], cycle[(i + 1) % count]);
        if (!link)
            continue;
        const char *from = scene->instances[t->instance[cycle[i]]].name;
        const scene_instance *to = &scene->instances[link->instance];
        if (!at)
            used += (size_t)snprintf(path, sizeof path, "'%.60s'", from ? from : "");
        at = at ? at : link;
        solvers |= step_of(t, cycle[i]) > 0;
        used += (size_t)snprintf(path + used, sizeof path - used, " -> '%.60s%s%.60s'",
                                 link->node < 0 ? "" : to->model->nodes[link->node].name,
                                 link->node < 0 ? "" : "' of '", to->name ? to->name : "");
    }
    const document_node *bone = NULL;
    for (const bone_request *request = reading_of(r)->bone_requests; request && !bone;
         request = request->next)
        if (request->target == at)
            bone = request->bone ? request->bone : request->model;
    ZT_ASSERT(bone);
    return value_fail(r, bone, false, "bones wait for each other: %s (expected no cycle%s)", path,
                      solvers ? ": a target with 'before: solvers' takes its bone as clips have it"
                              : "");
}

/// Steps in a row of one instance become one run.
static zt_result store_runs(document_reader *r, const step_table *t, const uint32_t *order)
{
    zt_scene *scene = scene_of(r);
    scene_pose_run *runs;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE(&scene->arena, &runs, t->count, "order of posing", r->err));
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t instance = t->instance[order[i]], step = step_of(t, order[i]);
        if (count > 0 && runs[count - 1].instance == instance)
            runs[count - 1].end_step = step + 1;
        else
            runs[count++] = (scene_pose_run){instance, step, step + 1};
    }
    scene->pose_runs = runs;
    scene->pose_run_count = count;
    scene->ordered_count = scene->instance_count;
    return ZT_OK;
}

zt_result scene_find_pose_order(document_reader *r)
{
    step_table t;
    if (!build_steps(r, &t))
        return arena_fail(r->scratch, r->err, "order of posing");
    uint32_t *order = ARENA_ARRAY(r->scratch, uint32_t, t.count), *cycle = NULL, cycle_count = 0;
    if (!order || !scene_sort_steps(r->scratch, t.count, t.dependencies, t.dependency_count, order,
                                    &cycle, &cycle_count))
        return arena_fail(r->scratch, r->err, "order of posing");
    return cycle_count > 0 ? fail_cycle(r, &t, cycle, cycle_count) : store_runs(r, &t, order);
}
