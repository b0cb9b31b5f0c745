// SPDX-License-Identifier: MIT
#include "writers.h"

#include <stdlib.h>
#include <string.h>

void generator_fail(const char *what)
{
    fprintf(stderr, "generate_models: %s\n", what);
    exit(1);
}

FILE *file_begin(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        generator_fail(path);
    return file;
}

void file_end(FILE *file)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        generator_fail("a file cannot be written");
}

void *checked_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p)
        generator_fail("out of memory");
    return p;
}

void array_reserve(void **data, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return;
    size_t grown = *capacity ? *capacity : 64;
    while (grown < needed)
        grown *= 2;
    void *p = realloc(*data, grown * size);
    if (!p)
        generator_fail("out of memory");
    *data = p;
    *capacity = grown;
}

static int next_index(int *count, int limit, const char *what)
{
    if (*count >= limit)
        generator_fail(what);
    return (*count)++;
}

built_model *model_create(void)
{
    built_model *model = checked_alloc(1, sizeof *model);
    model->skeleton = -1;
    return model;
}

void model_destroy(built_model *model)
{
    if (!model)
        return;
    for (int i = 0; i < model->primitive_count; i++) {
        free(model->primitives[i].vertices);
        free(model->primitives[i].indices);
        for (int k = 0; k < MAX_TARGETS; k++)
            free(model->primitives[i].targets[k]);
    }
    for (int i = 0; i < model->channel_count; i++) {
        free(model->channels[i].times);
        free(model->channels[i].values);
    }
    for (int i = 0; i < model->image_count; i++)
        free(model->images[i].rgba8);
    free(model);
}

int new_node(built_model *model, const char *name, int parent, dvec3 translation)
{
    const int index = next_index(&model->node_count, MAX_NODES, "too many nodes");
    snprintf(model->node_names[index], sizeof *model->node_names, "%s", name);
    model_node *node = &model->nodes[index];
    *node = (model_node){.name = model->node_names[index], .parent = parent, .visible = true};
    node->mesh = node->skin = node->camera = node->light = -1;
    node->rest = trs_identity();
    dvec3_to_floats(translation, node->rest.t);
    return index;
}

int new_material(built_model *model, const char *name, double r, double g, double b,
                 double metallic, double roughness)
{
    const int index = next_index(&model->material_count, MAX_MATERIALS, "too many materials");
    snprintf(model->material_names[index], sizeof *model->material_names, "%s", name);
    model_material *m = &model->materials[index];
    *m = model_material_default();
    m->name = model->material_names[index];
    dvec3_to_floats(v3(r, g, b), m->base_color);
    m->metallic = (float)metallic;
    m->roughness = (float)roughness;
    return index;
}

int new_mesh(built_model *model) { return model->mesh_count++; }

built_primitive *new_primitive(built_model *model, int material, unsigned attributes)
{
    const int index = next_index(&model->primitive_count, MAX_PRIMITIVES, "too many primitives");
    built_primitive *p = &model->primitives[index];
    p->mesh = model->mesh_count - 1;
    p->material = material;
    p->attributes = attributes;
    return p;
}

int new_mesh_node(built_model *model, const char *name, int parent, dvec3 translation)
{
    const int node = new_node(model, name, parent, translation);
    model->nodes[node].mesh = new_mesh(model);
    return node;
}

built_primitive *new_part(built_model *model, const char *name, dvec3 translation, int material,
                          unsigned attributes)
{
    new_mesh_node(model, name, -1, translation);
    return new_primitive(model, material, HAS_NORMAL | attributes);
}

built_primitive *node_part(built_model *model, int node, int material)
{
    if (model->nodes[node].mesh < 0)
        model->nodes[node].mesh = new_mesh(model);
    return new_primitive(model, material, HAS_NORMAL);
}

built_image *new_picture(built_model *model, const char *name, int width, int height)
{
    const int index = next_index(&model->image_count, MAX_IMAGES, "too many pictures");
    built_image *image = &model->images[index];
    snprintf(image->name, sizeof image->name, "%s", name);
    image->width = width;
    image->height = height;
    image->rgba8 = checked_alloc((size_t)width * (size_t)height, 4);
    const int texture = next_index(&model->texture_count, MAX_IMAGES, "too many textures");
    model->textures[texture] = (built_texture){index, 10497, 10497, 9987, 9729};
    return image;
}

uint8_t *texel_at(const built_image *image, int x, int y)
{
    return image->rgba8 + ((size_t)y * (size_t)image->width + (size_t)x) * 4;
}

void texel_set_bytes(built_image *image, int x, int y, int r, int g, int b, int alpha)
{
    const int value[4] = {r, g, b, alpha};
    for (int k = 0; k < 4; k++)
        texel_at(image, x, y)[k] = (uint8_t)value[k];
}

