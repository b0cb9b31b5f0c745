// SPDX-License-Identifier: MIT
#include "suite/shot_objects.h"

#include "base/file.h"
#include "base/file_open.h"
#include "base/nearest_name.h"
#include "base/utf8.h"
#include "model/model.h"
#include "render/renderer.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_BYTES_MAX = 100, ///< of a line
    LINE_SIZE = NAME_BYTES_MAX + 20,
    OBJECTS_MAX = 16384, ///< those after them are not reported
    GONE_MAX = 4,        ///< reported
    MEASURED_MAX = 32,   ///< for a report
    LIST_SIZE_MAX = OBJECTS_MAX * LINE_SIZE,
};

/// All things of a kind and a name.
typedef struct shot_object {
    const char *line; ///< "material helmet", without control characters
    suite_object of;
    bool listed, shown; ///< by the list of the golden, by a pixel
    int64_t differing;  ///< pixels with other bytes; 0 once it is reported
} shot_object;

typedef struct shot_objects {
    const suite_shot *shot;
    const zt_image *golden, *made, *own_mask;
    zt_metrics_def how; ///< with `mask`
    zt_image mask;
    comparison_list *texts;
    char path[FILE_PATH_SIZE]; ///< of the list
    budget bytes;
    arena memory;
    const zt_scene *scene[2];
    picture_planes side[2]; ///< numbers of what pixels show
    int32_t side_count;
    shot_object *object; ///< [count]
    uint32_t count;
    hash_table table;
} shot_objects;

/// NULL: it is none of the kind. `number`: of a material or a node.
static const char *name_of(const zt_model *model, comparison_kind kind, uint32_t number)
{
    const bool material = kind == COMPARISON_MATERIAL;
    const model_node *node = material ? NULL : &model->nodes[number];
    const char *name = material ? model->materials[number].name : node->name;
    if (node && (kind == COMPARISON_BONE ? model->skin_count == 0 : node->mesh < 0))
        return NULL;
    const char *own = kind == COMPARISON_MESH ? model->meshes[node->mesh].name : NULL;
    name = own && *own ? own : name;
    return name && *name ? name : "(unnamed)";
}

zt_result shot_objects_check(const zt_scene *scene, const suite_object *asked, zt_error *err)
{
    char hint[640];
    name_list list = {.word = asked->name};
    const zt_model *last = NULL;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        const uint32_t count =
            asked->kind == COMPARISON_MATERIAL ? model->material_count : model->node_count;
        for (uint32_t k = 0; k < count && model != last; k++) {
            const char *name = name_of(model, asked->kind, k);
            name_list_add(&list, name ? name : "");
        }
        last = model;
    }
    if (list.count > 0 && list.distance[0] == 0)
        return ZT_OK;
    name_list_hint(&list, "there are none", hint, sizeof hint);
    return zt_fail(err, ZT_ERR_FORMAT, "%s: no %s '%.80s' in the scene (%s)", asked->place,
                   comparison_kind_names[asked->kind], asked->name, hint);
}

static uint8_t *pixel_at(const zt_image *image, int32_t x, int32_t y)
{
    return image->rgba8 + (size_t)y * image->stride + (size_t)x * 4;
}

/// The name of what a pixel shows; NULL: nothing.
static const char *name_at(const shot_objects *o, int32_t s, comparison_kind kind, int32_t x,
                           int32_t y)
{
    static const picture_plane planes[] = {PLANE_OBJECT, PLANE_OBJECT, PLANE_MATERIAL, PLANE_BONE};
    uint32_t instance, number;
    memcpy(&instance, picture_plane_at(&o->side[s], PLANE_INSTANCE, x, y), sizeof instance);
    memcpy(&number, picture_plane_at(&o->side[s], planes[kind], x, y), sizeof number);
    return instance > 0 && number > 0
               ? name_of(o->scene[s]->instances[instance - 1].model, kind, number - 1)
               : NULL;
}

