// SPDX-License-Identifier: MIT
// The character: tubes with round ends along a skeleton, plump enough to fill 44 % of a picture of
// 16:9 that it fits. Every vertex hangs on the four nearest joints of its limb, so that skinning
// never has less to do than the workload says.
#include "bench_models.h"
#include "built_model.h"
#include "writers.h"

// A quilt of diamonds with stitched seams and a woven grain, from one height field. There is detail
// at every scale down to the texel, so that mip levels and filters matter.

enum { DIAMONDS = 12 };

/// Smooth noise of `cells` cells a side that tiles, in [0, 1).
static double noise(double u, double v, int cells, int seed)
{
    const double x = u * cells, y = v * cells;
    const int x0 = (int)floor(x), y0 = (int)floor(y);
    const double fx = smooth_step(0.0, 1.0, x - x0), fy = smooth_step(0.0, 1.0, y - y0);
    const int xa = (x0 + cells) % cells, xb = (x0 + 1) % cells;
    const int ya = (y0 + cells) % cells, yb = (y0 + 1) % cells;
    return mix_d(mix_d(hash_unit(xa, ya, seed), hash_unit(xb, ya, seed), fx),
                 mix_d(hash_unit(xa, yb, seed), hash_unit(xb, yb, seed), fx), fy);
}

typedef struct cloth {
    double height; ///< metres above the seams
    double seam;   ///< 1 on a seam
    int patch;     ///< which diamond
    double grain;
} cloth;

static cloth cloth_at(double u, double v)
{
    const double a = (u + v) * DIAMONDS, b = (u - v) * DIAMONDS;
    const double fa = a - floor(a), fb = b - floor(b);
    const double edge = maths_min(maths_min(fa, 1.0 - fa), maths_min(fb, 1.0 - fb));
    cloth c;
    c.patch = (((int)floor(a) % 1024 + 1024) * 31 + ((int)floor(b) % 1024 + 1024) * 17) % 5;
    c.seam = 1.0 - smooth_step(0.02, 0.06, edge);
    c.grain = noise(u, v, 512, 1) * 0.6 + noise(u, v, 128, 2) * 0.4;
    c.height = 0.012 * sqrt(maths_min(edge * 2.5, 1.0)) + 0.0009 * c.grain;
    return c;
}

static uint8_t code(double x) { return (uint8_t)(maths_clamp(x, 0.0, 1.0) * 255.0 + 0.5); }

static void put(uint8_t *texel, double r, double g, double b)
{
    texel[0] = code(r);
    texel[1] = code(g);
    texel[2] = code(b);
    texel[3] = 255;
}

/// Gives `material` its three maps: base colour, normal (green along -v, as glTF wants) and
/// metal-rough. They have `side` texels a side and tile in both directions.
static void character_paint(built_model *model, int material, int side)
{
    static const double colors[5][3] = {{0.78, 0.32, 0.24},
                                        {0.24, 0.46, 0.66},
                                        {0.88, 0.74, 0.38},
                                        {0.36, 0.58, 0.40},
                                        {0.80, 0.78, 0.74}};
    built_image *base = new_picture(model, "base", side, side);
    built_image *normal = new_picture(model, "normal", side, side);
    built_image *metal_rough = new_picture(model, "metal_rough", side, side);
    model->materials[material].base_map.texture = 0;
    model->materials[material].normal_map.texture = 1;
    model->materials[material].metal_rough_map.texture = 2;
    const double step = 1.0 / side, texel_m = 1.0 / (0.36 * side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const size_t at = ((size_t)y * (size_t)side + (size_t)x) * 4;
            const double u = (x + 0.5) * step, v = (y + 0.5) * step;
            const cloth here = cloth_at(u, v);
            const double dx = (cloth_at(u + step, v).height - here.height) / texel_m;
            const double dy = (cloth_at(u, v + step).height - here.height) / texel_m;
            const double *color = colors[here.patch];
            const double shade = (0.75 + 0.35 * here.grain) * (1.0 - 0.45 * here.seam);
            put(base->rgba8 + at, color[0] * shade, color[1] * shade, color[2] * shade);
            const dvec3 n = v3_unit(v3(-dx, dy, 1.0));
            put(normal->rgba8 + at, n.x * 0.5 + 0.5, n.y * 0.5 + 0.5, n.z * 0.5 + 0.5);
            const double rough = here.seam > 0.5 ? 0.35 : 0.45 + 0.4 * here.grain;
            put(metal_rough->rgba8 + at, 1.0, rough, here.patch == 2 ? 0.9 : 0.0);
        }
}

enum {
    HIPS,
    SPINE,
    WAIST,
    CHEST,
    NECK,
    HEAD,
    LEFT_CLAVICLE,
    LEFT_ARM,
    LEFT_ELBOW,
    LEFT_WRIST,
    RIGHT_CLAVICLE,
    RIGHT_ARM,
    RIGHT_ELBOW,
    RIGHT_WRIST,
    LEFT_THIGH,
    LEFT_KNEE,
    LEFT_ANKLE,
    LEFT_TOE,
    RIGHT_THIGH,
    RIGHT_KNEE,
    RIGHT_ANKLE,
    RIGHT_TOE,
    JOINT_COUNT
};

