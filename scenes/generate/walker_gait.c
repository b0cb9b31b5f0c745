// SPDX-License-Identifier: MIT
// Clips of the walker. Feet come first: during stance the sole rolls over heel, flat and ball on
// ground that moves back at constant speed, and the legs follow by two-bone inverse kinematics.
// Pelvis, spine and arms are sums of sines of the gait's phase, 0 at the left heel's contact.
//
// All bind rotations are identity, so a bone's rotation reads in world axes: about +x tips forward
// (and a hanging leg back), about +y rotates to the left, about +z raises the left side.
#include "walker.h"

#include <string.h>

#define TURN (2.0 * MATHS_PI)

typedef struct walker_pose {
    quat local[BONE_COUNT];
    dvec3 pelvis; ///< offset from the bind position
} walker_pose;

typedef struct foot_target {
    dvec3 ankle;            ///< of the left foot; x is mirrored for the right
    double pitch, toe, yaw; ///< degrees; toe relative to the foot
} foot_target;

// Inner points of the path of a foot through the air, t from 0 (lift-off) to 1 (contact).
typedef struct swing_key {
    double t, y, z, pitch;
} swing_key;

typedef struct gait {
    double period, speed;  ///< s, m/s
    double stance;         ///< part of the period with the foot on the ground
    double ball_start;     ///< z of the ball at contact, metres
    double strike_pitch;   ///< degrees at contact, toes up
    double flat, heel_off; ///< phases at which the sole is down and the heel leaves
    double push_pitch;     ///< degrees at lift-off
    double foot_x, foot_yaw;
    swing_key swing[4];
    int swing_count;
    double height, bob, bob_phase, sway, yaw, roll, lean, chest_lean, chest_yaw;
    double arm_out, arm_swing, arm_bias, elbow, elbow_swing, curl;
} gait;

static const gait walk = {
    .period = 1.0,
    .speed = 1.1,
    .stance = 0.62,
    .ball_start = 0.41,
    .strike_pitch = -20.0,
    .flat = 0.1,
    .heel_off = 0.34,
    .push_pitch = 56.0,
    .foot_x = 0.093,
    .foot_yaw = 5.0,
    .swing = {{0.3, 0.235, -0.19, 57.0}, {0.62, 0.152, 0.13, 4.0}},
    .swing_count = 2,
    .height = -0.031,
    .bob = 0.017,
    .bob_phase = 0.05,
    .sway = 0.022,
    .yaw = 6.0,
    .roll = 3.5,
    .lean = 2.0,
    .chest_lean = 1.0,
    .chest_yaw = 7.0,
    .arm_out = 27.0,
    .arm_swing = 23.0,
    .arm_bias = -3.0,
    .elbow = 24.0,
    .elbow_swing = 11.0,
    .curl = 20.0,
};

static const gait run = {
    .period = 0.66,
    .speed = 2.6,
    .stance = 0.36,
    .ball_start = 0.27,
    .strike_pitch = -8.0,
    .flat = 0.05,
    .heel_off = 0.13,
    .push_pitch = 58.0,
    .foot_x = 0.075,
    .foot_yaw = 4.0,
    .swing = {{0.27, 0.44, -0.4, 88.0}, {0.53, 0.42, -0.03, 48.0}, {0.8, 0.23, 0.28, -4.0}},
    .swing_count = 3,
    .height = -0.05,
    .bob = 0.032,
    .bob_phase = 0.16,
    .sway = 0.01,
    .yaw = 8.0,
    .roll = 3.0,
    .lean = 7.0,
    .chest_lean = 7.0,
    .chest_yaw = 11.0,
    .arm_out = 24.0,
    .arm_swing = 40.0,
    .arm_bias = 6.0,
    .elbow = 84.0,
    .elbow_swing = 14.0,
    .curl = 52.0,
};

// --- feet ----------------------------------------------------------------------------------------

