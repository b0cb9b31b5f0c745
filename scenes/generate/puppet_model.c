// SPDX-License-Identifier: MIT
// A puppet as a VRM 1.0 file: toon materials with outlines, a rim, a matcap and stripes that
// scroll; eyes that turn; and the expressions happy (a mouth that opens, cheeks that redden) and
// blink (lids that come forward).
#include "models.h"
#include "shapes.h"

#include <stdio.h>

enum { BALL_PIXELS = 64, STRIPE_PIXELS = 64 };

#define TOON(members) "'VRMC_materials_mtoon':{'specVersion':'1.0'," members "}"

static dvec3 lids(dvec3 at, float color[4])
{
    (void)color;
    return v3_mad(at, v3(0.0, 0.0, 1.0), at.z > 0.2 ? 0.1 : 0.0);
}

static dvec3 mouth(dvec3 at, float color[4])
{
    (void)color;
    const bool lower = at.z > 0.3 && at.y < -0.09;
    return lower ? v3(at.x * 1.3, -0.09 + (at.y + 0.09) * 7.0, at.z) : at;
}

/// A sphere lit from above: bright at the top, dark at the rim.
static void paint_ball(built_image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const double u = (x + 0.5) / image->width * 2.0 - 1.0;
            const double v = 1.0 - (y + 0.5) / image->height * 2.0, r2 = u * u + v * v;
            const double spot =
                maths_clamp(1.0 - ((u - 0.3) * (u - 0.3) + (v - 0.4) * (v - 0.4)) * 6.0, 0.0, 1.0);
            const double light = maths_clamp(0.15 + 0.25 * v, 0.0, 1.0) * (r2 < 1.0) + spot;
            texel_set_bytes(image, x, y, (int)(maths_clamp(light, 0.0, 1.0) * 255.0),
                            (int)(maths_clamp(light * 0.9, 0.0, 1.0) * 255.0),
                            (int)(maths_clamp(light * 0.7, 0.0, 1.0) * 255.0), 255);
        }
}

/// Slanted stripes, which show where texture coordinates go.
static void paint_stripes(built_image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            if ((x + y) % 32 < 12)
                texel_set_bytes(image, x, y, 40, 110, 190, 255);
            else
                texel_set_bytes(image, x, y, 230, 235, 240, 255);
        }
}

