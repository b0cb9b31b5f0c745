// SPDX-License-Identifier: MIT
/// Materials of FBX. Those of physically based shaders have properties of their own, and the Phong
/// ones of all programs. Colours are linear, as Blender writes and reads them. Roughness of Phong
/// exponents is 1 - sqrt(n) / 10, and metalness is a reflection, as in Blender's io_scene_fbx: its
/// files come back as they went.
#include "base/maths.h"
#include "base/number.h"
#include "base/utf8.h"
#include "fbx/fbx_material_names.h"
#include "fbx/fbx_parts.h"
#include "model/single_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXTURE_DEPTH = 4, MAPS_OF_MATERIAL = 6 };

/// A picture inside of the file.
typedef struct embedded_video {
    const char *name; ///< that no other has
    uint32_t number;  ///< of the last one that says this name
    const fbx_node *content;
    file_bytes bytes; ///< decoded, once somebody has asked for them
} embedded_video;

typedef struct material_reader {
    fbx_file *f;
    file_textures textures;
    int32_t *below; ///< [object_count][TEXTURE_DEPTH] 2 + texture_below(); 0: not asked yet
    embedded_video *video;
    uint32_t video_count;
    hash_table videos; ///< by name
    bool *is_read;     ///< by link of a material
    bool from_blender;
    uint32_t number; ///< of the material at hand
    zt_error *err;
} material_reader;

/// The first of the properties that a material has itself; NULL: none.
static const char *own_name(const fbx_file *f, int32_t material, const name_list *list)
{
    for (int i = 0; i < NAMES && list->name[i]; i++)
        if (fbx_own_property(&f->scene, material, list->name[i]))
            return list->name[i];
    return NULL;
}

static double number_of(const fbx_file *f, int32_t material, const name_list *list, double fallback)
{
    const char *name = own_name(f, material, list);
    return name ? fbx_property_number(&f->scene, material, name, fallback) : fallback;
}

static float unit(double x) { return (float)maths_clamp(x, 0.0, 1.0); }

// ---- Textures -----------------------------------------------------------------------------------

/// The texture at or below an object: layers and shader nodes lead to one.
static int32_t texture_below(const material_reader *r, int32_t object, int depth)
{
    const fbx_scene *s = &r->f->scene;
    int32_t found = FBX_NONE;
    if (s->object[object].kind == FBX_TEXTURE)
        return object;
    if (s->object[object].kind != FBX_OTHER || depth == TEXTURE_DEPTH)
        return FBX_NONE;
    int32_t *known = &r->below[(size_t)object * TEXTURE_DEPTH + (size_t)depth];
    if (*known != 0)
        return *known - 2;
    const uint32_t first = s->first_link[object], end = s->first_link[object + 1];
    for (uint32_t i = first; i < end && found < 0; i++)
        found = texture_below(r, s->link[i].child, depth + 1);
    arena_count(s->a, end - first);
    *known = found + 2;
    return found;
}

/// The first map of a list. Others are not read, but for the same one under another name; maps of
/// weights only replace a number.
static int32_t map_of(const material_reader *r, int32_t material, const name_list *list)
{
    const fbx_scene *s = &r->f->scene;
    const uint32_t first = s->first_link[material], end = s->first_link[material + 1];
    int32_t found = FBX_NONE;
    for (int n = 0; n < NAMES && list->name[n]; n++) {
        for (uint32_t i = first; i < end; i++) {
            if (strcmp(s->link[i].name, list->name[n]) != 0)
                continue;
            const int32_t map = texture_below(r, s->link[i].child, 0);
            found = found < 0 ? map : found;
            r->is_read[i] = map == found && list != &weight_map;
        }
        arena_count(s->a, end - first);
    }
    return found;
}

/// A name without folders, if it leads out of the model's or begins at a root.
static const char *inside(const char *name)
{
    const bool outside = strstr(name, "..") || strchr(name, ':') || *name == '/' || *name == '\\';
    const char *base = name;
    for (const char *c = name; *c && outside; c++)
        if (*c == '/' || *c == '\\')
            base = c + 1;
    return base;
}

