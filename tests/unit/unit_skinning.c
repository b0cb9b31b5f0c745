// SPDX-License-Identifier: MIT
/// Skinning from files: eight influences, dual quaternions, a twisted arm by both blendings.
#include "drawing.h"
#include "gltf_fixture.h"
#include "pose/pose.h"
#include "pose_case.h"
#include "render/frame_pose.h"
#include "render/posed_bounds.h"
#include "test_memory.h"

#define MODELS ZT_SOURCE_DIR "/scenes/models/"

typedef struct influence_data {
    float position[3][3], weights[3][3][4]; ///< [set][vertex]
    uint8_t joints[3][3][4];
} influence_data;

#define INFLUENCED(attributes)                                                                     \
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':216}],"                                   \
    "'bufferViews':[<36>,<36+48>,<84+48>,<132+48>,<180+12>,<192+12>,<204+12>],"                    \
    "'accessors':[<0 float VEC3 3>,<1 float VEC4 3>,<2 float VEC4 3>,<3 float VEC4 3>,"            \
    "<4 u8 VEC4 3>,<5 u8 VEC4 3>,<6 u8 VEC4 3>],"                                                  \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'WEIGHTS_0':1,"                          \
    "'JOINTS_0':4" attributes "}}]}],'skins':[{'joints':[0,1,2,3,4,5,6,7,8,9,10,11]}],"            \
    "'nodes':[{'mesh':0,'skin':0},{},{},{},{},{},{},{},{},{},{},{}]}"