static zt_result add_side(shot_objects *o, zt_renderer *renderer, const shot_side *from,
                          zt_error *err)
{
    const uint32_t set =
        1u << PLANE_INSTANCE | 1u << PLANE_OBJECT | 1u << PLANE_MATERIAL | 1u << PLANE_BONE;
    picture_planes *side = &o->side[o->side_count];
    if (!from->scene)
        return ZT_OK;
    o->scene[o->side_count++] = from->scene;
    ZT_TRY(picture_planes_init(side, set, o->made->width, o->made->height, &o->memory, err));
    ZT_TRY(renderer_enter(renderer, err));
    const zt_result result = renderer_draw(renderer, from->scene, from->frame, side, err);
    renderer_leave(renderer);
    return result;
}

/// True when a pixel shows one of the objects; one without a name is all of its kind.
static bool shows(const shot_objects *o, const suite_object *objects, uint32_t count, int32_t x,
                  int32_t y)
{
    for (int32_t s = 0; s < o->side_count; s++)
        for (uint32_t i = 0; i < count; i++) {
            const char *name = name_at(o, s, objects[i].kind, x, y);
            if (name && (!objects[i].name || strcmp(name, objects[i].name) == 0))
                return true;
        }
    return false;
}

/// Measures the pixels that show one of the objects, or with `rest` the others.
static zt_result set_mask(shot_objects *o, const suite_object *objects, uint32_t count, bool rest,
                          zt_error *err)
{
    if (!o->mask.rgba8)
        ZT_TRY(zt_image_init(&o->mask, o->made->width, o->made->height, o->made->budget, err));
    for (int32_t y = 0; y < o->mask.height; y++)
        for (int32_t x = 0; x < o->mask.width; x++) {
            const bool stays = shows(o, objects, count, x, y) != rest;
            memset(pixel_at(&o->mask, x, y), stays ? 255 : 0, 4);
            if (stays && o->own_mask)
                memcpy(pixel_at(&o->mask, x, y), pixel_at(o->own_mask, x, y), 4);
        }
    o->how.mask = &o->mask;
    return ZT_OK;
}

/// An object of the table, which may be new; NULL: there are too many, or no memory.
static shot_object *find(shot_objects *o, comparison_kind kind, const char *name, int length)
{
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s %.*s", comparison_kind_names[kind], length, name);
    utf8_make_harmless(line);
    uint32_t *slot = hash_table_text(&o->table, o->object, sizeof *o->object, line);
    if (*slot == 0 && o->count < OBJECTS_MAX) {
        o->object[o->count] = (shot_object){.line = arena_text(&o->memory, line, strlen(line)),
                                            .of = {.kind = kind, .name = name}};
        *slot = o->object[o->count].line ? ++o->count : 0;
    }
    return *slot > 0 ? &o->object[*slot - 1] : NULL;
}

/// True when a pixel has other bytes than in the golden, and is not left out.
static bool differs(const shot_objects *o, int32_t x, int32_t y)
{
    if (!o->golden || memcmp(pixel_at(o->golden, x, y), pixel_at(o->made, x, y), 4) == 0 ||
        (o->own_mask && pixel_at(o->own_mask, x, y)[1] < 128))
        return false;
    for (int32_t i = 0; i < o->how.ignored_count; i++) {
        const zt_rectangle *r = &o->how.ignored[i];
        if (x >= r->x && x - r->x < r->width && y >= r->y && y - r->y < r->height)
            return false;
    }
    return true;
}

/// Marks what any pixel shows, and counts the pixels that differ from the golden.
static void find_shown(shot_objects *o)
{
    for (int i = 0; i < COMPARISON_KIND_COUNT * o->side_count; i++) {
        const comparison_kind kind = (comparison_kind)(i % COMPARISON_KIND_COUNT);
        const char *last = NULL;
        shot_object *object = NULL;
        for (int32_t y = 0; y < o->made->height; y++)
            for (int32_t x = 0; x < o->made->width; x++) {
                const char *name = name_at(o, i / COMPARISON_KIND_COUNT, kind, x, y);
                if (name != last)
                    object = name ? find(o, kind, name, NAME_BYTES_MAX) : NULL;
                last = name;
                if (!object)
                    continue;
                object->shown = true;
                object->differing += differs(o, x, y);
            }
    }
}

