// SPDX-License-Identifier: MIT
/// Retargeting: rigs of known names made here, with bones of any orientation and length.
#include "pose/pose.h"
#include "random_numbers.h"
#include "retarget/retarget.h"
#include "testing.h"

#define DEG (3.14159265358979323846 / 180.0)

// ---- Rigs ---------------------------------------------------------------------------------------

enum { RIG_NODES = RIG_PART_COUNT + 1, KEYS = 9, NAME_SIZE = 64 };

/// A model with a body.
typedef struct body {
    zt_model model;
    model_node nodes[RIG_NODES];
    char names[RIG_NODES][NAME_SIZE];
    int32_t node_of[RIG_PART_COUNT]; ///< -1: none
    dvec3 joint[RIG_NODES];          ///< at rest, in the model
    model_clip clip;
    model_channel channels[RIG_NODES + 1];
    float times[RIG_NODES + 1][KEYS], values[RIG_NODES + 1][KEYS * 12];
} body;

/// Differences of a body from others.
typedef struct body_plan {
    int32_t kind;
    const char *prefix;
    uint64_t axes;   ///< seed of the orientations of its bones; 0: those of the model
    double scale;    ///< of its lengths
    double arms_deg; ///< how far arms hang: 0 is a T pose
    double thigh;    ///< share of the thigh in the length of the leg
    bool mirrored;   ///< all below a root of scale -1 along x
} body_plan;

static const body_plan plain = {.kind = RIG_MIXAMO, .prefix = "", .scale = 1.0, .thigh = 0.5};

static budget memory;
static arena scratch;

static void begin(void)
{
    budget_init(&memory, 0, NULL);
    arena_init(&scratch, &memory);
}

static void end(void) { arena_finish(&scratch); }

TestSuite(retarget, .init = begin, .fini = end);

/// The part of which a part is the child in a body that has all parts.
static int32_t part_above(int32_t part)
{
    if (part <= RIG_ROOT)
        return -1;
    if (part <= RIG_HEAD)
        return part - 1;
    const int32_t side = part < RIG_RIGHT ? RIG_LEFT : RIG_RIGHT, limb = part - side;
    if (limb == RIG_SHOULDER)
        return RIG_SPINE5;
    if (limb == RIG_UPPER_LEG)
        return RIG_HIPS;
    if (limb >= RIG_THUMB1 && limb < RIG_UPPER_LEG && (limb - RIG_THUMB1) % 3 == 0)
        return side + RIG_HAND;
    return part - 1;
}

static dvec3 part_joint(const body_plan *plan, int32_t part)
{
    if (part < RIG_LEFT)
        return (dvec3){0.0, part <= RIG_HIPS ? 0.95 * part : 0.95 + 0.08 * (part - RIG_HIPS), 0.0};
    const double sign = part < RIG_RIGHT ? 1.0 : -1.0;
    const int32_t limb = part - (part < RIG_RIGHT ? RIG_LEFT : RIG_RIGHT);
    const dvec3 arm = {cos(plan->arms_deg * DEG), -sin(plan->arms_deg * DEG), 0.0};
    const dvec3 shoulder = {0.15, 1.4, 0.01};
    dvec3 p = {0.04, 1.38, 0.0};
    if (limb >= RIG_UPPER_LEG) {
        static const double z[4] = {0.0, 0.02, -0.01, 0.1};
        const double knee = 0.9 - 0.8 * plan->thigh;
        const double y[4] = {0.9, knee, 0.1, 0.03};
        p = (dvec3){0.1, y[limb - RIG_UPPER_LEG], z[limb - RIG_UPPER_LEG]};
    } else if (limb >= RIG_THUMB1) {
        const int32_t finger = (limb - RIG_THUMB1) / 3, bone = (limb - RIG_THUMB1) % 3;
        p = dvec3_add(shoulder, dvec3_scale(arm, 0.6 + 0.03 * bone));
        p.z += 0.04 - 0.02 * finger;
    } else if (limb >= RIG_UPPER_ARM) {
        p = dvec3_add(shoulder, dvec3_scale(arm, 0.26 * (limb - RIG_UPPER_ARM)));
    }
    return (dvec3){sign * p.x, p.y, p.z};
}

static quat random_rotation(uint64_t *seed, double degrees)
{
    const dvec3 axis = random_direction(seed);
    return quat_from_axis_deg(axis, between(seed, -degrees, degrees));
}

/// "%Arm" -> "LeftArm", the first of "A|B".
static void write_name(const body_plan *plan, int32_t part, char *out)
{
    size_t used = (size_t)snprintf(out, NAME_SIZE, "%s", plan->prefix);
    for (const char *c = rig_name(plan->kind, part); *c && *c != '|'; c++)
        used += *c == '%' ? (size_t)snprintf(out + used, NAME_SIZE - used, "%s",
                                             rig_side(plan->kind, part >= RIG_RIGHT))
                          : (size_t)snprintf(out + used, NAME_SIZE - used, "%c", *c);
}

