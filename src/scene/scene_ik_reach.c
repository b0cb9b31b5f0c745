// SPDX-License-Identifier: MIT
/// The keys of `reach`.
#include "scene/scene_ik_keys.h"
#include "scene/scene_links.h"

static zt_result read_cone(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_DIRECTION("axis", KEY_REQUIRED, scene_ik, cone_axis),
        KEY_NUMBER("angle", KEY_REQUIRED, scene_ik, cone_deg, 0.0, 180.0),
    };
    return value_map(r, value, "cone", keys, COUNT_OF(keys), target);
}

static zt_result read_orient(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("target", KEY_REQUIRED, scene_read_orientation),
        KEY_TRACK("rotate", KEY_OPTIONAL, scene_orientation, rotate, TRACK_ROTATION, -1e6, 1e6),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_orientation, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    return value_map(r, value, "orient", keys, COUNT_OF(keys), target);
}

zt_result scene_ik_read_reach(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("bones", KEY_REQUIRED, scene_ik_read_bones),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, scene_ik_spaces),
        KEY_TRACK("pole", KEY_OPTIONAL, scene_ik, pole, TRACK_VECTOR, -1e6, 1e6),
        KEY_DIRECTION("hinge", KEY_OPTIONAL, scene_ik, hinge),
        KEY_NUMBER("soft", KEY_OPTIONAL, scene_ik, soft, 0.0, 1.0),
        KEY_READ("angle", KEY_OPTIONAL, scene_ik_read_angle),
        KEY_READ("cone", KEY_OPTIONAL, read_cone),
        KEY_READ_INTO("orient", KEY_OPTIONAL, read_orient, scene_ik, orient),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    ((scene_ik *)target)->kind = SCENE_IK_REACH;
    return value_map(r, value, "reach", keys, COUNT_OF(keys), target);
}
