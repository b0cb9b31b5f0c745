// SPDX-License-Identifier: MIT
/// zt_cancel: whichever question is answered with true, the call ends with ZT_ERR_CANCELLED, frees
/// what it had and leaves no file. Questions are counted, so nothing here depends on time.
#include "counted_cancel.h"
#include "counted_memory.h"
#include "drawing.h"
#include "glb.h"
#include "gltf_fixture.h"
#include "test_folder.h"

static zt_error err;
static counted_memory memory = {.most = INT64_MAX};
static const zt_allocator counted = {counted_alloc, counted_free, &memory};

TestSuite(cancel, .init = test_folder_make, .fini = test_folder_remove);

typedef zt_result (*work_fn)(const zt_cancel *cancel);

/// A cancelled call leaves nothing, or the frames that were finished.
typedef enum leftovers { LEAVES_NOTHING, LEAVES_FRAMES } leftovers;

/// Runs `work` with the `last`-th of `questions` answered by true.
static void cancel_at(const char *what, work_fn work, int files, leftovers leaves, long last,
                      long questions)
{
    counted_cancel a = {.last = last};
    const zt_cancel cancel = {counted_ask, &a};
    const zt_result result = work(&cancel);
    const int left = test_folder_empty();
    // Threads share the questions: the last ones may come when everything is written.
    if (last < questions / 2)
        cr_assert_eq(result, ZT_ERR_CANCELLED, "%s, question %ld of %ld: %d %s", what, last,
                     questions, (int)result, err.message);
    cr_assert(result == ZT_ERR_CANCELLED || result == ZT_OK, "%s: %s", what, err.message);
    if (result == ZT_OK || leaves == LEAVES_NOTHING)
        cr_assert_eq(left, result == ZT_OK ? files : 0, "%s, question %ld of %ld: %d files", what,
                     last, questions, left);
    cr_assert_eq(memory.bytes, 0, "%s leaks", what);
}

/// Runs `work` with ever later questions answered by true, and each of the last, renaming ones.
static void sweep(const char *what, work_fn work, int files, leftovers leaves)
{
    counted_cancel patient = {.last = 1L << 60};
    const zt_cancel cancel = {counted_ask, &patient};
    cr_assert_eq(work(&cancel), ZT_OK, "%s: %s", what, err.message);
    cr_assert_eq(test_folder_empty(), files, "%s", what);
    const long questions = atomic_load(&patient.asked);
    cr_assert_gt(questions, 10, "%s asks %ld times", what, questions);
    for (long last = 1; last < questions; last += 1 + last / 3)
        cancel_at(what, work, files, leaves, last, questions);
    for (long last = questions - 6; last < questions; last++)
        cancel_at(what, work, files, leaves, last, questions);
}

static zt_load_def load_def(const zt_cancel *cancel)
{
    zt_load_def load = zt_default_load_def();
    load.cancel = cancel;
    load.allocator = &counted;
    load.threads = 2;
    return load;
}

static zt_result render(const zt_cancel *cancel)
{
    const zt_load_def load = load_def(cancel);
    zt_shot_def shot = sized_shot(96, 96);
    zt_renderer_def def = zt_default_renderer_def();
    zt_sequence_def sequence = zt_default_sequence_def();
    OWN_SCENE *scene = NULL;
    OWN_RENDERER *renderer = NULL;
    bool blocked;
    shot.frames = "0-1";
    shot.shutter = "180";
    shot.subframes = "3";
    def.cancel = cancel;
    def.threads = 2;
    def.allocator = &counted;
    sequence.pattern = test_file("####.png");
    zt_result result =
        zt_scene_load(ZT_SOURCE_DIR "/scenes/models/walker.glb", &load, &scene, &err);
    if (result == ZT_OK)
        result = zt_scene_apply(scene, &shot, &err);
    if (result == ZT_OK)
        result = zt_renderer_create(&def, &renderer, &err);
    if (result == ZT_OK)
        result = zt_trace(renderer, scene, 1, &(zt_ray){.far_m = 9.0}, 1, NULL, &blocked, &err);
    if (result == ZT_OK)
        result = zt_render_sequence(renderer, scene, &sequence, &err);
    return result;
}

