// SPDX-License-Identifier: MIT
// Colour and height of the suit as functions of a point in the bind pose. They do not depend on uv:
// patterns cross the borders of charts without a seam.
//
// Heights are metres. A texel is about 3 mm of cloth: grooves are 8 mm wide, ribs 20 mm apart.
#include "walker.h"

typedef walker_dye dye;

// sRGB, chosen by eye under a neutral light.
static const dye WHITE = {0.87, 0.85, 0.80, 0.0}, ORANGE = {0.93, 0.43, 0.09, 0.0};
static const dye CHARCOAL = {0.215, 0.23, 0.26, 0.0}, TEAL = {0.07, 0.50, 0.55, 0.0};
static const dye STEEL = {0.56, 0.58, 0.60, 0.0}, LEATHER = {0.42, 0.29, 0.19, 0.0};
static const dye DUST = {0.56, 0.45, 0.35, 0.0};

enum { SOFT_EDGE_UM = 900 }; // half width of a painted edge: about one texel of the colour map
#define SOFT_EDGE (SOFT_EDGE_UM * 1e-6)

// Mixes `top` over `below` where `amount` is 1; height does not change.
static dye over(dye below, dye top, double amount)
{
    return (dye){mix_d(below.r, top.r, amount), mix_d(below.g, top.g, amount),
                 mix_d(below.b, top.b, amount), below.height};
}

static dye shade(dye d, double factor)
{
    return (dye){d.r * factor, d.g * factor, d.b * factor, d.height};
}

// 1 where x is below 0, in metres, with a soft edge.
static double inside(double x) { return 1.0 - smooth_step(-SOFT_EDGE, SOFT_EDGE, x); }

static double stripe(double x, double middle, double half)
{
    return inside(fabs(x - middle) - half);
}

// A rounded furrow of 8 mm around x = 0 and its dark line.
static dye groove(dye d, double x, double amount)
{
    const double w = (1.0 - smooth_step(0.0, 0.0045, fabs(x))) * amount;
    d.height -= 0.0018 * w;
    return over(d, shade(d, 0.62), (1.0 - smooth_step(0.0006, 0.0026, fabs(x))) * amount);
}

// A seam: a furrow with stitches of 11 mm on one side of it, `along` the seam.
static dye seam(dye d, double x, double along, double amount)
{
    d = groove(d, x, amount);
    const double cell = along / 0.011 - floor(along / 0.011);
    const double stitch =
        stripe(x, 0.0075, 0.0014) * stripe((cell - 0.5) * 0.011, 0.0, 0.0034) * amount;
    d.height += 0.0005 * stitch;
    return over(d, shade(d, 0.78), stitch);
}

// Padded tubes across `x`, `period` metres apart.
static dye ribs(dye d, double x, double period, double amount)
{
    const double wave = exact_cos(2.0 * MATHS_PI * x / period);
    d.height += 0.0019 * amount * (0.5 + 0.5 * wave);
    return over(d, shade(d, 0.68), amount * smooth_step(0.35, 1.0, -wave));
}

// A plate raised above its surroundings: `edge` is the distance to its border, negative inside.
static dye plate(dye d, dye color, double edge)
{
    d = over(d, color, inside(edge));
    d.height += 0.0016 * (1.0 - smooth_step(-0.006, 0.001, edge));
    return groove(d, edge - 0.0025, 1.0);
}

static double box_edge(double x, double y, double half_x, double half_y, double round)
{
    const double qx = fabs(x) - half_x + round, qy = fabs(y) - half_y + round;
    const double ox = maths_max(qx, 0.0), oy = maths_max(qy, 0.0);
    return sqrt(ox * ox + oy * oy) + maths_min(maths_max(qx, qy), 0.0) - round;
}

// Value noise of the given wavelength in [0, 1].
static double noise(dvec3 p, double wavelength)
{
    const double c[3] = {p.x / wavelength, p.y / wavelength, p.z / wavelength};
    int32_t i[3];
    double f[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        i[k] = (int32_t)floor(c[k]);
        f[k] = smooth_step(0.0, 1.0, c[k] - floor(c[k]));
    }
    for (int corner = 0; corner < 8; corner++) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        sum += hash_unit(i[0] + x, i[1] + y, i[2] + z) * (x ? f[0] : 1.0 - f[0]) *
               (y ? f[1] : 1.0 - f[1]) * (z ? f[2] : 1.0 - f[2]);
    }
    return sum;
}

// --- parts ---------------------------------------------------------------------------------------

static dye cloth(dvec3 p, dye color)
{
    // Soft folds of 4 cm and a faint mottling keep large plain areas alive.
    const double fold = noise(p, 0.045), grain = noise(p, 0.006);
    dye d = shade(color, 0.965 + 0.04 * fold + 0.025 * (grain - 0.5));
    d.height = 0.0016 * fold + 0.00025 * grain;
    return d;
}

