// SPDX-License-Identifier: MIT
#include "base/affine.h"
#include "base/utf8.h"
#include "model/model.h"
#include "shot/shot.h"

#include <math.h>
#include <string.h>

static bool holds_idle(const char *name)
{
    static const char word[] = "idle";
    for (; *name; name++) {
        size_t same = 0;
        while (word[same] && ascii_lower(name[same]) == word[same])
            same++;
        if (!word[same])
            return true;
    }
    return false;
}

/// By the letters after the last separator of rigs, as in "Armature|T-Pose".
static bool is_bind_pose(const char *name)
{
    static const char *const words[] = {"tpose",    "apose", "bind", "bindpose",
                                        "restpose", "rest",  "reset"};
    char letters[16];
    size_t length = 0;
    for (const char *c = name; *c; c++)
        if (strchr("|:@", *c))
            name = c + 1;
    for (; *name && length + 1 < sizeof letters; name++) {
        const char letter = ascii_lower(*name);
        if (letter >= 'a' && letter <= 'z')
            letters[length++] = letter;
    }
    letters[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(letters, words[i]) == 0)
            return true;
    return false;
}

int32_t shot_thumbnail_clip(const zt_model *model)
{
    int32_t idle = -1, first = -1;
    size_t shortest = 0;
    if (model->joined_count > 1 && model->joined_count == model->clip_count)
        return model->all_clip;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const char *name = model->clips[i].name;
        const size_t length = strlen(name);
        if (holds_idle(name) && (idle < 0 || length < shortest)) {
            idle = (int32_t)i;
            shortest = length;
        }
        if (first < 0 && !is_bind_pose(name))
            first = (int32_t)i;
    }
    if (idle >= 0 || first >= 0)
        return idle >= 0 ? idle : first;
    return model->clip_count > 0 ? 0 : -1;
}

typedef struct rest_box {
    double min[3], max[3];
} rest_box;

/// Adds the box of a mesh, by its corners.
static void box_add(rest_box *box, const affine *model_from_node, const model_mesh *mesh)
{
    for (int corner = 0; corner < 8; corner++) {
        const float *x = (corner & 1) != 0 ? mesh->bounds_max : mesh->bounds_min;
        const float *y = (corner & 2) != 0 ? mesh->bounds_max : mesh->bounds_min;
        const float *z = (corner & 4) != 0 ? mesh->bounds_max : mesh->bounds_min;
        const dvec3 p =
            affine_point(model_from_node, (dvec3){(double)x[0], (double)y[1], (double)z[2]});
        const double at[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            box->min[k] = at[k] < box->min[k] ? at[k] : box->min[k];
            box->max[k] = at[k] > box->max[k] ? at[k] : box->max[k];
        }
    }
}

bool shot_thumbnail_is_flat(const zt_model *model, arena *scratch)
{
    rest_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    affine *rest = ARENA_ARRAY_RAW(scratch, affine, model->node_count);
    if (!rest)
        return false;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        rest[i] = model_rest_step(node);
        if (node->parent >= 0) // parents come first
            rest[i] = affine_multiply(&rest[node->parent], &rest[i]);
        if (node->mesh < 0 || !node->visible)
            continue;
        const affine bind = affine_identity(), *at = node->skin >= 0 ? &bind : &rest[i];
        const model_mesh *mesh = &model->meshes[node->mesh];
        bool shows = false;
        for (uint32_t k = 0; k < mesh->meshlet_count && !shows; k++)
            shows = !model_material_is_hidden(&model->materials[mesh->meshlets[k].material]);
        if (shows && dmat3_has_rank(&at->m, 2)) // a line or a point has no area
            box_add(&box, at, mesh);
    }
    const double width = box.max[0] - box.min[0], height = box.max[1] - box.min[1],
                 depth = box.max[2] - box.min[2];
    return 4.0 * height < width && 4.0 * height < depth;
}