Test(cancel, load_framing_and_render) { sweep("render", render, 2, LEAVES_FRAMES); }

static zt_result convert_to(const char *name, const zt_cancel *cancel)
{
    const zt_load_def load = load_def(cancel);
    return zt_convert(ZT_SOURCE_DIR "/scenes/models/walker.glb", test_file(name), &load, &err);
}

static zt_result convert_glb(const zt_cancel *cancel) { return convert_to("o.glb", cancel); }

static zt_result convert_m3d(const zt_cancel *cancel) { return convert_to("o.m3d", cancel); }

static zt_result convert_gltf(const zt_cancel *cancel) { return convert_to("o.gltf", cancel); }

/// The files of a conversion appear together.
Test(cancel, convert)
{
    static const work_fn convert[] = {convert_glb, convert_m3d, convert_gltf};
    for (size_t i = 0; i < sizeof convert / sizeof *convert; i++) {
        counted_cancel count = {.last = 1L << 60};
        const zt_cancel cancel = {counted_ask, &count};
        MUST(convert[i](&cancel), err);
        const int files = test_folder_empty();
        cr_assert(files > 1 || convert[i] != convert_gltf);
        sweep("convert", convert[i], files, LEAVES_NOTHING);
    }
}

static zt_result write_png(const zt_cancel *cancel)
{
    const char *path = test_file("o.png");
    OWN_IMAGE image = make_image(700, 900);
    for (int32_t i = 0; i < 700 * 900 * 4; i++)
        image.rgba8[i] = (uint8_t)((uint32_t)i * 2654435761u >> 13);
    image.cancel = cancel;
    zt_result result = zt_image_write(path, &image, NULL, &err);
    if (result == ZT_OK) {
        test_folder_empty();
        zt_encode_def small = zt_default_encode_def();
        small.png = ZT_PNG_SMALL;
        result = zt_image_write(path, &image, &small, &err);
    } else {
        cr_assert_eq(test_folder_empty(), 0);
    }
    return result;
}

Test(cancel, png) { sweep("PNG", write_png, 1, LEAVES_NOTHING); }

/// Triangles beyond what a loop does between two questions, and a texture of many rows.
enum {
    TRIANGLES = 23000,
    BLOCK_ROWS = 600,
    BC1_BYTES = 8,
    LOOP_QUESTIONS = 300,
    TEXTURE_QUESTIONS = 5 * BLOCK_ROWS
};

/// A mesh without normals and tangents over four vertices, normal-mapped; in zeroed `bin`.
typedef struct large_parts {
    float position[4][3], uv[4][2];
    uint8_t corner[3 * TRIANGLES];
    uint32_t dds[32];
    uint8_t blocks[BLOCK_ROWS * BC1_BYTES];
} large_parts;

