// SPDX-License-Identifier: MIT
/// Writes the text of an .m3d. Numbers have nine significant digits, so that every float reads back
/// exactly. Format: Luna, Introduction to 3D Game Programming with DirectX 12, chapter 23.
#include "convert/m3d_builder.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 16, PUT_SIZE_MAX = 512 };

typedef struct text_out {
    m3d_builder *m;
    output_file *file;
    char *text; ///< [BUFFER_SIZE]
    size_t length;
    zt_result result; ///< of the first failure
} text_out;

static void flush(text_out *out)
{
    if (out->result == ZT_OK)
        out->result = output_write(out->file, out->text, out->length, out->m->job->err);
    out->length = 0;
}

/// Appends formatted text of less than PUT_SIZE_MAX bytes.
ZT_PRINTF(2, 3) static void put(text_out *out, const char *format, ...)
{
    va_list arguments;
    if (out->length + PUT_SIZE_MAX > BUFFER_SIZE)
        flush(out);
    if (out->result != ZT_OK)
        return; // what follows is not written
    va_start(arguments, format);
    const int length = vsnprintf(out->text + out->length, PUT_SIZE_MAX, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= PUT_SIZE_MAX)
        out->result = zt_fail(out->m->job->err, ZT_ERR_LIMIT, "%s: a line is longer than %d bytes",
                              out->m->job->out_path, PUT_SIZE_MAX - 1);
    else
        out->length += (size_t)length;
}

static void put_floats(text_out *out, const char *label, const float *values, size_t count)
{
    put(out, "%s", label);
    for (size_t i = 0; i < count && out->result == ZT_OK; i++) {
        char number[32];
        if (!(fabsf(values[i]) <= FLT_MAX) && out->result == ZT_OK)
            out->result = zt_fail(out->m->job->err, ZT_ERR_LIMIT,
                                  "%s: a transformed vertex exceeds the range of a float",
                                  out->m->job->out_path);
        snprintf(number, sizeof number, "%.9g", (double)values[i]);
        for (char *c = number; *c; c++) // the locale may have a decimal comma
            if (*c == ',')
                *c = '.';
        put(out, "%s%s", i > 0 || *label ? " " : "", number);
    }
}

/// Makes a name that the format can store: one line, no character that ends it; else `fallback`.
static void clean_name(const char *name, const char *fallback, char out[128])
{
    size_t length = 0;
    for (; *name && length < 127; name++) {
        const unsigned char c = (unsigned char)*name;
        const bool bad = c < 0x20 || c == 0x7f || strchr("{}*:", c);
        if (length > 0 || c != ' ')
            out[length++] = bad ? '_' : (char)c;
    }
    while (length > 0 && out[length - 1] == ' ')
        length--;
    out[length] = 0;
    if (length == 0)
        snprintf(out, 128, "%s", fallback);
}

// The model faces +Z, and the front of an .m3d is at -z of the file: it is turned by 180 degrees
// about y, which negates x and z, or, where readers will mirror z, mirrored, which negates z only.

static float negated(float x) { return 0.0f - x; }

/// For an x coordinate.
static float file_x(const m3d_builder *m, float x) { return m->mirrored ? x : negated(x); }

static void put_header(text_out *out)
{
    const m3d_builder *m = out->m;
    put(out, "***************m3d-File-Header***************\n");
    put(out, "#Materials %u\n#Vertices %u\n", m->subset_count, m->vertex_count);
    put(out, "#Triangles %u\n#Bones %u\n", m->triangle_count, m->bone_count);
    put(out, "#AnimationClips %u\n\n***************Materials*********************\n",
        m->bone_count > 0 ? m->clip_count : 0);
    for (uint32_t i = 0; i < m->subset_count; i++) {
        const m3d_out_subset *s = &m->subsets[i];
        const model_material *from = &m->model->materials[s->material];
        const m3d_out_material book = m3d_builder_material(m, from);
        char name[128], number[32];
        snprintf(number, sizeof number, "material%u", i);
        clean_name(from->name, number, name);
        put(out, "Name: %s\n", name);
        put_floats(out, "Diffuse:", book.diffuse, 3);
        put_floats(out, "\nFresnel0:", book.fresnel0, 3);
        put_floats(out, "\nRoughness:", &book.roughness, 1);
        put(out, "\nAlphaClip: %d\nMaterialTypeName: %s\n", book.alpha_clip,
            m->bone_count > 0 ? "Skinned" : "Static");
        put(out, "DiffuseMap: %s\n", s->diffuse_map); // each nearly as long as a piece may be
        put(out, "NormalMap: %s\n\n", s->normal_map);
    }
    put(out, "***************SubsetTable*******************\n");
    for (uint32_t i = 0; i < m->subset_count; i++) {
        const m3d_out_subset *s = &m->subsets[i];
        put(out, "SubsetID: %u VertexStart: %u VertexCount: %u FaceStart: %u FaceCount: %u\n", i,
            s->vertex_start, s->vertex_count, s->face_start, s->face_count);
    }
}

