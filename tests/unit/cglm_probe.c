// SPDX-License-Identifier: MIT
/// Hash of what cglm computes through base/trs.h. Compiled several times with different flags;
/// PROBE_NAME tells the copies apart and unit_base_maths.c wants equal hashes of them.
#include "cglm_probe.h"

#include "base/hash.h"
#include "base/trs.h"

static float random_float(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 8388608.0f) - 1.0f;
}

uint64_t PROBE_NAME(void)
{
    uint64_t hash = HASH_START;
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        mat4 a, b, out;
        vec4 v, moved;
        versor p, q, product;
        for (int k = 0; k < 16; k++) {
            a[k / 4][k % 4] = random_float(&seed);
            b[k / 4][k % 4] = random_float(&seed);
        }
        for (int k = 0; k < 4; k++) {
            v[k] = random_float(&seed);
            p[k] = random_float(&seed);
            q[k] = random_float(&seed);
        }
        glm_mat4_mul(a, b, out);
        hash = hash_bytes(hash, out, sizeof out);
        glm_mat4_mulv(a, v, moved);
        hash = hash_bytes(hash, moved, sizeof moved);
        glm_mat4_inv(a, out);
        hash = hash_bytes(hash, out, sizeof out);
        glm_quat_mul(p, q, product);
        hash = hash_bytes(hash, product, sizeof product);
        glm_vec4_normalize(v);
        hash = hash_bytes(hash, v, sizeof v);
        glm_vec3_cross(p, q, moved);
        hash = hash_bytes(hash, moved, 3 * sizeof moved[0]);
    }
    return hash_bytes(hash, &(size_t){_Alignof(mat4)}, sizeof(size_t));
}
