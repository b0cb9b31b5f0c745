// SPDX-License-Identifier: MIT
/// Shadows in pictures, by maps and by rays, compared with where geometry says that they are: the
/// edge of a ball's shadow on the ground, the width of its penumbra, the light behind a veil; and
/// what maps see.
#include "../kernels/random_inputs.h"
#include "asset_files.h"
#include "base/dvec3.h"
#include "drawing.h"
#include "shadow/shadow_fit.h"
#include "test_folder.h"
#include "trace/ray_numbers.h"

/// A ball of radius 0.07 (scenes/models/ball.glb) at the height 0.2 over a ground that shows only
/// shadow, seen from above in an orthographic picture of SIDE pixels and 0.8 m. The ground is at
/// the lowest point of the scene: that of a second ball, out of the picture.
enum { SIDE = 800, SMALL = 160, PIXELS = SMALL * SMALL };
#define METRES    0.8
#define RADIUS    0.07
#define HEIGHT    0.2
#define PI        3.14159265358979323846
#define SUN(more) "{ directional: { direction: [-1, -1, 0], lux: 3, " more " } }"

static const char *quality = "fast";

/// A test of both qualities.
#define TEST_SHADOW(name, ...)                                                                     \
    static void name(void);                                                                        \
    Test(shadow, name, __VA_ARGS__) { name(); }                                                    \
    Test(shadow, name##_by_rays, __VA_ARGS__)                                                      \
    {                                                                                              \
        quality = "final, light_samples: 16";                                                      \
        name();                                                                                    \
    }                                                                                              \
    static void name(void)

/// Part of the light that a shadow takes, from its alpha, which is for sRGB values.
static double light_taken(uint8_t alpha)
{
    const double left = 1.0 - alpha / 255.0;
    return 1.0 - (left <= 0.04045 ? left / 12.92 : pow((left + 0.055) / 1.055, 2.4));
}

/// Renders the scene with this light, the model at a height: the light that the ground lacks along
/// z, 0 to 1.
static void alpha_of_model(const char *file, double height, const char *light, double x_m,
                           double out[SIDE])
{
    OWN_SCENE *scene = load_scene_text(
        "output: { size: [%d, %d], samples: 1, background: transparent, quality: %s "
        "}\n"
        "models:\n"
        "  - { file: %s, transform: { translate: [0, %g, 0] } }\n"
        "  - { file: %s/scenes/models/ball.glb, transform: { translate: [2, 0, 0] } }\n"
        "camera: { look_at: { position: [0, 3, 0], target: [0, 0, 0], up: [0, 0, -1] }, "
        "orthographic: %g }\n"
        "ground: shadow\n"
        "lights: [ %s ]\n",
        SIDE, SIDE, quality, file, height, ZT_SOURCE_DIR, METRES, light);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    const int32_t column = (int32_t)((x_m / METRES + 0.5) * SIDE);
    for (int32_t y = 0; y < SIDE; y++)
        out[y] = light_taken(image.rgba8[(size_t)y * image.stride + (size_t)column * 4 + 3]);
}

/// Through the centre of the ball's shadow: the light falls at 45 degrees towards -x. The ground is
/// 2 x 2e-4 of the bounds' radius below the lowest point.
static void alpha_along_z(const char *light, double out[SIDE])
{
    alpha_of_model(ZT_SOURCE_DIR "/scenes/models/ball.glb", HEIGHT - RADIUS, light, -HEIGHT, out);
}

/// The z in metres, from the picture's lower edge up, where alpha first exceeds `level`.
static double edge_at(const double alpha[SIDE], double level)
{
    for (int32_t y = SIDE - 2; y >= 0; y--)
        if (alpha[y] >= level) {
            const double part = (level - alpha[y + 1]) / (alpha[y] - alpha[y + 1]);
            return ((y + 1 - part + 0.5) / SIDE - 0.5) * METRES;
        }
    cr_assert_fail("no shadow");
    return 0.0;
}

TEST_SHADOW(edge_of_a_ball, .timeout = 300)
{
    double alpha[SIDE];
    alpha_along_z(SUN("shadow: { size: 4096 }"), alpha);
    cr_assert_float_eq(alpha[SIDE / 2], 1.0, 0.005, "all light is blocked in the middle");
    cr_assert_float_eq(alpha[4], 0.0, 0.2, "far away there is at most contact shadow");
    // The ball is a mesh of 32 x 16: its silhouette is at most 1 - cos(pi / 32) inside of the ball.
    const double tolerance = 2.2 / 4096 + METRES / SIDE + RADIUS * (1.0 - cos(PI / 32));
    cr_assert_float_eq(edge_at(alpha, 0.55), RADIUS, tolerance);
}

TEST_SHADOW(width_of_a_penumbra, .timeout = 300)
{
    double alpha[SIDE];
    const double degrees = 8.0;
    alpha_along_z(SUN("size: 8, shadow: { size: 4096 }"), alpha);
    // From the ball's side to the ground along the light: HEIGHT / sin 45. The share of a disc that
    // an edge at u of its radius hides is 1/2 + (u sqrt(1 - u^2) + asin u) / pi: from u = -0.4 to
    // 0.4 it goes from 0.252 to 0.748.
    const double radius = tan(degrees * 0.5 * PI / 180.0) * HEIGHT * sqrt(2.0);
    const double base = alpha[8]; // of the contact shadow
    const double width =
        edge_at(alpha, base + 0.252 * (1.0 - base)) - edge_at(alpha, base + 0.748 * (1.0 - base));
    cr_assert_float_eq(width, 0.8 * radius, 0.2 * radius, "%g, not %g", width, 0.8 * radius);
}

TEST_SHADOW(softness_scales_the_penumbra, .timeout = 300)
{
    double sharp[SIDE], soft[SIDE];
    alpha_along_z(SUN("size: 4, shadow: { size: 4096 }"), sharp);
    alpha_along_z(SUN("size: 4, shadow: { size: 4096, softness: 2 }"), soft);
    const double narrow = edge_at(sharp, 0.3) - edge_at(sharp, 0.7);
    const double wide = edge_at(soft, 0.3) - edge_at(soft, 0.7);
    cr_assert_float_eq(wide / narrow, 2.0, 0.35, "%g", wide / narrow);
}

TEST_SHADOW(positional_lights_agree_with_a_distant_one, .timeout = 300)
{
    double far[SIDE], spot[SIDE], inside[SIDE];
    alpha_along_z(SUN("shadow: { size: 2048 }"), far);
    alpha_along_z("{ spot: { position: [100, 100.2, 0], direction: [-1, -1, 0], candela: 60000, "
                  "outer: 10, shadow: { size: 4096 } } }",
                  spot);
    // A point light sees the ball's centre at 45 degrees: its shadow has this z.
    alpha_along_z("{ point: { position: [0.2, 0.33, 0], candela: 3, shadow: { size: 2048 } } }",
                  inside);
    cr_assert_float_eq(edge_at(spot, 0.6), edge_at(far, 0.6), 0.004);
    // In the plane x = -0.2 on the ground, at the distance D from the light along the axis to the
    // ball's centre at d: the cone that touches the ball has the half angle asin(R / d).
    const double d = sqrt(2.0) * 0.2, distance = 2.0 * d;
    const double z = distance * tan(asin(RADIUS / d));
    cr_assert_float_eq(edge_at(inside, 0.6), z, 0.005);
}

/// A light of radius r at the distance d from the ball blurs its shadow on the ground by r (D - d)
/// / d: at least as for blockers at its middle, at most as for those at its front, which maps hold.
TEST_SHADOW(penumbras_of_lamps, .timeout = 300)
{
    static const struct {
        const char *light; // in six maps, among the models, and in one, outside
        double away, size;
    } cases[] = {
        {"{ point: { position: [0.6, 0.73, 0], candela: 3, size: 0.15, shadow: { size: 2048 } } }",
         0.6, 0.15},
        {"{ spot: { position: [4, 4.13, 0], direction: [-1, -1, 0], candela: 90, outer: 40, size: "
         "0.8, shadow: { size: 4096 } } }",
         4.0, 0.8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double alpha[SIDE];
        alpha_along_z(cases[i].light, alpha);
        const double base = alpha[8], rest = 1.0 - base;
        const double width =
            (edge_at(alpha, base + 0.252 * rest) - edge_at(alpha, base + 0.748 * rest)) / 0.8;
        const double d = cases[i].away * sqrt(2.0), ground = d + 0.2 * sqrt(2.0);
        const double least = 0.5 * cases[i].size * (ground - d) / d;
        const double most = 0.5 * cases[i].size * (ground - d + RADIUS) / (d - RADIUS);
        cr_expect(width > 0.85 * least && width < 1.15 * most, "case %zu: %g, not %g to %g", i,
                  width, least, most);
    }
}

/// A square of 0.14 m whose vertices and base colour have these alphas, blended.
static const char *write_veil(float vertex_alpha, double base_alpha)
{
    const float corner[6][2] = {{-1, -1}, {-1, 1}, {1, 1}, {-1, -1}, {1, 1}, {1, -1}};
    float data[6 * 3 + 6 * 4];
    for (int i = 0; i < 6; i++) {
        const float position[3] = {0.07f * corner[i][0], 0.0f, 0.07f * corner[i][1]};
        const float color[4] = {1.0f, 1.0f, 1.0f, vertex_alpha};
        memcpy(data + 3 * i, position, sizeof position);
        memcpy(data + 18 + 4 * i, color, sizeof color);
    }
    PRINTED(json, 1024,
            "{'asset':{'version':'2.0'},'buffers':[{'byteLength':168}],"
            "'bufferViews':[<72>,<72+96>],'accessors':[<0 float VEC3 6,'min':[-0.07,0,-0.07],"
            "'max':[0.07,0,0.07]>,<1 float VEC4 6>],'materials':[{'alphaMode':"
            "'BLEND','doubleSided':true,'pbrMetallicRoughness':{'baseColorFactor':[1,1,1,%g]}}],"
            "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1},"
            "'material':0}]}],'nodes':[{'mesh':0}],'scenes':[{'nodes':[0]}],'scene':0}",
            base_alpha);
    return test_folder_glb("veil.glb", json, data, sizeof data);
}

/// A veil blocks the product of its alphas, whatever it shows.
TEST_SHADOW(of_veils_by_their_alphas, .init = test_folder_make, .fini = test_folder_remove)
{
    static const double alphas[][2] = {{0.0, 1.0}, {0.25, 1.0}, {0.5, 0.5}, {1.0, 0.3}, {1.0, 1.0}};
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        double taken[SIDE];
        alpha_of_model(write_veil((float)alphas[i][0], alphas[i][1]), HEIGHT,
                       SUN("shadow: { size: 1024 }"), -HEIGHT - RADIUS, taken);
        cr_expect_float_eq(taken[SIDE / 2], alphas[i][0] * alphas[i][1], 0.01, "%g x %g: %g",
                           alphas[i][0], alphas[i][1], taken[SIDE / 2]);
    }
}

/// The ground below a ball lacks R^2 h / d^3 of a uniform sky. The contact shadow is 0.85 of that.
Test(shadow, of_the_sky_by_rays, .timeout = 300)
{
    quality = "final, light_samples: 16";
    for (int i = 0; i < 5; i++) {
        double taken[SIDE];
        const double height = 0.09, x = 0.075 * (i + 1), d = sqrt(height * height + x * x);
        alpha_of_model(ZT_SOURCE_DIR "/scenes/models/ball.glb", height - RADIUS, "", x, taken);
        const double exact = RADIUS * RADIUS * height / (d * d * d), found = taken[SIDE / 2] / 0.85;
        cr_expect_float_eq(found, exact, 0.02, "%g: %g, not %g", x, found, exact);
    }
}

/// The first n numbers of all classes of pixels fill as many intervals, one each.
Test(shadow, numbers_of_rays_are_even)
{
    for (uint32_t n = 1; n <= 64; n *= 2) {
        uint8_t filled[RAY_DIMENSIONS][64 * RAY_CLASSES] = {{0}};
        for (uint32_t i = 0; i < n * RAY_CLASSES; i++) {
            double u[RAY_DIMENSIONS];
            ray_numbers((int32_t)(i % RAY_CLASSES), i / RAY_CLASSES, u);
            for (int k = 0; k < RAY_DIMENSIONS; k++)
                cr_assert_eq(filled[k][(int)(u[k] * n * RAY_CLASSES)]++, 0, "%u: %u", n, i);
        }
    }
}

/// A convex ball of 80 faces and smooth normals.
static const char *write_ball(void)
{
    char text[12000];
    int at = 0;
    for (int y = 0; y <= 6; y++)
        for (int x = 0; x < 8; x++) {
            const double up = PI * y / 6, a = PI * x / 4;
            const double v[3] = {sin(up) * cos(a), cos(up), sin(up) * sin(a)};
            at += snprintf(text + at, sizeof text - (size_t)at, "v %g %g %g\nvn %g %g %g\n", v[0],
                           v[1], v[2], v[0], v[1], v[2]);
        }
    for (int i = 0; i < 48; i++) {
        const int a = i + 1, b = i / 8 * 8 + (i + 1) % 8 + 1, c = b + 8, d = a + 8;
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "f %d//%d %d//%d %d//%d\nf %d//%d %d//%d %d//%d\n", a, a, b, b, d, d, b, b,
                       c, c, d, d);
    }
    test_folder_write("ball.obj", text);
    return test_file("ball.obj");
}