static void make_body(body *b, const body_plan *plan)
{
    quat rotation[RIG_NODES];
    uint64_t seed = plan->axes;
    memset(b, 0, sizeof *b);
    arena_init(&b->model.arena, &memory);
    // A node above all, as exporters write.
    int32_t count = 1;
    b->nodes[0] = (model_node){.name = "Armature", .parent = -1, .rest = trs_identity()};
    rotation[0] = plan->axes ? random_rotation(&seed, 180.0) : quat_identity();
    quat_to_floats(rotation[0], b->nodes[0].rest.r);
    if (plan->mirrored)
        b->nodes[0].rest.s[0] = -1.0f;
    for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
        b->node_of[part] = -1;
        if (!rig_name(plan->kind, part))
            continue;
        int32_t above = part_above(part), parent = 0;
        while (above >= 0 && b->node_of[above] < 0)
            above = part_above(above);
        parent = above >= 0 ? b->node_of[above] : 0;
        rotation[count] = plan->axes ? random_rotation(&seed, 180.0) : rotation[0];
        b->joint[count] = dvec3_scale(part_joint(plan, part), plan->scale);
        model_node *node = &b->nodes[count];
        const quat back = quat_conjugate(rotation[parent]);
        dvec3 offset = quat_rotate(back, dvec3_sub(b->joint[count], b->joint[parent]));
        if (plan->mirrored && parent == 0)
            offset.x = -offset.x;
        *node = (model_node){.name = b->names[count], .parent = parent, .rest = trs_identity()};
        node->mesh = node->skin = node->camera = node->light = -1;
        dvec3_to_floats(offset, node->rest.t);
        quat_to_floats(quat_multiply(back, rotation[count]), node->rest.r);
        write_name(plan, part, b->names[count]);
        b->node_of[part] = count++;
    }
    b->nodes[0].mesh = b->nodes[0].skin = b->nodes[0].camera = b->nodes[0].light = -1;
    b->model.nodes = b->nodes;
    b->model.node_count = (uint32_t)count;
    b->model.path = "body";
}

static void free_body(body *b) { arena_finish(&b->model.arena); }

static void lay_out(body *b)
{
    cr_assert_eq(model_lay_out_motion(&b->model, &scratch, NULL), ZT_OK);
}

/// Every bone rotates at random, at times of its own; the hips move.
static void animate(body *b, uint64_t seed, model_interpolation interpolation)
{
    uint32_t count = 0;
    const size_t parts = interpolation == MODEL_CUBIC ? 3 : 1;
    for (uint32_t i = 1; i < b->model.node_count; i++) {
        model_channel *c = &b->channels[count];
        float time_s = (float)between(&seed, 0.0, 0.2);
        quat q = quat_from_floats(b->nodes[i].rest.r);
        for (size_t k = 0; k < KEYS; k++) {
            b->times[count][k] = time_s;
            time_s += (float)between(&seed, 0.05, 0.3);
            q = quat_multiply(q, random_rotation(&seed, 20.0));
            float *value = b->values[count] + 4 * (parts * k + (parts == 3));
            quat_to_floats(q, value);
            for (int n = 0; n < 4 && parts == 3; n++) {
                value[n - 4] = (float)between(&seed, -0.5, 0.5);
                value[n + 4] = (float)between(&seed, -0.5, 0.5);
            }
        }
        *c = (model_channel){.node = (int32_t)i,
                             .path = MODEL_ROTATION,
                             .interpolation = interpolation,
                             .key_count = KEYS,
                             .time_s = b->times[count],
                             .value = b->values[count]};
        count++;
    }
    const uint32_t hips = (uint32_t)b->node_of[RIG_HIPS];
    for (size_t k = 0; k < KEYS * parts; k++) {
        b->times[count][k / parts] = 0.25f * (float)(k / parts);
        for (int n = 0; n < 3; n++)
            b->values[count][3 * k + (size_t)n] =
                (parts == 3 && k % 3 != 1 ? 0.0f : b->nodes[hips].rest.t[n]) +
                (float)between(&seed, -0.2, 0.2);
    }
    b->channels[count] = (model_channel){.node = (int32_t)hips,
                                         .path = MODEL_TRANSLATION,
                                         .interpolation = interpolation,
                                         .key_count = KEYS,
                                         .time_s = b->times[count],
                                         .value = b->values[count]};
    b->clip = (model_clip){
        .name = "clip", .end_s = 2.0f, .channel_count = count + 1, .channels = b->channels};
    b->model.clips = &b->clip;
    b->model.clip_count = 1;
}

static retarget_result retarget_body(body *to, const body *from, retarget_mode mode)
{
    const retarget_def def = {.mode = mode};
    retarget_result done;
    zt_error err = {0};
    lay_out(to);
    cr_assert_eq(model_retarget_clips(&to->model, &from->model, &def, &scratch, &done, &err), ZT_OK,
                 "%s", err.message);
    cr_assert_eq(done.clip_count, 1);
    return done;
}