// The sole rolls over the heel (pitch below 0) or the ball (above 0), both fixed to the ground.
static foot_target stance_foot(const gait *g, const walker_bone *bones, double phase)
{
    const dvec3 ankle = bones[BONE_FOOT].joint, ball = bones[BONE_TOE].joint;
    const dvec3 heel = v3(ankle.x, 0.0, -0.095); // the back edge of the sole
    double pitch = 0.0;
    if (phase < g->flat)
        pitch = g->strike_pitch * (1.0 - smooth_step(0.0, g->flat, phase));
    if (phase > g->heel_off) {
        const double t = (phase - g->heel_off) / (g->stance - g->heel_off);
        pitch = g->push_pitch * t * t;
    }
    const dvec3 pivot = pitch < 0.0 ? heel : ball;
    const double back = g->ball_start - g->speed * g->period * phase - ball.z;
    const quat turn = quat_axis(v3(1.0, 0.0, 0.0), radians(pitch));
    dvec3 at =
        dvec3_add(dvec3_add(pivot, v3(0.0, 0.0, back)), quat_rotate(turn, dvec3_sub(ankle, pivot)));
    at.x = g->foot_x;
    return (foot_target){at, pitch, pitch > 0.0 ? -pitch : 0.0, g->foot_yaw};
}

// Cubic through (0, a) and (1, b) with the given slopes.
static double hermite(double a, double slope_a, double b, double slope_b, double t)
{
    const double t2 = t * t, t3 = t2 * t;
    return a * (2.0 * t3 - 3.0 * t2 + 1.0) + slope_a * (t3 - 2.0 * t2 + t) +
           b * (3.0 * t2 - 2.0 * t3) + slope_b * (t3 - t2);
}

static foot_target swing_foot(const gait *g, const walker_bone *bones, double phase)
{
    enum { Y, Z, PITCH, VALUES };
    const double span = 1.0 - g->stance, t = (phase - g->stance) / span, step = 1e-3;
    double times[6], values[6][VALUES], slopes[6][VALUES];
    const int last = g->swing_count + 1;
    for (int end = 0; end < 2; end++) {
        // Positions and speeds of the foot at lift-off and contact.
        const int k = end == 0 ? 0 : last;
        const double edge = end == 0 ? g->stance : 0.0;
        const foot_target at = stance_foot(g, bones, edge);
        const foot_target in = stance_foot(g, bones, end == 0 ? edge - step : edge + step);
        const double scale = (end == 0 ? span : -span) / step;
        times[k] = end;
        values[k][Y] = at.ankle.y;
        values[k][Z] = at.ankle.z;
        values[k][PITCH] = at.pitch;
        slopes[k][Y] = (at.ankle.y - in.ankle.y) * scale;
        slopes[k][Z] = (at.ankle.z - in.ankle.z) * scale;
        slopes[k][PITCH] = end == 0 ? (at.pitch - in.pitch) * scale * 0.4 : 0.0; // the push ends
    }
    for (int k = 1; k < last; k++) {
        times[k] = g->swing[k - 1].t;
        values[k][Y] = g->swing[k - 1].y;
        values[k][Z] = g->swing[k - 1].z;
        values[k][PITCH] = g->swing[k - 1].pitch;
    }
    for (int k = 1; k < last; k++)
        for (int c = 0; c < VALUES; c++)
            slopes[k][c] = (values[k + 1][c] - values[k - 1][c]) / (times[k + 1] - times[k - 1]);
    int k = 0;
    while (k + 1 < last && t > times[k + 1])
        k++;
    const double length = times[k + 1] - times[k], s = (t - times[k]) / length;
    double now[VALUES];
    for (int c = 0; c < VALUES; c++)
        now[c] = hermite(values[k][c], slopes[k][c] * length, values[k + 1][c],
                         slopes[k + 1][c] * length, s);
    const double toe = -g->push_pitch * (1.0 - smooth_step(0.12, 0.5, t)) -
                       8.0 * smooth_step(0.5, 1.0, t) * (1.0 - smooth_step(0.9, 1.0, t));
    return (foot_target){v3(g->foot_x, now[Y], now[Z]), now[PITCH], toe, g->foot_yaw};
}

// --- legs ----------------------------------------------------------------------------------------

// Rotation that takes the bind segment `from` (hinge about +x) to `to` with the hinge `hinge`.
static quat aim(dvec3 from, dvec3 to, dvec3 hinge)
{
    const dvec3 y0 = dvec3_scale(v3_unit(from), -1.0), y1 = dvec3_scale(v3_unit(to), -1.0);
    const dvec3 x0 = v3_unit(v3_mad(v3(1, 0, 0), y0, -y0.x));
    const dvec3 x1 = v3_unit(v3_mad(hinge, y1, -dvec3_dot(hinge, y1)));
    const quat bind = quat_of_axes(x0, y0, dvec3_cross(x0, y0));
    return quat_multiply(quat_of_axes(x1, y1, dvec3_cross(x1, y1)), quat_conjugate(bind));
}

