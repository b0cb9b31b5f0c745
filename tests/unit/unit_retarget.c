// SPDX-License-Identifier: MIT
/// Retargeting: rigs of known names made here, with bones of any orientation and length.
#include "pose/pose.h"
#include "retarget_bodies.h"
#include "testing.h"

TestSuite(retarget, .init = bodies_begin, .fini = bodies_end);

// ---- Properties ---------------------------------------------------------------------------------

/// The channels are the same, in any order, and their keys but for rounding.
static void expect_same_clip(const model_clip *got, const model_clip *want, double within, int n)
{
    cr_assert_eq(got->channel_count, want->channel_count);
    for (uint32_t i = 0; i < want->channel_count; i++) {
        const model_channel *a = &want->channels[i], *b = NULL;
        for (uint32_t k = 0; k < got->channel_count; k++)
            if (got->channels[k].node == a->node && got->channels[k].path == a->path)
                b = &got->channels[k];
        cr_assert(b && a->key_count == b->key_count && a->interpolation == b->interpolation,
                  "case %d", n);
        cr_assert_eq(memcmp(a->time_s, b->time_s, KEYS * sizeof(float)), 0);
        const uint32_t width = a->path == MODEL_ROTATION ? 4 : 3;
        for (uint32_t k = 0; k < KEYS * width * (a->interpolation == MODEL_CUBIC ? 3 : 1); k++)
            NEAR(a->value[k], b->value[k], within, "case %d", n);
    }
}

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
        expect_same_clip(&to.model.clips[0], &from.clip, 3e-7, n);
    }
}

/// Each axis of a bone at rest, in the model.
static void rest_axes(const body *b, int32_t node, mat4 out)
{
    glm_mat4_identity(out);
    for (; node >= 0; node = b->nodes[node].parent) {
        mat4 local;
        trs_to_mat4(&b->nodes[node].rest, local);
        glm_mat4_mul(local, out, out);
    }
}

/// A bone is as wide in each direction as that of the source, where its axes are others.
Test(retarget, scales_keep_their_directions)
{
    for (uint64_t n = 1; n < 20; n++) {
        static body from, to;
        body_plan plan = {.kind = RIG_MIXAMO, .prefix = "", .axes = n, .scale = 1.0, .thigh = 0.5};
        make_body(&from, &plan);
        plan.axes = n + 1000;
        make_body(&to, &plan);
        animate(&from, n, MODEL_LINEAR);
        const uint32_t last = from.clip.channel_count++;
        memcpy(from.values[last], (float[3]){2.0f, 3.0f, 5.0f}, 3 * sizeof(float));
        from.channels[last] =
            (model_channel){from.node_of[RIG_HEAD], MODEL_SCALE,      MODEL_STEP, 1,
                            from.times[last],       from.values[last]};
        retarget_body(&to, &from, RETARGET_FITTED);
        mat4 a, b;
        rest_axes(&from, from.node_of[RIG_HEAD], a);
        rest_axes(&to, to.node_of[RIG_HEAD], b);
        const model_clip *clip = &to.model.clips[0];
        const model_channel *c = clip->channels;
        while (c->path != MODEL_SCALE)
            cr_assert_lt(++c - clip->channels, clip->channel_count);
        cr_assert(c->node == to.node_of[RIG_HEAD] && c->key_count == 1);
        for (int k = 0; k < 3; k++) {
            int best = 0;
            for (int i = 1; i < 3; i++)
                best =
                    fabsf(glm_vec3_dot(a[i], b[k])) > fabsf(glm_vec3_dot(a[best], b[k])) ? i : best;
            cr_expect_eq(c->value[k], from.values[last][best], "case %d, axis %d", (int)n, k);
        }
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
    }
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
}