/// Joints of a model in its clip (the last one).
static void pose_body(const body *b, double time_s, mat4 *world)
{
    trs local[RIG_NODES];
    mat4 identity = GLM_MAT4_IDENTITY_INIT;
    pose_sample(&b->model, &b->model.clips[b->model.clip_count - 1], (float)time_s, local);
    pose_to_world(&b->model, identity, local, world);
}

/// The largest distance between joints of two bodies, one of them scaled.
static double joints_apart(const body *a, const body *b, double scale)
{
    double worst = 0.0;
    for (double t = 0.0; t < 2.2; t += 0.037) {
        mat4 x[RIG_NODES], y[RIG_NODES];
        pose_body(a, t, x);
        pose_body(b, t, y);
        for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
            const int32_t i = a->node_of[part], j = b->node_of[part];
            if (i < 0 || j < 0)
                continue;
            const dvec3 p = dvec3_from_floats(x[i][3]), q = dvec3_from_floats(y[j][3]);
            const double d = dvec3_length(dvec3_sub(dvec3_scale(p, scale), q));
            worst = d > worst ? d : worst;
        }
    }
    return worst;
}

// ---- Properties ---------------------------------------------------------------------------------

Test(retarget, onto_itself_it_is_the_identity)
{
    for (int n = 0; n < 24; n++) {
        static body from, to;
        const model_interpolation how = (model_interpolation)(n % 3);
        const body_plan plan = {.kind = n % RIG_KIND_COUNT,
                                .prefix =
                                    rig_prefixes(n % RIG_KIND_COUNT)[0] == 'B' ? "Bip01 " : "",
                                .axes = (uint64_t)n,
                                .scale = 1.0,
                                .arms_deg = 30.0,
                                .thigh = 0.45,
                                .mirrored = n % 5 == 4};
        make_body(&from, &plan);
        make_body(&to, &plan);
        animate(&from, (uint64_t)n + 7, how);
        retarget_body(&to, &from, n % 2 ? RETARGET_FITTED : RETARGET_ROTATION);
        const model_clip *clip = &to.model.clips[0];
        cr_assert_eq(clip->channel_count, from.clip.channel_count);
        for (uint32_t i = 0; i < from.clip.channel_count; i++) {
            const model_channel *a = &from.channels[i], *b = NULL;
            for (uint32_t k = 0; k < clip->channel_count; k++)
                if (clip->channels[k].node == a->node && clip->channels[k].path == a->path)
                    b = &clip->channels[k];
            cr_assert(b, "case %d", n);
            cr_assert_eq(a->key_count, b->key_count);
            cr_assert_eq(a->interpolation, b->interpolation);
            cr_assert_eq(memcmp(a->time_s, b->time_s, KEYS * sizeof(float)), 0);
            const uint32_t width = a->path == MODEL_ROTATION ? 4 : 3;
            for (uint32_t k = 0; k < KEYS * width * (how == MODEL_CUBIC ? 3 : 1); k++)
                cr_assert_float_eq(a->value[k], b->value[k], 3e-7, "case %d: %.9g, not %.9g", n,
                                   (double)b->value[k], (double)a->value[k]);
        }
        free_body(&from);
        free_body(&to);
    }
}

Test(retarget, other_axes_lengths_and_names_move_alike)
{
    static const int32_t kinds[] = {RIG_MIXAMO, RIG_VRM}; // with the same parts
    for (int n = 0; n < 36; n++) {
        static body from, to;
        const double scale = n % 4 == 0 ? 1.0 : n % 4 == 1 ? 100.0 : 0.37;
        body_plan plan = {.kind = kinds[n % 2],
                          .prefix = "",
                          .axes = n % 3 ? (uint64_t)n + 1 : 0,
                          .scale = 1.0,
                          .arms_deg = 40.0,
                          .thigh = 0.5};
        make_body(&from, &plan);
        plan.kind = kinds[n / 2 % 2];
        plan.axes = (uint64_t)n + 1000;
        plan.scale = scale;
        make_body(&to, &plan);
        animate(&from, (uint64_t)n + 99, (model_interpolation)(n % 3));
        const retarget_result done =
            retarget_body(&to, &from, n < 18 ? RETARGET_FITTED : RETARGET_ROTATION);
        cr_assert_float_eq(done.scale, scale, 1e-5 * scale);
        const double apart = joints_apart(&from, &to, scale);
        cr_assert(apart < 1e-5 * scale, "case %d: %g", n, apart);
        free_body(&from);
        free_body(&to);
    }
}

/// The direction from a joint to the next in a pose.
static dvec3 bone_direction(const body *b, mat4 *world, int32_t part)
{
    dvec3 d = dvec3_sub(dvec3_from_floats(world[b->node_of[part + 1]][3]),
                        dvec3_from_floats(world[b->node_of[part]][3]));
    dvec3_normalize(&d, 0.0);
    return d;
}

