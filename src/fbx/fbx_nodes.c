// SPDX-License-Identifier: MIT
/// From the models of an FBX file to nodes. Node 0 turns the file's axes into ours and scales its
/// unit. InheritType says how the scale S of a parent comes to a child's r s: RSrs is the usual
/// product; RrSs is R r S s, Rrs is R r s, where R may have a scale that the parent inherits: then
/// the child is below a node that has no scale, at its place times S.
#include "fbx/fbx_parts.h"
#include "model/model_node.h"

#include <math.h>
#include <string.h>

enum { RRSS = 0, RSRS = 1, NODES_OF_MODEL = 4, SCALE_STEPS = 16 };

static const dvec3 zero = {0.0, 0.0, 0.0}, one = {1.0, 1.0, 1.0};

int32_t fbx_add_model_node(fbx_file *f, int32_t parent, const char *name, const fbx_transform *rest)
{
    ZT_ASSERT(f->node_count < f->node_capacity);
    model_node *node = &f->nodes[f->node_count];
    *node = model_node_default(name);
    node->parent = parent;
    node->rest = fbx_transform_trs(rest);
    f->exact[f->node_count] = model_exact_of(fbx_transform_affine(rest));
    node->visible = parent < 0 || f->nodes[parent].visible;
    return (int32_t)f->node_count++;
}

static const fbx_node *settings_of(const fbx_file *f)
{
    const fbx_node *settings = fbx_child(&f->tree.root, "GlobalSettings");
    if (!settings)
        settings = fbx_child(fbx_child(&f->tree.root, "Objects"), "GlobalSettings");
    const fbx_node *list = fbx_child(settings, "Properties70");
    return list ? list : fbx_child(settings, "Properties60");
}

static double setting(const fbx_file *f, const char *name, double fallback)
{
    return fbx_number(fbx_child_of_text(settings_of(f), name, strlen(name)),
                      fbx_property_values(&f->scene), fallback);
}

/// An axis of the file: "Up" and its sign.
static dvec3 axis_of(const fbx_file *f, const char *name, const char *sign, int fallback)
{
    double v[3] = {0.0, 0.0, 0.0};
    const double number = setting(f, name, fallback);
    const int axis = number == 0.0 ? 0 : number == 1.0 ? 1 : number == 2.0 ? 2 : fallback;
    v[axis] = setting(f, sign, 1.0) < 0.0 ? -1.0 : 1.0;
    return dvec3_load(v);
}

/// From the file's space: right is x, up is y, the front is z.
static dmat3 axes_of(const fbx_file *f)
{
    const dvec3 up = axis_of(f, "UpAxis", "UpAxisSign", 1);
    const dvec3 front = axis_of(f, "FrontAxis", "FrontAxisSign", 2);
    const dvec3 right = axis_of(f, "CoordAxis", "CoordAxisSign", 0);
    const dmat3 m = {{right.x, up.x, front.x}, {right.y, up.y, front.y}, {right.z, up.z, front.z}};
    if (f->source->up)
        return up_axis_rotation[f->source->up];
    return fabs(dmat3_determinant(&m)) == 1.0 ? m : dmat3_identity();
}

static void set_root(fbx_file *f)
{
    const dmat3 m = axes_of(f);
    for (model_up up = UP_MINUS_Z; up > UP_AS_IS; up--)
        if (memcmp(&m, &up_axis_rotation[up], sizeof m) == 0)
            f->model->up = up;
    double unit_m = setting(f, "UnitScaleFactor", 1.0) * 0.01;
    if (!(unit_m > 1e-9 && unit_m < 1e9))
        unit_m = 0.01;
    if (f->source->unit_um > 0)
        unit_m = (double)f->source->unit_um * 1e-6;
    // A left-handed file is mirrored, by a negative scale.
    const bool mirrored = dmat3_determinant(&m) < 0.0;
    const double x = mirrored ? -unit_m : unit_m;
    const dmat3 turn = {mirrored ? dvec3_scale(m.x, -1.0) : m.x, m.y, m.z};
    const fbx_transform root = {{0.0, 0.0, 0.0}, quat_from_rotation(&turn), {x, unit_m, unit_m}};
    (void)fbx_add_model_node(f, -1, "", &root);
}