static uint8_t *large_glb(size_t *out_size)
{
    static large_parts bin;
    for (int v = 0; v < 4; v++) {
        bin.position[v][0] = bin.uv[v][0] = (float)(v & 1);
        bin.position[v][1] = bin.uv[v][1] = (float)(v >> 1);
        bin.position[v][2] = (float)(v == 3);
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        bin.corner[i] = (uint8_t)((i / 3 + i % 3) % 4);
    // A header without mipmaps: flags, height, width; then size, FourCC flag and FourCC.
    memcpy(bin.dds, (uint32_t[]){0x20534444, 124, 0x1007, 4 * BLOCK_ROWS, 4}, 20);
    memcpy(bin.dds + 19, (uint32_t[]){32, 4, 0x31545844}, 12);
    bin.dds[27] = 0x1000;
    PRINTED(json, 2000,
            "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
            "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'indices':2,"
            "'material':0}]}],'materials':[{'normalTexture':{'index':0}}],"
            "'textures':[{'source':0}],'images':[{'bufferView':3,'mimeType':'image/vnd-ms.dds'}],"
            "'accessors':[<0 float VEC3 4>,<1 float VEC2 4>,<2 u8 SCALAR %d>],"
            "'buffers':[{'byteLength':%zu}],'bufferViews':[<48>,<48+32>,<80+%d>,<%zu+%zu>]}",
            3 * TRIANGLES, sizeof bin, 3 * TRIANGLES, offsetof(large_parts, dds),
            sizeof bin.dds + sizeof bin.blocks);
    return glb_make(json, &bin, sizeof bin, out_size);
}

static zt_result load_large(const zt_cancel *cancel, bool textures)
{
    zt_load_def load = load_def(cancel);
    OWN_MODEL *model = NULL;
    size_t size;
    OWN_BLOCK uint8_t *glb = large_glb(&size);
    load.no_textures = !textures;
    load.bytes = glb;
    load.size = size;
    return zt_model_load("large.glb", &load, &model, &err);
}

static zt_result load_all(const zt_cancel *cancel) { return load_large(cancel, true); }

/// A question per row of blocks and mip levels, several per loop; of a small mesh 114.
Test(cancel, load_of_large_parts)
{
    long asked[2];
    for (int textures = 0; textures < 2; textures++) {
        counted_cancel count = {.last = 1L << 60};
        const zt_cancel cancel = {counted_ask, &count};
        MUST(load_large(&cancel, textures), err);
        asked[textures] = atomic_load(&count.asked);
    }
    cr_assert_gt(asked[0], LOOP_QUESTIONS, "%ld questions", asked[0]);
    cr_assert_gt(asked[1] - asked[0], TEXTURE_QUESTIONS, "%ld and %ld questions", asked[0],
                 asked[1]);
    sweep("load", load_all, 0, LEAVES_NOTHING);
}

/// zt_renderer_cancel() works without a zt_cancel, and for good.
Test(cancel, renderer)
{
    OWN_SCENE *scene = load_scene(ZT_SOURCE_DIR "/scenes/models/walker.glb", NULL);
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    int32_t width, height;
    zt_scene_size(scene, &width, &height);
    OWN_IMAGE image = make_image(width, height);
    zt_renderer_cancel(renderer);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_ERR_CANCELLED);
}

// ---- Pieces of a tile ---------------------------------------------------------------------------

enum {
    DEEP_SIDE = 64,    ///< pixels of the picture: one tile
    DEEP_LAYERS = 80,  ///< of each kind; they fill the picture
    DEEP_QUADS = 560,  ///< that blend: these layers, then small ones
    DEEP_CHIPS = 4300, ///< small opaque triangles
    DEEP_CORNERS = 4 * (DEEP_QUADS + DEEP_LAYERS) + 3 * DEEP_CHIPS,
    DEEP_INDICES = 6 * (DEEP_QUADS + DEEP_LAYERS) + 3 * DEEP_CHIPS,
};

typedef struct deep_buffers {
    float position[DEEP_CORNERS][3];
    uint32_t index[DEEP_INDICES];
    uint32_t corners, indices;
} deep_buffers;

static void deep_corner(deep_buffers *b, float x, float y, float z)
{
    const float p[3] = {x, y, z};
    memcpy(b->position[b->corners++], p, sizeof p);
}

/// A square around (x, y), half a side of `r`, which leans so that squares cut each other.
static void deep_quad(deep_buffers *b, float x, float y, float z, float r)
{
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++)
        b->index[b->indices++] = b->corners + order[i];
    deep_corner(b, x - r, y - r, z);
    deep_corner(b, x + r, y - r, z + 0.3f * r);
    deep_corner(b, x + r, y + r, z);
    deep_corner(b, x - r, y + r, z - 0.3f * r);
}

/// Squares that blend, others with an alpha test, and small opaque triangles behind them: enough of
/// each in one tile that it is drawn, sorted, shaded and blended in several pieces.
static void deep_fill(deep_buffers *b)
{
    for (int i = 0; i < DEEP_QUADS; i++) {
        const bool layer = i < DEEP_LAYERS;
        const float at = layer ? 0.0f : 0.03f * (float)(i % 31 - 15);
        deep_quad(b, at, -at, 0.005f * (float)(i * 37 % 101), layer ? 1.0f : 0.03f);
    }
    for (int i = 0; i < DEEP_LAYERS; i++)
        deep_quad(b, 0.0f, 0.0f, -0.4f - 0.005f * (float)i, 1.0f);
    for (int i = 0; i < DEEP_CHIPS; i++) {
        const float x = 0.015f * (float)(i % 120 - 60), y = 0.04f * (float)(i / 120 - 18);
        for (uint32_t k = 0; k < 3; k++)
            b->index[b->indices++] = b->corners + k;
        deep_corner(b, x, y, -0.2f);
        deep_corner(b, x + 0.03f, y, -0.2f);
        deep_corner(b, x, y + 0.05f, -0.2f);
    }
}

