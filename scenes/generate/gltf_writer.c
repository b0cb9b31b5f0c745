// SPDX-License-Identifier: MIT
// Writes a model as a GLB through src/convert: nodes, skins, clips and materials by its builders of
// a zt_model. Vertices are written here, as they are: a zt_model has them in meshlets.
#include "convert/gltf_model_parts.h"
#include "json/json_parse.h"
#include "writers.h"

#include <zoetrope/zoetrope.h>

#include <stdarg.h>
#include <string.h>

enum {
    TEXT_SIZE = 1 << 16,
    MAX_ARRAYS = 512,
    // 65535 is the primitive restart value and must not be an index (section 3.7.2.1).
    SHORT_VERTICES = 65535,
};

typedef struct glb_writer {
    const built_model *from;
    budget memory;
    arena a;
    zt_error err;
    convert_job job;
    zt_model model; // nodes, skin and materials
    gltf_builder builder;
    accessor_data arrays[MAX_ARRAYS]; // of vertices and indices, with their accessors
    int64_t accessors[MAX_ARRAYS];
    int array_count;
} glb_writer;

static void must(const glb_writer *w, zt_result result)
{
    if (result != ZT_OK)
        generator_fail(w->err.message);
}

// Zeroed memory that lives until the file is written.
static void *take(glb_writer *w, size_t count, size_t size)
{
    void *p = arena_alloc(&w->a, count ? count : 1, size);
    if (!p)
        generator_fail("out of memory");
    return p;
}

// JSON in which ' stands for ".
static json_value *parse(glb_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static json_value *parse(glb_writer *w, const char *format, ...)
{
    static char text[TEXT_SIZE];
    json_problem problem;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_value *value = NULL;
    if (length >= 0 && length < TEXT_SIZE)
        value = json_parse(&w->builder.package.values, text, (size_t)length, 64, NULL, &problem);
    if (!value)
        generator_fail(text);
    return value;
}

static json_builder *values_of(glb_writer *w) { return &w->builder.package.values; }

static void put_extensions(glb_writer *w, json_value *object, const char *members)
{
    if (members)
        json_put(values_of(w), object, "extensions", parse(w, "{%s}", members));
}

// Appends to an array at the root and returns the index.
static int64_t append(glb_writer *w, const char *key, json_value *value)
{
    json_value *list = gltf_package_array(&w->builder.package, key);
    json_append(values_of(w), list, value);
    return (int64_t)json_length(list) - 1;
}

static int64_t add_view(glb_writer *w, const void *data, size_t size)
{
    int64_t view;
    must(w, gltf_package_add_view(&w->job, &w->builder.package, data, size, 0, &view));
    return view;
}

// ---- Meshes -------------------------------------------------------------------------------------

static const struct {
    unsigned flag;
    const char *name;
    size_t offset;
    uint32_t width;
    bool is_morphed;
} attributes[] = {
    {0, "POSITION", offsetof(built_vertex, position), 3, true},
    {HAS_NORMAL, "NORMAL", offsetof(built_vertex, normal), 3, true},
    {HAS_TANGENT, "TANGENT", offsetof(built_vertex, tangent), 4, false},
    {HAS_UV, "TEXCOORD_0", offsetof(built_vertex, uv), 2, true},
    {HAS_UV1, "TEXCOORD_1", offsetof(built_vertex, uv1), 2, false},
    {HAS_COLOR, "COLOR_0", offsetof(built_vertex, color), 4, true},
    {HAS_SKIN, "WEIGHTS_0", offsetof(built_vertex, weights), 4, false},
    {HAS_SKIN_MORE, "WEIGHTS_1", offsetof(built_vertex, weights_more), 4, false},
};
enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof *attributes };

static bool has_attribute(const built_primitive *p, int k)
{
    return (p->attributes & attributes[k].flag) == attributes[k].flag;
}

static size_t array_size(const accessor_data *array)
{
    return (size_t)array->count * array->width * (array->component == GLTF_UNSIGNED_SHORT ? 2 : 4);
}