static void place(fbx_file *f, int32_t object, int32_t parent)
{
    const fbx_scene *s = &f->scene;
    const bool is_group = fbx_first_child(s, object, FBX_ATTRIBUTE, "LodGroup") >= 0 ||
                          strcmp(s->object[object].type, "LodGroup") == 0;
    if (parent >= 0 && f->placed[parent].child_count++ == 0)
        f->placed[parent].first_child = f->placed_count;
    f->placed_of[object] = (int32_t)f->placed_count;
    fbx_placed *p = &f->placed[f->placed_count++];
    *p = (fbx_placed){.object = object,
                      .parent = parent,
                      .inherit = fbx_property_integer(s, object, "InheritType", RRSS),
                      .shown_child =
                          is_group ? fbx_first_child(s, object, FBX_MODEL, NULL) : FBX_NONE};
    fbx_rig_read(s, object, &p->rig, &p->rest);
}

static void place_children(fbx_file *f, int32_t object, int32_t parent)
{
    uint32_t at = 0;
    for (int32_t c; (c = fbx_next_child(&f->scene, object, FBX_MODEL, NULL, &at, NULL)) >= 0;)
        if (f->placed_of[c] == -2 - object) // of several
            place(f, c, parent);
}

/// Places what is below the models from number *done on.
static zt_result place_below(fbx_file *f, uint32_t *done, zt_error *err)
{
    for (; *done < f->placed_count; ++*done) {
        ZT_TRY(arena_work(f->scratch, 1, "models", err));
        place_children(f, f->placed[*done].object, (int32_t)*done);
    }
    return ZT_OK;
}

/// Parents before children; what no parent leads to is below the root.
static zt_result order_models(fbx_file *f, zt_error *err)
{
    const fbx_scene *s = &f->scene;
    uint32_t count = 0, done = 0;
    for (uint32_t i = 1; i < s->object_count; i++)
        count += s->object[i].kind == FBX_MODEL;
    ZT_TRY(ARENA_TAKE(f->scratch, &f->placed, count, "models", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &f->placed_of, s->object_count, "models", err));
    for (uint32_t i = 0; i < s->object_count; i++)
        f->placed_of[i] = -1;
    for (uint32_t i = 0; i < s->link_count; i++) { // until it is placed: a model's first parent
        int32_t *first = &f->placed_of[s->link[i].child];
        if (*first == -1 && s->object[s->link[i].child].kind == FBX_MODEL &&
            s->object[s->link[i].parent].kind == FBX_MODEL)
            *first = -2 - s->link[i].parent;
    }
    f->placed_of[FBX_ROOT] = INT32_MAX; // never a child
    place_children(f, FBX_ROOT, -1);
    ZT_TRY(place_below(f, &done, err));
    for (int pass = 0; pass < 2; pass++) // first those without any parent, then circles
        for (uint32_t i = 1; i < s->object_count; i++) {
            if (s->object[i].kind != FBX_MODEL || f->placed_of[i] >= 0 ||
                (pass == 0 && f->placed_of[i] != -1))
                continue;
            place(f, (int32_t)i, -1);
            ZT_TRY(place_below(f, &done, err));
        }
    f->placed_of[FBX_ROOT] = -1;
    return ZT_OK;
}

static fbx_local local_of(const fbx_placed *p, const fbx_stack *stack, double time_s)
{
    return stack ? fbx_local_at(stack, p->object, &p->rest, p->rig.order, time_s) : p->rest;
}

/// The scale of a node with what it inherits, but by RSrs, at rest (NULL) or in a stack.
static dvec3 whole_scale(const fbx_file *f, const fbx_placed *p, const fbx_stack *stack,
                         double time_s)
{
    dvec3 scale = local_of(p, stack, time_s).scaling;
    if (!stack)
        return dvec3_multiply(scale, p->inherited);
    while (p->inherit != RSRS && p->parent >= 0 && f->placed[p->parent].scaled) {
        const bool own = p->inherit == RRSS; // the parent's; Rrs has only what that inherits
        p = &f->placed[p->parent];
        arena_count(f->keep, SCALE_STEPS);
        if (own)
            scale = dvec3_multiply(scale, local_of(p, stack, time_s).scaling);
    }
    return scale;
}

fbx_transform fbx_placed_pose(const fbx_file *f, const fbx_placed *p, const fbx_stack *stack,
                              double time_s, dvec3 *out_deg)
{
    const fbx_local local = local_of(p, stack, time_s);
    if (out_deg)
        *out_deg = local.rotation_deg;
    fbx_transform out = fbx_rig_pose(&p->rig, &local);
    const fbx_placed *parent = p->parent >= 0 ? &f->placed[p->parent] : NULL;
    if (p->inherit != RSRS && parent && parent->scaled) {
        out.t = dvec3_multiply(out.t, whole_scale(f, parent, stack, time_s));
        out.s = whole_scale(f, p, stack, time_s);
    }
    out.t = dvec3_sub(out.t, p->lacks);
    return out;
}

static bool is_one(dvec3 s) { return s.x == 1.0 && s.y == 1.0 && s.z == 1.0; }