Test(retarget, a_t_pose_fits_an_a_pose)
{
    static body from, to;
    body_plan plan = plain;
    make_body(&from, &plan);
    plan = (body_plan){
        .kind = RIG_UNREAL, .prefix = "", .axes = 5, .scale = 1.3, .arms_deg = 50.0, .thigh = 0.5};
    for (int mode = 0; mode < 2; mode++) {
        animate(&from, 3, MODEL_LINEAR);
        make_body(&to, &plan);
        retarget_body(&to, &from, (retarget_mode)mode);
        double worst = 0.0;
        for (double t = 0.0; t < 2.0; t += 0.1) {
            mat4 x[RIG_NODES], y[RIG_NODES];
            pose_body(&from, t, x);
            pose_body(&to, t, y);
            for (int32_t side = RIG_LEFT; side <= RIG_RIGHT; side += RIG_LIMB_COUNT)
                for (int32_t limb = RIG_UPPER_ARM; limb <= RIG_LOWER_ARM; limb++) {
                    const double deg = dvec3_angle_deg(bone_direction(&from, x, side + limb),
                                                       bone_direction(&to, y, side + limb));
                    worst = deg > worst ? deg : worst;
                }
        }
        if (mode == RETARGET_FITTED)
            cr_expect_lt(worst, 1e-3, "%g degrees", worst);
        else
            cr_expect_float_eq(worst, 50.0, 0.01, "%g degrees", worst);
        free_body(&to);
    }
    free_body(&from);
}

/// Ankles and the middle between the thighs move as those of the source, whatever the thighs' share
/// of the leg is: what stands still stands still.
Test(retarget, ankles_of_other_legs_move_alike)
{
    for (int n = 0; n < 12; n++) {
        static body from, to;
        body_plan plan = plain;
        plan.thigh = 0.35 + 0.03 * n;
        make_body(&from, &plan);
        plan = (body_plan){.kind = RIG_QUATERNIUS,
                           .prefix = "",
                           .axes = (uint64_t)n + 1,
                           .scale = 2.0,
                           .thigh = 0.52};
        make_body(&to, &plan);
        animate(&from, (uint64_t)n, MODEL_LINEAR);
        const retarget_result done = retarget_body(&to, &from, RETARGET_FITTED);
        double worst = 0.0;
        for (double t = 0.0; t < 2.0; t += 0.021) {
            mat4 x[RIG_NODES], y[RIG_NODES];
            pose_body(&from, t, x);
            pose_body(&to, t, y);
            for (int32_t leg = RIG_LEFT + RIG_UPPER_LEG; leg < RIG_PART_COUNT;
                 leg += RIG_LIMB_COUNT) {
                const dvec3 a = dvec3_sub(dvec3_from_floats(x[from.node_of[leg + 2]][3]),
                                          dvec3_from_floats(x[from.node_of[leg]][3]));
                const dvec3 b = dvec3_sub(dvec3_from_floats(y[to.node_of[leg + 2]][3]),
                                          dvec3_from_floats(y[to.node_of[leg]][3]));
                const double d = dvec3_length(dvec3_sub(dvec3_scale(a, done.scale), b));
                worst = d > worst ? d : worst;
            }
        }
        // Legs are 1.6 long: linear keys of two rotations, each within RETARGET_ERROR_RAD.
        cr_expect_lt(worst, 1.6 * 2.0 * RETARGET_ERROR_RAD, "case %d: %g", n, worst);
        free_body(&from);
        free_body(&to);
    }
}

/// KayKit has two spine bones to Mixamo's three, no shoulders, no fingers: others move for them.
Test(retarget, bones_between_count)
{
    static body from, to;
    body_plan plan = plain;
    make_body(&from, &plan);
    animate(&from, 17, MODEL_LINEAR);
    plan = (body_plan){
        .kind = RIG_KAYKIT, .prefix = "", .axes = 4, .scale = 1.0, .arms_deg = 0.0, .thigh = 0.5};
    make_body(&to, &plan);
    retarget_body(&to, &from, RETARGET_ROTATION);
    double worst = 0.0;
    for (double t = 0.0; t < 2.2; t += 0.0137) {
        mat4 x[RIG_NODES], y[RIG_NODES];
        pose_body(&from, t, x);
        pose_body(&to, t, y);
        static const int32_t parts[] = {RIG_HIPS, RIG_NECK1, RIG_HEAD, RIG_LEFT + RIG_UPPER_ARM,
                                        RIG_RIGHT + RIG_HAND};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const int32_t a = from.node_of[parts[i]], b = to.node_of[parts[i]];
            affine m = affine_from_floats(x[a][0]), w = affine_from_floats(y[b][0]);
            quat p, q;
            cr_assert(quat_from_axes(&m.m, &p) && quat_from_axes(&w.m, &q));
            // The source's bones lie along the axes at rest: its rotation is that since rest.
            quat rest = quat_identity();
            for (int32_t i2 = b; i2 >= 0; i2 = to.nodes[i2].parent) {
                quat own = quat_from_floats(to.nodes[i2].rest.r);
                quat_normalize(&own);
                rest = quat_multiply(own, rest);
            }
            const quat since = quat_multiply(q, quat_conjugate(rest));
            const quat d = quat_multiply(since, quat_conjugate(p));
            const double angle = 2.0 * sqrt((d.x * d.x + d.y * d.y) + d.z * d.z);
            worst = angle > worst ? angle : worst;
        }
    }
    cr_expect_lt(worst, 1.5 * RETARGET_ERROR_RAD, "%g rad", worst);
    free_body(&from);
    free_body(&to);
}

