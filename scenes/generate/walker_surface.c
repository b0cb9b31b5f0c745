// SPDX-License-Identifier: MIT
// The suit as a signed distance. Primitives after Inigo Quilez, "Distance functions"
// (iquilezles.org/articles/distfunctions); the ellipsoid is a first-order approximation, so
// distances are good near the surface only, which is where they are used.
#include "walker.h"

// Polynomial smooth minimum: blends over a band of width `k` metres and rounds creases by k / 4.
static double smooth_min(double a, double b, double k)
{
    const double h = maths_max(k - fabs(a - b), 0.0) / k;
    return maths_min(a, b) - h * h * k * 0.25;
}

static double ellipsoid(dvec3 p, dvec3 c, dvec3 r)
{
    const dvec3 q = dvec3_sub(p, c);
    const dvec3 s = v3(q.x / r.x, q.y / r.y, q.z / r.z);
    const dvec3 g = v3(s.x / r.x, s.y / r.y, s.z / r.z);
    const double k0 = dvec3_length(s), k1 = dvec3_length(g);
    return k1 > 0.0 ? k0 * (k0 - 1.0) / k1 : -maths_min(r.x, maths_min(r.y, r.z));
}

static double cone(dvec3 p, dvec3 a, dvec3 b, double ra, double rb)
{
    const dvec3 ab = dvec3_sub(b, a), ap = dvec3_sub(p, a);
    const double t = maths_clamp(dvec3_dot(ap, ab) / dvec3_dot(ab, ab), 0.0, 1.0);
    return dvec3_length(v3_mad(ap, ab, -t)) - mix_d(ra, rb, t);
}

static double rounded_box(dvec3 p, dvec3 c, dvec3 half, double round)
{
    const dvec3 q = v3(fabs(p.x - c.x) - half.x + round, fabs(p.y - c.y) - half.y + round,
                       fabs(p.z - c.z) - half.z + round);
    const dvec3 o = v3(maths_max(q.x, 0.0), maths_max(q.y, 0.0), maths_max(q.z, 0.0));
    return dvec3_length(o) + maths_min(maths_max(q.x, maths_max(q.y, q.z)), 0.0) - round;
}

// 1 within `half` of the middle, falling to 0 over `fade`.
static double band(double x, double middle, double half, double fade)
{
    return 1.0 - smooth_step(half, half + fade, fabs(x - middle));
}

double walker_pouches(dvec3 p)
{
    p.x = fabs(p.x);
    return maths_min(rounded_box(p, v3(0.105, 0.968, 0.088), v3(0.032, 0.042, 0.03), 0.014),
                     rounded_box(p, v3(0.15, 0.968, -0.03), v3(0.028, 0.042, 0.036), 0.014));
}

static double torso_distance(dvec3 p)
{
    double d = ellipsoid(p, v3(0.0, 0.935, -0.008), v3(0.158, 0.105, 0.118));
    d = smooth_min(d, ellipsoid(p, v3(0.0, 1.09, 0.0), v3(0.132, 0.17, 0.1)), 0.06);
    d = smooth_min(d, ellipsoid(p, v3(0.0, 1.285, -0.008), v3(0.172, 0.15, 0.122)), 0.06);
    d = smooth_min(d, cone(p, v3(0.0, 1.395, -0.015), v3(0.15, 1.385, -0.015), 0.072, 0.07), 0.05);
    d = smooth_min(d, cone(p, v3(0.0, 1.4, -0.01), v3(0.0, 1.52, 0.0), 0.085, 0.08), 0.05);
    // The belt, its buckle and its pouches.
    d -= 0.015 * band(p.y, 1.0, 0.012, 0.03) * (p.x < 0.22 ? 1.0 : 0.0);
    d = smooth_min(d, rounded_box(p, v3(0.0, 1.0, 0.113), v3(0.036, 0.027, 0.02), 0.008), 0.008);
    d = smooth_min(d, walker_pouches(p), 0.01);
    // The ring on which the helmet turns.
    const double ring = sqrt(p.x * p.x + (p.z + 0.004) * (p.z + 0.004)) - 0.1;
    const double height = p.y - 1.474;
    return smooth_min(d, sqrt(ring * ring + height * height) - 0.023, 0.016);
}

