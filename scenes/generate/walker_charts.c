// SPDX-License-Identifier: MIT
// The uv atlas: ten charts of the left half, each a smooth map from the bind pose to the plane.
// Colours are baked from points in space (walker_paint), so a chart may stretch without showing.
#include "walker.h"

// --- axes of the limbs ---------------------------------------------------------------------------

static dvec3 shoulder_point(void)
{
    return v3(0.185, 1.395, -0.012); // the joint of upper_arm_l
}

// Distance along the arm from the shoulder; the hand starts at HAND_START.
#define HAND_START 0.43

static double along_arm(dvec3 p)
{
    return dvec3_dot(dvec3_sub(p, shoulder_point()), WALKER_ARM_DIRECTION);
}

static double across_arm(dvec3 p)
{
    return dvec3_dot(dvec3_sub(p, shoulder_point()), WALKER_HAND_BACK);
}

static bool near_arm(dvec3 p)
{
    // The torso's flank and the pouches are farther from the arm's axis than any part of the arm.
    const double r = across_arm(p), z = p.z + 0.012, along = along_arm(p);
    return p.x > 0.12 && along > -0.02 && r * r + z * z < 0.017 && !(along < 0.1 && r < -0.095);
}

static double leg_axis_x(double y)
{
    return 0.112 - 0.012 * maths_clamp((y - 0.1) / 0.8, 0.0, 1.0);
}

static double leg_axis_z(double y)
{
    return y > 0.5 ? 0.012 * (1.0 - maths_clamp((y - 0.5) / 0.4, 0.0, 1.0))
                   : 0.012 - 0.034 * maths_clamp((0.5 - y) / 0.4, 0.0, 1.0);
}

// --- borders -------------------------------------------------------------------------------------

static double side_neck(dvec3 p) { return p.y - 1.489; }

static bool near_neck(dvec3 p) { return p.y > 1.4 && p.y < 1.56; }

static bool near_visor(dvec3 p) { return p.y > 1.49 && p.z > 0.02; }

static bool near_pack(dvec3 p) { return p.z < -0.06 && p.y > 1.04 && p.y < 1.48 && p.x < 0.2; }

static double side_shoulder(dvec3 p) { return along_arm(p) - 0.03; }

static bool near_shoulder(dvec3 p) { return p.x > 0.12 && p.y > 1.22 && p.y < 1.5; }

static double side_hand(dvec3 p) { return along_arm(p) - HAND_START; }

static double side_palm(dvec3 p) { return across_arm(p); }

static bool near_hand(dvec3 p) { return near_arm(p) && along_arm(p) > HAND_START - 0.002; }

// The crease of the hip, rising from the crotch to the side.
static double side_hip(dvec3 p) { return p.y - (0.805 + 0.62 * p.x); }

static bool near_hip(dvec3 p) { return p.y > 0.7 && p.y < 1.0 && p.x < 0.3; }

static double side_boot(dvec3 p) { return p.y - 0.338; }

static double side_ankle(dvec3 p) { return p.y - (0.15 + 0.5 * (p.z + 0.02)); }

static double side_sole(dvec3 p) { return p.y - 0.012; }

static bool near_foot(dvec3 p) { return p.y < 0.45 && p.x < 0.3; }

static double side_arm_seam(dvec3 p)
{
    return p.z + 0.012 - 0.016 * maths_clamp(along_arm(p) / 0.52, 0.0, 1.0);
}

static bool near_arm_seam(dvec3 p)
{
    return near_arm(p) && across_arm(p) < 0.0 && along_arm(p) > 0.0 &&
           along_arm(p) < HAND_START + 0.03;
}

static double side_leg_seam(dvec3 p) { return p.z - leg_axis_z(p.y); }

static bool near_leg_seam(dvec3 p) { return p.x < leg_axis_x(p.y) && p.y < 0.9 && p.y > 0.06; }