// Adds an array; for one that equals an earlier one returns the accessor of that.
static int64_t add_array(glb_writer *w, const void *data, size_t count, uint32_t width,
                         int component, int target, bool has_bounds)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const accessor_data array = {.data = data,
                                 .count = (uint32_t)count,
                                 .type = types[width],
                                 .width = width,
                                 .component = component,
                                 .target = target,
                                 .has_bounds = has_bounds};
    int k = 0;
    for (; k < w->array_count; k++) {
        const accessor_data *old = &w->arrays[k];
        if (old->count == array.count && old->width == width && old->component == component &&
            old->target == target && old->has_bounds >= has_bounds &&
            memcmp(old->data, data, array_size(&array)) == 0)
            return w->accessors[k];
    }
    if (k == MAX_ARRAYS)
        generator_fail("too many arrays");
    w->arrays[w->array_count++] = array;
    must(w, gltf_builder_add_accessor(&w->builder, &array, &w->accessors[k]));
    return w->accessors[k];
}

static int64_t add_attribute(glb_writer *w, const built_primitive *p, int k)
{
    const uint32_t width = attributes[k].width;
    float *values = take(w, p->vertex_count * width, sizeof *values);
    for (size_t i = 0; i < p->vertex_count; i++)
        memcpy(values + i * width, (const uint8_t *)&p->vertices[i] + attributes[k].offset,
               width * sizeof *values);
    return add_array(w, values, p->vertex_count, width, GLTF_FLOAT, GLTF_ARRAY_BUFFER, k == 0);
}

static int64_t add_joints(glb_writer *w, const built_primitive *p, bool more)
{
    uint16_t *joints = take(w, 4 * p->vertex_count, sizeof *joints);
    for (size_t i = 0; i < 4 * p->vertex_count; i++) {
        const built_vertex *v = &p->vertices[i / 4];
        joints[i] = more ? v->joints_more[i % 4] : v->joints[i % 4];
    }
    return add_array(w, joints, p->vertex_count, 4, GLTF_UNSIGNED_SHORT, GLTF_ARRAY_BUFFER, false);
}

static int64_t add_indices(glb_writer *w, const built_primitive *p)
{
    if (p->vertex_count > SHORT_VERTICES)
        return add_array(w, p->indices, p->index_count, 1, GLTF_UNSIGNED_INT,
                         GLTF_ELEMENT_ARRAY_BUFFER, false);
    uint16_t *indices = take(w, p->index_count, sizeof *indices);
    for (size_t i = 0; i < p->index_count; i++)
        indices[i] = (uint16_t)p->indices[i];
    return add_array(w, indices, p->index_count, 1, GLTF_UNSIGNED_SHORT, GLTF_ELEMENT_ARRAY_BUFFER,
                     false);
}

// Adds one attribute of a morph target sparsely: vertices that differ. -1 when none does, except
// for positions, which are zeros then.
static int64_t add_differences(glb_writer *w, const built_primitive *p, const built_vertex *target,
                               int k)
{
    const uint32_t width = attributes[k].width;
    uint16_t *index = take(w, p->vertex_count, sizeof *index);
    float *delta = take(w, p->vertex_count * width, sizeof *delta), low[4] = {0}, high[4] = {0};
    size_t count = 0;
    if (p->vertex_count > SHORT_VERTICES)
        generator_fail("too many vertices with morph targets");
    for (size_t i = 0; i < p->vertex_count; i++) {
        float from[4], to[4], *out = delta + count * width;
        bool differs = false;
        memcpy(from, (const uint8_t *)&p->vertices[i] + attributes[k].offset, sizeof from);
        memcpy(to, (const uint8_t *)&target[i] + attributes[k].offset, sizeof to);
        for (uint32_t c = 0; c < width; c++) {
            out[c] = to[c] - from[c];
            differs = differs || out[c] != 0.0f;
            low[c] = fminf(low[c], out[c]);
            high[c] = fmaxf(high[c], out[c]);
        }
        index[count] = (uint16_t)i;
        count += differs;
    }
    if (count == 0 && k > 0)
        return -1;
    json_value *accessor =
        parse(w, "{'componentType':5126,'count':%zu,'type':'VEC%u'}", p->vertex_count, width);
    if (k == 0) {
        gltf_builder_put_floats(&w->builder, accessor, "min", low, width);
        gltf_builder_put_floats(&w->builder, accessor, "max", high, width);
    }
    if (count > 0) {
        const int64_t index_view = add_view(w, index, count * sizeof *index);
        const int64_t delta_view = add_view(w, delta, count * width * sizeof *delta);
        json_put(values_of(w), accessor, "sparse",
                 parse(w,
                       "{'count':%zu,'indices':{'bufferView':%d,'componentType':5123},"
                       "'values':{'bufferView':%d}}",
                       count, (int)index_view, (int)delta_view));
    }
    return append(w, "accessors", accessor);
}

