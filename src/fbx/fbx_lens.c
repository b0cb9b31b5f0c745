// SPDX-License-Identifier: MIT
/// Cameras and lights. Cameras of FBX look along +x, its lights along -y; ours both along -z.
/// Lights have no unit: 100 per cent is taken as pi lux or as pi candela at a metre.
#include "base/maths.h"
#include "fbx/fbx_parts.h"

#include <string.h>

static const double pi = 3.14159265358979323846, inch_mm = 25.4;
static const dvec3 white = {1.0, 1.0, 1.0}, x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                   z_axis = {0.0, 0.0, 1.0};

/// The object with a node's properties of a lens: its attribute, or before version 7 itself.
static int32_t attribute_of(const fbx_scene *s, int32_t model, const char *type)
{
    return strcmp(s->object[model].type, type) == 0 &&
                   fbx_first_child(s, model, FBX_ATTRIBUTE, NULL) < 0
               ? model
               : fbx_first_child(s, model, FBX_ATTRIBUTE, type);
}

static double half_tangent(double degrees)
{
    double sine, cosine;
    maths_sincos_deg(0.5 * degrees, &sine, &cosine);
    return sine / cosine;
}

/// Vertical angle. ApertureMode: 0 both angles are given, 1 the horizontal, 2 the vertical one, 3 a
/// focal length and a film, of which all of the width is seen.
static double fov_y(const fbx_scene *s, int32_t camera, double aspect)
{
    const int32_t mode = fbx_property_integer(s, camera, "ApertureMode", 2);
    const double degrees = fbx_property_number(s, camera, "FieldOfView", 25.1);
    const double width_mm = fbx_property_number(s, camera, "FilmWidth", 0.816) * inch_mm;
    const double focal_mm = fbx_property_number(s, camera, "FocalLength", 34.89);
    double half = half_tangent(degrees);
    if (mode == 0)
        half = half_tangent(fbx_property_number(s, camera, "FieldOfViewY", degrees));
    else if (mode == 1)
        half = half / aspect;
    else if (mode == 3)
        half = 0.5 * width_mm / (focal_mm * aspect);
    const double angle = 2.0 * maths_atan2(half, 1.0);
    return angle > 0.01 && angle < pi - 0.01 ? angle : 0.7;
}

static zt_result make_camera(fbx_file *f, const fbx_placed *p, int32_t camera, model_camera *out,
                             zt_error *err)
{
    const fbx_scene *s = &f->scene;
    const double unit_m = (double)f->nodes[0].rest.s[1];
    const double wide = fbx_property_number(s, camera, "AspectWidth", 16.0);
    const double high = fbx_property_number(s, camera, "AspectHeight", 9.0);
    const double aspect = wide > 0.0 && high > 0.0 ? wide / high : 16.0 / 9.0;
    const double zoom = fbx_property_number(s, camera, "OrthoZoom", 1.0);
    const double near_m = fbx_property_number(s, camera, "NearPlane", 10.0) * unit_m;
    *out = (model_camera){.orthographic =
                              fbx_property_integer(s, camera, "CameraProjectionType", 0) == 1,
                          .fov_y_rad = (float)fov_y(s, camera, aspect),
                          .aspect = (float)aspect,
                          .near_m = near_m > 1e-6 && near_m < 1e6 ? (float)near_m : 0.1f};
    const double half_m = 0.5 * 30.0 * zoom * unit_m; // FBX: 30 units high at a zoom of 1
    out->y_mag = half_m > 1e-6 && half_m < 1e6 ? (float)half_m : 1.0f;
    out->x_mag = out->y_mag * out->aspect;
    return ARENA_TEXT(f->keep, &out->name, s->object[p->object].name, "a name", err);
}

static zt_result make_light(fbx_file *f, const fbx_placed *p, int32_t light, model_light *out,
                            zt_error *err)
{
    const fbx_scene *s = &f->scene;
    const int32_t type = fbx_property_integer(s, light, "LightType", 0);
    const dvec3 color = fbx_property_vector(s, light, "Color", white);
    const double percent = fbx_property_number(s, light, "Intensity", 100.0);
    double outer = fbx_property_number(s, light, "OuterAngle", 0.0);
    if (!(outer > 0.0))
        outer = fbx_property_number(s, light, "Cone angle", 45.0);
    double inner = fbx_property_number(s, light, "InnerAngle", 0.0);
    const uint32_t at = fbx_property_values(s);
    const int64_t decay = fbx_integer(fbx_own_property(s, light, "DecayType"), at, 2);
    if (type != 1 && decay != 2 && (decay != 0 || at == 4)) // version 6 writes the default, 0
        ZT_TRY(model_unsupported(&f->report, err, "DecayType: %d is not shown", (int)decay));
    outer = maths_clamp(outer, 1.0, 178.0);
    inner = maths_clamp(inner, 0.0, outer - 0.1);
    *out = (model_light){.kind = type == 1   ? MODEL_LIGHT_DIRECTIONAL
                                 : type == 2 ? MODEL_LIGHT_SPOT
                                             : MODEL_LIGHT_POINT,
                         .intensity = (float)maths_clamp(percent / 100.0 * pi, 0.0, 1e6),
                         .inner_rad = (float)(inner * pi / 360.0),
                         .outer_rad = (float)(outer * pi / 360.0)};
    out->color[0] = (float)maths_clamp(color.x, 0.0, 1.0);
    out->color[1] = (float)maths_clamp(color.y, 0.0, 1.0);
    out->color[2] = (float)maths_clamp(color.z, 0.0, 1.0);
    return ARENA_TEXT(f->keep, &out->name, s->object[p->object].name, "a name", err);
}

/// A node that looks along -z where the model looks elsewhere. A roll leans it to the right.
static model_node *add_turned(fbx_file *f, const fbx_placed *p, dvec3 axis, double roll_deg)
{
    const quat roll = quat_from_axis_deg(z_axis, -roll_deg);
    const fbx_transform rest = {
        {0.0, 0.0, 0.0}, quat_multiply(quat_from_axis_deg(axis, -90.0), roll), {1.0, 1.0, 1.0}};
    return &f->nodes[fbx_add_model_node(f, p->scale_node, f->nodes[p->node].name, &rest)];
}

zt_result fbx_make_cameras(fbx_file *f, zt_error *err)
{
    model_camera *cameras;
    model_light *lights;
    zt_model *model = f->model;
    ZT_TRY(ARENA_TAKE(f->keep, &cameras, f->placed_count, "cameras", err));
    ZT_TRY(ARENA_TAKE(f->keep, &lights, f->placed_count, "lights", err));
    for (uint32_t i = 0; i < f->placed_count; i++) {
        const fbx_placed *p = &f->placed[i];
        const int32_t camera = attribute_of(&f->scene, p->object, "Camera");
        const int32_t light = camera >= 0 ? -1 : attribute_of(&f->scene, p->object, "Light");
        if ((camera < 0 && light < 0) || f->node_count >= f->node_capacity)
            continue;
        if (camera >= 0) {
            ZT_TRY(make_camera(f, p, camera, &cameras[model->camera_count], err));
            const double roll_deg = fbx_property_number(&f->scene, camera, "Roll", 0.0);
            add_turned(f, p, y_axis, roll_deg)->camera = (int32_t)model->camera_count++;
        } else {
            ZT_TRY(make_light(f, p, light, &lights[model->light_count], err));
            add_turned(f, p, x_axis, 0.0)->light = (int32_t)model->light_count++;
        }
    }
    model->cameras = cameras;
    model->lights = lights;
    return ZT_OK;
}