void puppet_build(built_model *m)
{
    static char extensions[2048];
    const int skin = new_material(m, "skin", 0.9, 0.62, 0.48, 0.0, 1.0);
    const int hair = new_material(m, "hair", 0.75, 0.25, 0.06, 0.0, 1.0);
    const int shirt = new_material(m, "shirt", 1.0, 1.0, 1.0, 0.0, 1.0);
    const int white = new_material(m, "white", 0.95, 0.95, 0.95, 0.0, 1.0);
    const int dark = new_material(m, "dark", 0.03, 0.02, 0.05, 0.0, 1.0);
    const int shoe = new_material(m, "shoe", 0.1, 0.08, 0.15, 0.0, 1.0);
    m->material_extensions[skin] =
        TOON("'shadeColorFactor':[0.6,0.28,0.25],'shadingToonyFactor':0.9,"
             "'shadingShiftFactor':-0.1,'outlineWidthMode':'worldCoordinates',"
             "'outlineWidthFactor':0.008,'outlineColorFactor':[0.1,0.02,0.02],"
             "'outlineLightingMixFactor':0");
    m->material_extensions[hair] =
        TOON("'shadeColorFactor':[0.25,0.05,0.03],'shadingToonyFactor':0.7,"
             "'parametricRimColorFactor':[1,0.7,0.4],'parametricRimFresnelPowerFactor':3,"
             "'outlineWidthMode':'screenCoordinates','outlineWidthFactor':0.006,"
             "'outlineColorFactor':[1,1,1],'outlineLightingMixFactor':0.1");
    m->material_extensions[shirt] =
        TOON("'shadeColorFactor':[0.5,0.45,0.7],'shadeMultiplyTexture':{'index':1},"
             "'uvAnimationScrollYSpeedFactor':-0.25,'outlineWidthMode':'worldCoordinates',"
             "'outlineWidthFactor':0.008,'outlineColorFactor':[0.05,0.05,0.2],"
             "'outlineLightingMixFactor':0");
    m->material_extensions[white] = TOON("'shadeColorFactor':[0.6,0.6,0.7]");
    m->material_extensions[dark] = TOON("'shadeColorFactor':[0,0,0]");
    m->material_extensions[shoe] =
        TOON("'shadeColorFactor':[0.02,0.02,0.05],'matcapTexture':{'index':0}");
    paint_ball(new_picture(m, "ball", BALL_PIXELS, BALL_PIXELS));
    paint_stripes(new_picture(m, "stripes", STRIPE_PIXELS, STRIPE_PIXELS));
    m->materials[shirt].base_map.texture = 1;
    const int smile = new_target(m, "mouth"), blink = new_target(m, "lids");

    const int hips = new_mesh_node(m, "hips", -1, v3(0.0, 0.5, 0.0));
    shape_cylinder(new_primitive(m, shirt, HAS_NORMAL | HAS_UV), frame_at(0.0, -0.12, 0.0), 0.3,
                   0.16, 0.6, 32);
    const int spine = new_node(m, "spine", hips, v3(0.0, 0.25, 0.0));
    const int head = new_mesh_node(m, "head", spine, v3(0.0, 0.45, 0.0));
    built_primitive *p = new_primitive(m, skin, HAS_NORMAL);
    shape_sphere(p, frame_at(0.0, 0.0, 0.0), v3(0.32, 0.34, 0.32), 36, 24);
    p = new_primitive(m, skin, HAS_NORMAL);
    shape_sphere(p, frame_at(0.12, 0.06, 0.24), v3(0.085, 0.095, 0.045), 24, 16);
    shape_sphere(p, frame_at(-0.12, 0.06, 0.24), v3(0.085, 0.095, 0.045), 24, 16);
    primitive_target(p, blink, lids);
    p = new_primitive(m, dark, HAS_NORMAL);
    shape_sphere(p, frame_at(0.0, -0.1, 0.3), v3(0.08, 0.02, 0.03), 24, 16);
    primitive_target(p, smile, mouth);
    p = new_primitive(m, hair, HAS_NORMAL);
    shape_sphere(p, frame_at(0.0, 0.14, -0.07), v3(0.35, 0.28, 0.33), 32, 20);
    int eyes[2];
    for (int side = 0; side < 2; side++) {
        eyes[side] = new_mesh_node(m, side ? "rightEye" : "leftEye", head,
                                   v3(side ? -0.12 : 0.12, 0.06, 0.2));
        shape_sphere(new_primitive(m, white, HAS_NORMAL), frame_at(0.0, 0.0, 0.0),
                     v3(0.07, 0.08, 0.13), 24, 16);
        shape_sphere(new_primitive(m, dark, HAS_NORMAL), frame_at(0.0, 0.0, 0.11),
                     v3(0.035, 0.045, 0.03), 20, 12);
    }
    for (int side = 0; side < 2; side++) {
        const double x = side ? -1.0 : 1.0;
        const int arm = new_mesh_node(m, side ? "rightUpperArm" : "leftUpperArm", spine,
                                      v3(0.17 * x, 0.15, 0.0));
        quat_to_floats(quat_degrees(0.0, 0.0, -140.0 * x), m->nodes[arm].rest.r);
        shape_capsule(new_primitive(m, skin, HAS_NORMAL), frame_at(0.0, 0.0, 0.0), 0.05, 0.45, 20);
        new_mesh_node(m, side ? "rightUpperLeg" : "leftUpperLeg", hips, v3(0.13 * x, -0.1, 0.0));
        shape_sphere(new_primitive(m, shoe, HAS_NORMAL), frame_at(0.0, -0.22, 0.05),
                     v3(0.11, 0.11, 0.17), 32, 20);
    }
    snprintf(extensions, sizeof extensions,
             "'VRMC_vrm':{'specVersion':'1.0','meta':{'name':'Puppet','authors':["
             "'Zoetrope'],'licenseUrl':'https://vrm.dev/licenses/1.0/'},'humanoid':{"
             "'humanBones':{'hips':{'node':%d},'spine':{'node':%d},'head':{'node':%d},"
             "'leftEye':{'node':%d},'rightEye':{'node':%d}}},'lookAt':{'type':'bone',"
             "'offsetFromHeadBone':[0,0.06,0.2],"
             "'rangeMapHorizontalInner':{'inputMaxValue':90,'outputScale':30},"
             "'rangeMapHorizontalOuter':{'inputMaxValue':90,'outputScale':40},"
             "'rangeMapVerticalDown':{'inputMaxValue':90,'outputScale':30},"
             "'rangeMapVerticalUp':{'inputMaxValue':90,'outputScale':30}},"
             "'expressions':{'preset':{'happy':{'overrideBlink':'blend',"
             "'morphTargetBinds':[{'node':%d,'index':%d,'weight':1}],"
             "'materialColorBinds':[{'material':%d,'type':'color','targetValue':"
             "[1,0.5,0.45,1]}]},'blink':{'morphTargetBinds':[{'node':%d,'index':%d,"
             "'weight':1}]}}}}",
             hips, spine, head, eyes[0], eyes[1], head, smile, skin, head, blink);
    m->extensions = extensions;
    m->extensions_used = "'VRMC_vrm','VRMC_materials_mtoon'";
}