/// A picture that is white where a surface is smooth and the lamp reaches it past all others:
/// pixels and their eight neighbours are of one object, normals are within 20 degrees, and no
/// triangle is between them and the lamp but nearer than `part`: facets of the surface itself.
static zt_image draw_smooth(zt_renderer *renderer, const zt_scene *scene, dvec3 to_lamp,
                            double part)
{
    static float place[PIXELS][3], normal[PIXELS][3];
    static uint32_t object[PIXELS];
    static zt_ray rays[PIXELS];
    static bool cast[PIXELS];
    const zt_plane list[] = {{"position", place, 0}, {"normal", normal, 0}, {"object", object, 0}};
    zt_image out = make_image(SMALL, SMALL);
    const zt_planes planes = {SMALL, SMALL, list, 3, NULL, zt_default_planes().cookie_};
    zt_error error;
    MUST(zt_render_planes(renderer, scene, 0, &planes, &error), error);
    for (int i = 0; i < PIXELS; i++) {
        rays[i] = (zt_ray){.near_m = part, .far_m = (double)INFINITY};
        dvec3_store(dvec3_from_floats(place[i]), rays[i].origin);
        dvec3_store(to_lamp, rays[i].direction);
    }
    MUST(zt_trace(renderer, scene, 0, rays, PIXELS, NULL, cast, &error), error);
    for (int i = SMALL + 1; i < PIXELS - SMALL - 1; i++) {
        const dvec3 n = dvec3_from_floats(normal[i]);
        bool smooth = object[i] > 0 && dvec3_dot(n, to_lamp) > 0.0;
        for (int k = 0; k < 9; k++) {
            const int at = i + k % 3 - 1 + (k / 3 - 1) * SMALL;
            smooth = smooth && object[at] == object[i] && !cast[at] &&
                     dvec3_dot(n, dvec3_from_floats(normal[at])) > 0.94;
        }
        memset(out.rgba8 + (ptrdiff_t)4 * i, smooth ? 255 : 0, 4);
    }
    return out;
}