// ---- Names --------------------------------------------------------------------------------------

Test(retarget, rigs_are_known_by_their_names)
{
    static const struct {
        int32_t kind;
        const char *prefix;
    } rigs[] = {
        {RIG_MIXAMO, "mixamorig:"},
        {RIG_MIXAMO, "mixamorig"},
        {RIG_MIXAMO, ""},
        {RIG_MIXAMO, "mixamorig9:"},
        {RIG_RIGIFY, "DEF-"},
        {RIG_RIGIFY, "ORG-"},
        {RIG_RIGIFY, ""},
        {RIG_VRM, ""},
        {RIG_VROID, ""},
        {RIG_QUATERNIUS, ""},
        {RIG_UNREAL, ""},
        {RIG_KAYKIT, ""},
        {RIG_BIPED, "Bip01 "},
        {RIG_BIPED, "Bip001 "},
        {RIG_DAZ, ""},
        {RIG_CHARACTER_CREATOR, "CC_Base_"},
        {RIG_MMD, ""},
    };
    for (size_t n = 0; n < sizeof rigs / sizeof *rigs; n++) {
        static body b;
        rig found;
        body_plan plan = plain;
        plan.kind = rigs[n].kind;
        plan.prefix = rigs[n].prefix;
        make_body(&b, &plan);
        cr_assert(rig_find(&b.model, &scratch, &found));
        cr_expect_eq(found.kind, plan.kind, "%s%d is %d", plan.prefix, plan.kind, found.kind);
        for (int32_t part = 0; part < RIG_PART_COUNT; part++)
            cr_expect_eq(found.node[part], b.node_of[part], "part %d of %s%d is %d, not %d", part,
                         plan.prefix, plan.kind, found.node[part], b.node_of[part]);
        free_body(&b);
    }
}

/// A spine of one habit and limbs of another: "spine" is not Rigify's name of the hips there.
Test(retarget, rigs_of_mixed_habits)
{
    static const struct {
        int32_t part;
        const char *name;
    } names[] = {{RIG_HIPS, "hips"},        {RIG_SPINE1, "spine"},
                 {RIG_SPINE1 + 1, "chest"}, {RIG_SPINE1 + 2, "upper_chest"},
                 {RIG_NECK1, "neck"},       {RIG_HEAD, "head"}};
    static body mixed, mixamo;
    rig found;
    body_plan plan = plain;
    plan.kind = RIG_RIGIFY;
    make_body(&mixed, &plan);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        mixed.nodes[mixed.node_of[names[i].part]].name = names[i].name;
    mixed.nodes[mixed.node_of[RIG_NECK2]].name = "collar";
    cr_assert(rig_find(&mixed.model, &scratch, &found));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(found.node[names[i].part], mixed.node_of[names[i].part], "%s", names[i].name);
    cr_expect_eq(found.node[RIG_LEFT + RIG_LOWER_LEG], mixed.node_of[RIG_LEFT + RIG_LOWER_LEG]);
    animate(&mixed, 3, MODEL_LINEAR);
    make_body(&mixamo, &plain);
    const retarget_result done = retarget_body(&mixamo, &mixed, RETARGET_FITTED);
    cr_expect(done.bone_count > 20, "%u bones", done.bone_count);
    free_body(&mixed);
    free_body(&mixamo);
}

/// A bone that is no part of the target's rig corresponds to one of its name that is in the source.
Test(retarget, equal_names_always_correspond)
{
    static body from, to;
    uint32_t count[2];
    body_plan plan = plain;
    plan.kind = RIG_UNREAL;
    make_body(&from, &plan);
    animate(&from, 5, MODEL_LINEAR);
    plan.kind = RIG_KAYKIT; // which has no shoulders
    for (int renamed = 0; renamed < 2; renamed++) {
        make_body(&to, &plan);
        if (renamed)
            to.nodes[to.node_of[RIG_LEFT + RIG_TOES]].name =
                from.nodes[from.node_of[RIG_LEFT + RIG_SHOULDER]].name;
        count[renamed] = retarget_body(&to, &from, RETARGET_FITTED).bone_count;
        free_body(&to);
    }
    cr_expect_eq(count[0], count[1], "%u bones, and %u", count[0], count[1]);
    free_body(&from);
}