static void solve_leg(walker_pose *pose, const walker_bone *bones, int side,
                      const foot_target *foot)
{
    const int thigh = BONE_THIGH + side, calf = BONE_CALF + side, ankle = BONE_FOOT + side;
    const double mirror = side ? -1.0 : 1.0;
    const quat pelvis = pose->local[BONE_PELVIS];
    const dvec3 hip =
        dvec3_add(dvec3_add(bones[BONE_PELVIS].joint, pose->pelvis),
                  quat_rotate(pelvis, dvec3_sub(bones[thigh].joint, bones[BONE_PELVIS].joint)));
    const dvec3 upper = dvec3_sub(bones[calf].joint, bones[thigh].joint);
    const dvec3 lower = dvec3_sub(bones[ankle].joint, bones[calf].joint);
    const dvec3 target = v3(foot->ankle.x * mirror, foot->ankle.y, foot->ankle.z);
    const double a = dvec3_length(upper), b = dvec3_length(lower);
    const dvec3 reach = dvec3_sub(target, hip);
    // A leg never quite straightens: at full length the knee would snap.
    const double d = maths_min(dvec3_length(reach), 0.998 * (a + b));
    const dvec3 along = v3_unit(reach);
    const double yaw =
        radians(foot->yaw * 0.6) * mirror; // the knee follows most of the yaw of the foot
    const dvec3 pole = v3(exact_sin(yaw), 0.0, exact_cos(yaw));
    const dvec3 out = v3_unit(v3_mad(pole, along, -dvec3_dot(pole, along)));
    const double x = (a * a - b * b + d * d) / (2.0 * d);
    const dvec3 knee =
        dvec3_add(dvec3_scale(along, x), dvec3_scale(out, sqrt(maths_max(a * a - x * x, 0.0))));
    const dvec3 hinge = dvec3_cross(out, along);
    const quat thigh_world = aim(upper, knee, hinge);
    const quat calf_world = aim(lower, dvec3_sub(dvec3_scale(along, d), knee), hinge);
    const quat foot_world = quat_multiply(quat_axis(v3(0, 1, 0), radians(foot->yaw) * mirror),
                                          quat_axis(v3(1, 0, 0), radians(foot->pitch)));
    pose->local[thigh] = quat_multiply(quat_conjugate(pelvis), thigh_world);
    pose->local[calf] = quat_multiply(quat_conjugate(thigh_world), calf_world);
    pose->local[ankle] = quat_multiply(quat_conjugate(calf_world), foot_world);
    pose->local[BONE_TOE + side] = quat_axis(v3(1, 0, 0), radians(foot->toe));
}

// --- arms ----------------------------------------------------------------------------------------

typedef struct arm_angles {
    double down, swing, twist; ///< degrees: from the bind pose to the flank; back; inwards
    double elbow, wrist, curl, lift;
} arm_angles;

static void set_mirrored(walker_pose *pose, int bone, int side, quat q)
{
    pose->local[bone + side] = side ? (quat){q.x, -q.y, -q.z, q.w} : q;
}

static void pose_arm(walker_pose *pose, int side, const arm_angles *arm)
{
    const dvec3 x = v3(1, 0, 0), z = v3(0, 0, 1);
    set_mirrored(pose, BONE_CLAVICLE, side, quat_degrees(0.0, -arm->swing * 0.12, arm->lift));
    const quat hang = quat_axis(z, radians(-arm->down));
    const quat twist = quat_axis(WALKER_ARM_DIRECTION, radians(arm->twist));
    set_mirrored(pose, BONE_UPPER_ARM, side,
                 quat_multiply(quat_axis(x, radians(arm->swing)), quat_multiply(hang, twist)));
    set_mirrored(pose, BONE_LOWER_ARM, side, quat_axis(WALKER_HAND_BACK, radians(-arm->elbow)));
    set_mirrored(pose, BONE_HAND, side, quat_axis(z, radians(-arm->wrist)));
    for (int finger = 0; finger < 3; finger++) {
        const double curl = arm->curl * (1.0 + 0.12 * finger); // outer fingers close further
        set_mirrored(pose, BONE_INDEX1 + 2 * finger, side, quat_axis(z, radians(-curl)));
        set_mirrored(pose, BONE_INDEX2 + 2 * finger, side, quat_axis(z, radians(-curl * 1.3)));
    }
    set_mirrored(pose, BONE_THUMB1, side, quat_axis(z, radians(-arm->curl * 0.7)));
    set_mirrored(pose, BONE_THUMB2, side, quat_axis(WALKER_HAND_BACK, radians(arm->curl * 0.6)));
}