/// The name of a file that a texture or video says; "" for none.
static zt_result said_name(const material_reader *r, int32_t object, const char **out)
{
    const fbx_scene *s = &r->f->scene;
    static const char *const keys[] = {"RelativeFilename", "FileName", "Filename"};
    *out = s->object[object].made ? s->object[object].made : "";
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !**out; i++) {
        *out = fbx_text(s->tree, fbx_child(s->object[object].node, keys[i]), 0);
        if (!*out)
            return arena_fail(s->a, r->err, "a texture name");
    }
    s->object[object].made = *out = inside(*out);
    return ZT_OK;
}

/// The bytes that a video has; NULL: it is a file of its own.
static const fbx_node *content_of(const fbx_scene *s, int32_t video)
{
    const fbx_node *content = video >= 0 && s->object[video].kind == FBX_VIDEO
                                  ? fbx_child(s->object[video].node, "Content")
                                  : NULL;
    return content && content->value_count > 0 && content->value[0].kind == FBX_TEXT &&
                   content->value[0].count > 0
               ? content
               : NULL;
}

static uint32_t *video_slot(const material_reader *r, const char *name)
{
    return hash_table_text(&r->videos, r->video, sizeof *r->video, name);
}

/// Names a video with bytes. Of several with one name, later ones have a number.
static zt_result add_video(material_reader *r, int32_t object)
{
    const fbx_scene *s = &r->f->scene;
    const char *name;
    char *numbered = NULL;
    ZT_TRY(said_name(r, object, &name));
    const size_t size = strlen(name) + 16;
    uint32_t *slot = video_slot(r, name);
    embedded_video *first = *slot ? &r->video[*slot - 1] : NULL;
    if (first)
        ZT_TRY(ARENA_TAKE(s->a, &numbered, size, "a texture name", r->err));
    while (*slot != 0) {
        ZT_TRY(arena_work(s->a, size, "textures", r->err));
        snprintf(numbered, size, "%s (%u)", first->name, ++first->number);
        name = numbered;
        slot = video_slot(r, name);
    }
    r->video[r->video_count] =
        (embedded_video){.name = name, .number = 1, .content = content_of(s, object)};
    *slot = ++r->video_count;
    s->object[object].made = name;
    return arena_work(s->a, size, "textures", r->err);
}

static zt_result find_videos(material_reader *r)
{
    const fbx_scene *s = &r->f->scene;
    uint32_t count = 0;
    for (uint32_t i = 1; i < s->object_count; i++)
        count += s->object[i].kind == FBX_VIDEO;
    ZT_TRY(ARENA_TAKE(s->a, &r->video, count, "textures", r->err));
    if (!hash_table_init(&r->videos, s->a, count))
        return arena_fail(s->a, r->err, "textures");
    for (int32_t i = 1; i < (int32_t)s->object_count; i++)
        if (content_of(s, i))
            ZT_TRY(add_video(r, i));
    return ZT_OK;
}

/// The name by which a texture's picture is found, inside of this file or not; "" for -1.
static zt_result file_of(const material_reader *r, int32_t texture, const char **out)
{
    const fbx_scene *s = &r->f->scene;
    *out = "";
    if (texture < 0)
        return ZT_OK;
    const int32_t video =
        s->object[texture].made ? FBX_NONE : fbx_first_child(s, texture, FBX_VIDEO, NULL);
    ZT_TRY(said_name(r, content_of(s, video) ? video : texture, out));
    if (!**out && video >= 0)
        ZT_TRY(said_name(r, video, out));
    s->object[texture].made = *out;
    return arena_work(s->a, 16 + strlen(*out), "textures", r->err);
}

/// Content of a text file: base64 in one or several parts.
static zt_result decode_content(const fbx_tree *tree, const fbx_node *content, file_bytes *out,
                                zt_error *err)
{
    size_t size = 0;
    uint8_t *bytes;
    for (uint32_t i = 0; i < content->value_count; i++)
        size += content->value[i].kind == FBX_TEXT ? content->value[i].count : 0;
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &bytes, size, "a picture", err));
    ZT_TRY(arena_work(tree->a, size, "a picture", err));
    *out = (file_bytes){bytes, 0};
    for (uint32_t i = 0; i < content->value_count; i++) {
        const fbx_value *v = &content->value[i];
        for (size_t at = 0; v->kind == FBX_TEXT && at < v->count; at++) { // behind ends of parts
            at += base64_decode((const uint8_t *)v->bytes + at, v->count - at, bytes + out->size,
                                &size);
            out->size += size;
        }
    }
    return ZT_OK;
}

