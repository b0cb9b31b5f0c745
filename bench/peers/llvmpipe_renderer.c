// SPDX-License-Identifier: MIT
// One vertex buffer, one index buffer and one palette a draw; one program a material. Everything
// that does not change from frame to frame is uploaded once.
#include "llvmpipe_renderer.h"

#include "llvmpipe_shaders.h"

#include <GLES3/gl31.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gpu_draw {
    GLuint array, vertices, indices, palette;
    GLuint *programs; ///< of each run: skinning and material together
    GLuint shadow_program;
} gpu_draw;

struct llvmpipe_renderer {
    const peer_scene *scene;
    bool encode;
    GLuint drawn, drawn_color, drawn_depth; ///< framebuffer that is drawn into
    GLuint resolved, resolved_color;        ///< and the one that is read; the same with one sample
    GLuint *textures;
    gpu_draw *draws;
    GLuint cube, irradiance, shadow_map, shadow_framebuffer; ///< 0: the scene has none
};

enum {
    UNIT_CUBE = PEER_MAPS,
    UNIT_IRRADIANCE,
    UNIT_SHADOW
}; ///< texture units after those of the maps

static const char *const map_names[PEER_MAPS] = {
    [PEER_BASE] = "map_base",         [PEER_METAL_ROUGH] = "map_metal_rough",
    [PEER_NORMAL] = "map_normal",     [PEER_OCCLUSION] = "map_occlusion",
    [PEER_EMISSIVE] = "map_emissive",
};
static const char *const map_macros[PEER_MAPS] = {
    [PEER_BASE] = "#define MAP_BASE\n",         [PEER_METAL_ROUGH] = "#define MAP_METAL_ROUGH\n",
    [PEER_NORMAL] = "#define MAP_NORMAL\n",     [PEER_OCCLUSION] = "#define MAP_OCCLUSION\n",
    [PEER_EMISSIVE] = "#define MAP_EMISSIVE\n",
};

static GLuint compile(GLenum kind, const char *macros, const char *const part[3])
{
    const char *source[] = {"#version 310 es\nprecision highp float;\nprecision highp sampler2D;\n",
                            macros, part[0], part[1], part[2]};
    const GLuint shader = glCreateShader(kind);
    GLint done = 0;
    glShaderSource(shader, 5, source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done)
        return shader;
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fprintf(stderr, "llvmpipe: a shader does not compile: %s\n", log);
    return 0;
}

static GLuint program_link(const char *macros, const char *const fragment_parts[3])
{
    const char *const vertex_parts[3] = {llvmpipe_vertex_shader, "", ""};
    const GLuint vertex = compile(GL_VERTEX_SHADER, macros, vertex_parts);
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, macros, fragment_parts);
    if (!vertex || !fragment)
        return 0;
    const GLuint program = glCreateProgram();
    GLint done = 0;
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (!done)
        fprintf(stderr, "llvmpipe: a program does not link\n");
    return done ? program : 0;
}

static GLuint program_build(const llvmpipe_renderer *r, const peer_draw *draw,
                            const peer_material *m)
{
    char macros[640];
    int at = snprintf(macros, sizeof macros,
                      "#define MATRICES %u\n#define LIGHTS %d\n#define CUBE_LEVELS %d\n",
                      (unsigned)draw->matrix_count, (int)r->scene->light_count, PEER_CUBE_LEVELS);
    const char *parts[PEER_MAPS + 7] = {NULL};
    int count = 0;
    for (int i = 0; i < PEER_MAPS; i++)
        if (m->map[i] >= 0)
            parts[count++] = map_macros[i];
    if (count > 0)
        parts[count++] = "#define USES_UV\n";
    if (draw->skinned)
        parts[count++] = "#define SKINNED\n";
    if (m->double_sided)
        parts[count++] = "#define DOUBLE_SIDED\n";
    if (m->unlit)
        parts[count++] = "#define UNLIT\n";
    if (r->encode)
        parts[count++] = "#define ENCODE\n";
    if (r->scene->has_cube)
        parts[count++] = "#define ENVIRONMENT\n";
    if (r->scene->shadow.width > 0)
        parts[count++] = "#define SHADOW\n";
    for (int i = 0; i < count; i++)
        at += snprintf(macros + at, sizeof macros - (size_t)at, "%s", parts[i]);
    const char *const fragment[3] = {llvmpipe_fragment_functions, llvmpipe_light_functions,
                                     llvmpipe_fragment_main};
    return program_link(macros, fragment);
}

