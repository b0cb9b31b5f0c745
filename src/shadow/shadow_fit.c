// SPDX-License-Identifier: MIT
// The cameras of shadow maps.
//
// Directional lights see the box of the shot's bounds, at whole texels. Spots and point lights see
// the sphere around it when they are outside: a point that is in the shadow of something projects
// onto that thing. A spot whose cone is narrower sees its cone. From inside the sphere a point
// light, and a spot with a wide cone, see six sides of a cube.
#include "shadow/shadow_fit.h"

#include "base/dvec3.h"
#include "base/maths.h"
#include "shadow/shadow_loops.h"

#include <math.h>
#include <string.h>

enum { FIT_MARGIN = 2 }; ///< texels around what a map sees

/// Half angles of perspective maps up to this one, radians: 72 degrees.
static const double widest_rad = 1.25;

/// Maps have room for penumbras around what casts them, up to this part of it on each side.
#define PENUMBRA_ROOM 0.25

typedef struct shadow_sphere {
    dvec3 center;
    double radius;
} shadow_sphere;

static shadow_sphere sphere_of(const shadow_bounds *f)
{
    const dvec3 min = dvec3_from_floats(f->min), max = dvec3_from_floats(f->max);
    const dvec3 half = dvec3_scale(dvec3_sub(max, min), 0.5);
    const double radius = dvec3_length(half);
    return (shadow_sphere){dvec3_add(min, half), radius > 1e-6 ? radius : 1e-6};
}

/// Extents of the bounds along an axis.
static void extent_along(const shadow_bounds *f, const double axis[3], double *out_min,
                         double *out_max)
{
    *out_min = *out_max = 0.0;
    for (int k = 0; k < 3; k++) {
        const double a = axis[k] * (double)f->min[k], b = axis[k] * (double)f->max[k];
        *out_min += a < b ? a : b;
        *out_max += a < b ? b : a;
    }
}

static int32_t whole(double x)
{
    return (int32_t)(!(x >= 1.0) ? 1.0 : x > 16384.0 ? 16384.0 : x); // NaN gives 1
}

void shadow_fit_box(const shadow_bounds *f, const double direction[3], double blur, int32_t size,
                    view_camera *out, int32_t *out_width, int32_t *out_height)
{
    static const double origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    double min[3], max[3];
    *out = (view_camera){.orthographic = true};
    view_look_at(out, origin, direction, y);
    extent_along(f, out->right, &min[0], &max[0]);
    extent_along(f, out->up, &min[1], &max[1]);
    extent_along(f, out->forward, &min[2], &max[2]);
    const double deep = max[2] - min[2], across = max[0] - min[0], along_up = max[1] - min[1];
    const double limit = PENUMBRA_ROOM * (across > along_up ? across : along_up);
    const double room = blur * deep < limit ? blur * deep : limit;
    for (int k = 0; k < 2; k++) {
        min[k] -= room;
        max[k] += room;
    }
    const double wide = max[0] - min[0], high = max[1] - min[1];
    const double side = wide > high ? wide : high;
    const double texel = (side > 1e-6 ? side : 1e-6) / (size - 2 * FIT_MARGIN - 1);
    const double left = floor(min[0] / texel) - FIT_MARGIN;
    const double top = ceil(max[1] / texel) + FIT_MARGIN;
    *out_width = whole(ceil(max[0] / texel) + FIT_MARGIN - left);
    *out_height = whole(top - floor(min[1] / texel) + FIT_MARGIN);
    // Frames between those that the bounds are of may reach a little beyond.
    const double margin = 0.1 * deep + 4.0 * texel;
    const double along[3] = {(left + 0.5 * *out_width) * texel, (top - 0.5 * *out_height) * texel,
                             min[2] - margin};
    for (int k = 0; k < 3; k++)
        out->eye[k] = out->right[k] * along[0] + out->up[k] * along[1] + out->forward[k] * along[2];
    out->half_height = 0.5 * *out_height * texel;
    out->far_m = deep + 2.0 * margin;
}