static json_value *target_of(glb_writer *w, const built_primitive *p, const built_vertex *target)
{
    json_value *out = parse(w, "{}");
    for (int k = 0; k < ATTRIBUTE_COUNT; k++) {
        const bool is_there = attributes[k].is_morphed && has_attribute(p, k);
        const int64_t accessor =
            is_there ? add_differences(w, p, target ? target : p->vertices, k) : -1;
        if (accessor >= 0)
            json_put_int(values_of(w), out, attributes[k].name, accessor);
    }
    return out;
}

static void add_primitive(glb_writer *w, json_value *primitives, const built_primitive *p)
{
    json_builder *b = values_of(w);
    json_value *out = parse(w, "{'attributes':{},'material':%d,'mode':%d}", p->material,
                            p->mode == DRAW_TRIANGLES ? 4 : (int)p->mode - 1);
    json_value *vertices = json_get(out, "attributes"), *targets = parse(w, "[]");
    for (int k = 0; k < ATTRIBUTE_COUNT; k++)
        if (has_attribute(p, k))
            json_put_int(b, vertices, attributes[k].name, add_attribute(w, p, k));
    if (p->attributes & HAS_SKIN)
        json_put_int(b, vertices, "JOINTS_0", add_joints(w, p, false));
    if (p->attributes & HAS_SKIN_MORE)
        json_put_int(b, vertices, "JOINTS_1", add_joints(w, p, true));
    json_put_int(b, out, "indices", add_indices(w, p));
    for (int t = 0; t < w->from->target_count; t++)
        json_append(b, targets, target_of(w, p, p->targets[t]));
    if (w->from->target_count > 0)
        json_put(b, out, "targets", targets);
    json_append(b, primitives, out);
}

static void add_meshes(glb_writer *w)
{
    const built_model *from = w->from;
    json_builder *b = values_of(w);
    json_value *mesh = NULL, *weights = parse(w, "[]"), *extras = parse(w, "{'targetNames':[]}");
    for (int t = 0; t < from->target_count; t++) {
        json_append(b, weights, json_new_int(b, 0));
        json_append(b, json_get(extras, "targetNames"), json_new_text(b, from->targets[t]));
    }
    for (int i = 0; i < from->primitive_count; i++) {
        if (i == 0 || from->primitives[i - 1].mesh != from->primitives[i].mesh) {
            mesh = parse(w, "{'primitives':[]}");
            append(w, "meshes", mesh);
        }
        add_primitive(w, json_get(mesh, "primitives"), &from->primitives[i]);
        if (from->target_count > 0) {
            json_put(b, mesh, "weights", weights);
            json_put(b, mesh, "extras", extras);
        }
    }
}

// ---- Nodes, skin and clips ----------------------------------------------------------------------

static void add_nodes(glb_writer *w)
{
    const gltf_firsts firsts = {.camera = -1, .light = -1};
    json_value *scene = parse(w, "{}");
    w->model.node_count = (uint32_t)w->from->node_count;
    w->model.nodes = w->from->nodes;
    w->model.meshes = take(w, (size_t)w->from->mesh_count, sizeof *w->model.meshes);
    put_extensions(w, scene, w->from->scene_extensions);
    json_put(values_of(w), scene, "nodes", gltf_build_nodes(&w->builder, &firsts));
    append(w, "scenes", scene);
}

static void add_skin(glb_writer *w)
{
    const built_model *from = w->from;
    int32_t *joints = take(w, (size_t)from->joint_count, sizeof *joints);
    mat4 *binds = take(w, (size_t)from->joint_count, sizeof *binds);
    model_skin *skin = take(w, 1, sizeof *skin);
    for (int j = 0; j < from->joint_count; j++) {
        joints[j] = from->joints[j].node;
        for (int k = 0; k < 4; k++)
            binds[j][k][k] = 1.0f;
        dvec3_to_floats(dvec3_scale(from->joints[j].bind, -1.0), binds[j][3]);
    }
    *skin = (model_skin){.joint_count = (uint32_t)from->joint_count,
                         .joint_node = joints,
                         .joint_from_bind = (const mat4 *)binds};
    w->model.skin_count = from->joint_count > 0;
    w->model.skins = skin;
    int64_t bind;
    must(w, gltf_build_bind_matrices(&w->builder, &bind));
    must(w, gltf_build_skins(&w->builder, 0, &bind));
    if (w->model.skin_count > 0 && from->skeleton >= 0)
        json_put_int(values_of(w), json_at(json_get(w->builder.package.json, "skins"), 0),
                     "skeleton", from->skeleton);
}

