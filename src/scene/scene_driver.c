// SPDX-License-Identifier: MIT
#include "scene/scene_driver.h"

#include "base/dvec3.h"
#include "scene/scene_names.h"

zt_result scene_read_driver_morph(document_reader *r, const document_node *value, void *target)
{
    scene_driver *driver = target;
    driver->kind = SCENE_DRIVER_MORPH;
    return scene_read_morph_target(r, value, &driver->node, &driver->target);
}

zt_result scene_read_driver_joint(document_reader *r, const document_node *value, void *target)
{
    scene_driver *driver = target;
    if (driver->kind == SCENE_DRIVER_MORPH)
        return value_fail(r, value, true, "both a morph and a joint (expected one of them)");
    driver->kind = SCENE_DRIVER_JOINT;
    ZT_TRY(scene_value_bone(r, value, &driver->node));
    if (model_of(r)->nodes[driver->node].parent < 0)
        return value_fail(r, value, false,
                          "'%.80s' has no parent (expected a bone that rotates relative to its "
                          "parent)",
                          value->text);
    return ZT_OK;
}

zt_result scene_read_driver_axis(document_reader *r, const document_node *value, void *target)
{
    scene_driver *w = target;
    if (w->kind != SCENE_DRIVER_JOINT)
        return value_fail(r, value, true, "an axis without a joint (expected `joint` too)");
    ZT_TRY(value_direction(r, value, w->axis));
    dvec3 axis = dvec3_load(w->axis);
    dvec3_normalize(&axis, 0.0);
    dvec3_store(axis, w->axis);
    w->has_axis = true;
    return ZT_OK;
}

zt_result scene_read_driver_range(document_reader *r, const document_node *value, void *target)
{
    scene_driver *w = target;
    const bool degrees = w->kind == SCENE_DRIVER_JOINT;
    const double max = degrees ? 180.0 : (double)MORPH_WEIGHT_MAX;
    const double min = degrees && !w->has_axis ? 0.0 : -max;
    if (w->kind == SCENE_DRIVER_NONE)
        return value_fail(r, value, true, "a range without a driver (expected `morph` or `joint`)");
    ZT_TRY(value_pair(r, value, min, max, "two numbers: where the weight is 0 and where it is 1",
                      w->range));
    if (w->range[0] == w->range[1])
        return value_fail(r, value, false, "a range of no width (expected two different numbers)");
    return ZT_OK;
}

zt_result scene_check_driver(document_reader *r, const document_node *value,
                             const scene_driver *driver)
{
    if (driver->kind == SCENE_DRIVER_JOINT && !document_member(value, "range"))
        return value_fail(r, value, false,
                          "no key 'range' with a joint (expected the degrees at which the weight "
                          "is 0 and 1)");
    return ZT_OK;
}

zt_result scene_read_driver(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("morph", KEY_OPTIONAL, scene_read_driver_morph),
        KEY_READ("joint", KEY_OPTIONAL, scene_read_driver_joint),
        KEY_READ("axis", KEY_OPTIONAL, scene_read_driver_axis),
        KEY_READ("range", KEY_OPTIONAL, scene_read_driver_range),
    };
    scene_driver *driver = target;
    *driver = (scene_driver){.range = {0.0, 1.0}};
    ZT_TRY(value_map(r, value, "driver", keys, COUNT_OF(keys), driver));
    if (driver->kind == SCENE_DRIVER_NONE)
        return value_fail(r, value, false, "a driver of nothing (expected joint or morph)");
    return scene_check_driver(r, value, driver);
}