/// The program that draws into the shadow map.
static GLuint shadow_program_build(const peer_draw *draw)
{
    char macros[80];
    snprintf(macros, sizeof macros, "#define MATRICES %u\n%s", (unsigned)draw->matrix_count,
             draw->skinned ? "#define SKINNED\n" : "");
    const char *const fragment[3] = {"", "", llvmpipe_shadow_main};
    return program_link(macros, fragment);
}

static GLint uniform(GLuint program, const char *name)
{
    return glGetUniformLocation(program, name);
}

static float srgb_encode(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

static void palette_bind(GLuint program)
{
    const GLuint block = glGetUniformBlockIndex(program, "Palette");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, 0);
}

/// Uniforms of a program that no frame changes.
static void program_constants(const llvmpipe_renderer *r, GLuint program, const peer_material *m)
{
    float emissive[3] = {m->emissive[0], m->emissive[1], m->emissive[2]};
    for (int i = 0; i < 3 && m->unlit && r->encode; i++)
        emissive[i] = srgb_encode(emissive[i]);
    glUseProgram(program);
    glUniform3fv(uniform(program, "base_color"), 1, m->base_color);
    glUniform3fv(uniform(program, "dielectric_f0"), 1, m->f0);
    glUniform3fv(uniform(program, "emissive"), 1, emissive);
    glUniform1f(uniform(program, "metallic"), m->metallic);
    glUniform1f(uniform(program, "roughness"), m->roughness);
    glUniform1f(uniform(program, "normal_scale"), m->normal_scale);
    glUniform1f(uniform(program, "occlusion_strength"), m->occlusion_strength);
    glUniform1f(uniform(program, "exposure"), r->scene->exposure);
    for (int i = 0; i < PEER_MAPS; i++)
        if (m->map[i] >= 0)
            glUniform1i(uniform(program, map_names[i]), i);
    const peer_shadow *shadow = &r->scene->shadow;
    glUniform1i(uniform(program, "environment"), UNIT_CUBE);
    glUniform1i(uniform(program, "irradiance"), UNIT_IRRADIANCE);
    glUniform1i(uniform(program, "shadow_map"), UNIT_SHADOW);
    glUniformMatrix4fv(uniform(program, "shadow_from_world"), 1, GL_FALSE, shadow->clip_from_world);
    glUniform2f(uniform(program, "shadow_size"), (float)shadow->width, (float)shadow->height);
    glUniform1f(uniform(program, "shadow_texel_m"), shadow->texel_m);
    palette_bind(program);
}

static GLuint cube_start(GLenum unit, int levels, GLsizei side)
{
    GLuint name;
    glGenTextures(1, &name);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_CUBE_MAP, name);
    glTexStorage2D(GL_TEXTURE_CUBE_MAP, levels, GL_RGB16F, side, side);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER,
                    levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return name;
}

static void face_upload(int face, int level, GLsizei side, const float *rgb)
{
    glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, level, 0, 0, side, side, GL_RGB,
                    GL_FLOAT, rgb);
}

static void cube_upload(llvmpipe_renderer *r)
{
    const peer_cube *cube = &r->scene->cube;
    r->cube = cube_start(UNIT_CUBE, PEER_CUBE_LEVELS, PEER_CUBE_SIDE);
    for (int level = 0; level < PEER_CUBE_LEVELS; level++)
        for (int face = 0; face < 6; face++)
            face_upload(face, level, PEER_CUBE_SIDE >> level, cube->rgb[level][face]);
    r->irradiance = cube_start(UNIT_IRRADIANCE, 1, PEER_IRRADIANCE_SIDE);
    for (int face = 0; face < 6; face++)
        face_upload(face, 0, PEER_IRRADIANCE_SIDE, cube->irradiance[face]);
}