/// Clips of each rig for each other one: every part that both have moves.
Test(retarget, every_rig_moves_every_other)
{
    for (int32_t n = 0; n < RIG_KIND_COUNT * RIG_KIND_COUNT; n++) {
        static body from, to;
        body_plan plan = plain;
        plan.kind = n / RIG_KIND_COUNT;
        plan.prefix = plan.kind == RIG_BIPED ? "Bip01 " : "";
        make_body(&from, &plan);
        animate(&from, (uint64_t)n + 1, MODEL_LINEAR);
        plan.kind = n % RIG_KIND_COUNT;
        plan.prefix = plan.kind == RIG_BIPED ? "Bip01 " : "";
        make_body(&to, &plan);
        const retarget_result done = retarget_body(&to, &from, RETARGET_FITTED);
        uint32_t common = 0, chain = 0;
        for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
            const bool spine = part >= RIG_SPINE1 && part <= RIG_NECK2;
            chain += spine && to.node_of[part] >= 0;
            common += !spine && to.node_of[part] >= 0 && from.node_of[part] >= 0;
        }
        // "Armature" has the same name in all.
        cr_expect_eq(done.bone_count, common + chain + 1, "%d to %d: %u bones, not %u",
                     n / RIG_KIND_COUNT, n % RIG_KIND_COUNT, done.bone_count, common + chain + 1);
        free_body(&from);
        free_body(&to);
    }
}

/// The bones that a VRM file names count, whatever names its nodes have.
Test(retarget, bones_of_vrm_files)
{
    static body b;
    static char numbers[RIG_NODES][8];
    model_human_bone human[RIG_PART_COUNT];
    uint32_t count = 0;
    body_plan plan = plain;
    rig found;
    plan.kind = RIG_VRM;
    make_body(&b, &plan);
    for (uint32_t i = 0; i < b.model.node_count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%u", i);
        if (i > 0)
            human[count++] = (model_human_bone){b.names[i], (int32_t)i};
        b.nodes[i].name = numbers[i];
    }
    b.model.human_bones = human;
    b.model.human_bone_count = count;
    cr_assert(rig_find(&b.model, &scratch, &found));
    cr_expect_eq(found.kind, RIG_VRM);
    for (int32_t part = 0; part < RIG_PART_COUNT; part++)
        cr_expect_eq(found.node[part], b.node_of[part], "part %d", part);
    free_body(&b);
}

// ---- Maps ---------------------------------------------------------------------------------------

Test(retarget, pairs_win_over_names)
{
    static body from, to;
    body_plan plan = plain;
    make_body(&from, &plan);
    animate(&from, 1, MODEL_LINEAR);
    make_body(&to, &plan);
    lay_out(&to);
    const int32_t hand = from.node_of[RIG_LEFT + RIG_HAND], head = from.node_of[RIG_HEAD];
    const int32_t other = to.node_of[RIG_RIGHT + RIG_HAND];
    const retarget_pair pairs[] = {{hand, other}, {head, -1}};
    const retarget_def def = {.mode = RETARGET_ROTATION, .pair_count = 2, .pairs = pairs};
    retarget_result done;
    cr_assert_eq(model_retarget_clips(&to.model, &from.model, &def, &scratch, &done, NULL), ZT_OK);
    bool moves[RIG_NODES] = {false};
    for (uint32_t i = 0; i < to.model.clips[0].channel_count; i++)
        moves[to.model.clips[0].channels[i].node] = true;
    cr_expect(moves[other]);
    cr_expect(!moves[to.node_of[RIG_HEAD]]);
    cr_expect(!moves[to.node_of[RIG_LEFT + RIG_HAND]]);
    cr_assert_eq(done.unmapped_count, 1, "the head is left out on purpose");
    cr_expect_eq(done.unmapped[0], from.node_of[RIG_RIGHT + RIG_HAND]);
    cr_assert_eq(done.unmoved_count, 2);
    cr_expect_eq(done.unmoved[0], to.node_of[RIG_HEAD]);
    free_body(&from);
    free_body(&to);
}

// ---- Memory -------------------------------------------------------------------------------------

