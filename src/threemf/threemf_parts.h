// SPDX-License-Identifier: MIT
/// A model while its 3MF package is read, and the parts of the reader. Facts: 3MF Consortium, 3D
/// Manufacturing Format Core Specification 1.3, Materials and Properties 1.2, Production 1.1.
#pragma once

#include "base/affine.h"
#include "base/hash.h"
#include "model/file_textures.h"
#include "model/model.h"
#include "model/model_report.h"
#include "model/model_source.h"
#include "threemf/xml.h"
#include "threemf/zip.h"

enum {
    THREEMF_NONE = -1,
    THREEMF_DEPTH = 64,
    THREEMF_NODES = 1 << 18,
    THREEMF_PARTS = 4096,
    THREEMF_TEXTURES = 4096
};

/// Parts of a package that are not shown, as bits.
enum {
    THREEMF_NEGATIVE = 1, ///< volumes that slicers cut out
    THREEMF_MODIFIER = 2, ///< volumes in which settings differ
    THREEMF_SUPPORT = 4,
    THREEMF_OTHER = 8,     ///< objects that nobody prints
    THREEMF_PAINT = 16,    ///< colours of triangles, in a code of slicers
    THREEMF_FILAMENT = 64, ///< colours of parts, of the printer's filaments
    THREEMF_DRAFT = 32     ///< colours and textures as the draft of 2013 has them
};

/// The key of a resource.
typedef struct threemf_key {
    uint32_t part, id;
} threemf_key;

typedef enum threemf_kind {
    THREEMF_BASE,      ///< colours of base materials
    THREEMF_COLORS,    ///< a colour group
    THREEMF_COORDS,    ///< coordinates in a texture
    THREEMF_COMPOSITE, ///< mixtures of base materials
    THREEMF_MULTI,     ///< one property of each of several groups
    THREEMF_FINISH     ///< metalness and roughness of base materials
} threemf_kind;

/// Properties that triangles name by their number. `value`: width numbers each: 4 of a colour,
/// linear with alpha, 2 of a coordinate, shares of a mixture, or numbers into groups.
typedef struct threemf_group {
    threemf_key key;
    threemf_kind kind;
    uint32_t texture;    ///< THREEMF_COORDS: its id
    uint32_t width;      ///< of an entry
    uint32_t list_count; ///< THREEMF_COMPOSITE: bases of the mixture; THREEMF_MULTI: ids of groups
    uint32_t *list;
    uint32_t list_id; ///< THREEMF_COMPOSITE: of the base materials; THREEMF_BASE: of their finish
    uint32_t first;   ///< THREEMF_FINISH: the number of its first entry, from 1
    uint32_t number_count, number_capacity;
    float *number;
} threemf_group;

typedef struct threemf_texture {
    threemf_key key;
    const char *path;
    mipmap_wrap wrap[2]; ///< along u and v
} threemf_texture;

typedef struct threemf_triangle {
    uint32_t vertex[3];
    uint32_t group;       ///< 1 + a pid; 0: the object's
    uint32_t property[3]; ///< UINT32_MAX: not said
} threemf_triangle;

/// An object in another, or an item of the build.
typedef struct threemf_use {
    threemf_key object;
    affine transform;
    bool left_out; ///< by slicers
} threemf_use;

typedef struct threemf_object {
    threemf_key key;
    const char *name;
    uint32_t group;    ///< 1 + pid; 0: none
    uint32_t property; ///< pindex
    uint32_t vertex_count, vertex_capacity;
    double (*vertex)[3];
    uint32_t triangle_count, triangle_capacity;
    threemf_triangle *triangle;
    uint32_t use_count, use_capacity;
    threemf_use *use;
    uint32_t kind;     ///< THREEMF_SUPPORT, THREEMF_OTHER; 0: it is shown
    int32_t *left_out; ///< [triangle_count + 1] ranges begin, less those that end; NULL: none
    int32_t mesh;      ///< of the model, once it is built; -1: it has no triangles
    bool built;
} threemf_object;

typedef struct threemf_package {
    const model_source *source;
    zip_archive zip;
    zt_model *model;
    arena *keep, *scratch;
    model_report report;
    uint32_t part_count;
    const char **part; ///< [THREEMF_PARTS] names of model parts
    hash_table parts, objects, groups, textures;
    uint32_t object_count, object_capacity;
    threemf_object *object;
    uint32_t group_count, group_capacity;
    threemf_group *group;
    uint32_t texture_count, texture_capacity;
    threemf_texture *texture;
    uint32_t item_count, item_capacity;
    threemf_use *item;
    dvec3 middle;                ///< of the last mesh, see far_points.h
    uint32_t left_out;           ///< bits of what is not shown
    double unit_m;               ///< of the root part
    bool beams, slices, volumes; ///< left out
    model_material *materials;
    uint32_t finish_count; ///< of materials; 0 is that of surfaces that say none
    uint32_t lost_triangles;
} threemf_package;

/// The number of a model part, which is added; UINT32_MAX: there are too many. `name` stays.
uint32_t threemf_add_part(threemf_package *p, const char *name);
/// Begins to read a file of the package. The names of both are in messages.
zt_result threemf_open_xml(threemf_package *p, const zip_entry *entry, xml_reader *x,
                           zt_error *err);
/// Reads one model part.
zt_result threemf_read_part(threemf_package *p, uint32_t part, zt_error *err);

/// Makes tables of what all parts have, for the functions below.
zt_result threemf_index(threemf_package *p, zt_error *err);
/// Reads what slicers say of volumes.
zt_result threemf_read_slicer(threemf_package *p, zt_error *err);
/// NULL: there is none.
threemf_object *threemf_find_object(const threemf_package *p, threemf_key key);
const threemf_group *threemf_find_group(const threemf_package *p, threemf_key key);
/// THREEMF_NONE: there is none.
int32_t threemf_find_texture(const threemf_package *p, threemf_key key);

/// The target of the package's relationship whose type ends in `kind`; *out stays where there is
/// none.
zt_result threemf_find_related(threemf_package *p, const char *kind, const char **out,
                               zt_error *err);
/// Shows the picture of the package instead of its contents, where the caller of the loader
/// wants it and they show nothing: `parts`, with its message in err, says whether they were read.
/// Else returns `parts`.
zt_result threemf_take_picture(threemf_package *p, zt_result parts, bool *taken, zt_error *err);
/// The rectangle of a picture that was taken, once it is decoded.
void threemf_place_picture(threemf_package *p);

/// Materials of each finish: an opaque and a blended one without a texture, and the same of each
/// texture. The last one is grey.
zt_result threemf_make_materials(threemf_package *p, zt_error *err);
/// Builds the mesh of an object, once.
zt_result threemf_make_mesh(threemf_package *p, threemf_object *object, model_mesh *meshes,
                            zt_error *err);
/// Nodes of the items, with meshes.
zt_result threemf_make_nodes(threemf_package *p, zt_error *err);