// --- poses ---------------------------------------------------------------------------------------

static void rest_pose(walker_pose *pose)
{
    for (int i = 0; i < BONE_COUNT; i++)
        pose->local[i] = quat_identity();
    pose->pelvis = v3(0, 0, 0);
}

static void gait_pose(walker_pose *pose, const walker_bone *bones, const gait *g, double phase)
{
    const double c = exact_cos(TURN * phase), s = exact_sin(TURN * (phase - 0.03));
    const double c2 = exact_cos(2.0 * TURN * (phase - g->bob_phase));
    const double s2 = exact_sin(2.0 * TURN * (phase - g->bob_phase));
    rest_pose(pose);
    pose->pelvis = v3(g->sway * s, g->height - g->bob * c2, 0.0);
    pose->local[BONE_PELVIS] = quat_degrees(g->lean + 0.8 * c2, -g->yaw * c, g->roll * s);
    // The chest rotates against the pelvis, a third of it in each joint, and stays level.
    const double back_yaw = (g->yaw + g->chest_yaw) * c / 3.0, back_roll = -g->roll * 1.3 * s / 3.0;
    for (int bone = BONE_SPINE1; bone <= BONE_SPINE3; bone++)
        pose->local[bone] = quat_degrees((g->chest_lean + 1.2 * c2) / 3.0, back_yaw, back_roll);
    // The head looks ahead: it cancels the rotation of the chest.
    const double nod = -(g->lean + g->chest_lean) * 0.45 - 0.7 * s2;
    pose->local[BONE_NECK] = quat_degrees(nod, -g->chest_yaw * 0.5 * c, 0.3 * g->roll * s * 0.5);
    pose->local[BONE_HEAD] = quat_degrees(nod, -g->chest_yaw * 0.45 * c, 0.0);
    pose->local[BONE_PACK] = quat_degrees(-60.0 * g->bob * s2, 0.0, 0.4 * g->roll * c);
    for (int right = 0; right < 2; right++) {
        const int side = right ? WALKER_SIDE : 0;
        const double own = right ? phase + 0.5 - floor(phase + 0.5) : phase;
        const foot_target foot =
            own < g->stance ? stance_foot(g, bones, own) : swing_foot(g, bones, own);
        solve_leg(pose, bones, side, &foot);
        // Arms swing against the leg of their side, a little late; elbows close in front.
        const double wave = exact_cos(TURN * (own - 0.03));
        pose_arm(pose, side,
                 &(arm_angles){.down = g->arm_out,
                               .swing = g->arm_bias + g->arm_swing * wave,
                               .twist = 14.0 + 6.0 * wave,
                               .lift = -2.0 - 1.5 * c2,
                               .elbow = g->elbow - g->elbow_swing * exact_cos(TURN * (own - 0.09)),
                               .wrist = 4.0 + 5.0 * exact_cos(TURN * (own - 0.2)),
                               .curl = g->curl});
    }
}

static void idle_pose(walker_pose *pose, const walker_bone *bones, const gait *g, double phase)
{
    (void)g;
    const double slow = exact_sin(TURN * phase), lag = exact_sin(TURN * (phase - 0.08));
    const double breath = exact_sin(2.0 * TURN * phase);
    rest_pose(pose);
    // Weight goes from leg to leg once, breath comes twice.
    pose->pelvis = v3(0.03 * slow, -0.03 - 0.006 * slow * slow + 0.002 * breath, -0.005);
    pose->local[BONE_PELVIS] = quat_degrees(1.0, 2.5 * lag, 2.2 * slow);
    pose->local[BONE_SPINE1] = quat_degrees(1.0, -0.8 * lag, -1.4 * slow);
    pose->local[BONE_SPINE2] = quat_degrees(0.5 - 0.8 * breath, -0.8 * lag, -1.2 * slow);
    pose->local[BONE_SPINE3] = quat_degrees(0.5 - 1.6 * breath, -0.6 * lag, -0.6 * slow);
    pose->local[BONE_NECK] = quat_degrees(-1.0 + 1.0 * breath, 4.0 * lag, 0.4 * slow);
    pose->local[BONE_HEAD] = quat_degrees(-1.0 + 1.0 * breath, 7.0 * lag, 0.6 * slow);
    pose->local[BONE_PACK] = quat_degrees(0.8 * breath, 0.0, 0.0);
    for (int right = 0; right < 2; right++) {
        const int side = right ? WALKER_SIDE : 0;
        const double own = right ? -lag : lag;
        solve_leg(pose, bones, side,
                  &(foot_target){v3(0.128, bones[BONE_FOOT].joint.y, right ? -0.055 : 0.015), 0.0,
                                 0.0, 13.0});
        pose_arm(pose, side,
                 &(arm_angles){.down = 24.0 - 1.2 * breath + 1.5 * own,
                               .swing = -3.0 + 2.0 * own,
                               .twist = 14.0,
                               .lift = -3.0 + 1.6 * breath,
                               .elbow = 17.0 + 2.0 * own,
                               .wrist = 6.0,
                               .curl = 19.0 + 2.0 * breath});
    }
}