static dye badge(dye d, dvec3 p)
{
    // Left breast: a ringed planet. Right breast: a name tag with three lines.
    if (p.z < 0.0)
        return d;
    if (p.x > 0.0) {
        const double x = p.x - 0.08, y = p.y - 1.305, r = sqrt(x * x + y * y);
        d = plate(d, CHARCOAL, r - 0.034);
        d = over(d, TEAL, inside(r - 0.0305));
        d = over(d, WHITE, inside(r - 0.0125));
        const double u = x * 0.92 + y * 0.39,
                     v = y * 0.92 - x * 0.39; // the ring, tipped by 23 degrees
        const double ellipse = sqrt(u * u + v * v * 9.0);
        if (v < 0.0 || r > 0.0125)
            d = over(d, ORANGE, stripe(ellipse, 0.0225, 0.0032));
        return d;
    }
    const double x = p.x + 0.08, y = p.y - 1.305;
    d = plate(d, shade(WHITE, 0.96), box_edge(x, y, 0.04, 0.022, 0.005));
    d = over(d, TEAL, stripe(y, 0.012, 0.0035) * stripe(x, 0.0, 0.033));
    d = over(d, CHARCOAL, stripe(y, 0.0, 0.0022) * stripe(x, -0.006, 0.027));
    return over(d, CHARCOAL, stripe(y, -0.01, 0.0022) * stripe(x, -0.013, 0.02));
}

// The stripe down the outside of the leg, with piping.
static dye outer_stripe(dye d, dvec3 p)
{
    const double z = p.z - 0.004;
    d = over(d, CHARCOAL, stripe(z, 0.0, 0.027));
    d = over(d, ORANGE, stripe(z, 0.0, 0.021));
    return seam(d, fabs(z) - 0.027, p.y, 1.0);
}

static dye torso(dvec3 p)
{
    const double ax = fabs(p.x);
    dye d = cloth(p, WHITE);
    // Flexible waist in ribs, and flanks that rise from it to the armpits.
    const double flank = 0.118 - 0.35 * maths_max(p.y - 1.2, 0.0);
    const double waist = maths_max(inside(p.y - 1.165), inside(flank - ax) * inside(p.y - 1.33)) *
                         inside(1.02 - p.y);
    d = over(d, shade(CHARCOAL, 1.15), waist);
    d = ribs(d, p.y, 0.0215, waist);
    if (p.y > 1.1) {
        d = seam(d, p.y - 1.165, p.x, inside(ax - flank));
        d = seam(d, flank - ax, p.y, inside(1.165 - p.y) * inside(p.y - 1.33));
        // The yoke over the shoulders, in front a V.
        const double yoke = p.y - (p.z > 0.0 ? 1.355 + 0.2 * ax : 1.375);
        d = over(d, ORANGE, inside(-yoke));
        d = seam(d, yoke, p.x, 1.0);
        if (p.z > 0.0) {
            d = seam(d, p.x, p.y, inside(p.y - 1.44) * inside(1.165 - p.y)); // the zip
            d = over(d, STEEL, stripe(p.x, 0.0, 0.0032) * inside(p.y - 1.44) * inside(1.165 - p.y));
        }
        d = badge(d, p);
    }
    if (p.y < 1.02) {
        // Trousers: a fly, a seat seam, and panels towards the legs.
        d = seam(d, p.x, p.y, 1.0);
        d = seam(d, p.y - 0.915 - 0.25 * ax, p.x, inside(0.02 - ax) < 0.5 ? 0.0 : 1.0);
        if (p.y < 0.95 && ax > 0.11)
            d = outer_stripe(d, p);
        // Where the surface follows the boxes of the pouches, it is leather with a flap.
        const double pouch = inside(walker_pouches(p) - 0.0035);
        d = over(d, LEATHER, pouch);
        d = groove(d, p.y - 0.962, pouch);
    }
    if (p.y > 1.448 && ax < 0.135 && fabs(p.z) < 0.14) { // the neck ring
        d = over(d, STEEL, inside(1.452 - p.y));
        d = over(d, shade(CHARCOAL, 0.9), inside(1.486 - p.y));
        d = groove(d, p.y - 1.474, 1.0);
    }
    return d;
}

static dye belt(dvec3 p)
{
    const double ax = fabs(p.x);
    dye d = shade(LEATHER, 0.86 + 0.1 * noise(p, 0.02));
    d.height = 0.0;
    d = groove(d, fabs(p.y - 1.0) - 0.019, 1.0);
    if (p.z > 0.1 && ax < 0.05) {
        d = plate(d, STEEL, box_edge(p.x, p.y - 1.0, 0.033, 0.023, 0.007));
        d = groove(d, box_edge(p.x, p.y - 1.0, 0.02, 0.011, 0.004), 1.0);
    }
    return d;
}