static int byte_of(double x) { return (int)floor(maths_clamp(x, 0.0, 1.0) * 255.0 + 0.5); }

void texel_set(built_image *image, int x, int y, double r, double g, double b, double alpha)
{
    texel_set_bytes(image, x, y, byte_of(r), byte_of(g), byte_of(b), byte_of(alpha));
}

void texel_set_normal(built_image *image, int x, int y, dvec3 n)
{
    texel_set(image, x, y, n.x * 0.5 + 0.5, n.y * 0.5 + 0.5, n.z * 0.5 + 0.5, 1.0);
}

int new_clip(built_model *model, const char *name)
{
    const int index = next_index(&model->clip_count, MAX_CLIPS, "too many clips");
    snprintf(model->clips[index], sizeof model->clips[index], "%s", name);
    return index;
}

static built_channel *add_channel(built_model *model, int clip, int node, channel_path path,
                                  size_t width, channel_curve curve, size_t key_count)
{
    const int index = next_index(&model->channel_count, MAX_CHANNELS, "too many channels");
    built_channel *c = &model->channels[index];
    *c = (built_channel){.clip = clip, .node = node, .path = path, .curve = curve, .width = width};
    c->key_count = key_count;
    c->times = checked_alloc(key_count, sizeof *c->times);
    c->values =
        checked_alloc(key_count * width * (curve == CURVE_CUBIC ? 3 : 1), sizeof *c->values);
    return c;
}

built_channel *new_channel(built_model *model, int clip, int node, channel_path path,
                           channel_curve curve, size_t key_count)
{
    const size_t width = path == PATH_WEIGHTS    ? (size_t)model->target_count
                         : path == PATH_ROTATION ? 4
                                                 : 3;
    return add_channel(model, clip, node, path, width, curve, key_count);
}

void move_keys(built_model *model, int clip, int node, const double (*keys)[4], size_t count)
{
    built_channel *c = new_channel(model, clip, node, PATH_TRANSLATION, CURVE_LINEAR, count);
    for (size_t k = 0; k < count; k++) {
        c->times[k] = (float)keys[k][0];
        dvec3_to_floats(v3(keys[k][1], keys[k][2], keys[k][3]), &c->values[k * 3]);
    }
}

void turn_keys(built_model *model, int clip, int node, const double (*keys)[4], size_t count)
{
    built_channel *c = new_channel(model, clip, node, PATH_ROTATION, CURVE_LINEAR, count);
    for (size_t k = 0; k < count; k++) {
        c->times[k] = (float)keys[k][0];
        quat_to_floats(quat_degrees(keys[k][1], keys[k][2], keys[k][3]), &c->values[k * 4]);
    }
}

built_channel *new_pointer(built_model *model, int clip, const char *pointer, size_t width,
                           channel_curve curve, size_t key_count)
{
    built_channel *c = add_channel(model, clip, -1, PATH_POINTER, width, curve, key_count);
    snprintf(c->pointer, sizeof c->pointer, "%s", pointer);
    return c;
}

uint32_t primitive_vertex(built_primitive *p, built_vertex v)
{
    array_reserve((void **)&p->vertices, &p->vertex_capacity, p->vertex_count + 1, sizeof v);
    p->vertices[p->vertex_count] = v;
    return (uint32_t)p->vertex_count++;
}

void primitive_triangle(built_primitive *p, uint32_t a, uint32_t b, uint32_t c)
{
    array_reserve((void **)&p->indices, &p->index_capacity, p->index_count + 3, sizeof a);
    p->indices[p->index_count++] = a;
    p->indices[p->index_count++] = b;
    p->indices[p->index_count++] = c;
}

built_vertex vertex_at(dvec3 position, dvec3 normal, double u, double v)
{
    return (built_vertex){
        .position = {(float)position.x, (float)position.y, (float)position.z},
        .normal = {(float)normal.x, (float)normal.y, (float)normal.z},
        .tangent = {1.0f, 0.0f, 0.0f, 1.0f},
        .uv = {(float)u, (float)v},
        .color = {1.0f, 1.0f, 1.0f, 1.0f},
        .weights = {1.0f},
    };
}

