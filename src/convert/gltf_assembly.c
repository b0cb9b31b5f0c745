// SPDX-License-Identifier: MIT
/// Several model files in one glTF file; see gltf_assembly.h. Each is made as a file of its own,
/// whose buffer continues the one before; then its lists are appended and its indices moved on.
#include "convert/gltf_assembly.h"

#include "convert/gltf_indices.h"
#include "gltf/gltf.h"

#include <string.h>

static json_builder *values_of(gltf_assembly *assembly)
{
    return &assembly->builder.package.values;
}

zt_result gltf_assembly_begin(gltf_assembly *assembly, convert_job *job)
{
    *assembly = (gltf_assembly){.builder = {.job = job, .package = {.values = {.a = job->a}}}};
    json_builder *b = values_of(assembly);
    assembly->builder.package.json = json_new(b, JSON_KIND_OBJECT);
    assembly->used = json_new(b, JSON_KIND_ARRAY);
    assembly->required = json_new(b, JSON_KIND_ARRAY);
    assembly->copyrights = json_new(b, JSON_KIND_ARRAY);
    json_put(b, assembly->builder.package.json, "asset", json_new(b, JSON_KIND_OBJECT));
    return b->failed ? arena_fail(job->a, job->err, "the JSON of a glTF") : ZT_OK;
}

/// Adds a text to a list of different ones.
static void add_text(json_builder *b, json_value *list, const char *text)
{
    if (text && list && !json_has_text(list, text))
        json_append(b, list, json_new_text(b, text));
}

void gltf_assembly_use(gltf_assembly *assembly, const char *extension)
{
    add_text(values_of(assembly), assembly->used, extension);
}

// ---- Accessors that nothing uses ----------------------------------------------------------------

/// Indices of accessors, of a file whose animations are gone.
typedef struct accessor_use {
    uint32_t count;
    int64_t *index; ///< [count] the new one, -1: unused
} accessor_use;

static int64_t *used_accessor(const accessor_use *use, gltf_index_kind kind,
                              const json_value *index)
{
    const double number = json_number(index);
    if (kind != GLTF_INDEX_ACCESSOR || !(number >= 0.0 && number < (double)use->count))
        return NULL;
    return &use->index[(uint32_t)number];
}

static void mark_accessor(void *user, gltf_index_kind kind, json_value *index)
{
    int64_t *used = used_accessor(user, kind, index);
    if (used)
        *used = 0;
}

static void renumber_accessor(void *user, gltf_index_kind kind, json_value *index)
{
    const int64_t *used = used_accessor(user, kind, index);
    if (used)
        gltf_index_set(index, *used);
}

/// Drops the accessors that no mesh uses.
static zt_result drop_accessors(convert_job *job, json_value *root)
{
    json_value *accessors = json_get(root, "accessors");
    accessor_use use = {.count = json_length(accessors)};
    uint32_t kept = 0;
    ZT_TRY(ARENA_TAKE_RAW(job->a, &use.index, use.count, "accessors", job->err));
    for (uint32_t i = 0; i < use.count; i++)
        use.index[i] = -1;
    gltf_each_mesh_index(root, mark_accessor, &use);
    for (uint32_t i = 0; i < use.count; i++)
        if (use.index[i] >= 0) {
            use.index[i] = kept;
            accessors->item[kept++] = accessors->item[i];
        }
    gltf_each_mesh_index(root, renumber_accessor, &use);
    if (accessors)
        accessors->count = kept;
    return ZT_OK;
}