static dye leg(dvec3 p)
{
    dye d = cloth(p, WHITE);
    const double x = p.x - 0.107, z = p.z - 0.004;
    // Inner seam, and a seam across the thigh.
    d = x > 0.0 ? outer_stripe(d, p) : seam(d, z, p.y, 1.0);
    d = seam(d, p.y - 0.715 - 0.15 * z, z, 1.0);
    // Thigh pocket in front, on the outside.
    if (p.z > 0.0)
        d = plate(d, shade(WHITE, 0.93), box_edge(x - 0.022, p.y - 0.775, 0.03, 0.036, 0.008));
    // Knee: a pad in front, ribs behind.
    const double pad = sqrt(x * x * 1.25 + (p.y - 0.505) * (p.y - 0.505) * 0.62) - 0.056;
    if (p.z > 0.02) {
        d = plate(d, CHARCOAL, pad);
        d = ribs(d, p.y - 0.505, 0.026, inside(pad + 0.014));
    } else {
        const double back = inside(fabs(p.y - 0.5) - 0.075) * inside(z + 0.012);
        d = over(d, shade(CHARCOAL, 1.15), back);
        d = ribs(d, p.y, 0.0215, back);
    }
    return d;
}

static dye boot(dvec3 p)
{
    dye d = shade(CHARCOAL, 0.82 + 0.12 * noise(p, 0.03));
    d.height = 0.0006 * noise(p, 0.02);
    // Cuff, two straps with buckles outside, a toe cap, a light sole with a tread.
    const double cuff = inside(0.268 - p.y);
    d = over(d, shade(ORANGE, 0.92), cuff);
    d = ribs(d, p.y - 0.3, 0.024, cuff);
    for (int k = 0; k < 2; k++) {
        const double y = p.y - (k == 0 ? 0.225 : 0.165 + 0.25 * (p.z + 0.02));
        d = plate(d, shade(STEEL, 0.62), fabs(y) - 0.0135);
        if (p.x > 0.14)
            d = plate(d, STEEL, box_edge(p.z + 0.02, y, 0.013, 0.018, 0.004));
    }
    d = over(d, shade(STEEL, 0.72), inside(0.118 - p.z) * inside(p.y - 0.2));
    d = groove(d, p.z - 0.118, inside(p.y - 0.2));
    const double sole = inside(p.y - 0.03);
    d = over(d, shade(WHITE, 0.86), sole);
    d = groove(d, p.y - 0.032, 1.0);
    d = ribs(d, p.z, 0.02, inside(p.y - 0.014));
    return d;
}

static dvec3 arm_frame(dvec3 p)
{
    const dvec3 q = dvec3_sub(p, v3(0.185, 1.395, -0.012));
    return v3(dvec3_dot(q, WALKER_ARM_DIRECTION), dvec3_dot(q, WALKER_HAND_BACK), q.z);
}

static dye arm(dvec3 p)
{
    const dvec3 a = arm_frame(p);
    dye d = cloth(p, WHITE);
    // Cap of the shoulder over a gusset in the armpit, a band, ribs at the elbow, a pad, piping.
    d = over(d, shade(CHARCOAL, 1.15), inside(a.x - 0.082));
    d = over(d, ORANGE, inside(a.x - 0.082) * inside(-0.042 - a.y));
    d = seam(d, a.x - 0.082, a.z, 1.0);
    d = over(d, CHARCOAL, stripe(a.x, 0.118, 0.014));
    d = over(d, TEAL, stripe(a.x, 0.118, 0.008));
    const double elbow = inside(fabs(a.x - 0.27) - 0.055) * inside(0.0 - a.z - 0.004);
    d = over(d, shade(CHARCOAL, 1.15), elbow);
    d = ribs(d, a.x, 0.0205, elbow);
    if (a.z < -0.01)
        d = plate(d, CHARCOAL,
                  sqrt((a.x - 0.27) * (a.x - 0.27) * 0.75 + (a.y - 0.012) * (a.y - 0.012)) - 0.036);
    if (a.y > 0.0)
        d = seam(d, a.z - 0.004, a.x, inside(0.14 - a.x));
    return seam(d, a.x - 0.36, a.z, 1.0);
}

