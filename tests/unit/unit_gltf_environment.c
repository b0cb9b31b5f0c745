// SPDX-License-Identifier: MIT
/// EXT_lights_image_based: faces of one pixel, RGBD, rotation, intensity, harmonics, mistakes.
#include "counted_cancel.h"
#include "environment/environment_build.h"
#include "gltf_fixture.h"
#include "image/cube_map.h"
#include "test_memory.h"

/// PNG files of one pixel, by hand: red; green of alpha 128; blue, 64; yellow, 51; cyan; white, 1.
#define PNG    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42m"
#define RED    "{'uri':'" PNG "P4z8DwHwAFAAH/VscvDQAAAABJRU5ErkJggg=='}"
#define GREEN  "{'uri':'" PNG "Ng+M/QAAADggGALZYt6gAAAABJRU5ErkJggg=='}"
#define BLUE   "{'uri':'" PNG "NgYPjvAAACQwFAPk0bsQAAAABJRU5ErkJggg=='}"
#define YELLOW "{'uri':'" PNG "P4/5/BGAAHMQIyprk6CQAAAABJRU5ErkJggg=='}"
#define CYAN   "{'uri':'" PNG "Ng+P//PwAF/wL+gVApvQAAAABJRU5ErkJggg=='}"
#define WHITE  "{'uri':'" PNG "P4//8/IwAI/QL/Ca3tJwAAAABJRU5ErkJggg=='}"
/// Two by two pixels without alpha.
#define SQUARE                                                                                     \
    "{'uri':'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR42mP4z8" \
    "DAAMIM/4EAAB/uBfvxq7p3AAAAAElFTkSuQmCC'}"
#define IMAGES RED "," GREEN "," BLUE "," YELLOW "," CYAN "," WHITE "," SQUARE
#define NINE   "[1,2,3],[4,5,6],[7,8,9],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[-1,0.5,1e3]"
#define LIGHT(members)                                                                             \
    "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_lights_image_based'],"                      \
    "'extensions':{'EXT_lights_image_based':{'lights':[{" members "}]}},"                          \
    "'scenes':[{'nodes':[0],'extensions':{'EXT_lights_image_based':{'light':0}}}],"                \
    "'nodes':[{'name':'a'}],'images':[" IMAGES "]}"
#define COEFFICIENTS "'irradianceCoefficients':[" NINE "],"
#define FACES        "'specularImageSize':1,'specularImages':[[0,1,2,3,4,5]]"

/// With faces of one pixel the upper row shows the face above, the lower that below.
static void expect_faces(const char *settings, const double above[3], const double below[3])
{
    GLTF_PRINT(c, 0, NULL, 0, LIGHT("%s" COEFFICIENTS FACES), settings);
    cr_assert_str_eq(c.messages, "");
    const model_environment *e = c.model.environment;
    cr_assert(e && e->picture.width == 4 && e->picture.height == 2 && e->size == 1);
    for (int i = 0; i < 24; i++) {
        const double want = i < 12 ? above[i % 3] : below[i % 3], got = (double)e->picture.rgb[i];
        cr_expect(fabs(got - want) <= 1e-6 * want, "%s %d: %g, expected %g", settings, i, got,
                  want);
    }
    cr_expect_eq(e->harmonics[0][2], 3.0);
    cr_expect_eq(e->harmonics[8][1], 0.5);
}

Test(gltf_environment, faces_where_rotations_bring_them)
{
    static const double red[3] = {1.0, 0.0, 0.0}, green[3] = {0.0, 255.0 / 128.0, 0.0},
                        blue[3] = {0.0, 0.0, 255.0 / 64.0}, yellow[3] = {5.0, 5.0, 0.0},
                        cyan[3] = {0.0, 1.0, 1.0}, white[3] = {255.0, 255.0, 255.0},
                        half[3] = {0.0, 0.0, 0.5 * 255.0 / 64.0}, dark[3] = {2.5, 2.5, 0.0};
    expect_faces("", blue, yellow);
    expect_faces("'intensity':0.5,", half, dark);
    expect_faces("'rotation':[0,0,0.70710678,0.70710678],", red, green);
    expect_faces("'rotation':[-1,0,0,1],", cyan, white); // need not be normalised
    expect_faces("'rotation':[1,0,0,0],", yellow, blue);
}