/// Whatever the limit, it is an error or the clip.
Test(retarget, refused_memory)
{
    static body from, to;
    body_plan plan = plain;
    uint32_t refused = 0, made = 0;
    make_body(&from, &plan);
    animate(&from, 1, MODEL_LINEAR);
    plan.kind = RIG_KAYKIT;
    for (uint64_t limit = 1024; limit < (uint64_t)1 << 20; limit += 4096) {
        const retarget_def def = {.mode = RETARGET_FITTED};
        retarget_result done;
        budget tight;
        arena tight_scratch;
        uint32_t mirrored;
        zt_error err = {0};
        make_body(&to, &plan);
        lay_out(&to);
        arena kept = to.model.arena;
        budget_init(&tight, limit, NULL);
        arena_init(&tight_scratch, &tight);
        arena_init(&to.model.arena, &tight);
        zt_result result =
            model_retarget_clips(&to.model, &from.model, &def, &tight_scratch, &done, &err);
        if (result == ZT_OK)
            result = model_mirror_clip(&to.model, 0, &tight_scratch, &mirrored, &err);
        cr_assert(result == ZT_OK || result == ZT_ERR_LIMIT, "%d: %s", result, err.message);
        refused += result != ZT_OK;
        made += result == ZT_OK;
        arena_finish(&tight_scratch);
        free_body(&to);
        arena_finish(&kept);
    }
    cr_expect(refused > 3 && made > 3, "%u refused, %u made", refused, made);
    free_body(&from);
}

// ---- Mirrored clips -----------------------------------------------------------------------------

/// Poses of a mirrored clip are mirror images, whether names tell the sides or places at rest; and
/// mirrored again it is the clip that it was.
Test(retarget, mirrored_clips_are_mirror_images)
{
    for (int32_t n = 0; n < 4 * RIG_KIND_COUNT; n++) {
        static body b;
        static char numbers[RIG_NODES][8];
        const model_interpolation how = (model_interpolation)(n % 3);
        body_plan plan = {.kind = n % RIG_KIND_COUNT,
                          .prefix = n % RIG_KIND_COUNT == RIG_BIPED ? "Bip01 " : "",
                          .axes = n % 2 ? (uint64_t)n + 1 : 0,
                          .scale = 1.0,
                          .arms_deg = 25.0,
                          .thigh = 0.5};
        uint32_t mirrored = 0, again = 0;
        make_body(&b, &plan);
        const bool along_z = n / RIG_KIND_COUNT == 1; // all turned by 90 degrees
        if (along_z)
            quat_to_floats(quat_multiply(quat_from_axis_deg((dvec3){0.0, 1.0, 0.0}, 90.0),
                                         quat_from_floats(b.nodes[0].rest.r)),
                           b.nodes[0].rest.r);
        for (uint32_t i = 0; i < b.model.node_count && n >= 2 * RIG_KIND_COUNT; i++) {
            snprintf(numbers[i], sizeof numbers[i], "%u", i);
            b.nodes[i].name = numbers[i];
        }
        animate(&b, (uint64_t)n + 5, how);
        lay_out(&b);
        cr_assert_eq(model_mirror_clip(&b.model, 0, &scratch, &mirrored, NULL), ZT_OK);
        cr_assert_eq(mirrored, 1);
        double worst = 0.0;
        for (double t = 0.0; t < 2.2; t += 0.043) {
            mat4 x[RIG_NODES], y[RIG_NODES];
            trs local[RIG_NODES];
            mat4 identity = GLM_MAT4_IDENTITY_INIT;
            pose_body(&b, t, y);
            pose_sample(&b.model, &b.model.clips[0], (float)t, local);
            pose_to_world(&b.model, identity, local, x);
            for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
                const int32_t other = part < RIG_LEFT    ? part
                                      : part < RIG_RIGHT ? part + RIG_LIMB_COUNT
                                                         : part - RIG_LIMB_COUNT;
                if (b.node_of[part] < 0)
                    continue;
                dvec3 p = dvec3_from_floats(x[b.node_of[part]][3]);
                if (along_z)
                    p.z = -p.z;
                else
                    p.x = -p.x;
                const double d =
                    dvec3_length(dvec3_sub(p, dvec3_from_floats(y[b.node_of[other]][3])));
                worst = d > worst ? d : worst;
            }
        }
        cr_expect_lt(worst, 1e-5, "case %d: %g m off", n, worst);
        cr_assert_eq(model_mirror_clip(&b.model, 0, &scratch, &again, NULL), ZT_OK);
        cr_expect_eq(again, 1, "made once");
        model_clip clips[2] = {b.model.clips[0], b.model.clips[1]};
        clips[1].mirrored = 0;
        b.model.clips = clips;
        cr_assert_eq(model_mirror_clip(&b.model, 1, &scratch, &again, NULL), ZT_OK);
        const model_clip *back = &b.model.clips[again];
        cr_assert_eq(back->channel_count, b.clip.channel_count);
        for (uint32_t i = 0; i < back->channel_count; i++) {
            const model_channel *a = &back->channels[i], *c = NULL;
            for (uint32_t k = 0; k < b.clip.channel_count; k++)
                if (b.channels[k].node == a->node && b.channels[k].path == a->path)
                    c = &b.channels[k];
            cr_assert(c && a->key_count == c->key_count && a->interpolation == c->interpolation);
            const uint32_t floats =
                KEYS * (a->path == MODEL_ROTATION ? 4u : 3u) * (how == MODEL_CUBIC ? 3u : 1u);
            for (uint32_t k = 0; k < floats; k++)
                cr_assert_float_eq(a->value[k], c->value[k], 1e-6, "case %d", n);
        }
        free_body(&b);
    }
}