static zt_scene *lit_from_side(const char *file, dvec3 to_lamp, const char *shadow)
{
    return load_scene_text(
        "output: { size: [%d, %d], samples: 1, quality: final, light_samples: 16 }\n"
        "models: [ { file: %s } ]\ncamera: { orbit: { azimuth: 0, elevation: 0 } }\n"
        "lights: [ { directional: { direction: [%g, %g, %g], lux: 3, shadow: %s } } ]\n",
        SMALL, SMALL, file, -to_lamp.x, -to_lamp.y, -to_lamp.z, shadow);
}

/// By rays, a surface that is lit from the side looks as without shadows where nothing else casts
/// on it: facets leave no steps of more than 4 codes. On models that are not convex at most 0.7 %
/// of these pixels are in creases, whose shadow is nearer than their facets are wide. All threads
/// and instruction sets find the same bits.
Test(shadow, of_facets_by_rays, .init = test_folder_make, .fini = test_folder_remove)
{
    const struct {
        const char *file;              ///< without '/' in front: an asset
        double degrees, part, creases; ///< to the lamp; metres, as above; percent
    } rows[] = {
        {write_ball(), 85, 9, 0},
        {ZT_SOURCE_DIR "/scenes/models/figure.glb", 85, 0.05, 0.7},
        {ZT_SOURCE_DIR "/scenes/models/critter.glb", 75, 0.03, 0.7},
        {"skinned/Fox.glb", 60, 1, 0.7},
        {"skinned/Knight.glb", 85, 0.04, 0.7},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const char *file = rows[n].file[0] == '/' ? rows[n].file : asset_file(rows[n].file);
        const double angle = rows[n].degrees * PI / 180;
        const dvec3 to_lamp = {sin(angle), 0.2, cos(angle)};
        if (!file)
            continue;
        OWN_RENDERER *one = make_renderer(1, ZT_ISA_BEST), *seven = make_renderer(7, ZT_ISA_SCALAR);
        OWN_SCENE *open = lit_from_side(file, to_lamp, "off"),
                  *scene = lit_from_side(file, to_lamp, "on");
        OWN_IMAGE want = draw_frame(one, open, 0), got = draw_frame(one, scene, 0),
                  other = draw_frame(seven, scene, 0),
                  smooth = draw_smooth(one, open, to_lamp, rows[n].part);
        zt_metrics_def def = zt_default_metrics_def();
        zt_metrics m;
        zt_error error;
        def.mask = &smooth;
        def.threshold = 4;
        MUST(zt_image_measure(&want, &got, &def, &m, NULL, &error), error);
        cr_expect(m.compared > 500 && m.share <= rows[n].creases, "%s: %g %%", file, m.share);
        cr_expect_arr_eq(other.rgba8, got.rgba8, 4 * PIXELS, "%s", file);
    }
}