typedef struct joint_place {
    const char *name;
    int parent;
    dvec3 at;
} joint_place;

static const joint_place joints[JOINT_COUNT] = {
    {"hips", -1, {0.0, 0.55, 0.0}},
    {"spine", HIPS, {0.0, 0.72, 0.0}},
    {"waist", SPINE, {0.0, 0.9, 0.0}},
    {"chest", WAIST, {0.0, 1.1, 0.0}},
    {"neck", CHEST, {0.0, 1.3, 0.0}},
    {"head", NECK, {0.0, 1.45, 0.0}},
    {"left_clavicle", CHEST, {0.25, 1.12, 0.0}},
    {"left_arm", LEFT_CLAVICLE, {0.48, 1.1, 0.0}},
    {"left_elbow", LEFT_ARM, {0.8, 1.02, 0.0}},
    {"left_wrist", LEFT_ELBOW, {1.1, 0.94, 0.0}},
    {"right_clavicle", CHEST, {-0.25, 1.12, 0.0}},
    {"right_arm", RIGHT_CLAVICLE, {-0.48, 1.1, 0.0}},
    {"right_elbow", RIGHT_ARM, {-0.8, 1.02, 0.0}},
    {"right_wrist", RIGHT_ELBOW, {-1.1, 0.94, 0.0}},
    {"left_thigh", HIPS, {0.27, 0.5, 0.0}},
    {"left_knee", LEFT_THIGH, {0.3, 0.3, 0.02}},
    {"left_ankle", LEFT_KNEE, {0.32, 0.1, 0.0}},
    {"left_toe", LEFT_ANKLE, {0.33, 0.04, 0.18}},
    {"right_thigh", HIPS, {-0.27, 0.5, 0.0}},
    {"right_knee", RIGHT_THIGH, {-0.3, 0.3, 0.02}},
    {"right_ankle", RIGHT_KNEE, {-0.32, 0.1, 0.0}},
    {"right_toe", RIGHT_ANKLE, {-0.33, 0.04, 0.18}},
};

/// A tube from `from` to `to` whose cross-section is an ellipse of half axes `wide` (along the
/// picture) and `deep`, with round ends.
typedef struct tube {
    dvec3 from, to;
    double wide, deep;
    int around, along;
    int first_joint, joint_count; ///< neighbours in the enum above
    double u0, v0;                ///< where its part of the maps begins
} tube;

static const double texels_per_metre = 0.36; ///< of the whole map: 740 texels of 2048 a metre

/// Weights of the four joints of the chain that are nearest to `at`, falling with the square of the
/// distance. No weight is 0.
static void hang(built_vertex *v, dvec3 at, const tube *t)
{
    double weight[8], sum = 0.0;
    int order[8];
    for (int i = 0; i < t->joint_count; i++) {
        const dvec3 apart = dvec3_sub(at, joints[t->first_joint + i].at);
        weight[i] = 1.0 / (dvec3_dot(apart, apart) + 0.02);
        order[i] = i;
    }
    for (int i = 0; i < 4; i++) // the four largest, by selection
        for (int k = i + 1; k < t->joint_count; k++)
            if (weight[order[k]] > weight[order[i]]) {
                const int swap = order[i];
                order[i] = order[k];
                order[k] = swap;
            }
    for (int i = 0; i < 4; i++)
        sum += weight[order[i]];
    for (int i = 0; i < 4; i++) {
        v->joints[i] = (uint8_t)(t->first_joint + order[i]);
        v->weights[i] = (float)(weight[order[i]] / sum);
    }
}

static built_vertex tube_vertex(const tube *t, int column, int row)
{
    const dvec3 axis = dvec3_sub(t->to, t->from);
    const double length = dvec3_length(axis),
                 turn = 2.0 * MATHS_PI * (column % t->around) / t->around;
    // Rows are spread so that the round ends get half of them: s is the part of the axis, r the
    // part of the radius there, and r^4 = 1 - c^2.
    const double polar = MATHS_PI * row / t->along;
    const double c = -exact_cos(polar), e = 1.0 - c * c;
    const double s = 0.5 + 0.5 * c, r = row == 0 || row == t->along ? 0.0 : sqrt(sqrt(e));
    const quat turned = quat_between(v3(0.0, 1.0, 0.0), axis, v3(1.0, 0.0, 0.0));
    const double x = -exact_sin(turn), z = -exact_cos(turn); // the seam lies behind
    const dvec3 round = quat_rotate(turned, v3(x * t->wide * r, 0.0, z * t->deep * r));
    const dvec3 at = dvec3_add(v3_mad(t->from, axis, s), round);
    // d r / d c = -0.5 c e^(-3/4): the slope that the normal leans by.
    const double slope = e > 1e-9 ? -0.5 * c / sqrt(sqrt(e) * e) : 0.0;
    dvec3 n = v3(x / t->wide, -slope * 2.0 / length, z / t->deep);
    if (e <= 1e-9)
        n = v3(0.0, c, 0.0);
    n = quat_rotate(turned, v3_unit(n));
    const double round_m = MATHS_PI * (t->wide + t->deep);
    const double u = t->u0 + round_m * texels_per_metre * column / t->around;
    const double v = t->v0 - length * texels_per_metre * row / t->along;
    built_vertex vertex = vertex_at(at, n, u, v);
    hang(&vertex, at, t);
    return vertex;
}

