// SPDX-License-Identifier: MIT
// A model while it is being built: primitives, nodes, skin, clips, materials and pictures.
//
// Right-handed, +Y up, metres, seconds; fronts wind counter-clockwise; uv has v down. References
// are indices, -1 none. Running out of memory ends the program: a generator has nothing to save.
#pragma once

#include "exact_math.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

/// Vertex attributes that a primitive writes in addition to positions.
enum {
    HAS_NORMAL = 1,
    HAS_TANGENT = 2,
    HAS_UV = 4,
    HAS_UV1 = 8,
    HAS_COLOR = 16,
    HAS_SKIN = 32,
    HAS_SKIN_MORE = 64, ///< influences 5 to 8
};

typedef struct built_vertex {
    float position[3], normal[3];
    float tangent[4]; ///< xyz along +u; w: bitangent = w cross(normal, tangent)
    float uv[2], uv1[2];
    float color[4]; ///< linear RGBA
    float weights[4], weights_more[4];
    uint8_t joints[4], joints_more[4];
} built_vertex;

enum { MAX_TARGETS = 8 };

/// The kind of figures that the indices of a primitive make.
typedef enum draw_mode { DRAW_TRIANGLES, DRAW_POINTS, DRAW_LINES, DRAW_LOOP, DRAW_STRIP } draw_mode;

typedef struct built_primitive {
    built_vertex *vertices;
    built_vertex *targets[MAX_TARGETS]; ///< as many vertices each; NULL: target k changes nothing
    uint32_t *indices;
    size_t vertex_count, vertex_capacity, index_count, index_capacity;
    unsigned attributes;
    draw_mode mode;
    int mesh; ///< primitives of one mesh are contiguous
    int material;
} built_primitive;

/// A joint's bind matrix is a translation to `bind`.
typedef struct built_joint {
    int node;
    dvec3 bind;
} built_joint;

typedef enum channel_path {
    PATH_TRANSLATION,
    PATH_ROTATION,
    PATH_SCALE,
    PATH_WEIGHTS, ///< of morph targets, one number for each of the model's
    PATH_POINTER, ///< what `pointer` names (KHR_animation_pointer)
} channel_path;
typedef enum channel_curve { CURVE_LINEAR, CURVE_STEP, CURVE_CUBIC } channel_curve;

typedef struct built_channel {
    int clip, node;
    channel_path path;
    channel_curve curve;
    size_t key_count;
    float *times;
    char pointer[96];
    size_t width;  ///< numbers per value: 1 to 4, or the number of targets
    float *values; ///< `width` per key; three times as many for cubic curves (in, value, out)
} built_channel;

typedef struct built_image {
    char name[32];
    int width, height;
    uint8_t *rgba8; ///< row 0 on top
} built_image;

/// glTF codes: wrap 10497 repeat, 33648 mirrored, 33071 clamp; filters 9728 nearest, 9729 linear,
/// 9987 trilinear.
typedef struct built_texture {
    int image;
    int wrap_s, wrap_t, min_filter, mag_filter;
} built_texture;

enum {
    // Capacities, above the largest counts of any model here; new_* functions check them.
    MAX_NODES = 96,
    MAX_PRIMITIVES = 64,
    MAX_MATERIALS = 32,
    MAX_JOINTS = 96,
    MAX_CHANNELS = 400,
    MAX_CLIPS = 8,
    MAX_IMAGES = 8,
};

typedef struct built_model {
    built_primitive primitives[MAX_PRIMITIVES];
    model_node nodes[MAX_NODES]; ///< named by node_names
    built_joint joints[MAX_JOINTS];
    built_channel channels[MAX_CHANNELS];
    model_material materials[MAX_MATERIALS];        ///< named by material_names
    const char *material_extensions[MAX_MATERIALS]; ///< JSON; NULL: as the material says
    char node_names[MAX_NODES][32], material_names[MAX_MATERIALS][32];
    built_image images[MAX_IMAGES];
    built_texture textures[MAX_IMAGES];
    char clips[MAX_CLIPS][32];
    char targets[MAX_TARGETS][32]; ///< morph targets, the same for all meshes
    int target_count;
    int primitive_count, node_count, joint_count, channel_count, material_count, image_count;
    int texture_count, clip_count, mesh_count;
    const char *folder; ///< where its files are written
    int skeleton;       ///< node that is the common root of the joints, or -1
    // JSON in which ' stands for ", here as in material_extensions, or NULL.
    const char *extensions, *scene_extensions; ///< members, of the file and of its scene
    const char *extensions_used;               ///< strings with commas, in addition to unlit
} built_model;