/// The bytes of the video of this name.
static zt_result find_embedded(void *user, const char *name, file_bytes *out, zt_error *err)
{
    const material_reader *r = user;
    const fbx_tree *tree = &r->f->tree;
    const uint32_t *slot = video_slot(r, name);
    if (*slot == 0)
        return ZT_OK;
    embedded_video *v = &r->video[*slot - 1];
    if (!tree->is_text)
        v->bytes = (file_bytes){v->content->value[0].bytes, v->content->value[0].count};
    else if (!v->bytes.data)
        ZT_TRY(decode_content(tree, v->content, &v->bytes, err));
    *out = v->bytes;
    return ZT_OK;
}

/// Where a texture lies on the surface: scaled about a pivot, turned about another, moved, after u
/// and v have changed places. v grows upwards in the file.
static void lay_out(const fbx_scene *s, int32_t texture, model_slot *slot)
{
    const dvec3 zero = {0.0, 0.0, 0.0}, one = {1.0, 1.0, 1.0};
    const fbx_rig rig = {
        .rotation_pivot = fbx_property_vector(s, texture, "TextureRotationPivot", zero),
        .scaling_pivot = fbx_property_vector(s, texture, "TextureScalingPivot", zero),
        .before = quat_identity(),
        .after = quat_identity()};
    const fbx_local local = {.translation = fbx_property_vector(s, texture, "Translation", zero),
                             .rotation_deg = fbx_property_vector(s, texture, "Rotation", zero),
                             .scaling = fbx_property_vector(s, texture, "Scaling", one)};
    const dvec3 p = fbx_rig_pose(&rig, &local).t; // the image of the origin
    dvec3 scale = local.scaling;
    double degrees = local.rotation_deg.z;
    if (fbx_property_integer(s, texture, "UVSwap", 0) != 0) { // a quarter turn of a mirror image
        scale = (dvec3){scale.y, -scale.x, 0.0};
        degrees += 90.0;
    }
    double sine, cosine;
    maths_sincos_deg(degrees, &sine, &cosine);
    const double u = p.x - sine * scale.y, v = 1.0 - cosine * scale.y - p.y;
    if (!(fabs(scale.x) < 1e6 && fabs(scale.y) < 1e6 && fabs(u) < 1e6 && fabs(v) < 1e6))
        return;
    slot->transformed =
        scale.x != 1.0 || scale.y != 1.0 || p.x != 0.0 || p.y != 0.0 || degrees != 0.0;
    slot->uv_rotation_rad = (float)(maths_atan2(sine, cosine));
    slot->scale[0] = (float)scale.x;
    slot->scale[1] = (float)scale.y;
    slot->offset[0] = (float)u;
    slot->offset[1] = (float)v;
}

/// The set of texture coordinates that a texture names, which is one of the material's two.
static zt_result choose_uv(material_reader *r, int32_t texture, const char *user, model_slot *slot)
{
    const fbx_scene *s = &r->f->scene;
    static const fbx_value first = {.kind = FBX_TEXT, .bytes = ""};
    const fbx_value **sets = r->f->uv_names[r->number], *name = &first;
    const fbx_node *own = fbx_own_property(s, texture, "UVSet");
    const uint32_t at = fbx_property_values(s);
    char told[64];
    if (own && own->value_count > at && own->value[at].kind == FBX_TEXT &&
        !fbx_has_text(own, at, "default", strlen("default")))
        name = &own->value[at];
    for (uint8_t i = 0; i < 2; i++) {
        sets[i] = sets[i] ? sets[i] : name;
        slot->uv_set = i;
        if (sets[i] == name || fbx_has_text(own, at, sets[i]->bytes, sets[i]->count))
            return ZT_OK;
    }
    slot->uv_set = 0;
    snprintf(told, sizeof told, "%.*s", name->count < 64 ? (int)name->count : 64,
             (const char *)name->bytes);
    utf8_make_harmless(told);
    return model_unsupported(&r->f->report, r->err,
                             "%s has maps by more than two sets of texture coordinates: '%s' is "
                             "not shown",
                             user, told);
}