static bool shadow_build(llvmpipe_renderer *r)
{
    glGenTextures(1, &r->shadow_map);
    glActiveTexture(GL_TEXTURE0 + UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, r->shadow_map);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, r->scene->shadow.width,
                   r->scene->shadow.height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &r->shadow_framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_map, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
        return true;
    fprintf(stderr, "llvmpipe: no shadow map\n");
    return false;
}

static void texture_upload(const peer_texture *t, GLuint name)
{
    static const GLint wraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
    static const GLint mipped[2][2] = {{GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_NEAREST},
                                       {GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST_MIPMAP_NEAREST}};
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, t->level_count, t->srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, t->width[0],
                   t->height[0]);
    for (int32_t i = 0; i < t->level_count; i++)
        glTexSubImage2D(GL_TEXTURE_2D, i, 0, 0, t->width[i], t->height[i], GL_RGBA,
                        GL_UNSIGNED_BYTE, t->rgba8[i]);
    const GLint plain = t->nearest_min ? GL_NEAREST : GL_LINEAR;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    t->mipped ? mipped[t->nearest_min][t->nearest_mip] : plain);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, t->nearest_mag ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[t->wrap[0]]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[t->wrap[1]]);
}

static void attribute(GLuint location, GLint size, size_t offset)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, sizeof(peer_vertex),
                          (const void *)offset);
}

static bool draw_upload(const llvmpipe_renderer *r, const peer_draw *from, gpu_draw *out)
{
    glGenVertexArrays(1, &out->array);
    glGenBuffers(1, &out->vertices);
    glGenBuffers(1, &out->indices);
    glGenBuffers(1, &out->palette);
    glBindVertexArray(out->array);
    glBindBuffer(GL_ARRAY_BUFFER, out->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(from->vertex_count * sizeof(peer_vertex)),
                 from->vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(from->index_count * sizeof(uint32_t)),
                 from->indices, GL_STATIC_DRAW);
    attribute(0, 3, offsetof(peer_vertex, position));
    attribute(1, 3, offsetof(peer_vertex, normal));
    attribute(2, 4, offsetof(peer_vertex, tangent));
    attribute(3, 2, offsetof(peer_vertex, uv));
    attribute(4, 4, offsetof(peer_vertex, weight));
    glEnableVertexAttribArray(5);
    glVertexAttribIPointer(5, 4, GL_UNSIGNED_SHORT, sizeof(peer_vertex),
                           (const void *)offsetof(peer_vertex, joint));
    glBindBuffer(GL_UNIFORM_BUFFER, out->palette);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)from->matrix_count * 64, NULL, GL_STREAM_DRAW);
    out->programs = calloc(from->run_count ? from->run_count : 1, sizeof *out->programs);
    for (uint32_t i = 0; out->programs && i < from->run_count; i++) {
        const peer_material *m = &r->scene->materials[from->runs[i].material];
        out->programs[i] = program_build(r, from, m);
        if (!out->programs[i])
            return false;
        program_constants(r, out->programs[i], m);
    }
    if (r->scene->shadow.width > 0) {
        out->shadow_program = shadow_program_build(from);
        if (!out->shadow_program)
            return false;
        palette_bind(out->shadow_program);
    }
    return out->programs != NULL;
}

static GLuint color_buffer(GLuint framebuffer, GLenum format, GLsizei samples, const peer_scene *s)
{
    GLuint name;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    if (samples > 1)
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, s->width, s->height);
    else
        glRenderbufferStorage(GL_RENDERBUFFER, format, s->width, s->height);
    glFramebufferRenderbuffer(
        GL_FRAMEBUFFER, format == GL_DEPTH_COMPONENT24 ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
        GL_RENDERBUFFER, name);
    return name;
}