static double pack_distance(dvec3 p)
{
    double d = rounded_box(p, v3(0.0, 1.28, -0.178), v3(0.125, 0.145, 0.068), 0.035);
    d = smooth_min(d, cone(p, v3(0.068, 1.17, -0.235), v3(0.068, 1.37, -0.235), 0.04, 0.04), 0.014);
    return smooth_min(d, rounded_box(p, v3(0.0, 1.13, -0.17), v3(0.09, 0.05, 0.05), 0.025), 0.02);
}

static double helmet_distance(dvec3 p)
{
    double d = ellipsoid(p, v3(0.0, 1.64, 0.008), v3(0.146, 0.156, 0.158));
    // A raised frame around the pane.
    if (p.z > 0.02)
        d -= 0.009 * band(walker_visor_side(p), 0.13, 0.03, 0.22);
    d = smooth_min(d, ellipsoid(p, v3(0.146, 1.63, -0.012), v3(0.026, 0.05, 0.05)), 0.012);
    return d;
}

static double arm_distance(dvec3 p, const walker_bone *bones)
{
    const dvec3 shoulder = bones[BONE_UPPER_ARM].joint, elbow = bones[BONE_LOWER_ARM].joint;
    const dvec3 wrist = bones[BONE_HAND].joint;
    double d = cone(p, shoulder, elbow, 0.066, 0.05);
    d = smooth_min(d, cone(p, elbow, wrist, 0.052, 0.04), 0.02);
    const dvec3 dir = WALKER_ARM_DIRECTION, back = WALKER_HAND_BACK;
    // Shoulder cap and elbow pad.
    d = smooth_min(
        d, ellipsoid(p, dvec3_add(shoulder, v3(0.02, 0.014, 0.0)), v3(0.078, 0.07, 0.08)), 0.014);
    d = smooth_min(
        d, ellipsoid(p, dvec3_add(elbow, v3(0.012, 0.008, -0.036)), v3(0.042, 0.046, 0.024)),
        0.012);
    // Gauntlet: widens towards the elbow and ends in a rim.
    const dvec3 w = dvec3_sub(p, wrist);
    const double along = dvec3_dot(w, dir);
    d -= 0.013 * smooth_step(-0.104, -0.08, along) * (1.0 - smooth_step(-0.075, -0.01, along));

    // Palm: an ellipsoid in the frame of the hand (along, back, z).
    const dvec3 h = v3(along - 0.05, dvec3_dot(w, back), w.z);
    double hand = ellipsoid(h, v3(0.0, 0.0, 0.0), v3(0.062, 0.027, 0.046));
    hand = smooth_min(hand, rounded_box(h, v3(0.0, 0.0, 0.0), v3(0.045, 0.022, 0.041), 0.02), 0.02);
    for (int finger = BONE_THUMB1; finger <= BONE_RING1; finger += 2) {
        const dvec3 a = bones[finger].joint, b = bones[finger + 1].joint, c = bones[finger + 1].tip;
        const double r = finger == BONE_THUMB1 ? 0.0165 : 0.0155;
        double f = cone(p, a, b, r, r * 0.97);
        f = smooth_min(f, cone(p, b, c, r * 0.97, r * 0.88), 0.004);
        // Fingers blend with the palm by 12 mm but with each other by 3 mm only.
        hand = smooth_min(hand, f, dvec3_dot(dvec3_sub(p, a), dir) < 0.02 ? 0.012 : 0.003);
    }
    return smooth_min(d, hand, 0.02);
}