/// Reports the extensions of nodes that are not built anew, each once.
static zt_result report_nodes(gltf_assembly *assembly, const json_value *root)
{
    static const char *const built[] = {"KHR_lights_punctual", "EXT_mesh_gpu_instancing",
                                        "KHR_node_visibility"};
    json_builder *b = values_of(assembly);
    json_value *seen = json_new(b, JSON_KIND_ARRAY);
    const json_value *nodes = json_get(root, "nodes");
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        add_text(b, seen, built[i]);
    for (uint32_t i = 0; i < json_length(nodes); i++) {
        const json_value *extensions = json_get(nodes->item[i], "extensions");
        for (uint32_t k = 0; json_is(extensions, JSON_KIND_OBJECT) && k < extensions->count; k++) {
            const char *name = extensions->item[k]->key;
            if (json_has_text(seen, name))
                continue;
            add_text(b, seen, name);
            ZT_TRY(convert_report_loss(assembly->builder.job, "%s: %s of nodes is not written",
                                       path_name(assembly->builder.job->source.path), name));
        }
    }
    return ZT_OK;
}

// ---- Parts --------------------------------------------------------------------------------------

/// A model file as a file of its own.
typedef struct part_file {
    gltf_package package;
    const gltf_document_image *images;
    uint32_t image_count;
} part_file;

static zt_result read_gltf(gltf_assembly *assembly, part_file *out)
{
    static const char *const built[] = {"scenes", "scene", "nodes", "skins", "animations"};
    convert_job *job = assembly->builder.job;
    gltf_document document;
    ZT_TRY(gltf_document_open(&job->source, job->a, &document, job->err));
    ZT_TRY(report_nodes(assembly, document.json));
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        json_remove(document.json, built[i]);
    ZT_TRY(drop_accessors(job, document.json));
    ZT_TRY(gltf_repack(job, &document, true, &out->package));
    out->images = document.images;
    out->image_count = document.image_count;
    return ZT_OK;
}

static zt_result build_model(gltf_assembly *assembly, const zt_model *model, part_file *out)
{
    gltf_builder part = {.job = assembly->builder.job, .model = model, .package = out->package};
    part.package.json = json_new(&part.package.values, JSON_KIND_OBJECT);
    ZT_TRY(gltf_build_materials(&part));
    ZT_TRY(gltf_build_meshes(&part));
    *out = (part_file){part.package, part.images, part.image_count};
    return ZT_OK;
}

static int64_t length_of(const json_value *root, const char *key)
{
    return json_length(json_get(root, key));
}

static json_value *extension_list(json_value *root, const char *extension, const char *key)
{
    return json_get(json_get(json_get(root, "extensions"), extension), key);
}

/// More than any file has of anything.
enum { INDEX_LIMIT = 1 << 30 };

/// Offsets that are added to the indices of a part.
typedef struct index_offsets {
    int64_t offset[GLTF_INDEX_KINDS];
} index_offsets;

static void move_index(void *user, gltf_index_kind kind, json_value *index)
{
    const index_offsets *offsets = user;
    if (kind == GLTF_INDEX_BUFFER && json_number(index) < 1.0)
        return; // the buffer that all share
    const double number = json_number(index);
    if (number >= 0.0 && number < (double)INDEX_LIMIT) // others are no indices: they stay
        gltf_index_set(index, (int64_t)number + offsets->offset[kind]);
}

static index_offsets offsets_in(json_value *root)
{
    const int64_t buffers = length_of(root, "buffers");
    return (index_offsets){.offset = {
                               [GLTF_INDEX_ACCESSOR] = length_of(root, "accessors"),
                               [GLTF_INDEX_VIEW] = length_of(root, "bufferViews"),
                               [GLTF_INDEX_BUFFER] = buffers > 0 ? buffers - 1 : 0,
                               [GLTF_INDEX_TEXTURE] = length_of(root, "textures"),
                               [GLTF_INDEX_SAMPLER] = length_of(root, "samplers"),
                               [GLTF_INDEX_IMAGE] = length_of(root, "images"),
                               [GLTF_INDEX_MATERIAL] = length_of(root, "materials"),
                               [GLTF_INDEX_VARIANT] = json_length(
                                   extension_list(root, "KHR_materials_variants", "variants")),
                           }};
}

static void append_list(gltf_assembly *assembly, const json_value *list, const char *key,
                        uint32_t first)
{
    for (uint32_t i = first; i < json_length(list); i++)
        json_append(values_of(assembly), gltf_package_array(&assembly->builder.package, key),
                    list->item[i]);
}