static const double up_axis[3] = {0.0, 1.0, 0.0};

/// Looks along `direction` at a cone of `half_rad`, and `blur`, a penumbra's radius at 1.
static void fit_cone(const shadow_light *light, dvec3 direction, double half_rad, double blur,
                     int32_t size, shadow_fit *out)
{
    double s, c, target[3];
    maths_sincos_deg(half_rad * MATHS_DEG_FROM_RAD, &s, &c);
    const double limit = PENUMBRA_ROOM * s / c, room = blur < limit ? blur : limit;
    dvec3_store(dvec3_add(dvec3_load(light->position), direction), target);
    view_look_at(&out->camera, light->position, target, up_axis);
    out->camera.focal = (double)(size - 2 * FIT_MARGIN) / (double)size / (s / c + room);
    out->width = out->height = size;
}

/// Sides see the part `border` of their width beyond each edge.
static void fit_cube(const shadow_light *light, double border, int32_t size,
                     shadow_fit out[SHADOW_CUBE_FACES])
{
    // Right and up of the sides that look along +x, -x, +y, -y, +z, -z: see shadow.inl.
    static const double right[SHADOW_CUBE_FACES][3] = {{0.0, 0.0, 1.0},  {0.0, 0.0, -1.0},
                                                       {1.0, 0.0, 0.0},  {-1.0, 0.0, 0.0},
                                                       {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    for (int i = 0; i < SHADOW_CUBE_FACES; i++) {
        view_camera *c = &out[i].camera;
        memcpy(c->eye, light->position, sizeof c->eye);
        memcpy(c->right, right[i], sizeof c->right);
        c->up[i / 2 == 1 ? 2 : 1] = 1.0;
        c->forward[i / 2] = i % 2 ? -1.0 : 1.0;
        c->focal = (1.0 - 2.0 * border) * (double)(size - 2 * SHADOW_BORDER) / (double)size;
        out[i].is_face = true;
        out[i].width = out[i].height = size;
    }
}

int32_t shadow_fit_light(const shadow_light *light, const shadow_bounds *bounds,
                         shadow_fit out[SHADOW_CUBE_FACES])
{
    const int32_t size = light->size > 0 ? light->size : light->default_size;
    memset(out, 0, SHADOW_CUBE_FACES * sizeof *out);
    if (light->kind == SHADOW_DIRECTIONAL) {
        shadow_fit_box(bounds, light->direction, light->blur, size, &out->camera, &out->width,
                       &out->height);
        return 1;
    }
    const shadow_sphere sphere = sphere_of(bounds);
    const dvec3 offset = dvec3_sub(sphere.center, dvec3_load(light->position));
    const double distance = dvec3_length(offset), blur = light->blur;
    const double sine = distance > sphere.radius ? sphere.radius / distance : 1.0;
    // Inside of the bounds things may be at any distance: a tenth of their radius is close.
    const double nearest =
        distance > 1.1 * sphere.radius ? distance - sphere.radius : 0.1 * sphere.radius;
    for (int i = 0; i < SHADOW_CUBE_FACES; i++) {
        out[i].nearest_depth = 1.0 / nearest;
        out[i].camera.near_m = 1e-3 * sphere.radius;
    }
    const double seen_rad = maths_atan2(sine, sqrt(1.0 - sine * sine));
    if (light->kind == SHADOW_SPOT && light->outer_rad < widest_rad &&
        light->outer_rad < seen_rad) {
        fit_cone(light, dvec3_load(light->direction), light->outer_rad, blur / nearest, size, out);
        return 1;
    }
    if (seen_rad < widest_rad) {
        fit_cone(light, offset, seen_rad, blur / nearest, size, out);
        return 1;
    }
    fit_cube(light, blur > 0.0 ? SHADOW_WIDEST_PENUMBRA : 0.0,
             light->size > 0 ? size : light->default_size / 2, out);
    return SHADOW_CUBE_FACES;
}
