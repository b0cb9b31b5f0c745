// SPDX-License-Identifier: MIT
/// Loads glTF files written as C strings, as glb.h has them.
#pragma once

#include "base/file.h"
#include "model/model.h"
#include "testing.h"

#define ASSET "{'asset':{'version':'2.0'},"
/// Members of images: a pixel; a red one and a half transparent green one.
#define PIXEL                                                                                      \
    "'uri':'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8"  \
    "BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='"
#define TWO_PIXELS                                                                                 \
    "'uri':'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lEQVR4nGP4z8"  \
    "DwHwgbABB5A359Y87XAAAAAElFTkSuQmCC'"

typedef struct gltf_case {
    budget budget;
    arena scratch;
    zt_model model;
    zt_error err;
    zt_result result;
    char messages[8192]; ///< one a line
    bool strict;
    const char *variant; ///< NULL: the file's default
    bool joined_maps;    ///< as scenes ask for
    bool first_person;   ///< as a person sees itself
    bool only_triangles; ///< as formats without points and lines do
    int32_t threads;     ///< 0: one per core
    uint64_t memory;     ///< 0: 256 MiB
} gltf_case;

/// Loads bytes as a file named "test.glb". Set `strict`, `variant` and `memory` before.
void gltf_case_load(gltf_case *c, const void *bytes, size_t size);
/// Loads JSON as a .gltf, or with `bin` as a GLB.
void gltf_case_json(gltf_case *c, const char *json, const void *bin, size_t bin_size);
/// The same, which must succeed. gltf_case_print: JSON as printf makes it.
void gltf_case_must(gltf_case *c, const char *json, const void *bin, size_t bin_size);
void gltf_case_print(gltf_case *c, const void *bin, size_t bin_size, const char *json, ...)
    __attribute__((format(printf, 4, 5)));
/// Reads a file of the disk.
void gltf_case_file(gltf_case *c, const char *path);
/// Frees the model and checks that all memory went back. Loading the next one does, too, and the
/// end of the block of a GLTF_CASE.
void gltf_case_finish(gltf_case *c);
#define GLTF_CASE __attribute__((cleanup(gltf_case_finish))) gltf_case
/// GLTF_MUST(c, .strict = true, json, bin, bin_size): declares the case `c` with that member, and
/// loads. GLTF_TEXT: without a `bin`.
#define GLTF_BEGIN(load, c, member, ...)                                                           \
    GLTF_CASE c = {member};                                                                        \
    load(&c, __VA_ARGS__)
#define GLTF_FILE(...)  GLTF_BEGIN(gltf_case_file, __VA_ARGS__)
#define GLTF_JSON(...)  GLTF_BEGIN(gltf_case_json, __VA_ARGS__)
#define GLTF_LOAD(...)  GLTF_BEGIN(gltf_case_load, __VA_ARGS__)
#define GLTF_MUST(...)  GLTF_BEGIN(gltf_case_must, __VA_ARGS__)
#define GLTF_PRINT(...) GLTF_BEGIN(gltf_case_print, __VA_ARGS__)
#define GLTF_TEXT(...)  GLTF_MUST(__VA_ARGS__, NULL, 0)
/// The number of a node of the model, which must be there.
uint32_t gltf_case_node(const gltf_case *c, const char *name);
/// The vertex at corner k of a triangle, counted over all meshlets.
uint32_t gltf_corner(const model_mesh *mesh, uint32_t triangle, int k);

/// Loads, and checks the result and that the error message holds `text`.
void gltf_expect_error(const char *json, const void *bin, size_t bin_size, zt_result result,
                       const char *text);