static void add_clip(glb_writer *w, int clip)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights", "pointer"};
    static const char *const curves[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    gltf_clip out = gltf_clip_begin(&w->builder, NULL);
    for (int i = 0; i < w->from->channel_count; i++) {
        const built_channel *c = &w->from->channels[i];
        if (c->clip != clip)
            continue;
        must(w, gltf_clip_add(&w->builder, &out,
                              &(gltf_keys){.node = c->node,
                                           .path = paths[c->path],
                                           .pointer = c->path == PATH_POINTER ? c->pointer : NULL,
                                           .curve = curves[c->curve],
                                           .count = (uint32_t)c->key_count,
                                           .width = (uint32_t)c->width,
                                           .time_s = c->times,
                                           .value = c->values}));
    }
    gltf_clip_end(&w->builder, &out, w->from->clips[clip]);
}

// ---- Pictures ---------------------------------------------------------------------

static zt_image picture_of(const built_image *image)
{
    return (zt_image){.rgba8 = image->rgba8,
                      .width = image->width,
                      .height = image->height,
                      .stride = (size_t)image->width * 4};
}

static zt_encode_def small_png(void)
{
    zt_encode_def def = zt_default_encode_def();
    def.png = ZT_PNG_SMALL;
    return def;
}

static void add_pictures(glb_writer *w)
{
    const zt_encode_def small = small_png();
    w->builder.image_count = (uint32_t)w->from->image_count;
    w->builder.images = take(w, w->builder.image_count, sizeof *w->builder.images);
    for (int i = 0; i < w->from->image_count; i++) {
        const zt_image pixels = picture_of(&w->from->images[i]);
        file_bytes *out = &w->builder.images[i].bytes;
        uint8_t *bytes;
        must(w, zt_image_encode(&pixels, &small, &bytes, &out->size, &w->err));
        out->data = memcpy(take(w, out->size, 1), bytes, out->size);
        zt_free(bytes);
        append(w, "images", parse(w, "{'name':'%s'}", w->from->images[i].name));
    }
    for (int i = 0; i < w->from->texture_count; i++) {
        const built_texture *t = &w->from->textures[i];
        append(w, "samplers",
               parse(w, "{'magFilter':%d,'minFilter':%d,'wrapS':%d,'wrapT':%d}", t->mag_filter,
                     t->min_filter, t->wrap_s, t->wrap_t));
        append(w, "textures", parse(w, "{'sampler':%d,'source':%d}", i, t->image));
    }
}

// ---- Files --------------------------------------------------------------------------------------

static void build(glb_writer *w)
{
    const built_model *from = w->from;
    const json_value *used = parse(w, "[%s]", from->extensions_used ? from->extensions_used : "");
    for (uint32_t i = 0; i < json_length(used); i++)
        gltf_builder_use_extension(&w->builder, json_str(json_at(used, i)));
    add_nodes(w);
    add_meshes(w);
    add_skin(w);
    for (int i = 0; i < from->clip_count; i++)
        add_clip(w, i);
    for (int i = 0; i < from->material_count; i++)
        put_extensions(w, gltf_build_material(&w->builder, &from->materials[i]),
                       from->material_extensions[i]);
    add_pictures(w);
    must(w, gltf_package_write(&w->job, &w->builder.package, w->builder.images,
                               w->builder.image_count));
    must(w, output_commit(&w->job.files, &w->err));
}

void glb_write(const built_model *model, const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    glb_writer w = {.from = model};
    budget_init(&w.memory, 0, NULL);
    arena_init(&w.a, &w.memory);
    w.job = (convert_job){.out_path = path, .format = CONVERT_GLB, .a = &w.a, .err = &w.err};
    w.builder =
        (gltf_builder){.job = &w.job, .model = &w.model, .package = {.values = {.a = &w.a}}};
    w.builder.package.json =
        parse(&w, "{'asset':{'version':'2.0','generator':'Zoetrope scenes/generate'},"
                  "'scene':0}");
    put_extensions(&w, w.builder.package.json, model->extensions);
    build(&w);
    arena_finish(&w.a);
}

void png_save(const built_image *image, const char *folder, const char *name)
{
    char path[1024];
    const zt_image pixels = picture_of(image);
    const zt_encode_def small = small_png();
    zt_error err;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (zt_image_write(path, &pixels, &small, &err) != ZT_OK)
        generator_fail(err.message);
}