// ---- Names --------------------------------------------------------------------------------------

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
        arena_finish(&to.model.arena);
        to.model.arena = kept;
    }
    cr_expect(refused > 3 && made > 3, "%u refused, %u made", refused, made);
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
            snprintf(numbers[i], sizeof numbers[i], "ba%c%u", i % 2 ? 'r' : 'l', i / 2);
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
            model_sample_clip(&b.model, &b.model.clips[0], (float)t, local);
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
        expect_same_clip(&b.model.clips[again], &b.clip, 1e-6, n);
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
        channels[c] = (model_channel){2 + c, MODEL_ROTATION, MODEL_STEP, 2, times, values[c]};
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
    MUST(model_retarget_clips(&to, &from, &def, &scratch, &done, &err), err);
    cr_assert(done.clip_count == 1 && done.bone_count == 3);
    const zt_model *models[2] = {&from, &to};
    for (int m = 0; m < 2; m++) {
        trs local[4];
        mat4 posed[4], rest[4], identity = GLM_MAT4_IDENTITY_INIT;
        model_sample_clip(models[m], &models[m]->clips[0], 0.4f, local);
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

/// A key that says the rest pose is a key: layers take its bone from others.
Test(retarget, keys_at_rest_are_kept)
{
    for (int moves = 0; moves < 2; moves++) {
        static body from, to;
        make_body(&from, &plain);
        make_body(&to, &plain);
        animate(&from, 1, MODEL_LINEAR);
        model_channel *c = &from.channels[moves ? from.clip.channel_count - 1 : 0];
        const trs *rest = &from.nodes[c->node].rest;
        memcpy(from.values[c - from.channels], moves ? rest->t : rest->r, (moves ? 3 : 4) * 4);
        c->key_count = 1;
        from.clip.channels = c;
        from.clip.channel_count = 1;
        retarget_body(&to, &from, RETARGET_ROTATION);
        const model_clip *clip = &to.model.clips[0];
        cr_assert_eq(clip->channel_count, 1);
        cr_expect(clip->channels[0].path == c->path && clip->channels[0].node == c->node);
    }
}

/// A figure with wider hips and longer thighs takes over a clip. Times of its keys rise.
static void take_over(const body *from, body *to)
{
    const body_plan plan = {.kind = RIG_QUATERNIUS, .prefix = "", .scale = 2.0, .thigh = 0.52};
    make_body(to, &plan);
    to->nodes[to->node_of[RIG_LEFT + RIG_UPPER_LEG]].rest.t[0] *= 1.5f;
    to->nodes[to->node_of[RIG_RIGHT + RIG_UPPER_LEG]].rest.t[0] *= 1.5f;
    retarget_body(to, from, RETARGET_FITTED);
    for (uint32_t i = 0; i < to->model.clips[0].channel_count; i++) {
        const model_channel *c = &to->model.clips[0].channels[i];
        for (uint32_t k = 1; k < c->key_count; k++)
            cr_assert_gt(c->time_s[k], c->time_s[k - 1]);
    }
}

/// The other figure turns as the hips do, about the vertical; also in clips that
/// begin at 18 hours, where floats are coarse: keys are no nearer to each other than they differ.
Test(retarget, a_turned_clip_is_the_clip_turned)
{
    for (int n = 0; n < 6; n++) {
        static body from, to, turned;
        const quat turn = quat_from_axis_deg((dvec3){0.0, 1.0, 0.0}, 60.0 * n - 150.0);
        make_body(&from, &plain);
        animate(&from, (uint64_t)n, MODEL_LINEAR);
        from.clip.start_s = n % 2 ? 65536.0f : 0.0f;
        from.clip.end_s += from.clip.start_s;
        for (uint32_t i = 0; i < from.clip.channel_count * KEYS; i++)
            from.times[i / KEYS][i % KEYS] += from.clip.start_s;
        take_over(&from, &to);
        for (uint32_t i = 0; i < from.clip.channel_count; i++)
            for (uint32_t k = 0; from.channels[i].node == from.node_of[RIG_HIPS] && k < KEYS; k++) {
                float *r = &from.values[i][4 * k], *t = &from.values[i][3 * k];
                if (from.channels[i].path == MODEL_ROTATION)
                    quat_to_floats(quat_multiply(turn, quat_from_floats(r)), r);
                else
                    dvec3_to_floats(quat_rotate(turn, dvec3_from_floats(t)), t);
            }
        take_over(&from, &turned);
        for (double t = 0.0; t < 2.0; t += 0.037) {
            mat4 x[RIG_NODES], y[RIG_NODES];
            pose_body(&to, (double)from.clip.start_s + t, x);
            pose_body(&turned, (double)from.clip.start_s + t, y);
            for (uint32_t i = 1; i < to.model.node_count; i++) {
                const dvec3 want = quat_rotate(turn, dvec3_from_floats(x[i][3]));
                const double off = dvec3_length(dvec3_sub(want, dvec3_from_floats(y[i][3])));
                cr_assert_lt(off, 10.0 * RETARGET_ERROR_RAD, "case %d, %g s: %g m", n, t, off);
            }
        }
    }
}