/// Lists of extensions at the root, of which the file has one each.
static zt_result append_extensions(gltf_assembly *assembly, json_value *part)
{
    static const struct {
        const char *extension, *key;
    } lists[] = {
        {"KHR_lights_punctual", "lights"},
        {"KHR_materials_variants", "variants"},
    };
    json_builder *b = values_of(assembly);
    json_value *root = assembly->builder.package.json;
    json_value *extensions = json_get(part, "extensions");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const json_value *list = extension_list(part, lists[i].extension, lists[i].key);
        if (json_length(list) == 0)
            continue;
        json_value *all = json_require(b, root, "extensions", JSON_KIND_OBJECT);
        json_value *extension = json_require(b, all, lists[i].extension, JSON_KIND_OBJECT);
        json_value *target = json_require(b, extension, lists[i].key, JSON_KIND_ARRAY);
        for (uint32_t k = 0; k < json_length(list); k++)
            json_append(b, target, list->item[k]);
    }
    for (uint32_t i = 0; json_is(extensions, JSON_KIND_OBJECT) && i < extensions->count; i++) {
        const char *name = extensions->item[i]->key;
        const bool listed =
            strcmp(name, lists[0].extension) == 0 || strcmp(name, lists[1].extension) == 0;
        if (!listed && strcmp(name, "VRMC_springBone") != 0) // their motion is in the clips
            ZT_TRY(convert_report_loss(assembly->builder.job, "%s: %s is not written",
                                       path_name(assembly->builder.job->source.path), name));
    }
    return ZT_OK;
}

static zt_result append_images(gltf_assembly *assembly, const part_file *part)
{
    gltf_builder *builder = &assembly->builder;
    for (uint32_t i = 0; i < part->image_count; i++) {
        ZT_TRY(ARENA_GROW(builder->job->a, builder->images, builder->image_count,
                          assembly->image_capacity, "images", builder->job->err));
        builder->images[builder->image_count++] = part->images[i];
    }
    return ZT_OK;
}

static int64_t first_of(const json_value *part, const json_value *root, const char *key)
{
    return json_length(json_get(part, key)) > 0 ? length_of(root, key) : -1;
}

/// Moves the indices of a part on and appends its lists.
static zt_result merge(gltf_assembly *assembly, part_file *part, gltf_part *out)
{
    static const char *const lists[] = {"accessors", "bufferViews", "textures", "samplers",
                                        "images",    "materials",   "meshes",   "cameras"};
    json_builder *b = values_of(assembly);
    json_value *root = assembly->builder.package.json, *json = part->package.json;
    index_offsets offsets = offsets_in(root);
    const json_value *lights = extension_list(json, "KHR_lights_punctual", "lights");
    const json_value *names = json_get(json, "extensionsUsed");
    const json_value *required = json_get(json, "extensionsRequired");
    gltf_each_index(json, move_index, &offsets);
    out->first_material = offsets.offset[GLTF_INDEX_MATERIAL];
    out->firsts = (gltf_firsts){.mesh = first_of(json, root, "meshes"),
                                .camera = first_of(json, root, "cameras"),
                                .light = -1};
    if (json_length(lights) > 0)
        out->firsts.light = json_length(extension_list(root, "KHR_lights_punctual", "lights"));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        append_list(assembly, json_get(json, lists[i]), lists[i], 0);
    const bool begun = json_length(json_get(root, "buffers")) > 0;
    append_list(assembly, json_get(json, "buffers"), "buffers", begun ? 1 : 0);
    ZT_TRY(append_extensions(assembly, json));
    ZT_TRY(append_images(assembly, part));
    for (uint32_t i = 0; i < json_length(names); i++)
        add_text(b, assembly->used, json_str(names->item[i]));
    for (uint32_t i = 0; i < json_length(required); i++)
        add_text(b, assembly->required, json_str(required->item[i]));
    add_text(b, assembly->copyrights, json_str(json_get(json_get(json, "asset"), "copyright")));
    return b->failed ? arena_fail(b->a, assembly->builder.job->err, "the JSON of a glTF") : ZT_OK;
}