// ---- Nodes with matrices ------------------------------------------------------------------------

/// A hand below a lower arm, whose sources are on two arms of a source: the way between them goes
/// up over a node, or down, whose rest is a matrix or not.
/// Rotations from rest of the bones below the root, in the model: [source, target][bone].
static void hand_from_other_arm(bool matrix, bool up, quat out[2][2])
{
    static const char *const names[] = {"root", "helper", "first", "second"};
    static const float times[2] = {0.0f, 1.0f};
    model_node from_nodes[4], to_nodes[3];
    const quat bent = quat_from_axis_deg((dvec3){0.6, 0.0, 0.8}, 50.0);
    for (int i = 0; i < 4; i++) {
        from_nodes[i] = (model_node){.name = names[i],
                                     .parent = i == 2   ? 1
                                               : i == 0 ? -1
                                                        : 0,
                                     .rest = trs_identity(),
                                     .mesh = -1,
                                     .skin = -1,
                                     .camera = -1,
                                     .light = -1};
        from_nodes[i].rest.t[i % 3] = 0.3f + 0.1f * (float)i;
    }
    for (int i = 0; i < 3; i++)
        to_nodes[i] = from_nodes[i == 0 ? 0 : i + 1];
    if (!up) {
        from_nodes[2].parent = 0;
        from_nodes[3].parent = 1;
    }
    to_nodes[1].parent = 0;
    to_nodes[2].parent = 1;
    quat_to_floats(bent, from_nodes[1].rest.r);
    if (matrix) {
        trs_to_mat4(&from_nodes[1].rest, from_nodes[1].matrix);
        from_nodes[1].has_matrix = true;
    }
    float values[2][8];
    model_channel channels[2];
    for (int c = 0; c < 2; c++) {
        for (int k = 0; k < 2; k++)
            quat_to_floats(quat_from_axis_deg((dvec3){0.0, c ? 0.6 : 1.0, c ? 0.8 : 0.0},
                                              70.0 * (k + 1) - 40.0 * c),
                           &values[c][4 * k]);
        channels[c] = (model_channel){.node = 2 + c,
                                      .path = MODEL_ROTATION,
                                      .key_count = 2,
                                      .time_s = times,
                                      .value = values[c]};
    }
    model_clip clip = {.name = "clip", .end_s = 1.0f, .channel_count = 2, .channels = channels};
    zt_model from = {
        .nodes = from_nodes, .node_count = 4, .path = "from", .clips = &clip, .clip_count = 1};
    zt_model to = {.nodes = to_nodes, .node_count = 3, .path = "to"};
    const retarget_def def = {.mode = RETARGET_ROTATION};
    retarget_result done;
    zt_error err = {0};
    arena_init(&from.arena, &memory);
    arena_init(&to.arena, &memory);
    cr_assert_eq(model_lay_out_motion(&from, &scratch, NULL), ZT_OK);
    cr_assert_eq(model_lay_out_motion(&to, &scratch, NULL), ZT_OK);
    cr_assert_eq(model_retarget_clips(&to, &from, &def, &scratch, &done, &err), ZT_OK, "%s",
                 err.message);
    cr_assert(done.clip_count == 1 && done.bone_count == 3);
    const zt_model *models[2] = {&from, &to};
    for (int m = 0; m < 2; m++) {
        trs local[4];
        mat4 posed[4], rest[4], identity = GLM_MAT4_IDENTITY_INIT;
        pose_sample(models[m], &models[m]->clips[0], 0.4f, local);
        pose_to_world(models[m], identity, local, posed);
        for (uint32_t i = 0; i < models[m]->node_count; i++)
            local[i] = models[m]->nodes[i].rest;
        pose_to_world(models[m], identity, local, rest);
        for (int i = 0; i < 2; i++) {
            const affine now = affine_from_floats(posed[i + 2 - m][0]);
            const affine then = affine_from_floats(rest[i + 2 - m][0]);
            quat a, b;
            cr_assert(quat_from_axes(&now.m, &a) && quat_from_axes(&then.m, &b));
            out[m][i] = quat_multiply(a, quat_conjugate(b));
        }
    }
    arena_finish(&to.arena);
    arena_finish(&from.arena);
}

Test(retarget, nodes_with_matrices_are_passed_upwards_and_downwards)
{
    for (int n = 0; n < 4; n++) {
        quat rotation[2][2];
        hand_from_other_arm(n & 1, n & 2, rotation);
        for (int i = 0; i < 2; i++) {
            const quat *from = &rotation[0][i], *to = &rotation[1][i];
            const double dot =
                from->x * to->x + from->y * to->y + from->z * to->z + from->w * to->w;
            cr_expect_gt(fabs(dot), 1.0 - 1e-8, "bone %d, case %d: %.12f", i, n, dot);
            cr_expect_lt(fabs(from->w), 0.99, "it rotates");
        }
    }
}