/// Says what is wrong and ends the program.
void generator_fail(const char *what) __attribute__((noreturn));
void *checked_alloc(size_t count, size_t size);

/// Doubles `*data` until it holds `needed` elements of `size` bytes.
void array_reserve(void **data, size_t *capacity, size_t needed, size_t size);

built_model *model_create(void);
void model_destroy(built_model *model);

/// Adds a node with identity rotation, unit scale, no mesh and no skin.
int new_node(built_model *model, const char *name, int parent, dvec3 translation);
int new_material(built_model *model, const char *name, double r, double g, double b,
                 double metallic, double roughness);

/// Starts a mesh and returns its number; the primitives that follow belong to it.
int new_mesh(built_model *model);
built_primitive *new_primitive(built_model *model, int material, unsigned attributes);

/// A node that starts a mesh of its own.
int new_mesh_node(built_model *model, const char *name, int parent, dvec3 translation);
/// A primitive with normals alone in the mesh of a new node without parent.
built_primitive *new_part(built_model *model, const char *name, dvec3 translation, int material,
                          unsigned attributes);
/// A primitive with normals in the mesh of the node, which may be its first.
built_primitive *node_part(built_model *model, int node, int material);

/// Adds a picture of zero bytes (transparent black) and a texture on it, trilinear and repeating.
built_image *new_picture(built_model *model, const char *name, int width, int height);

uint8_t *texel_at(const built_image *image, int x, int y);
/// Values from 0 to 1, and those beyond clamped.
void texel_set(built_image *image, int x, int y, double r, double g, double b, double alpha);
void texel_set_bytes(built_image *image, int x, int y, int r, int g, int b, int alpha);
/// A unit normal: [-1, 1] becomes [0, 1].
void texel_set_normal(built_image *image, int x, int y, dvec3 n);

int new_clip(built_model *model, const char *name);

/// Adds a channel of `key_count` keys; the caller fills times and values.
built_channel *new_channel(built_model *model, int clip, int node, channel_path path,
                           channel_curve curve, size_t key_count);

/// Linear keys in rows of {seconds, x, y, z}: of a translation, or degrees as in quat_degrees().
void move_keys(built_model *model, int clip, int node, const double (*keys)[4], size_t count);
void turn_keys(built_model *model, int clip, int node, const double (*keys)[4], size_t count);
#define KEYS(...)                                                                                  \
    (const double[][4]){__VA_ARGS__}, sizeof((const double[][4]){__VA_ARGS__}) / sizeof(double[4])

/// A channel for a property of `width` numbers that a JSON pointer names.
built_channel *new_pointer(built_model *model, int clip, const char *pointer, size_t width,
                           channel_curve curve, size_t key_count);

/// Names a morph target and returns its number. Call it before adding channels of weights.
int new_target(built_model *model, const char *name);

/// Returns the new position of a point, and may change its colour.
typedef dvec3 (*target_shape)(dvec3 at, float color[4]);

/// Builds the target `target` of the primitive: positions by `shape`, normals by its derivatives.
void primitive_target(built_primitive *p, int target, target_shape shape);
/// Gives the vertices themselves this shape.
void primitive_reshape(built_primitive *p, target_shape shape);
/// The vertices of the target `target` of the primitive, initially those of the primitive.
built_vertex *primitive_target_vertices(built_primitive *p, int target);

uint32_t primitive_vertex(built_primitive *p, built_vertex v);
void primitive_triangle(built_primitive *p, uint32_t a, uint32_t b, uint32_t c);

/// A vertex with position, normal and uv; tangent +x, white, all weight on joint 0.
built_vertex vertex_at(dvec3 position, dvec3 normal, double u, double v);

/// Sets tangents of every vertex from the uv gradients of its triangles. With `v_up` the bitangent
/// follows -v (glTF, as MikkTSpace with v up), otherwise +v.
void primitive_tangents(built_primitive *p, bool v_up);