/// Where the camera of a map has a point, -1 to 1 in the picture; the distance along its view.
static double place_in_map(const shadow_fit *fit, const double p[3], double out[2])
{
    const view_camera *c = &fit->camera;
    double x = 0.0, y = 0.0, z = 0.0;
    for (int k = 0; k < 3; k++) {
        x += (p[k] - c->eye[k]) * c->right[k];
        y += (p[k] - c->eye[k]) * c->up[k];
        z += (p[k] - c->eye[k]) * c->forward[k];
    }
    const double scale = c->orthographic ? 1.0 / c->half_height : c->focal / z;
    out[0] = x * scale * fit->height / fit->width;
    out[1] = y * scale;
    return z;
}

static double number_between(random_state *r, double low, double high)
{
    return (double)random_float(r, (float)low, (float)high);
}

/// Maps see all that may cast a shadow that is seen: boxes whole and nearly filled, what the cones
/// of spots and the spheres around boxes hold, and from within every direction.
Test(shadow, maps_see_what_casts)
{
    random_state r = {31};
    int tall = 0, wide = 0;
    for (int n = 0; n < 3000; n++) {
        shadow_bounds box;
        shadow_light light = {.kind = (shadow_kind)(n % 3), .size = 64 << n % 4};
        shadow_fit fits[SHADOW_CUBE_FACES];
        double from[2];
        for (int k = 0; k < 3; k++) {
            box.min[k] = random_float(&r, -3.0f, 1.0f);
            box.max[k] = box.min[k] + random_float(&r, 0.05f, 4.0f);
            light.position[k] = number_between(&r, -9.0, 9.0);
            light.direction[k] = number_between(&r, -1.0, 1.0);
        }
        light.outer_rad = number_between(&r, 0.05, 1.5);
        light.blur = n % 2 ? number_between(&r, 0.0, 0.02) : 0.0;
        const int32_t count = shadow_fit_light(&light, &box, fits);
        cr_assert(count == 1 || (count == SHADOW_CUBE_FACES && light.kind != SHADOW_DIRECTIONAL));
        tall += fits[0].height > fits[0].width;
        wide += fits[0].height < fits[0].width;
        double most = 0.0, nearest = 1e30;
        for (int i = 0; i < 64; i++) {
            double p[3], to_light[3], length = 0.0, along = 0.0, size = 0.0;
            for (int k = 0; k < 3; k++) {
                const double at = i < 8 ? i >> k & 1 : number_between(&r, 0.0, 1.0);
                p[k] = (double)box.min[k] + at * ((double)box.max[k] - (double)box.min[k]);
                to_light[k] = p[k] - light.position[k];
                length += to_light[k] * to_light[k];
                along += to_light[k] * light.direction[k];
                size += light.direction[k] * light.direction[k];
            }
            nearest = fmin(nearest, sqrt(length));
            if (light.kind == SHADOW_SPOT && along < cos(light.outer_rad) * sqrt(length * size))
                continue; // outside of its cone
            bool inside = false;
            for (int32_t f = 0; f < count; f++) {
                const double z = place_in_map(&fits[f], p, from);
                const double off = fmax(fabs(from[0]), fabs(from[1]));
                inside |= z > 0.0 && off <= 1.0;
                most = count == 1 && z > 0.0 ? fmax(most, off) : most;
            }
            cr_assert(inside, "case %d: point %d", n, i);
        }
        if (light.kind == SHADOW_DIRECTIONAL)
            cr_assert(most > 0.75, "case %d: the box fills %g", n, most);
        else if (count == 1)
            cr_assert(1.0 / fits[0].nearest_depth <= nearest + 1e-6, "case %d", n);
    }
    cr_expect(tall > 200 && wide > 200, "%d tall, %d wide", tall, wide);
}