static void find_scaled(fbx_file *f)
{
    for (uint32_t i = 0; i < f->placed_count; i++) {
        fbx_placed *p = &f->placed[i];
        p->scaled = !is_one(p->rest.scaling) || f->scene.object[p->object].moves_scale ||
                    (p->inherit != RSRS && p->parent >= 0 && f->placed[p->parent].scaled);
    }
}

/// By placed model: it needs a node of its own for its scale.
static zt_result find_split(const fbx_file *f, bool **out, zt_error *err)
{
    ZT_TRY(ARENA_TAKE(f->scratch, out, f->placed_count, "models", err));
    for (uint32_t i = 0; i < f->placed_count; i++) {
        const fbx_placed *p = &f->placed[i];
        if (p->inherit != RSRS && p->parent >= 0 && f->placed[p->parent].scaled)
            (*out)[p->parent] = true;
    }
    return ZT_OK;
}

static bool is_hidden(const fbx_file *f, const fbx_placed *p)
{
    const fbx_scene *s = &f->scene;
    const int32_t layer = fbx_first_parent(s, p->object, FBX_OTHER, "DisplayLayer");
    if (fbx_property_number(s, p->object, "Visibility", 1.0) <= 0.0 ||
        fbx_property_integer(s, p->object, "Show", 1) == 0 ||
        (layer >= 0 && fbx_property_integer(s, layer, "Show", 1) == 0))
        return true;
    // The first of levels of detail is shown.
    const int32_t shown = p->parent >= 0 ? f->placed[p->parent].shown_child : FBX_NONE;
    return shown >= 0 && shown != p->object;
}

static zt_result add_nodes(fbx_file *f, fbx_placed *p, bool split, zt_error *err)
{
    const fbx_placed *parent = p->parent >= 0 ? &f->placed[p->parent] : NULL;
    const bool inherits = p->inherit == RSRS || !parent || !parent->scaled;
    const int32_t above = !parent ? 0 : inherits ? parent->scale_node : parent->node;
    const char *name = f->scene.object[p->object].name;
    p->inherited = inherits             ? one
                   : p->inherit == RRSS ? dvec3_multiply(parent->rest.scaling, parent->inherited)
                                        : parent->inherited;
    ZT_TRY(arena_work(f->keep, SCALE_STEPS, "models", err));
    ZT_TRY(ARENA_TEXT(f->keep, &name, name, "a name", err));
    fbx_transform pose = fbx_placed_pose(f, p, NULL, 0.0, NULL);
    const affine a = fbx_transform_affine(&pose);
    if (!affine_fits_floats(&a)) {
        ZT_TRY(
            model_warn(&f->report, err, "the transform of '%.64s' is too large: left out", name));
        pose = (fbx_transform){zero, quat_identity(), one};
        p->rig = (fbx_rig){.before = quat_identity(), .after = quat_identity()};
        p->rest = (fbx_local){.scaling = one};
    }
    const fbx_transform scale = {zero, quat_identity(), pose.s};
    if (split)
        pose.s = one;
    p->node = p->scale_node = fbx_add_model_node(f, above, name, &pose);
    if (is_hidden(f, p)) {
        f->nodes[p->node].visible = false;
        f->nodes[p->node].shown = 0.0f;
    } else if (!f->nodes[above].visible &&
               fbx_property_integer(&f->scene, p->object, "Visibility Inheritance", 1) == 0) {
        ZT_TRY(model_unsupported(&f->report, err, "Visibility Inheritance: 0 is not shown"));
    }
    if (split) {
        p->scale_node = fbx_add_model_node(f, p->node, name, &scale);
        f->nodes[p->scale_node].helper = true;
    }
    const fbx_stack *first = f->motion.stack_count > 0 ? f->motion.stack : NULL;
    if (f->source->at_origin)
        p->lacks =
            model_far_part(fbx_placed_pose(f, p, first, first ? first->start_s : 0.0, NULL).t);
    f->exact[p->node].lacks = p->lacks;
    return ZT_OK;
}

zt_result fbx_place_models(fbx_file *f, zt_error *err)
{
    bool *split;
    ZT_TRY(order_models(f, err));
    find_scaled(f);
    ZT_TRY(find_split(f, &split, err));
    f->node_capacity = 1 + NODES_OF_MODEL * f->placed_count;
    ZT_TRY(ARENA_TAKE(f->keep, &f->nodes, f->node_capacity, "nodes", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &f->exact, f->node_capacity, "nodes", err));
    set_root(f);
    for (uint32_t i = 0; i < f->placed_count; i++)
        ZT_TRY(add_nodes(f, &f->placed[i], split[i], err));
    return ZT_OK;
}