/// 0: repeats, 1: clamps.
static mipmap_wrap wrap_of(const fbx_scene *s, int32_t texture, const char *name)
{
    const bool clamps = texture >= 0 && fbx_property_number(s, texture, name, 0.0) == 1.0;
    return clamps ? MIPMAP_CLAMP : MIPMAP_REPEAT;
}

static zt_result bind(material_reader *r, texture_plan plan, int32_t one, int32_t other,
                      mipmap_content content, const char *user, model_slot *slot)
{
    texture_files files = {.plan = plan};
    ZT_TRY(file_of(r, one, &files.name));
    ZT_TRY(file_of(r, other, &files.other));
    const int32_t texture = one >= 0 ? one : other;
    files.wrap[0] = wrap_of(&r->f->scene, texture, "WrapModeU");
    files.wrap[1] = wrap_of(&r->f->scene, texture, "WrapModeV");
    ZT_TRY(file_textures_bind(&r->textures, files, content, user, slot, r->err));
    if (slot->texture < 0)
        return ZT_OK;
    lay_out(&r->f->scene, texture, slot);
    return choose_uv(r, texture, user, slot);
}

/// Light of a colour: its strength is above 1 where the largest part is.
static void set_glow(dvec3 c, model_material *m)
{
    double largest = maths_max(c.x, maths_max(c.y, c.z));
    if (!(largest > 0.0) || !(largest < 1e6))
        return;
    largest = largest > 1.0 ? largest : 1.0;
    m->emissive_factor[0] = unit(c.x / largest);
    m->emissive_factor[1] = unit(c.y / largest);
    m->emissive_factor[2] = unit(c.z / largest);
    m->emissive_strength = (float)largest;
}

/// A weight scales the colour, or the map that is there in its place, which 0 does not hide.
static void set_base_color(const fbx_file *f, int32_t object, bool has_map, model_material *m)
{
    const fbx_scene *s = &f->scene;
    const char *name = own_name(f, object, &base_color);
    const bool phong = !name || strcmp(name, "DiffuseColor") == 0;
    const double grey = (double)single_mesh_plain[0];
    const double factor = phong ? fbx_property_number(s, object, "DiffuseFactor", 1.0)
                                : number_of(f, object, &base_weight, 1.0);
    dvec3 c = {1.0, 1.0, 1.0};
    if (!has_map)
        c = fbx_property_vector(s, object, name ? name : "DiffuseColor", (dvec3){grey, grey, grey});
    if (!has_map || factor > 0.0)
        c = dvec3_scale(c, factor);
    m->base_color[0] = unit(c.x);
    m->base_color[1] = unit(c.y);
    m->base_color[2] = unit(c.z);
}

static zt_result set_maps(material_reader *r, int32_t object, model_material *m)
{
    fbx_file *f = r->f;
    char user[100];
    snprintf(user, sizeof user, "material '%.64s'", m->name);
    const int32_t base = map_of(r, object, &base_map), alpha = map_of(r, object, &alpha_map);
    const int32_t rough = map_of(r, object, &rough_map), metal = map_of(r, object, &metal_map);
    const int32_t emissive = map_of(r, object, &emissive_map);
    const bool has_weights = map_of(r, object, &weight_map) >= 0;
    const int32_t normal = map_of(r, object, &normal_map);
    const int32_t bump = normal < 0 ? map_of(r, object, &bump_map) : FBX_NONE;
    const int32_t occlusion = map_of(r, object, &occlusion_map);
    const bool own_alpha = alpha >= 0 && base != alpha;
    ZT_TRY(bind(r, own_alpha ? TEXTURE_ALPHA : TEXTURE_WHOLE, base, own_alpha ? alpha : FBX_NONE,
                MIPMAP_COLOR, user, &m->base_map));
    set_base_color(f, object, base >= 0 && m->base_map.texture >= 0, m);
    f->has_color_map[m->number] = base >= 0 && m->base_map.texture >= 0;
    if (m->base_map.texture >= 0) {
        m->alpha = alpha >= 0 ? MODEL_BLEND : m->alpha;
        m->base_color[3] = alpha >= 0 ? 1.0f : m->base_color[3];
    }
    ZT_TRY(bind(r, TEXTURE_ROUGH_METAL, rough, metal, MIPMAP_LINEAR, user, &m->metal_rough_map));
    if (m->metal_rough_map.texture >= 0) {
        m->roughness = rough >= 0 ? 1.0f : m->roughness;
        m->metallic = metal >= 0 ? 1.0f : m->metallic;
    }
    ZT_TRY(bind(r, TEXTURE_WHOLE, emissive, FBX_NONE, MIPMAP_COLOR, user, &m->emissive_map));
    if (m->emissive_map.texture >= 0) { // in place of the colour
        const double weight = has_weights ? 1.0 : number_of(f, object, &emission_weight, 1.0);
        set_glow((dvec3){weight, weight, weight}, m);
    }
    const double through = fbx_property_number(&f->scene, object, "TransparencyFactor", 1.0);
    if (alpha >= 0 && through > 0.0 && through < 1.0)
        ZT_TRY(model_unsupported(&f->report, r->err, "TransparencyFactor: %g of %s is not shown",
                                 through, user));
    const double factor = fbx_property_number(&f->scene, object, "BumpFactor", 1.0);
    const double bumps =
        fbx_property_number(&f->scene, object, "3dsMax|Parameters|bump_map_amt", factor);
    if (bump >= 0)
        m->normal_scale = fabs(bumps) < 1e3 ? (float)bumps : 1.0f;
    ZT_TRY(bind(r, TEXTURE_WHOLE, occlusion, FBX_NONE, MIPMAP_LINEAR, user, &m->occlusion_map));
    return bind(r, normal >= 0 ? TEXTURE_WHOLE : TEXTURE_BUMP, normal >= 0 ? normal : bump,
                FBX_NONE, MIPMAP_NORMAL, user, &m->normal_map);
}