static bool framebuffers_build(llvmpipe_renderer *r)
{
    const GLenum color = r->encode ? GL_RGBA8 : GL_SRGB8_ALPHA8;
    const GLsizei samples = r->scene->samples;
    glGenFramebuffers(1, &r->drawn);
    r->drawn_color = color_buffer(r->drawn, color, samples, r->scene);
    r->drawn_depth = color_buffer(r->drawn, GL_DEPTH_COMPONENT24, samples, r->scene);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        fprintf(stderr, "llvmpipe: no framebuffer of %d samples\n", (int)samples);
        return false;
    }
    r->resolved = r->drawn;
    if (samples > 1) {
        glGenFramebuffers(1, &r->resolved);
        r->resolved_color = color_buffer(r->resolved, color, 1, r->scene);
    }
    return true;
}

llvmpipe_renderer *llvmpipe_renderer_create(const peer_scene *scene, bool encode)
{
    llvmpipe_renderer *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->scene = scene;
    r->encode = encode;
    r->textures = calloc(scene->texture_count + 1, sizeof *r->textures);
    r->draws = calloc(scene->draw_count + 1, sizeof *r->draws);
    bool ok = r->textures && r->draws && framebuffers_build(r);
    if (ok && scene->has_cube)
        cube_upload(r);
    if (ok && scene->shadow.width > 0)
        ok = shadow_build(r);
    glActiveTexture(GL_TEXTURE0);
    if (ok && scene->texture_count > 0)
        glGenTextures((GLsizei)scene->texture_count, r->textures);
    for (uint32_t i = 0; ok && i < scene->texture_count; i++)
        texture_upload(&scene->textures[i], r->textures[i]);
    for (uint32_t i = 0; ok && i < scene->draw_count; i++)
        ok = draw_upload(r, &scene->draws[i], &r->draws[i]);
    if (ok && glGetError() != GL_NO_ERROR) {
        fprintf(stderr, "llvmpipe: the scene could not be uploaded\n");
        ok = false;
    }
    if (ok)
        return r;
    llvmpipe_renderer_destroy(r);
    return NULL;
}

static void frame_uniforms(const llvmpipe_renderer *r, GLuint program, const peer_frame *frame)
{
    glUniformMatrix4fv(uniform(program, "clip_from_world"), 1, GL_FALSE, frame->clip_from_world);
    glUniform3fv(uniform(program, "eye"), 1, frame->eye);
    glUniform3fv(uniform(program, "sky"), 1, frame->sky);
    glUniform3fv(uniform(program, "ground"), 1, frame->ground);
    float to_light[PEER_LIGHTS][3], radiance[PEER_LIGHTS][3];
    for (int32_t i = 0; i < r->scene->light_count; i++)
        for (int k = 0; k < 3; k++) {
            to_light[i][k] = frame->lights[i].to_light[k];
            radiance[i][k] = frame->lights[i].radiance[k];
        }
    if (r->scene->light_count > 0) {
        glUniform3fv(uniform(program, "to_light"), r->scene->light_count, to_light[0]);
        glUniform3fv(uniform(program, "radiance"), r->scene->light_count, radiance[0]);
    }
}

static void draw_runs(const llvmpipe_renderer *r, uint32_t index, const peer_frame *frame)
{
    const peer_draw *draw = &r->scene->draws[index];
    const gpu_draw *gpu = &r->draws[index];
    glBindVertexArray(gpu->array);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gpu->palette);
    // y points down in our clip space, so what is counter-clockwise in the world is clockwise here.
    glFrontFace(draw->mirrored ? GL_CCW : GL_CW);
    for (uint32_t i = 0; i < draw->run_count; i++) {
        const peer_run *run = &draw->runs[i];
        const peer_material *m = &r->scene->materials[run->material];
        (m->double_sided ? glDisable : glEnable)(GL_CULL_FACE);
        glUseProgram(gpu->programs[i]);
        frame_uniforms(r, gpu->programs[i], frame);
        for (int k = 0; k < PEER_MAPS; k++)
            if (m->map[k] >= 0) {
                glActiveTexture(GL_TEXTURE0 + (GLenum)k);
                glBindTexture(GL_TEXTURE_2D, r->textures[m->map[k]]);
            }
        glDrawElements(GL_TRIANGLES, (GLsizei)run->index_count, GL_UNSIGNED_INT,
                       (const void *)(run->first_index * sizeof(uint32_t)));
    }
}