static double side_belt(dvec3 p) { return fabs(p.y - 1.0) - 0.028; }

static bool near_belt(dvec3 p) { return p.x < 0.22 && p.y > 0.9 && p.y < 1.1; }

void walker_cut_borders(walker_mesh *mesh)
{
    walker_mesh_cut(mesh, side_neck, near_neck);
    walker_mesh_cut(mesh, walker_visor_side, near_visor);
    walker_mesh_cut(mesh, walker_pack_side, near_pack);
    walker_mesh_cut(mesh, side_shoulder, near_shoulder);
    walker_mesh_cut(mesh, side_hand, near_arm);
    walker_mesh_cut(mesh, side_palm, near_hand);
    walker_mesh_cut(mesh, side_hip, near_hip);
    walker_mesh_cut(mesh, side_boot, near_foot);
    walker_mesh_cut(mesh, side_ankle, near_foot);
    walker_mesh_cut(mesh, side_sole, near_foot);
    walker_mesh_cut(mesh, side_belt, near_belt);
    walker_mesh_cut(mesh, side_arm_seam, near_arm_seam);
    walker_mesh_cut(mesh, side_leg_seam, near_leg_seam);
}

walker_chart walker_chart_of(dvec3 c)
{
    if (c.y > 1.489)
        return near_visor(c) && walker_visor_side(c) < 0.0 ? CHART_VISOR : CHART_HEAD;
    if (near_pack(c) && walker_pack_side(c) > 0.0)
        return CHART_PACK;
    if (near_arm(c) && (side_shoulder(c) > 0.0)) {
        if (along_arm(c) < HAND_START)
            return CHART_ARM;
        return across_arm(c) > 0.0 ? CHART_HAND_BACK : CHART_HAND_PALM;
    }
    if (c.x < 0.3 && side_hip(c) < 0.0) {
        if (side_sole(c) < 0.0)
            return CHART_SOLE;
        return side_ankle(c) < 0.0 ? CHART_FOOT : CHART_LEG;
    }
    return CHART_TORSO;
}

walker_cloth walker_cloth_of(dvec3 c, walker_chart chart)
{
    switch (chart) {
    case CHART_VISOR: return CLOTH_VISOR;
    case CHART_HEAD:
    case CHART_PACK: return CLOTH_SHELL;
    case CHART_HAND_BACK:
    case CHART_HAND_PALM:
    case CHART_FOOT:
    case CHART_SOLE: return CLOTH_RUBBER;
    case CHART_LEG: return side_boot(c) < 0.0 ? CLOTH_RUBBER : CLOTH_SUIT;
    case CHART_TORSO: return side_belt(c) < 0.0 ? CLOTH_RUBBER : CLOTH_SUIT;
    case CHART_ARM:
    case CHART_COUNT: break;
    }
    return CLOTH_SUIT;
}

// --- uv ------------------------------------------------------------------------------------------

// Left, top, width, height in 1024ths of the picture. Some 640 texels per metre; 6 texels between
// charts keep the first three mips from mixing them.
static const double chart_space[CHART_COUNT][4] = {
    [CHART_TORSO] = {6, 6, 286, 440},         [CHART_HEAD] = {6, 458, 340, 340},
    [CHART_VISOR] = {868, 414, 150, 140},     [CHART_PACK] = {868, 6, 150, 400},
    [CHART_ARM] = {352, 458, 214, 340},       [CHART_HAND_BACK] = {6, 806, 196, 212},
    [CHART_HAND_PALM] = {208, 806, 196, 212}, [CHART_LEG] = {584, 6, 278, 540},
    [CHART_FOOT] = {572, 560, 260, 310},      [CHART_SOLE] = {850, 580, 110, 230},
};