/// Faces that hold the direction of each pixel, by the corners of the cube.
Test(gltf_environment, cube_maps_keep_directions)
{
    static const double view[CUBE_FACES][3][3] = {
        // ahead, right, down
        {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},  {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
        {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},  {{0, -1, 0}, {-1, 0, 0}, {0, 0, -1}},
        {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}},
    };
    enum { SIZE = 16 };
    static float faces[CUBE_FACES][SIZE][SIZE][3];
    cube_map cube = {.size = SIZE};
    for (int f = 0; f < CUBE_FACES; f++) {
        cube.face[f] = faces[f][0][0];
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) {
                const double u = (2 * x + 1.0) / SIZE - 1.0, v = (2 * y + 1.0) / SIZE - 1.0;
                const double length = sqrt(1.0 + u * u + v * v);
                for (int c = 0; c < 3; c++)
                    faces[f][y][x][c] =
                        (float)((view[f][0][c] + u * view[f][1][c] + v * view[f][2][c]) / length +
                                1.0);
            }
    }
    OWN_MEMORY(a, 0);
    zt_error err;
    hdr_picture out;
    cr_assert_eq(cube_map_unroll(&a, &cube, quat_identity(), 2.0, &out, &err), ZT_OK);
    cr_assert(out.width == 4 * SIZE && out.height == 2 * SIZE);
    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++) {
            const double pi = acos(-1.0), polar = pi * (y + 0.5) / out.height;
            const double around = 2.0 * pi * ((x + 0.5) / out.width - 0.5);
            const double d[3] = {sin(polar) * cos(around), cos(polar), sin(polar) * sin(around)};
            for (int c = 0; c < 3; c++) { // half a pixel at edges, where faces are not joined
                const double got = (double)out.rgb[3 * (y * out.width + x) + c];
                NEAR(got, 2.0 * (d[c] + 1.0), 2.0 * 0.07, "%d %d.%d", x, y, c);
            }
        }
}

Test(gltf_environment, each_row_asks_whether_to_go_on)
{
    enum { SIZE = 16 };
    static float face[SIZE * SIZE * 3];
    const cube_map cube = {SIZE, {face, face, face, face, face, face}};
    for (long last = SIZE; last <= 1000; last += 1000 - SIZE) {
        counted_cancel caller = {.last = last};
        const zt_cancel cancel = {counted_ask, &caller};
        OWN_MEMORY(a, 0);
        zt_error err;
        hdr_picture out;
        cancel_init(&a_budget.cancel, &cancel);
        const bool whole = last == 1000;
        cr_expect_eq(cube_map_unroll(&a, &cube, quat_identity(), 1.0, &out, &err),
                     whole ? ZT_OK : ZT_ERR_CANCELLED);
        cr_expect_eq(out.rgb != NULL, whole);
        cr_expect_geq(caller.asked, whole ? 2 * SIZE : SIZE);
        arena_finish(&a);
        cr_expect_eq(a_budget.used, 0);
    }
}