static void palettes_upload(const llvmpipe_renderer *r, const peer_frame *frame)
{
    for (uint32_t i = 0; i < r->scene->draw_count; i++) {
        glBindBuffer(GL_UNIFORM_BUFFER, r->draws[i].palette);
        glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)r->scene->draws[i].matrix_count * 64,
                        frame->palette[i]);
    }
}

static void shadow_draw(const llvmpipe_renderer *r)
{
    const peer_shadow *shadow = &r->scene->shadow;
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_framebuffer);
    glViewport(0, 0, shadow->width, shadow->height);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_CULL_FACE); // as ours: both sides cast shadows
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(2.0f, 2.0f);
    for (uint32_t i = 0; i < r->scene->draw_count; i++) {
        const GLuint program = r->draws[i].shadow_program;
        glUseProgram(program);
        glUniformMatrix4fv(uniform(program, "clip_from_world"), 1, GL_FALSE,
                           shadow->clip_from_world);
        glBindVertexArray(r->draws[i].array);
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->draws[i].palette);
        glDrawElements(GL_TRIANGLES, (GLsizei)r->scene->draws[i].index_count, GL_UNSIGNED_INT,
                       NULL);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

void llvmpipe_render(llvmpipe_renderer *r, const peer_frame *frame, uint8_t *pixels)
{
    const peer_scene *s = r->scene;
    palettes_upload(r, frame);
    if (r->shadow_framebuffer)
        shadow_draw(r);
    float clear[3];
    for (int i = 0; i < 3; i++)
        clear[i] = r->encode ? srgb_encode(s->background[i]) : s->background[i];
    glBindFramebuffer(GL_FRAMEBUFFER, r->drawn);
    glViewport(0, 0, s->width, s->height);
    glEnable(GL_DEPTH_TEST);
    glClearColor(clear[0], clear[1], clear[2], 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (uint32_t i = 0; i < s->draw_count; i++)
        draw_runs(r, i, frame);
    if (r->resolved != r->drawn) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, r->drawn);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->resolved);
        glBlitFramebuffer(0, 0, s->width, s->height, 0, 0, s->width, s->height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, r->resolved);
    }
    glReadPixels(0, 0, s->width, s->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glFinish();
}

void llvmpipe_renderer_destroy(llvmpipe_renderer *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; r->draws && i < r->scene->draw_count; i++) {
        for (uint32_t k = 0; r->draws[i].programs && k < r->scene->draws[i].run_count; k++)
            glDeleteProgram(r->draws[i].programs[k]);
        free(r->draws[i].programs);
        glDeleteVertexArrays(1, &r->draws[i].array);
        glDeleteBuffers(1, &r->draws[i].vertices);
        glDeleteBuffers(1, &r->draws[i].indices);
        glDeleteBuffers(1, &r->draws[i].palette);
    }
    if (r->textures)
        glDeleteTextures((GLsizei)r->scene->texture_count, r->textures);
    if (r->resolved != r->drawn)
        glDeleteFramebuffers(1, &r->resolved);
    glDeleteFramebuffers(1, &r->drawn);
    glDeleteRenderbuffers(1, &r->drawn_color);
    glDeleteRenderbuffers(1, &r->drawn_depth);
    glDeleteRenderbuffers(1, &r->resolved_color);
    free(r->textures);
    free(r->draws);
    free(r);
}