static void put_vertices(text_out *out)
{
    const m3d_builder *m = out->m;
    put(out, "\n***************Vertices**********************\n");
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        const m3d_out_vertex *v = &m->vertices[i];
        const vertex_attributes *a = &v->attributes;
        const float position[3] = {file_x(m, v->position.x), v->position.y, negated(v->position.z)};
        const float tangent[4] = {file_x(m, a->tx), a->ty, negated(a->tz),
                                  m->mirrored ? negated(v->tangent_w) : v->tangent_w};
        const float normal[3] = {file_x(m, a->nx), a->ny, negated(a->nz)};
        const float uv[2] = {a->u, a->v};
        put_floats(out, "Position:", position, 3);
        put_floats(out, "\nTangent:", tangent, 4);
        put_floats(out, "\nNormal:", normal, 3);
        put_floats(out, "\nTex-Coords:", uv, 2);
        if (m->bone_count > 0) {
            put_floats(out, "\nBlendWeights:", v->weight, 4);
            put(out, "\nBlendIndices: %u %u %u %u", v->bone[0], v->bone[1], v->bone[2], v->bone[3]);
        }
        put(out, "\n\n");
    }
    put(out, "***************Triangles*********************\n");
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *c = &m->corners[3 * i];
        put(out, "%u %u %u\n", c[0], c[1], c[2]);
    }
}

static void put_bones(text_out *out)
{
    const m3d_builder *m = out->m;
    put(out, "\n***************BoneOffsets*******************\n");
    for (uint32_t i = 0; i < m->bone_count; i++) {
        float offset[16];
        memcpy(offset, m->bones[i].offset, sizeof offset);
        for (size_t k = 0; k < 16; k++) {
            const bool from = k / 4 == 2 || (!m->mirrored && k / 4 == 0);
            const bool to = k % 4 == 2 || (!m->mirrored && k % 4 == 0);
            offset[k] = from != to ? negated(offset[k]) : offset[k];
        }
        put(out, "BoneOffset%u ", i);
        put_floats(out, "", offset, 16); // columns of column vectors are rows of row vectors
        put(out, "\n");
    }
    put(out, "\n***************BoneHierarchy*****************\n");
    for (uint32_t i = 0; i < m->bone_count; i++)
        put(out, "ParentIndexOfBone%u: %d\n", i, m->bones[i].parent);
}

static void put_key(text_out *out, const m3d_out_key *key)
{
    const m3d_builder *m = out->m;
    const trs *p = &key->pose;
    const float position[3] = {file_x(m, p->t[0]), p->t[1], negated(p->t[2])};
    const float rotation[4] = {negated(p->r[0]), m->mirrored ? negated(p->r[1]) : p->r[1],
                               m->mirrored ? p->r[2] : negated(p->r[2]), p->r[3]};
    put_floats(out, "\t\tTime:", &key->time_s, 1);
    put_floats(out, " Pos:", position, 3);
    put_floats(out, " Scale:", p->s, 3);
    put_floats(out, " Quat:", rotation, 4);
    put(out, "\n");
}

static zt_result put_clip(text_out *out, uint32_t index, arena *a)
{
    m3d_builder *m = out->m;
    static const model_clip rest = {.name = "rest"};
    const model_clip *clip =
        m->clips[index] == M3D_REST_CLIP ? &rest : &m->model->clips[m->clips[index]];
    const model_channel **by_node =
        ARENA_ARRAY(a, const model_channel *, 3 * (size_t)m->model->node_count);
    char name[128], number[32];
    if (!by_node)
        return arena_fail(a, m->job->err, "channels");
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].path != MODEL_WEIGHTS)
            by_node[3 * (size_t)clip->channels[i].node + clip->channels[i].path] =
                &clip->channels[i];
    snprintf(number, sizeof number, "clip%u", index);
    clean_name(clip->name, number, name);
    put(out, "AnimationClip %s\n{\n", name);
    for (uint32_t i = 0; i < m->bone_count && out->result == ZT_OK; i++) {
        m3d_out_keys keys;
        ZT_TRY(m3d_builder_keys(m, clip, by_node, i, a, &keys));
        put(out, "\tBone%u #Keyframes: %u\n\t{\n", i, keys.count);
        for (uint32_t k = 0; k < keys.count; k++)
            put_key(out, &keys.key[k]);
        put(out, "\t}\n\n");
    }
    put(out, "}\n");
    return m3d_builder_report_clip(m, clip);
}

static zt_result put_clips(text_out *out)
{
    arena a;
    zt_result result = ZT_OK;
    arena_init(&a, out->m->job->a->budget);
    put(out, "\n***************AnimationClips****************\n");
    for (uint32_t i = 0; i < out->m->clip_count && result == ZT_OK; i++) {
        result = put_clip(out, i, &a);
        arena_reset(&a);
    }
    arena_finish(&a);
    return result;
}

zt_result m3d_builder_write(m3d_builder *m)
{
    text_out out = {.m = m, .text = ARENA_ARRAY_RAW(m->job->a, char, BUFFER_SIZE)};
    if (!out.text)
        return arena_fail(m->job->a, m->job->err, "text");
    ZT_TRY(output_open(&m->job->files, m->job->a, m->job->out_path, &out.file, m->job->err));
    put_header(&out);
    put_vertices(&out);
    if (m->bone_count > 0) {
        put_bones(&out);
        ZT_TRY(put_clips(&out));
    }
    flush(&out);
    return out.result;
}