void primitive_tangents(built_primitive *p, bool v_up)
{
    dvec3 *along_u = checked_alloc(p->vertex_count, sizeof *along_u);
    dvec3 *along_v = checked_alloc(p->vertex_count, sizeof *along_v);
    for (size_t i = 0; i + 2 < p->index_count; i += 3) {
        const built_vertex *t[3];
        for (int k = 0; k < 3; k++)
            t[k] = &p->vertices[p->indices[i + (size_t)k]];
        const dvec3 e1 =
            dvec3_sub(dvec3_from_floats(t[1]->position), dvec3_from_floats(t[0]->position));
        const dvec3 e2 =
            dvec3_sub(dvec3_from_floats(t[2]->position), dvec3_from_floats(t[0]->position));
        const double du1 = (double)t[1]->uv[0] - (double)t[0]->uv[0];
        const double du2 = (double)t[2]->uv[0] - (double)t[0]->uv[0];
        const double dv1 = (double)t[1]->uv[1] - (double)t[0]->uv[1];
        const double dv2 = (double)t[2]->uv[1] - (double)t[0]->uv[1];
        const double area = du1 * dv2 - du2 * dv1;
        if (area == 0.0)
            continue;
        // Only the sign of the uv area is kept: larger triangles weigh more, stretched ones do not.
        const double sign = area < 0.0 ? -1.0 : 1.0;
        const dvec3 du = dvec3_sub(dvec3_scale(e1, dv2 * sign), dvec3_scale(e2, dv1 * sign));
        const dvec3 dv = dvec3_sub(dvec3_scale(e2, du1 * sign), dvec3_scale(e1, du2 * sign));
        for (int k = 0; k < 3; k++) {
            const uint32_t at = p->indices[i + (size_t)k];
            along_u[at] = dvec3_add(along_u[at], du);
            along_v[at] = dvec3_add(along_v[at], dv);
        }
    }
    for (size_t i = 0; i < p->vertex_count; i++) {
        built_vertex *v = &p->vertices[i];
        const dvec3 n = dvec3_from_floats(v->normal);
        dvec3 t = v3_mad(along_u[i], n, -dvec3_dot(n, along_u[i]));
        if (dvec3_dot(t, t) < 1e-24) // no uv gradient: any tangent of the surface
            t = dvec3_cross(n, fabs(n.y) < 0.9 ? v3(0.0, 1.0, 0.0) : v3(1.0, 0.0, 0.0));
        t = v3_unit(t);
        const bool follows_v = dvec3_dot(dvec3_cross(n, t), along_v[i]) >= 0.0;
        dvec3_to_floats(t, v->tangent);
        v->tangent[3] = follows_v != v_up ? 1.0f : -1.0f;
    }
    free(along_u);
    free(along_v);
}

int new_target(built_model *model, const char *name)
{
    const int index = next_index(&model->target_count, MAX_TARGETS, "too many morph targets");
    snprintf(model->targets[index], sizeof model->targets[index], "%s", name);
    return index;
}

// A normal is transformed by the cofactors of the shape's derivative: (b x c, c x a, a x b).
static dvec3 turned_normal(target_shape shape, dvec3 at, dvec3 normal)
{
    const double step = 0.00048828125; // 2^-11
    dvec3 column[3];
    float color[4] = {0};
    for (int k = 0; k < 3; k++) {
        const dvec3 along = v3(k == 0 ? step : 0.0, k == 1 ? step : 0.0, k == 2 ? step : 0.0);
        column[k] = dvec3_scale(
            dvec3_sub(shape(dvec3_add(at, along), color), shape(dvec3_sub(at, along), color)),
            0.5 / step);
    }
    const dvec3 yz = dvec3_cross(column[1], column[2]), zx = dvec3_cross(column[2], column[0]),
                xy = dvec3_cross(column[0], column[1]);
    return v3_unit(v3_mad(v3_mad(dvec3_scale(yz, normal.x), zx, normal.y), xy, normal.z));
}

built_vertex *primitive_target_vertices(built_primitive *p, int target)
{
    built_vertex *out = checked_alloc(p->vertex_count, sizeof *out);
    memcpy(out, p->vertices, p->vertex_count * sizeof *out);
    p->targets[target] = out;
    return out;
}

void primitive_target(built_primitive *p, int target, target_shape shape)
{
    built_vertex *out = primitive_target_vertices(p, target);
    for (size_t i = 0; i < p->vertex_count; i++) {
        const dvec3 at = dvec3_from_floats(p->vertices[i].position);
        const dvec3 to = shape(at, out[i].color);
        if (to.x == at.x && to.y == at.y && to.z == at.z)
            continue; // unchanged: add no rounding error
        const dvec3 n = turned_normal(shape, at, dvec3_from_floats(p->vertices[i].normal));
        dvec3_to_floats(to, out[i].position);
        dvec3_to_floats(n, out[i].normal);
    }
}

void primitive_reshape(built_primitive *p, target_shape shape)
{
    primitive_target(p, 0, shape);
    memcpy(p->vertices, p->targets[0], p->vertex_count * sizeof *p->vertices);
}