// ---- Factors ------------------------------------------------------------------------------------

static double mean(dvec3 c) { return ((c.x + c.y) + c.z) / 3.0; }

/// Opacity where a file says it; else what is not transparent. Some programs write white and 1 for
/// what is not transparent at all.
static void set_alpha(const fbx_file *f, int32_t object, model_material *m)
{
    const fbx_scene *s = &f->scene;
    double alpha = 1.0;
    if (fbx_own_property(s, object, "Maya|opacity")) {
        alpha = mean(fbx_property_vector(s, object, "Maya|opacity", (dvec3){1.0, 1.0, 1.0}));
    } else if (fbx_own_property(s, object, "Opacity")) {
        alpha = fbx_property_number(s, object, "Opacity", 1.0);
    } else if (fbx_own_property(s, object, "TransparencyFactor")) {
        const double factor = fbx_property_number(s, object, "TransparencyFactor", 0.0);
        const double color =
            mean(fbx_property_vector(s, object, "TransparentColor", (dvec3){1.0, 1.0, 1.0}));
        alpha = factor * color < 1.0 ? 1.0 - factor * color : 1.0;
    }
    if (alpha >= 1.0 || alpha < 0.0)
        return;
    m->base_color[3] = (float)alpha;
    m->alpha = MODEL_BLEND;
}

static void set_roughness(const material_reader *r, int32_t object, model_material *m)
{
    const fbx_file *f = r->f;
    const fbx_scene *s = &f->scene;
    if (own_name(f, object, &roughness) || own_name(f, object, &metalness)) {
        const double rough = number_of(f, object, &roughness, (double)m->roughness);
        const bool inverse =
            fbx_property_integer(s, object, "3dsMax|Parameters|roughness_inv", 0) != 0;
        m->roughness = unit(inverse ? 1.0 - rough : rough);
        m->metallic = unit(number_of(f, object, &metalness, 0.0));
        return;
    }
    double shininess = fbx_property_number(s, object, "ShininessExponent", -1.0);
    if (shininess < 0.0)
        shininess = fbx_property_number(s, object, "Shininess", -1.0);
    if (shininess >= 0.0)
        m->roughness = unit(1.0 - sqrt(maths_min(shininess, 100.0)) / 10.0);
    if (r->from_blender) {
        m->metallic = unit(fbx_property_number(s, object, "ReflectionFactor", 0.0));
        m->specular = unit(4.0 * fbx_property_number(s, object, "SpecularFactor", 0.25));
    }
}

