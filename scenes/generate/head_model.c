// SPDX-License-Identifier: MIT
// A head whose skin wrinkles: forehead, brow and mouth, each with a morph target of its own.
#include "head_paint.h"
#include "models.h"
#include "shapes.h"

#include <stdlib.h>

static double side_of(dvec3 at) { return at.x < 0.0 ? -1.0 : 1.0; }

/// From the ball to the head.
static dvec3 sculpt(dvec3 at, float color[4])
{
    (void)color;
    const double s = side_of(at);
    dvec3 p = at;
    p.z += 0.2 * bump(at, v3(0.0, -0.1, 0.9), 0.2) + 0.08 * bump(at, v3(0.0, 0.12, 0.9), 0.2);
    p.x += maths_clamp(at.x * 10.0, -1.0, 1.0) * 0.03 * bump(at, v3(s * 0.1, -0.14, 0.88), 0.12);
    p.z -= 0.09 * bump(at, v3(s * 0.29, 0.2, 0.8), 0.26);
    p.z += 0.06 * bump(at, v3(s * 0.28, 0.43, 0.77), 0.24);
    p = v3_mad(p, v3(s * 0.04, 0.0, 0.04), bump(at, v3(s * 0.45, -0.14, 0.7), 0.34));
    p.z += 0.06 * bump(at, v3(0.0, -0.45, 0.82), 0.28);
    p.z += 0.1 * bump(at, v3(0.0, -0.83, 0.6), 0.32);
    p = v3_mad(p, v3(s * 0.12, 0.0, -0.05), bump(at, v3(s * 0.84, 0.02, -0.08), 0.2));
    p.x *= 1.0 - 0.2 * smooth_step(-0.2, -0.95, at.y);
    return p;
}

static dvec3 raise(dvec3 at, float color[4])
{
    (void)color;
    const double s = side_of(at);
    dvec3 p = v3_mad(at, v3(0.0, 0.11, 0.01), bump(at, v3(s * 0.3, 0.46, 0.78), 0.32));
    return v3_mad(p, v3(0.0, 0.03, 0.02), bump(at, v3(0.0, 0.66, 0.72), 0.34));
}

static dvec3 frown(dvec3 at, float color[4])
{
    (void)color;
    const double s = side_of(at);
    const double inwards = maths_clamp(at.x * 5.0, -1.0, 1.0) * -0.055; // the middle stays whole
    dvec3 p = v3_mad(at, v3(inwards, -0.09, 0.035), bump(at, v3(s * 0.2, 0.42, 0.82), 0.24));
    return v3_mad(p, v3(0.0, -0.02, 0.02), bump(at, v3(0.0, 0.36, 0.84), 0.16));
}

static dvec3 smile(dvec3 at, float color[4])
{
    (void)color;
    const double s = side_of(at);
    dvec3 p = v3_mad(at, v3(s * 0.07, 0.12, -0.03), bump(at, v3(s * 0.27, -0.46, 0.76), 0.26));
    return v3_mad(p, v3(s * 0.02, 0.05, 0.05), bump(at, v3(s * 0.44, -0.14, 0.74), 0.28));
}

static dvec3 open_jaw(dvec3 at, float color[4])
{
    (void)color;
    return v3_mad(at, v3(0.0, -0.2, 0.03), bump(at, v3(0.0, -0.85, 0.45), 0.6));
}

static built_primitive *add_skin(built_model *m, int material)
{
    built_primitive *p = new_primitive(m, material, HAS_NORMAL | HAS_UV);
    shape_sphere(p, frame_at(0.0, 0.0, 0.0), v3(HEAD_X, HEAD_Y, HEAD_Z), 100, 76);
    for (size_t i = 0; i < p->vertex_count; i++) {
        built_vertex *v = &p->vertices[i];
        double u, w;
        const dvec3 at = dvec3_from_floats(v->position);
        head_uv(v3_unit(v3(at.x / HEAD_X, at.y / HEAD_Y, at.z / HEAD_Z)), &u, &w);
        v->uv[0] = (float)u;
        v->uv[1] = (float)w;
    }
    primitive_reshape(p, sculpt);
    return p;
}

static void save_pictures(const char *folder)
{
    static const char *const names[WRINKLE_COUNT] = {"forehead", "brow", "mouth"};
    for (int i = 0; i < WRINKLE_COUNT; i++) {
        char name[64];
        built_image map = {.width = 512, .height = 512}, mask = {.width = 64, .height = 64};
        map.rgba8 = checked_alloc(512 * 512, 4);
        mask.rgba8 = checked_alloc(64 * 64, 4);
        head_paint_wrinkle(&map, (head_wrinkle)i);
        head_paint_mask(&mask, (head_wrinkle)i);
        snprintf(name, sizeof name, "head_%s.png", names[i]);
        png_save(&map, folder, name);
        snprintf(name, sizeof name, "head_%s_mask.png", names[i]);
        png_save(&mask, folder, name);
        free(map.rgba8);
        free(mask.rgba8);
    }
}

// Targets raise, frown, smile, open, and a wrinkle map and a mask for forehead, brow and mouth.
void head_build(built_model *m)
{
    const int skin = new_material(m, "skin", 1.0, 1.0, 1.0, 0.0, 0.5);
    const int white = new_material(m, "eye", 0.9, 0.9, 0.88, 0.0, 0.25);
    const int iris = new_material(m, "iris", 0.12, 0.2, 0.22, 0.0, 0.2);
    head_paint_color(new_picture(m, "color", 512, 512));
    head_paint_skin(new_picture(m, "skin", 512, 512));
    m->materials[skin].base_map.texture = 0;
    m->materials[skin].normal_map.texture = 1;
    new_mesh_node(m, "head", -1, v3(0.0, 0.0, 0.0));
    built_primitive *head = add_skin(m, skin);
    built_primitive *eyes = new_primitive(m, white, HAS_NORMAL | HAS_UV);
    built_primitive *irises = new_primitive(m, iris, HAS_NORMAL | HAS_UV);
    for (int side = -1; side <= 1; side += 2) {
        shape_sphere(eyes, frame_at(side * 0.29, 0.2, 0.67), v3(0.14, 0.1, 0.13), 28, 18);
        shape_sphere(irises, frame_at(side * 0.28, 0.2, 0.765), v3(0.05, 0.05, 0.042), 20, 14);
    }
    primitive_target(head, new_target(m, "raise"), raise);
    primitive_target(head, new_target(m, "frown"), frown);
    primitive_target(head, new_target(m, "smile"), smile);
    primitive_target(head, new_target(m, "open"), open_jaw);
    save_pictures(m->folder);
}