// The right arm is held up and waves twice in a period; nothing else moves.
static void wave_pose(walker_pose *pose, const walker_bone *bones, const gait *g, double phase)
{
    (void)bones;
    (void)g;
    const double swing = exact_sin(2.0 * TURN * phase),
                 lag = exact_sin(2.0 * TURN * (phase - 0.06));
    rest_pose(pose);
    pose_arm(pose, WALKER_SIDE,
             &(arm_angles){.down = -62.0 + 5.0 * swing,
                           .swing = -14.0,
                           .twist = -66.0,
                           .lift = 14.0,
                           .elbow = 72.0 + 20.0 * swing,
                           .wrist = -6.0 + 14.0 * lag,
                           .curl = 6.0});
}

// Leans to the left and looks there, and comes back: made to be added to other clips.
static void lean_pose(walker_pose *pose, const walker_bone *bones, const gait *g, double phase)
{
    (void)bones;
    (void)g;
    const double way = 0.5 - 0.5 * exact_cos(TURN * phase);
    rest_pose(pose);
    for (int bone = BONE_SPINE1; bone <= BONE_SPINE3; bone++)
        pose->local[bone] = quat_degrees(2.0 * way, 7.0 * way, -6.0 * way);
    pose->local[BONE_NECK] = quat_degrees(0.0, 14.0 * way, 3.0 * way);
    pose->local[BONE_HEAD] = quat_degrees(-4.0 * way, 22.0 * way, 4.0 * way);
}

// --- keys ----------------------------------------------------------------------------------------

static float fifth(double x)
{
    return (float)(floor(x * 1e5 + 0.5) / 1e5); // short in the text; 0.001 degrees, 0.01 mm
}

/// Clips loop without a jump: the last key, number `key_count`, repeats the first.
typedef struct clip_recipe {
    const char *name;
    void (*pose)(walker_pose *pose, const walker_bone *bones, const gait *g, double phase);
    int key_count;
    double period;    ///< s, without a gait
    const gait *gait; ///< NULL: a gesture or idle
    bool travels;     ///< by root motion
    bool corner;      ///< and on an arc of 90 degrees to the left
    bool gesture;     ///< moves some bones, but not the pelvis
} clip_recipe;

enum { CLIPS_IN_PLACE = 3, CLIPS = 8 };
static const clip_recipe recipes[CLIPS] = {
    {"idle", idle_pose, 16, .period = 4.0},
    {"walk", gait_pose, 20, .gait = &walk},
    {"run", gait_pose, 18, .gait = &run},
    {"stride", gait_pose, 20, .gait = &walk, .travels = true},
    {"dash", gait_pose, 18, .gait = &run, .travels = true},
    {"corner", gait_pose, 20, .gait = &walk, .travels = true, .corner = true},
    {"wave", wave_pose, 20, .period = 1.5, .gesture = true},
    {"lean", lean_pose, 20, .period = 2.0, .gesture = true},
};

static void write_advance(built_model *model, int clip, int node, const gait *g)
{
    built_channel *move = new_channel(model, clip, node, PATH_TRANSLATION, CURVE_LINEAR, 2);
    for (size_t k = 0; k < 2; k++) {
        move->times[k] = k ? fifth(g->period) : 0.0f;
        move->values[k * 3 + 2] = k ? fifth(g->speed * g->period) : 0.0f;
    }
}