static void tube_append(built_primitive *p, const tube *t)
{
    const uint32_t base = (uint32_t)p->vertex_count, stride = (uint32_t)t->around + 1;
    for (int row = 0; row <= t->along; row++)
        for (int column = 0; column <= t->around; column++)
            primitive_vertex(p, tube_vertex(t, column, row));
    for (uint32_t row = 0; row < (uint32_t)t->along; row++)
        for (uint32_t column = 0; column < (uint32_t)t->around; column++) {
            const uint32_t a = base + row * stride + column, above = a + stride;
            if (row > 0)
                primitive_triangle(p, a, a + 1, above + 1);
            if (row + 1 < (uint32_t)t->along)
                primitive_triangle(p, a, above + 1, above);
        }
}

static void skeleton(built_model *m)
{
    for (int j = 0; j < JOINT_COUNT; j++) {
        const int parent = joints[j].parent;
        const dvec3 at = parent < 0 ? joints[j].at : dvec3_sub(joints[j].at, joints[parent].at);
        const int node = new_node(m, joints[j].name, parent, at);
        m->joints[m->joint_count++] = (built_joint){node, joints[j].at};
    }
    m->skeleton = HIPS;
}

/// One joint turning to and fro about an axis, `swing` degrees either way, `beats` times a clip.
static void swing(built_model *m, int clip, int joint, dvec3 axis, double swing_deg, double phase,
                  int beats)
{
    enum { KEYS = 33 }; // two seconds, a key every frame of 16 a second
    built_channel *c = new_channel(m, clip, joint, PATH_ROTATION, CURVE_LINEAR, KEYS);
    for (int k = 0; k < KEYS; k++) {
        const double turn = 2.0 * MATHS_PI * (beats * (double)k / (KEYS - 1) + phase);
        const quat q = quat_axis(axis, radians(swing_deg) * exact_sin(turn));
        c->times[k] = (float)(2.0 * k / (KEYS - 1));
        const double value[4] = {q.x, q.y, q.z, q.w};
        for (int i = 0; i < 4; i++)
            c->values[k * 4 + i] = (float)value[i];
    }
}

static void dance(built_model *m)
{
    const int clip = new_clip(m, "dance");
    const dvec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    for (int j = 0; j < JOINT_COUNT; j++) {
        const double side = joints[j].at.x < 0.0 ? 0.5 : 0.0;
        if (j <= CHEST)
            swing(m, clip, j, z, 4.0, 0.05 * j, 1);
        else if (j <= HEAD)
            swing(m, clip, j, y, 8.0, 0.1 * j, 1);
        else if (j < LEFT_THIGH)
            swing(m, clip, j, z, 7.0, 0.08 * j + side, 2);
        else
            swing(m, clip, j, x, 9.0, 0.07 * j + side, 1);
    }
}

void character_write(const char *folder, const char *name, int map_side)
{
    static const tube tubes[] = {
        {{0.0, 0.28, 0.0}, {0.0, 1.38, 0.0}, 0.60, 0.46, 104, 74, HIPS, 5, 0.0, 1.0},
        {{0.0, 1.2, 0.0}, {0.0, 1.88, 0.0}, 0.44, 0.40, 76, 44, WAIST, 4, 0.2, 0.6},
        {{0.25, 1.13, 0.0}, {1.3, 0.9, 0.0}, 0.26, 0.23, 52, 44, LEFT_CLAVICLE, 4, 0.4, 0.9},
        {{-0.25, 1.13, 0.0}, {-1.3, 0.9, 0.0}, 0.26, 0.23, 52, 44, RIGHT_CLAVICLE, 4, 0.6, 0.5},
        {{0.26, 0.62, 0.0}, {0.33, 0.0, 0.02}, 0.29, 0.28, 52, 46, LEFT_THIGH, 4, 0.8, 0.4},
        {{-0.26, 0.62, 0.0}, {-0.33, 0.0, 0.02}, 0.29, 0.28, 52, 46, RIGHT_THIGH, 4, 0.1, 0.8},
    };
    built_model *m = model_create();
    skeleton(m);
    const int material = new_material(m, "skin", 1.0, 1.0, 1.0, 1.0, 1.0);
    const int body = new_node(m, "body", -1, v3(0.0, 0.0, 0.0));
    m->nodes[body].mesh = new_mesh(m);
    m->nodes[body].skin = 0;
    built_primitive *p = new_primitive(m, material, HAS_NORMAL | HAS_TANGENT | HAS_UV | HAS_SKIN);
    for (size_t i = 0; i < sizeof tubes / sizeof *tubes; i++)
        tube_append(p, &tubes[i]);
    primitive_tangents(p, true);
    character_paint(m, material, map_side);
    dance(m);
    glb_write(m, folder, name);
    model_destroy(m);
}