/// A face takes 1 MB while it is read, and the picture 6 MB: six different faces do not fit.
Test(gltf_environment, an_image_of_several_faces_is_read_once)
{
    enum { SIZE = 256 };
    OWN_IMAGE image;
    zt_error err;
    OWN_BLOCK uint8_t *png = NULL;
    size_t size = 0;
    cr_assert_eq(zt_image_init(&image, SIZE, SIZE, NULL, &err), ZT_OK);
    for (uint32_t i = 0; i < SIZE * SIZE * 4; i++)
        image.rgba8[i] = (uint8_t)(i * 2654435761u >> 13);
    cr_assert_eq(zt_image_encode(&image, NULL, &png, &size, &err), ZT_OK);
    for (int i = 0; i < 2; i++) {
        GLTF_CASE c = {.memory = 10 << 20};
        const char *view = "{'bufferView':0,'mimeType':'image/png'}";
        PRINTED(json, 2048,
                "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_lights_image_based'],"
                "'extensions':{'EXT_lights_image_based':{'lights':[{" COEFFICIENTS
                "'specularImageSize':256,'specularImages':[%s]}]}},"
                "'scenes':[{'extensions':{'EXT_lights_image_based':{'light':0}}}],"
                "'buffers':[{'byteLength':%zu}],'bufferViews':[<%zu>],"
                "'images':[%s,%s,%s,%s,%s,%s]}",
                i ? "[0,1,2,3,4,5]" : "[0,1,0,1,0,1]", size, size, view, view, view, view, view,
                view);
        gltf_case_json(&c, json, png, size);
        cr_expect_eq(c.result, i ? ZT_ERR_LIMIT : ZT_OK, "%d: %s", i, c.err.message);
        cr_expect(i || (c.model.environment && c.model.environment->size == SIZE), "%s",
                  c.messages);
    }
}

Test(gltf_environment, files_that_are_wrong)
{
    gltf_expect_error(LIGHT(FACES), NULL, 0, ZT_ERR_FORMAT, "nine lists of three numbers");
    gltf_expect_error(LIGHT("'irradianceCoefficients':[[1,2,3]]," FACES), NULL, 0, ZT_ERR_FORMAT,
                      "nine lists of three numbers");
    gltf_expect_error(LIGHT(COEFFICIENTS "'specularImages':[]"), NULL, 0, ZT_ERR_FORMAT,
                      "no level of six images");
    gltf_expect_error(LIGHT(COEFFICIENTS "'specularImages':[[0,1,2,3,4]]"), NULL, 0, ZT_ERR_FORMAT,
                      "no level of six images");
    gltf_expect_error(LIGHT(COEFFICIENTS "'specularImages':[[0,1,2,3,4,7]]"), NULL, 0,
                      ZT_ERR_FORMAT, "image");
}

Test(gltf_environment, faces_of_other_sizes_leave_it_out)
{
    GLTF_TEXT(c, 0, LIGHT(COEFFICIENTS "'specularImages':[[0,1,2,3,4,6]]"));
    cr_expect_null(c.model.environment);
    SAYS(c.messages, "the file's environment is left out");
    SAYS(c.messages, "face 5 of the environment has 2 x 2 pixels");
}

static void random_unit(int count, double *out)
{
    double length = 0.0;
    for (int i = 0; i < count; i++) {
        out[i] = rand() / (double)RAND_MAX - 0.5;
        length += out[i] * out[i];
    }
    for (int i = 0; i < count; i++)
        out[i] /= sqrt(length);
}

/// With a rotation the irradiance of a rotated normal is that of the normal without.
Test(gltf_environment, harmonics_turn_with_their_rotation)
{
    static const double none[4] = {0.0, 0.0, 0.0, 1.0};
    static double factors[9][3];
    srand(7);
    for (int n = 0; n < 500; n++) {
        double q[4], v[3], inner[3], turned[3], want[3], got[3];
        for (int i = 0; i < 27; i++)
            factors[i / 3][i % 3] = rand() / (double)RAND_MAX - (i < 3 ? -8.0 : 0.5);
        random_unit(4, q);
        random_unit(3, v);
        for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
            inner[i] = q[j] * v[k] - q[k] * v[j] + q[3] * v[i];
        for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
            turned[i] = v[i] + 2.0 * (q[j] * inner[k] - q[k] * inner[j]);
        const double(*const fixed)[3] = (const double(*)[3])factors;
        harmonics_irradiance(&(light_harmonics){fixed, none, 1.0}, v, want);
        harmonics_irradiance(&(light_harmonics){fixed, q, 1.0}, turned, got);
        for (int c = 0; c < 3; c++)
            cr_assert_float_eq(got[c], want[c], 1e-12);
    }
}