static double leg_distance(dvec3 p, const walker_bone *bones)
{
    const dvec3 hip = bones[BONE_THIGH].joint, knee = bones[BONE_CALF].joint;
    const dvec3 ankle = bones[BONE_FOOT].joint, ball = bones[BONE_TOE].joint;
    double d = cone(p, hip, knee, 0.092, 0.062);
    d = smooth_min(d, cone(p, knee, ankle, 0.06, 0.048), 0.03);
    d = smooth_min(d,
                   ellipsoid(p, dvec3_add(v3_lerp(knee, ankle, 0.3), v3(0.0, 0.0, -0.018)),
                             v3(0.058, 0.11, 0.056)),
                   0.03);
    d = smooth_min(d, ellipsoid(p, dvec3_add(knee, v3(0.0, 0.005, 0.042)), v3(0.05, 0.068, 0.036)),
                   0.012);
    // Boot: a shaft with a cuff, heel, instep and toe cap, flat below.
    const double shaft =
        cone(p, v3(ankle.x - 0.004, 0.3, -0.02), v3(ankle.x, 0.1, -0.022), 0.066, 0.06);
    double boot = smooth_min(
        shaft, cone(p, v3(ankle.x, 0.05, -0.045), v3(ball.x, 0.045, 0.09), 0.056, 0.054), 0.05);
    boot = smooth_min(boot, cone(p, v3(ankle.x, 0.11, 0.0), v3(ball.x, 0.05, 0.09), 0.052, 0.048),
                      0.03);
    boot = smooth_min(boot, ellipsoid(p, v3(ball.x + 0.002, 0.035, 0.125), v3(0.056, 0.052, 0.072)),
                      0.02);
    boot -= 0.012 * band(p.y, 0.298, 0.01, 0.03) + 0.006 * (1.0 - smooth_step(0.012, 0.04, p.y));
    // Flat top of the shaft and flat sole, edges rounded by 4 mm.
    boot = -smooth_min(-boot, 0.335 - p.y, 0.016);
    boot = -smooth_min(-boot, p.y, 0.014);
    return smooth_min(d, boot, 0.008);
}

static const walker_bone *left_bones(void)
{
    static walker_bone bones[BONE_COUNT];
    if (!bones[0].name)
        walker_bones(bones);
    return bones;
}

double walker_pack_side(dvec3 p)
{
    p.x = fabs(p.x);
    return torso_distance(p) - pack_distance(p);
}

double walker_visor_side(dvec3 p)
{
    // A rounded rectangle in longitude and latitude, 116 by 66 degrees.
    const dvec3 q = dvec3_sub(p, v3(0.0, 1.64, 0.008));
    const double lon = maths_atan2(q.x, q.z) / radians(58.0);
    const double lat =
        (maths_atan2(q.y, sqrt(q.x * q.x + q.z * q.z)) + radians(2.0)) / radians(33.0);
    const double a = lon * lon, b = lat * lat;
    return sqrt(sqrt(a * a + b * b)) - 1.0;
}

double walker_distance(dvec3 p)
{
    const walker_bone *bones = left_bones();
    const dvec3 left = v3(fabs(p.x), p.y, p.z), across = v3(-fabs(p.x), p.y, p.z);
    double d = torso_distance(left);
    double leg = leg_distance(left, bones);
    if (left.x < 0.1 && p.y > 0.6) // near the crotch the legs blend with each other too
        leg = smooth_min(leg, leg_distance(across, bones), 0.012);
    d = smooth_min(d, leg, 0.05);
    d = smooth_min(d, arm_distance(left, bones), 0.045);
    d = smooth_min(d, pack_distance(left), 0.02);
    return smooth_min(d, helmet_distance(left), 0.008);
}

dvec3 walker_gradient(dvec3 p, double step)
{
    const double scale = 0.5 / step;
    dvec3 g;
    g.x = walker_distance(v3(p.x + step, p.y, p.z)) - walker_distance(v3(p.x - step, p.y, p.z));
    g.y = walker_distance(v3(p.x, p.y + step, p.z)) - walker_distance(v3(p.x, p.y - step, p.z));
    g.z = walker_distance(v3(p.x, p.y, p.z + step)) - walker_distance(v3(p.x, p.y, p.z - step));
    return dvec3_scale(g, scale);
}