static const influence_data data = {
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    {{{0.1f, 0.2f, 0, 0}, {1, 0, 0, 0}, {0.25f, 0.25f, 0.25f, 0.25f}},
     {{0.3f, 0.05f, 0.05f, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
     {{0.1f, 0.1f, 0.06f, 0.04f}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
    {{{0, 1, 2, 3}, {3, 0, 0, 0}, {0, 1, 2, 3}},
     {{4, 5, 6, 7}, {4, 5, 6, 7}, {4, 5, 6, 7}},
     {{8, 9, 10, 11}, {8, 9, 10, 11}, {8, 9, 10, 11}}}};

Test(influences, eight_largest_are_kept)
{
    GLTF_MUST(c, 0, INFLUENCED(",'WEIGHTS_1':2,'JOINTS_1':5,'WEIGHTS_2':3,'JOINTS_2':6"), &data,
              sizeof data);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->joints && mesh->joints_more && mesh->weights_more);
    const uint16_t joints[8] = {4, 1, 0, 8, 9, 10, 5, 6};
    const float weights[8] = {0.3f, 0.2f, 0.1f, 0.1f, 0.1f, 0.06f, 0.05f, 0.05f};
    for (int k = 0; k < 8; k++) {
        const float got = k < 4 ? mesh->weights[0].weight[k] : mesh->weights_more[0].weight[k - 4];
        cr_expect_eq(k < 4 ? mesh->joints[0].joint[k] : mesh->joints_more[0].joint[k - 4],
                     joints[k]);
        cr_expect(fabsf(got - weights[k] / 0.96f) < 1e-6f, "%d: %g", k, (double)got);
    }
    cr_expect(strstr(c.messages, "1 vertices have more than 8 influences"), "%s", c.messages);
    cr_expect(mesh->weights_more[1].weight[0] == 0.0f && mesh->weights[1].weight[0] == 1.0f);
}

Test(influences, a_second_set_without_weight_costs_nothing)
{
    influence_data empty = data;
    memset(empty.weights[1], 0, sizeof empty.weights[1]);
    GLTF_MUST(c, 0, INFLUENCED(",'WEIGHTS_1':2,'JOINTS_1':5"), &empty, sizeof empty);
    cr_expect(c.model.meshes[0].joints && !c.model.meshes[0].joints_more);
    cr_expect_not(strstr(c.messages, "more than 8"), "%s", c.messages);
}

/// Moves p by the stretch and then the dual quaternion, in double.
static void moved(const skin_dual *q, mat4 stretch, const double p[3], double out[3])
{
    double s[3], inner[3];
    oracle_direction(stretch, p, s);
    const double r[4] = {(double)q->real[0], (double)q->real[1], (double)q->real[2],
                         (double)q->real[3]};
    const double d[4] = {(double)q->dual[0], (double)q->dual[1], (double)q->dual[2],
                         (double)q->dual[3]};
    for (int k = 0; k < 3; k++)
        inner[k] = r[(k + 1) % 3] * s[(k + 2) % 3] - r[(k + 2) % 3] * s[(k + 1) % 3] + r[3] * s[k];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = s[k] + 2.0 * (r[i] * inner[j] - r[j] * inner[i]) +
                 2.0 * (r[3] * d[k] - d[3] * r[k] + r[i] * d[j] - r[j] * d[i]);
    }
}

/// A stretch and a dual quaternion are their matrix: rotated, scaled, mirrored, sheared, flat.
Test(duals, give_their_matrix_back)
{
    uint64_t seed = 5;
    for (int n = 0; n < 4000; n++) {
        trs x = trs_identity();
        mat4 m, shear, stretch;
        skin_dual q;
        oracle_random_rotation(&seed, x.r);
        for (int k = 0; k < 3; k++) {
            x.t[k] = (float)oracle_between(&seed, -5.0, 5.0);
            if (n % 6 > 0)
                x.s[k] = (float)oracle_between(&seed, n % 6 == 2 ? -2.0 : 0.2, 2.0);
        }
        if (n % 6 == 3)
            x.s[n % 3] = 0.0f;
        trs_to_mat4(&x, m);
        if (n % 6 == 4) {
            glm_mat4_identity(shear);
            shear[1][0] = (float)oracle_between(&seed, -1.0, 1.0);
            glm_mat4_mul(m, shear, m);
        }
        if (n % 6 == 5 && n % 12 == 5)
            for (int k = 0; k < 3; k++)
                memset(m[k], 0, sizeof m[k]);
        const bool stretches = pose_dual(m, &q, stretch);
        cr_assert_eq(stretches, n % 6 > 0, "%d", n);
        double length = 0.0;
        for (int k = 0; k < 4; k++)
            length += (double)q.real[k] * (double)q.real[k];
        cr_assert(fabs(length - 1.0) < 1e-6);
        const double p[3] = {oracle_between(&seed, -1.0, 1.0), oracle_between(&seed, -1.0, 1.0),
                             oracle_between(&seed, -1.0, 1.0)};
        double got[3], want[3];
        oracle_direction(m, p, want);
        moved(&q, stretch, p, got);
        for (int k = 0; k < 3; k++)
            NEAR(got[k], want[k] + (double)m[3][k], 4e-6, "%d", n);
    }
}

/// Chains of products in floats are off by some 1e-5: no stretch, which would cost a second blend.
Test(duals, rounding_is_no_stretch)
{
    uint64_t seed = 7;
    for (int n = 0; n < 200; n++) {
        trs x = trs_identity();
        mat4 m, stretch;
        skin_dual q;
        oracle_random_rotation(&seed, x.r);
        trs_to_mat4(&x, m);
        for (int k = 0; k < 3; k++)
            m[k][k] += (float)oracle_between(&seed, -1.5e-5, 1.5e-5);
        cr_assert(!pose_dual(m, &q, stretch), "%d", n);
        for (int k = 0; k < 3; k++)
            m[0][k] *= 1.0001f;
        cr_assert(pose_dual(m, &q, stretch), "%d", n);
    }
}

/// Distance of arm.glb at the elbow from its axis, least and most, turned by 170 degrees.
static void elbow_radii(const char *skinning, double out[2], double *out_turn)
{
    zt_error err = {0};
    OWN_SCENE *scene = load_scene_text("output: { frames: 0-59 }\nmodels: [ { file: " MODELS
                                       "arm.glb, animation: twist, skinning: %s } ]\n",
                                       skinning);
    OWN_ARENA a;
    frame_pose pose;
    geometry_frame frame;
    const kernel_table *kernels = kernels_best(ZT_ISA_BEST);
    arena_init(&a, &scene->budget_own);
    MUST(frame_pose_build(kernels->pose, scene, scene_frame_time(scene, 30), &a, &pose, &err), err);
    frame = (geometry_frame){.draws = pose.draws, .draw_count = pose.draw_count};
    cr_assert_eq(geometry_frame_init(&frame, &a, &a, &err), ZT_OK);
    for (int64_t i = 0; i < frame.skin_job_count; i++)
        geometry_skin(&frame, kernels->geometry, i);
    const geometry_draw *d = &pose.draws[0];
    cr_assert_eq(d->duals != NULL, strcmp(skinning, "linear") != 0);
    out[0] = HUGE_VAL;
    out[1] = *out_turn = 0.0;
    for (uint32_t v = 0; v < d->mesh->vertex_count; v++) {
        const vertex_position *p = &d->position[v];
        const vertex_attributes *n = &d->attributes[v];
        if (fabsf(d->mesh->position[v].y - 1.0f) > 1e-4f)
            continue;
        const double radius = sqrt((double)p->x * (double)p->x + (double)p->z * (double)p->z);
        out[0] = fmin(out[0], radius);
        out[1] = fmax(out[1], radius);
        // Angle of the normal to the direction that the vertex now lies in.
        const double along = ((double)n->nx * (double)p->x + (double)n->nz * (double)p->z) / radius;
        const double length = sqrt((double)n->nx * (double)n->nx + (double)n->ny * (double)n->ny +
                                   (double)n->nz * (double)n->nz);
        *out_turn = fmax(*out_turn, fabs(1.0 - along / length));
    }
    // The box of the posed arm is that of its vertices.
    float min[3], max[3];
    MUST(posed_bounds(kernels, scene, scene_shot_time(scene, 1.0), &a, min, max, &err), err);
    float low = INFINITY, high = -INFINITY;
    for (uint32_t v = 0; v < d->mesh->vertex_count; v++) {
        low = d->position[v].x < low ? d->position[v].x : low;
        high = d->position[v].x > high ? d->position[v].x : high;
    }
    cr_expect(low == min[0] && high == max[0]);
}

Test(twist, dual_quaternions_keep_the_width_of_a_limb)
{
    const double radius = 0.16, half = 85.0 * 3.14159265358979323846 / 180.0;
    double linear[2], dual[2], linear_turn, dual_turn;
    elbow_radii("linear", linear, &linear_turn);
    elbow_radii("dual_quaternion", dual, &dual_turn);
    // Halfway to 170 degrees a blend of matrices rotates by 85 degrees, times cos(85 degrees).
    cr_expect(fabs(linear[0] - radius * cos(half)) < 1e-5 && fabs(linear[1] - linear[0]) < 1e-5,
              "linear: %g to %g", linear[0], linear[1]);
    cr_expect(fabs(dual[0] - radius) < 1e-6 && fabs(dual[1] - radius) < 1e-6, "dual: %g to %g",
              dual[0], dual[1]);
    cr_expect(dual_turn < 1e-6, "normals point outwards: %g", dual_turn);
}