static void set_emission(const fbx_file *f, int32_t object, model_material *m)
{
    const char *name = own_name(f, object, &emission_color);
    if (!name)
        return;
    const dvec3 c = fbx_property_vector(&f->scene, object, name, (dvec3){0.0, 0.0, 0.0});
    set_glow(dvec3_scale(c, number_of(f, object, &emission_weight, 1.0)), m);
}

static zt_result make_material(material_reader *r, int32_t object, uint32_t number,
                               model_material *m)
{
    fbx_file *f = r->f;
    const char *name = f->scene.object[object].name;
    *m = single_mesh_material(single_mesh_plain, false);
    m->number = r->number = number;
    ZT_TRY(ARENA_TEXT(f->keep, &m->name, name, "a name", r->err));
    set_alpha(f, object, m);
    set_roughness(r, object, m);
    set_emission(f, object, m);
    const double clear = number_of(f, object, &coat, 0.0);
    if (clear > 0.0) {
        m->extensions.present |= 1u << MODEL_CLEARCOAT;
        m->extensions.clearcoat = unit(clear);
        m->extensions.clearcoat_roughness = unit(number_of(f, object, &coat_roughness, 0.0));
    }
    ZT_TRY(set_maps(r, object, m));
    model_material_derive(m);
    return ZT_OK;
}

/// Warns of maps that are not read.
static zt_result report_maps(material_reader *r, int32_t material)
{
    const fbx_scene *s = &r->f->scene;
    for (uint32_t i = s->first_link[material]; i < s->first_link[material + 1]; i++)
        if (!r->is_read[i] && *s->link[i].name && texture_below(r, s->link[i].child, 0) >= 0)
            ZT_TRY(model_unsupported(&r->f->report, r->err, "maps of '%.64s' are not shown",
                                     s->link[i].name));
    return ZT_OK;
}

static zt_result ask_blender(material_reader *r)
{
    const fbx_tree *tree = &r->f->tree;
    const fbx_node *places[2] = {&tree->root, fbx_child(&tree->root, "FBXHeaderExtension")};
    for (int i = 0; i < 2; i++) {
        const char *text = fbx_text(tree, fbx_child(places[i], "Creator"), 0);
        if (!text)
            return arena_fail(tree->a, r->err, "a name");
        r->from_blender = r->from_blender || strstr(text, "Blender");
    }
    return ZT_OK;
}

zt_result fbx_make_materials(fbx_file *f, zt_error *err)
{
    const fbx_scene *s = &f->scene;
    material_reader r = {.f = f, .err = err};
    uint32_t count = 0;
    model_material *materials;
    ZT_TRY(ask_blender(&r));
    ZT_TRY(find_videos(&r));
    for (uint32_t i = 1; i < s->object_count; i++)
        count += s->object[i].kind == FBX_MATERIAL;
    ZT_TRY(file_textures_init(&r.textures, f->source, f->keep, &f->report,
                              MAPS_OF_MATERIAL * (size_t)count, f->scratch, err));
    r.textures.embedded = find_embedded;
    r.textures.embedded_user = &r;
    ZT_TRY(ARENA_TAKE(f->keep, &materials, (size_t)count + 1, "materials", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &f->uv_names, (size_t)count + 1, "materials", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &f->has_color_map, (size_t)count + 1, "materials", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &r.below, (size_t)TEXTURE_DEPTH * s->object_count, "materials",
                      err));
    ZT_TRY(ARENA_TAKE(f->scratch, &r.is_read, s->link_count, "materials", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &f->material_of, s->object_count, "materials", err));
    count = 0;
    zt_result result = ZT_OK;
    for (uint32_t i = 0; i < s->object_count && result == ZT_OK; i++) {
        f->material_of[i] = FBX_NONE;
        if (s->object[i].kind != FBX_MATERIAL)
            continue;
        f->material_of[i] = (int32_t)count;
        result = arena_work(f->scratch, 1, "materials", err);
        if (result == ZT_OK)
            result = make_material(&r, (int32_t)i, count, &materials[count]);
        if (result == ZT_OK)
            result = report_maps(&r, (int32_t)i);
        count++;
    }
    file_textures_finish(&r.textures);
    ZT_TRY(result);
    materials[count] = single_mesh_no_material(false);
    f->plain_material = (int32_t)count;
    f->model->materials = f->materials = materials;
    f->model->material_count = count + 1;
    return file_textures_keep(&r.textures, f->model, err);
}