static dye hand(dvec3 p, bool palm)
{
    const dvec3 a = arm_frame(p);
    const double along = a.x - 0.52; // from the wrist
    dye d = shade(CHARCOAL, 0.85 + 0.12 * noise(p, 0.02));
    d.height = 0.0004 * noise(p, 0.012);
    d = over(d, ORANGE, inside(along + 0.066));
    d = groove(d, along + 0.066, 1.0);
    d = groove(d, along + 0.012, 1.0);
    if (palm) {
        // Grip: dots of 8 mm.
        const double u = along / 0.012, v = a.z / 0.012;
        const double du = u - floor(u) - 0.5, dv = v - floor(v) - 0.5;
        const double dot = (1.0 - smooth_step(0.2, 0.42, sqrt(du * du + dv * dv))) * inside(-along);
        d.height += 0.0009 * dot;
        return over(d, shade(STEEL, 0.62), 0.55 * dot);
    }
    d = plate(d, shade(WHITE, 0.95), box_edge(along - 0.046, a.z, 0.03, 0.03, 0.01));
    d = over(d, TEAL, stripe(along, 0.046, 0.005) * stripe(a.z, 0.0, 0.022));
    // A pad on each joint of the fingers.
    return ribs(d, along - 0.105, 0.03, 0.7 * inside(0.088 - along));
}

static dye helmet(dvec3 p)
{
    const double ax = fabs(p.x);
    dye d = shade(WHITE, 1.04);
    d.height = 0.0;
    if (p.z > 0.02) {
        const double frame = walker_visor_side(p);
        d = over(d, CHARCOAL, 1.0 - smooth_step(0.27, 0.29, frame));
        d = groove(d, (frame - 0.29) * 0.13, 1.0);
    }
    // A crest stripe over the top, a line around the back, pods on the ears.
    if (p.y > 1.66 || p.z < 0.0) {
        d = over(d, ORANGE, stripe(ax, 0.0, 0.021) * (p.z < 0.1 ? 1.0 : 0.0));
        d = over(d, CHARCOAL, stripe(ax, 0.029, 0.003) * (p.z < 0.1 ? 1.0 : 0.0));
    }
    if (p.z < -0.02)
        d = groove(d, p.y - 1.57, 1.0);
    const double y = p.y - 1.63, z = p.z + 0.012, r = sqrt(y * y + z * z);
    if (ax > 0.1) {
        d = plate(d, CHARCOAL, r - 0.046);
        d = over(d, ORANGE, inside(r - 0.026));
        d = groove(d, r - 0.026, 1.0);
    }
    return over(d, shade(CHARCOAL, 0.9), inside(p.y - 1.507)); // the gasket of the neck
}

static dye visor(dvec3 p)
{
    // A dark pane, lighter towards the sky.
    const double t = smooth_step(1.56, 1.73, p.y);
    return (dye){mix_d(0.06, 0.16, t * t), mix_d(0.10, 0.34, t * t), mix_d(0.16, 0.44, t * t), 0.0};
}

static dye pack(dvec3 p)
{
    const double ax = fabs(p.x);
    dye d = shade(STEEL, 0.86);
    d.height = 0.0;
    d = groove(d, p.z + 0.165, inside(1.16 - p.y));
    if (p.z < -0.225 && p.y > 1.13) { // the two bottles
        d = over(d, WHITE, 1.0);
        d = over(d, ORANGE, stripe(p.y, 1.34, 0.016));
        d = over(d, CHARCOAL, inside(p.y - 1.185));
        d = groove(d, p.y - 1.185, 1.0);
        d = groove(d, p.y - 1.318, 1.0);
        d = over(d, TEAL, stripe(ax, 0.068, 0.014) * stripe(p.y, 1.25, 0.026));
    } else if (p.y < 1.15) {
        d = over(d, CHARCOAL, 1.0);
        d = ribs(d, p.x, 0.024, inside(p.y - 1.135));
    } else if (ax > 0.11) {
        d = ribs(d, p.y, 0.024, stripe(p.z, -0.18, 0.028) * stripe(p.y, 1.27, 0.06));
    }
    return d;
}

walker_dye walker_paint(walker_chart chart, walker_cloth material, dvec3 p)
{
    if (chart != CHART_TORSO)
        p.x = fabs(p.x);
    dye d;
    switch (chart) {
    case CHART_HEAD: d = helmet(p); break;
    case CHART_VISOR: return visor(p);
    case CHART_PACK: d = pack(p); break;
    case CHART_ARM: d = arm(p); break;
    case CHART_HAND_BACK:
    case CHART_HAND_PALM: d = hand(p, chart == CHART_HAND_PALM); break;
    case CHART_LEG: d = material == CLOTH_RUBBER ? boot(p) : leg(p); break;
    case CHART_FOOT:
    case CHART_SOLE: d = boot(p); break;
    case CHART_TORSO:
    case CHART_COUNT:
    default: d = material == CLOTH_RUBBER ? belt(p) : torso(p); break;
    }
    // Dust from the ground up to the knees.
    const double dusty = noise(p, 0.05) * 0.6 + noise(p, 0.017) * 0.4;
    return over(d, DUST,
                0.55 * (1.0 - smooth_step(0.0, 0.42, p.y)) * smooth_step(0.3, 0.75, dusty));
}