// Angle around a limb in turns, cut open at `seam`, on the side of the centroid.
static double turns(double y, double x, double centroid_y)
{
    double t = maths_atan2(y, x) / (2.0 * MATHS_PI) + 0.5;
    if (t < 0.25 && centroid_y > 0.0 && x < 0.0)
        t += 1.0;
    if (t > 0.75 && centroid_y < 0.0 && x < 0.0)
        t -= 1.0;
    return maths_clamp(t, 0.0, 1.0);
}

// Equal distances from the pole `x` of a sphere; y and z span the disc of radius `reach` radians.
static void disc(double x, double y, double z, double reach, double uv[2])
{
    const double r = sqrt(y * y + z * z);
    const double polar = maths_atan2(r, x) / reach;
    uv[0] = 0.5 + (r > 0.0 ? 0.5 * polar * z / r : 0.0);
    uv[1] = 0.5 - (r > 0.0 ? 0.5 * polar * y / r : 0.0);
}

void walker_uv(walker_chart chart, dvec3 p, dvec3 centroid, bool right, double uv[2])
{
    double at[2] = {0.0, 0.0};
    switch (chart) {
    case CHART_TORSO: {
        const double r = sqrt(p.x * p.x + p.z * p.z);
        // Height, bent where the surface turns level at the shoulders and the crotch.
        const double v = p.y - 0.5 * r * smooth_step(1.2, 1.45, p.y) +
                         0.35 * r * (1.0 - smooth_step(0.82, 0.98, p.y));
        at[0] = maths_atan2(p.x, p.z) / MATHS_PI;
        at[1] = (1.46 - v) / 0.64;
        break;
    }
    case CHART_HEAD: // the whole half is a hemisphere seen from the ear
        disc(p.x / 0.146, (p.y - 1.64) / 0.156, (0.008 - p.z) / 0.158, 0.5 * MATHS_PI, at);
        break;
    case CHART_VISOR:
        at[0] = maths_atan2(p.x, p.z - 0.008) / radians(62.0);
        at[1] = 0.5 - (maths_atan2(p.y - 1.64, sqrt(p.x * p.x + (p.z - 0.008) * (p.z - 0.008))) +
                       radians(2.0)) /
                          radians(72.0);
        break;
    case CHART_PACK: // half a disc seen from behind, over the shape of the pack
        disc(-(p.z + 0.1) / 0.16, (p.y - 1.26) / 0.2, p.x / 0.14, 0.62 * MATHS_PI, at);
        at[0] = at[0] * 2.0 - 1.0;
        break;
    case CHART_ARM:
        at[0] = turns(side_arm_seam(p), across_arm(p), side_arm_seam(centroid));
        at[1] = (along_arm(p) - 0.02) / (HAND_START - 0.02);
        break;
    case CHART_HAND_BACK:
    case CHART_HAND_PALM:
        at[0] = (p.z + 0.072) / 0.18;
        at[1] = (along_arm(p) - HAND_START) / 0.29;
        break;
    case CHART_LEG:
        at[0] = turns(side_leg_seam(p), p.x - leg_axis_x(p.y), side_leg_seam(centroid));
        at[1] = (0.95 - p.y) / 0.86;
        break;
    case CHART_FOOT: // a ring around the ankle, seen from above
        disc((p.y + 0.02) / 0.12, (p.z - 0.03) / 0.16, (p.x - 0.115) / 0.075, 0.56 * MATHS_PI, at);
        break;
    case CHART_SOLE:
        at[0] = (p.x - 0.04) / 0.15;
        at[1] = (0.22 - p.z) / 0.34;
        break;
    case CHART_COUNT: break;
    }
    const double *space = chart_space[chart];
    double x = space[0] + maths_clamp(at[0], 0.0, 1.0) * space[2];
    if (chart == CHART_TORSO && right)
        x = 2.0 * (space[0] + space[2]) -
            x; // the right half lies on the other side of the middle of the back
    uv[0] = x / 1024.0;
    uv[1] = (space[1] + maths_clamp(at[1], 0.0, 1.0) * space[3]) / 1024.0;
}