static zt_model *deep_model(void)
{
    static deep_buffers b;
    const unsigned blended = 6 * DEEP_QUADS, masked = 6 * DEEP_LAYERS, chips = 3 * DEEP_CHIPS;
    const unsigned first_index = (unsigned)sizeof b.position;
    zt_load_def def = zt_default_load_def();
    zt_model *model = NULL;
    size_t size;
    b.corners = b.indices = 0;
    deep_fill(&b);
    PRINTED(json, 2048,
            "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
            "'meshes':[{'primitives':["
            "{'attributes':{'POSITION':0},'indices':1,'material':0},"
            "{'attributes':{'POSITION':0},'indices':2,'material':1},"
            "{'attributes':{'POSITION':0},'indices':3,'material':2}]}],"
            "'materials':[{'name':'a','alphaMode':'BLEND','doubleSided':true,"
            "'pbrMetallicRoughness':{'baseColorFactor':[0.9,0.3,0.1,0.1]}},"
            "{'name':'b','alphaMode':'MASK','doubleSided':true},{'name':'c','doubleSided':true}],"
            "'accessors':[<0 float VEC3 %u,'min':[-1,-1,-1.1],'max':[1,1,0.8]>,<1 u32 SCALAR %u>,"
            "<1+%u u32 SCALAR %u>,<1+%u u32 SCALAR %u>],'bufferViews':[<%u>,<%u+%u>],"
            "'buffers':[{'byteLength':%u}]}",
            (unsigned)DEEP_CORNERS, blended, 4 * blended, masked, 4 * (blended + masked), chips,
            first_index, first_index, (unsigned)sizeof b.index,
            first_index + (unsigned)sizeof b.index);
    OWN_BLOCK uint8_t *glb = glb_make(json, &b, first_index + sizeof b.index, &size);
    def.bytes = glb;
    def.size = size;
    MUST(zt_model_load("deep.glb", &def, &model, &err), err);
    return model;
}

/// One thread: then the questions come in the same order every time.
static zt_result deep_render(const zt_scene *scene, counted_cancel *a, uint64_t *out_hash)
{
    const zt_cancel cancel = {counted_ask, a};
    zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    def.cancel = &cancel;
    def.threads = 1;
    def.allocator = &counted;
    OWN_IMAGE image = make_image(DEEP_SIDE, DEEP_SIDE);
    zt_result result = zt_renderer_create(&def, &renderer, &err);
    if (result == ZT_OK)
        result = zt_render(renderer, scene, 0, &image, &err);
    if (result == ZT_OK)
        *out_hash = zt_image_hash(&image);
    zt_renderer_destroy(renderer);
    cr_assert_eq(memory.bytes, 0, "a frame leaks");
    return result;
}

/// Whichever question in a deep tile is answered by true, the frame ends; the next is as ever.
Test(cancel, pieces_of_a_tile)
{
    zt_shot_def shot = sized_shot(DEEP_SIDE, DEEP_SIDE);
    OWN_MODEL *model = deep_model();
    uint64_t hash = 0, again = 0;
    shot.samples = 16;
    shot.view = "front";
    shot.orthographic = true;
    shot.margin = 0.0;
    OWN_SCENE *scene = scene_of_model(model, &shot);
    counted_cancel patient = {.last = 1L << 60};
    MUST(deep_render(scene, &patient, &hash), err);
    const long questions = atomic_load(&patient.asked);
    cr_assert_gt(questions, 600, "a deep tile asks %ld times", questions);
    for (long last = 1; last <= questions; last += last < 40 ? 13 : questions / 17) {
        counted_cancel a = {.last = last};
        cr_assert_eq(deep_render(scene, &a, &again), ZT_ERR_CANCELLED, "question %ld of %ld", last,
                     questions);
        cr_assert_eq(atomic_load(&a.asked), last, "asked again after question %ld", last);
    }
    MUST(deep_render(scene, &patient, &again), err);
    cr_assert_eq(again, hash, "another picture");
}