/// The list with a golden; its bytes are empty where there is none.
static file_bytes read_list(shot_objects *o, const suite_shot_job *job)
{
    file_bytes bytes;
    snprintf(o->path, sizeof o->path, "%.*s.objects",
             (int)(strlen(o->shot->golden_path) - strlen(".png")), o->shot->golden_path);
    return file_is_below(o->path, job->s->root_length) &&
                   file_read_own(&o->memory, o->path, LIST_SIZE_MAX, &bytes) == ZT_OK
               ? bytes
               : (file_bytes){(const uint8_t *)"", 0};
}

/// Lines of kinds and names.
static void find_listed(shot_objects *o, const char *at)
{
    for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1)
        for (int kind = 0; kind < COMPARISON_KIND_COUNT; kind++) {
            const int begin = (int)strlen(comparison_kind_names[kind]) + 1;
            if (end - at <= begin ||
                strncmp(at, comparison_kind_names[kind], (size_t)begin - 1) != 0)
                continue;
            const int length = (int)(end - at) - begin - (end[-1] == '\r');
            shot_object *object = find(o, (comparison_kind)kind, at + begin, length);
            if (object)
                object->listed = true;
        }
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(((const shot_object *)a)->line, ((const shot_object *)b)->line);
}

/// Unless it is there as it should be.
static zt_result save_list(shot_objects *o, const suite_shot_job *job, zt_error *err)
{
    char *text;
    size_t size = 0;
    const file_bytes old = read_list(o, job);
    ZT_TRY(ARENA_TAKE(&o->memory, &text, (size_t)o->count * LINE_SIZE + 1, "objects", err));
    qsort(o->object, o->count, sizeof *o->object, compare_lines);
    for (uint32_t i = 0; i < o->count; i++)
        size += (size_t)snprintf(text + size, LINE_SIZE + 1, "%s\n", o->object[i].line);
    return old.size == size && memcmp(old.data, text, size) == 0
               ? ZT_OK
               : file_save(o->path, strlen(job->s->goldens),
                           (file_bytes){(const uint8_t *)text, size}, false, &o->bytes, err);
}

/// An object of the criteria; NULL: the pixels that show none of them.
static zt_result judge_part(shot_objects *o, const suite_object *asked, comparison *out,
                            zt_error *err)
{
    const suite_shot *shot = o->shot;
    comparison_criteria criteria = asked ? asked->criteria : shot->criteria;
    if (!asked && shot->covered) { // counted as metrics count
        zt_metrics covered;
        ZT_TRY(set_mask(o, &(suite_object){.kind = COMPARISON_MESH}, 1, false, err));
        ZT_TRY(zt_image_measure(o->made, o->made, &o->how, &covered, NULL, err));
        criteria.share_of = covered.compared > 0 ? covered.compared : 1;
    }
    ZT_TRY(set_mask(o, asked ? asked : shot->objects, asked ? 1 : shot->object_count, !asked, err));
    ZT_TRY(comparison_measure(o->texts, out, &criteria, &o->how, o->golden, o->made, NULL, err));
    const shot_object *object = asked ? find(o, asked->kind, asked->name, NAME_BYTES_MAX) : NULL;
    if (object && object->listed && !object->shown)
        *out = (comparison){.class = COMPARISON_CHANGED, .rule = "gone"};
    else if (asked && out->metrics.compared == 0)
        return shot_objects_check(o->scene[0], asked, err);
    return ZT_OK;
}

