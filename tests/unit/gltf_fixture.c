// SPDX-License-Identifier: MIT
#include "gltf_fixture.h"

#include "glb.h"
#include "gltf/gltf.h"
#include "test_memory.h"

#include <stdarg.h>

static void collect(void *user, zt_severity severity, const char *text)
{
    gltf_case *c = user;
    const size_t used = strlen(c->messages);
    (void)severity;
    snprintf(c->messages + used, sizeof c->messages - used, "%s\n", text);
}

static void start(gltf_case *c)
{
    gltf_case_finish(c);
    budget_init(&c->budget, c->memory ? c->memory : (uint64_t)256 << 20, NULL);
    arena_init(&c->scratch, &c->budget);
    memset(&c->model, 0, sizeof c->model);
    arena_init(&c->model.arena, &c->budget);
    memset(&c->err, 0, sizeof c->err);
    c->messages[0] = 0;
}

static void read_bytes(gltf_case *c, const char *path, file_bytes bytes)
{
    OWN_POOL *pool;
    c->result = job_pool_create_optional(&c->budget, c->threads, &pool, &c->err);
    cr_assert_eq(c->result, ZT_OK);
    const model_source source = {.path = path,
                                 .root_length = path_folder_length(path),
                                 .bytes = bytes,
                                 .variant = c->variant,
                                 .pool = pool,
                                 .joined_maps = c->joined_maps,
                                 .first_person = c->first_person,
                                 .only_triangles = c->only_triangles,
                                 .sink = {collect, c, c->strict}};
    c->result = gltf_read(&source, &c->model, &c->scratch, &c->err);
    if (c->result == ZT_OK) {
        cr_assert_str_eq(c->model.path, path);
        return;
    }
    cr_assert(strlen(c->err.message) > 0, "an error without a message");
    cr_assert(strchr(c->err.message, '\n') == NULL, "an error of several lines");
    cr_assert(strncmp(c->err.message, path, strlen(path)) == 0, "'%s' does not begin with '%s'",
              c->err.message, path);
}

void gltf_case_load(gltf_case *c, const void *bytes, size_t size)
{
    start(c);
    // An exact copy, so that reading past it is seen.
    OWN_BLOCK uint8_t *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    copy[size] = 0;
    read_bytes(c, "test.glb", (file_bytes){copy, size});
}

void gltf_case_must(gltf_case *c, const char *json, const void *bin, size_t bin_size)
{
    gltf_case_json(c, json, bin, bin_size);
    MUST(c->result, c->err);
}

void gltf_case_print(gltf_case *c, const void *bin, size_t bin_size, const char *json, ...)
{
    char text[8192];
    va_list values;
    va_start(values, json);
    const int length = vsnprintf(text, sizeof text, json, values);
    va_end(values);
    cr_assert(length > 0 && length < (int)sizeof text);
    gltf_case_must(c, text, bin, bin_size);
}

uint32_t gltf_case_node(const gltf_case *c, const char *name)
{
    for (uint32_t i = 0; i < c->model.node_count; i++)
        if (strcmp(c->model.nodes[i].name, name) == 0)
            return i;
    cr_assert(false, "there is no node %s", name);
    return 0;
}

uint32_t gltf_corner(const model_mesh *mesh, uint32_t triangle, int k)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const meshlet *m = &mesh->meshlets[i];
        if (triangle < first + m->triangle_count) {
            const uint8_t local = mesh->meshlet_corner[k][m->triangle_first + triangle - first];
            return mesh->meshlet_vertex[m->vertex_first + local];
        }
        first += m->triangle_count;
    }
    cr_assert(false, "there is no triangle %u", triangle);
    return 0;
}

void gltf_case_file(gltf_case *c, const char *path)
{
    file_bytes bytes;
    start(c);
    c->result = file_read(&c->scratch, path, &bytes, &c->err);
    cr_assert(c->result == ZT_OK, "%s", c->err.message);
    read_bytes(c, path, bytes);
}

void gltf_case_json(gltf_case *c, const char *text, const void *bin, size_t bin_size)
{
    if (bin) {
        size_t size;
        OWN_BLOCK uint8_t *glb = glb_make(text, bin, bin_size, &size);
        gltf_case_load(c, glb, size);
        return;
    }
    OWN_BLOCK char *json = glb_json(text);
    gltf_case_load(c, json, strlen(json));
}

void gltf_case_finish(gltf_case *c)
{
    arena_finish(&c->model.arena);
    arena_finish(&c->scratch);
    cr_assert(c->budget.used == 0, "%llu bytes were not given back",
              (unsigned long long)c->budget.used);
}

void gltf_expect_error(const char *json, const void *bin, size_t bin_size, zt_result result,
                       const char *text)
{
    gltf_case c = {.strict = false};
    gltf_case_json(&c, json, bin, bin_size);
    cr_expect(c.result == result, "result %d (expected %d) for %.200s: %s", (int)c.result,
              (int)result, json, c.err.message);
    cr_expect(strstr(c.err.message, text) != NULL, "'%s' does not say '%s'", c.err.message, text);
    gltf_case_finish(&c);
}
