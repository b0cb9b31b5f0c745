// SPDX-License-Identifier: MIT
// The beast: a morph target of the walker in a separate file, with the same triangles. The joints
// do not move, so the bones of the walker animate it.
#include "walker.h"

// The offset from the line through `from` along `dir`: the direction in which a limb gets thicker.
static dvec3 off_line(dvec3 at, dvec3 from, dvec3 dir)
{
    const dvec3 d = dvec3_sub(at, from);
    return v3_mad(d, dir, -dvec3_dot(d, dir));
}

// A barrel of a chest, heavy arms and legs, ears, a snout and a tail.
static dvec3 beast(dvec3 at, float color[4])
{
    (void)color;
    const double side = at.x < 0.0 ? -1.0 : 1.0;
    const dvec3 up = v3(0.0, 1.0, 0.0), shoulder = v3(side * 0.185, 1.395, -0.012);
    const dvec3 dir =
        v3(side * WALKER_ARM_DIRECTION.x, WALKER_ARM_DIRECTION.y, WALKER_ARM_DIRECTION.z);
    const dvec3 wrist = v3_mad(shoulder, dir, 0.46), calf = v3(side * 0.11, 0.27, 0.0);
    dvec3 to = at;
    to = v3_mad(to, off_line(at, v3(0.0, 1.2, -0.02), up), 0.7 * bump(at, v3(0.0, 1.2, 0.04), 0.4));
    to = v3_mad(to, v3(side * 0.07, 0.08, 0.0), bump(at, shoulder, 0.2));
    to = v3_mad(to, off_line(at, shoulder, dir), 1.1 * bump(at, wrist, 0.26));
    to = v3_mad(to, off_line(at, calf, up), 0.9 * bump(at, calf, 0.3));
    to = v3_mad(to, v3(side * 0.06, 0.26, -0.02), bump(at, v3(side * 0.1, 1.76, 0.0), 0.11));
    to = v3_mad(to, v3(0.0, -0.05, 0.24), bump(at, v3(0.0, 1.58, 0.17), 0.15));
    return v3_mad(to, v3(0.0, -0.1, -0.6), bump(at, v3(0.0, 0.98, -0.14), 0.12));
}

void walker_beast_build(built_model *m)
{
    m->joint_count = m->clip_count = m->channel_count = m->image_count = m->texture_count = 0;
    m->skeleton = -1;
    for (int i = 0; i < m->node_count; i++)
        m->nodes[i].skin = -1;
    for (int i = 0; i < m->material_count; i++)
        m->materials[i].base_map.texture = m->materials[i].normal_map.texture = -1;
    for (int i = 0; i < m->primitive_count; i++) {
        primitive_reshape(&m->primitives[i], beast);
        m->primitives[i].attributes = HAS_NORMAL;
    }
}