/// The first criterion that is not met decides.
static zt_result judge(shot_objects *o, comparison *item, zt_error *err)
{
    const uint32_t count = o->shot->object_count;
    item->class = COMPARISON_PASSED;
    for (uint32_t i = 0; i <= count && item->class == COMPARISON_PASSED; i++) {
        const suite_object *asked = i < count ? &o->shot->objects[i] : NULL;
        comparison part = {0};
        ZT_TRY(judge_part(o, asked, &part, err));
        if (part.class == COMPARISON_PASSED && part.metrics.pixels == 0 && i > 0)
            continue;
        item->class = part.class;
        item->rule =
            asked ? comparison_text(o->texts, "%s %s: %s", comparison_kind_names[asked->kind],
                                    asked->name, part.rule)
                  : part.rule;
        if (!item->rule)
            return comparison_list_refused(o->texts, err);
    }
    item->code = item->class == COMPARISON_PASSED ? 0 : (int32_t)ZT_ERR_DIFFERENT;
    return ZT_OK;
}

/// Those of most pixels with other bytes are measured. Meshes stand for their nodes.
static zt_result tell_changed(shot_objects *o, comparison *item, zt_error *err)
{
    zt_metrics m;
    uint32_t told = 0;
    for (uint32_t i = 0; i < o->count; i++)
        if (o->object[i].of.kind == COMPARISON_NODE)
            o->object[i].differing = 0;
        else if (o->object[i].listed && !o->object[i].shown && told < GONE_MAX)
            item->objects[told++] = comparison_text(o->texts, "%s: gone", o->object[i].line);
    comparison_metrics_def(&o->shot->criteria, &o->how);
    o->how.ssim = o->how.flip = false;
    for (int i = 0; i < MEASURED_MAX && told < COMPARISON_OBJECTS_MAX; i++) {
        shot_object *largest = o->object;
        for (uint32_t k = 0; k < o->count; k++)
            largest = o->object[k].differing > largest->differing ? &o->object[k] : largest;
        if (largest->differing == 0)
            break;
        largest->differing = 0;
        ZT_TRY(set_mask(o, &largest->of, 1, false, err));
        ZT_TRY(zt_image_measure(o->golden, o->made, &o->how, &m, NULL, err));
        if (m.pixels > 0) // else they are left out
            item->objects[told++] =
                comparison_text(o->texts, "%s: %lld of %lld pixels by up to %d", largest->line,
                                (long long)m.pixels, (long long)m.compared, m.max);
    }
    return ZT_OK;
}

zt_result shot_objects_judge(const suite_shot_job *job, const shot_side sides[2],
                             const suite_shot *shot, const zt_metrics_def *how,
                             const zt_image *golden, const zt_image *made, comparison *item,
                             zt_error *err)
{
    const bool asked = shot->object_count > 0 || shot->covered;
    if (golden && item->class != COMPARISON_CHANGED && !(asked && item->class == COMPARISON_PASSED))
        return ZT_OK;
    shot_objects o = {.shot = shot,
                      .golden = golden,
                      .made = made,
                      .own_mask = how->mask,
                      .how = *how,
                      .texts = job->texts};
    budget_init_within(&o.bytes, job->budget, 0, NULL);
    arena_init(&o.memory, &o.bytes);
    zt_result result = ARENA_TAKE(&o.memory, &o.object, OBJECTS_MAX, "objects", err);
    if (result == ZT_OK && !hash_table_init(&o.table, &o.memory, OBJECTS_MAX))
        result = arena_fail(&o.memory, err, "objects");
    for (int s = 0; s < 2 && result == ZT_OK; s++)
        result = add_side(&o, job->renderer, &sides[s], err);
    if (result == ZT_OK)
        find_shown(&o);
    if (result == ZT_OK && !golden)
        result = save_list(&o, job, err);
    else if (result == ZT_OK && !sides[1].scene)
        find_listed(&o, (const char *)read_list(&o, job).data);
    if (result == ZT_OK && asked && golden)
        result = judge(&o, item, err);
    if (result == ZT_OK && item->class != COMPARISON_PASSED)
        result = tell_changed(&o, item, err);
    zt_image_finish(&o.mask);
    arena_finish(&o.memory);
    return result;
}