// The same distance on an arc of 90 degrees: chords between keys, and a constant rate of rotation.
static void write_corner(built_model *model, int clip, int node, const gait *g, size_t count)
{
    built_channel *move = new_channel(model, clip, node, PATH_TRANSLATION, CURVE_LINEAR, count);
    built_channel *turn = new_channel(model, clip, node, PATH_ROTATION, CURVE_LINEAR, count);
    const double radius = g->speed * g->period / (0.25 * TURN);
    for (size_t k = 0; k < count; k++) {
        const double angle = 0.25 * TURN * (double)k / (double)(count - 1);
        move->times[k] = turn->times[k] = fifth(g->period * (double)k / (double)(count - 1));
        move->values[k * 3] = fifth(radius * (1.0 - exact_cos(angle)));
        move->values[k * 3 + 2] = fifth(radius * exact_sin(angle));
        turn->values[k * 4 + 1] = fifth(exact_sin(0.5 * angle));
        turn->values[k * 4 + 3] = fifth(exact_cos(0.5 * angle));
    }
}

static void write_bone(built_model *model, int clip, int first_node, const clip_recipe *r,
                       double period, const walker_pose *poses, int bone)
{
    const int key_count = r->key_count;
    float values[32][4];
    bool moves = false, turns = false;
    for (int k = 0; k <= key_count; k++) {
        const quat q = poses[k].local[bone];
        // Neighbouring keys in one hemisphere: readers that lerp take the shorter path too.
        const double sign =
            k > 0 && q.x * (double)values[k - 1][0] + q.y * (double)values[k - 1][1] +
                             q.z * (double)values[k - 1][2] + q.w * (double)values[k - 1][3] <
                         0.0
                ? -1.0
                : 1.0;
        const float v[4] = {fifth(q.x * sign), fifth(q.y * sign), fifth(q.z * sign),
                            fifth(q.w * sign)};
        memcpy(values[k], v, sizeof v);
        moves = moves || memcmp(values[k], values[0], sizeof v) != 0;
        turns = turns || v[3] != 1.0f;
    }
    const bool shifts = bone == BONE_PELVIS && !r->gesture;
    if (!turns && !shifts)
        return;
    const size_t count = moves || shifts ? (size_t)key_count + 1 : 1;
    built_channel *turn =
        new_channel(model, clip, first_node + bone, PATH_ROTATION, CURVE_LINEAR, count);
    for (size_t k = 0; k < count; k++) {
        turn->times[k] = fifth(period * (double)k / key_count);
        memcpy(&turn->values[k * 4], values[k], sizeof values[k]);
    }
    if (!shifts)
        return;
    built_channel *move =
        new_channel(model, clip, first_node + bone, PATH_TRANSLATION, CURVE_LINEAR, count);
    const dvec3 at = dvec3_from_floats(model->nodes[first_node + bone].rest.t);
    for (size_t k = 0; k < count; k++) {
        const dvec3 d = poses[k].pelvis;
        move->times[k] = turn->times[k];
        move->values[k * 3] = fifth(at.x + d.x);
        move->values[k * 3 + 1] = fifth(at.y + d.y);
        move->values[k * 3 + 2] = fifth(at.z + d.z);
    }
}

static void write_clip(built_model *model, int first_node, const walker_bone *bones,
                       const clip_recipe *r)
{
    static walker_pose poses[32]; // more than any number of keys
    const int clip = new_clip(model, r->name), key_count = r->key_count;
    const double period = r->gait ? r->gait->period : r->period;
    for (int k = 0; k <= key_count; k++)
        r->pose(&poses[k], bones, r->gait, (double)(k % key_count) / key_count);
    if (r->corner)
        write_corner(model, clip, first_node + BONE_ROOT, r->gait, (size_t)key_count + 1);
    else if (r->travels)
        write_advance(model, clip, first_node + BONE_ROOT, r->gait);
    for (int bone = 0; bone < BONE_COUNT; bone++)
        write_bone(model, clip, first_node, r, period, poses, bone);
}

void walker_clips(built_model *model, int first_node, const walker_bone bones[BONE_COUNT])
{
    for (int i = 0; i < CLIPS_IN_PLACE; i++)
        write_clip(model, first_node, bones, &recipes[i]);
}

void walker_moves(built_model *model, int first_node, const walker_bone bones[BONE_COUNT])
{
    for (int i = CLIPS_IN_PLACE; i < CLIPS; i++)
        write_clip(model, first_node, bones, &recipes[i]);
}