zt_result gltf_assembly_add(gltf_assembly *assembly, const model_source *source,
                            const zt_model *model, gltf_part *out)
{
    gltf_builder *builder = &assembly->builder;
    convert_job *job = builder->job;
    part_file part = {.package = builder->package};
    part.package.values = (json_builder){.a = job->a}; // the file's is used meanwhile
    *out = (gltf_part){.model = model};
    job->source = *source;
    builder->model = model;
    ZT_TRY(model->format == &gltf_format ? read_gltf(assembly, &part)
                                         : build_model(assembly, model, &part));
    ZT_TRY(merge(assembly, &part, out));
    const gltf_package before = builder->package;
    builder->package = part.package;
    builder->package.json = before.json;
    builder->package.values = before.values;
    builder->package.values.failed |= part.package.values.failed;
    assembly->part_count++;
    int64_t *bind;
    ZT_TRY(ARENA_TAKE(job->a, &bind, model->skin_count, "skins", job->err));
    out->bind_accessor = bind;
    return out->firsts.mesh >= 0 ? gltf_build_bind_matrices(builder, bind) : ZT_OK;
}

// ---- The file -----------------------------------------------------------------------------------

/// Collects the names of all extensions below `value`.
static void collect_extensions(json_builder *b, const json_value *value, json_value *names)
{
    for (uint32_t i = 0; json_is_list(value) && i < value->count; i++) {
        const json_value *item = value->item[i];
        const char *key = json_is(value, JSON_KIND_OBJECT) ? item->key : "";
        if (strcmp(key, "extras") == 0)
            continue;
        const bool lists = strcmp(key, "extensions") == 0 && json_is_list(item);
        for (uint32_t k = 0; lists && k < item->count; k++)
            add_text(b, names, item->item[k]->key);
        collect_extensions(b, item, names);
    }
}

/// The names in `list` that the file uses. Quantization shows in component types alone.
static void put_names(gltf_assembly *assembly, const char *key, const json_value *list,
                      const json_value *found)
{
    json_builder *b = values_of(assembly);
    for (uint32_t i = 0; i < json_length(list); i++) {
        const char *name = json_str(list->item[i]);
        if (strcmp(name, "KHR_mesh_quantization") == 0 || json_has_text(found, name))
            json_append(b, gltf_package_array(&assembly->builder.package, key),
                        json_new_text(b, name));
    }
}

static void put_asset(gltf_assembly *assembly)
{
    json_builder *b = values_of(assembly);
    json_value *asset = json_get(assembly->builder.package.json, "asset");
    size_t length = 1;
    for (uint32_t i = 0; i < json_length(assembly->copyrights); i++)
        length += strlen(json_str(assembly->copyrights->item[i])) + 2;
    char *text = json_take(b, length);
    json_put_text(b, asset, "version", "2.0");
    json_put_text(b, asset, "generator", "zoetrope");
    if (!text || json_length(assembly->copyrights) == 0)
        return;
    *text = '\0';
    for (uint32_t i = 0; i < json_length(assembly->copyrights); i++) {
        strcat(text, i > 0 ? "; " : "");
        strcat(text, json_str(assembly->copyrights->item[i]));
    }
    json_put_text(b, asset, "copyright", text);
}

zt_result gltf_assembly_write(gltf_assembly *assembly)
{
    gltf_builder *builder = &assembly->builder;
    json_builder *b = values_of(assembly);
    json_value *found = json_new(b, JSON_KIND_ARRAY);
    collect_extensions(b, builder->package.json, found);
    put_asset(assembly);
    if (builder->package.bin_size == 0)
        json_remove(builder->package.json, "buffers");
    put_names(assembly, "extensionsUsed", assembly->used, found);
    put_names(assembly, "extensionsRequired", assembly->required, found);
    if (b->failed)
        return arena_fail(builder->job->a, builder->job->err, "the JSON of a glTF");
    return gltf_package_write(builder->job, &builder->package, builder->images,
                              builder->image_count);
}
