// SPDX-License-Identifier: MIT
// golden/manifest.txt -> scenes with their flags applied. A line holds, separated by two spaces or
// more: name, scene below scenes/, arguments of "zoetrope render" or -, pixel hash, reason. Sheets,
// which other pictures make up, are left out.
#include "cli/options.h"
#include "matrix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_LIMIT = 64 };

/// Cuts the next field off `*rest`.
static char *next_field(char **rest)
{
    char *field = *rest, *end = strstr(field, "  ");
    if (!end)
        return NULL;
    *end = 0;
    *rest = end + 2;
    while (**rest == ' ')
        ++*rest;
    return field;
}

/// Words at single spaces. Returns their number.
static int split_words(char *text, char **words)
{
    int count = 0;
    for (char *word = strtok(text, " "); word && count < WORD_LIMIT; word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

static bool complain(const golden *one, const char *message)
{
    fprintf(stderr, "matrix: %s: %s\n", one->name, message);
    return false;
}

static bool open_scene(golden *one, const char *path, char *arguments)
{
    static char render[] = "render";
    char *words[WORD_LIMIT + 1] = {render};
    zt_error err = {0};
    options o;
    const int count = strcmp(arguments, "-") == 0 ? 0 : split_words(arguments, words + 1);
    if (options_parse(1 + count, words, &o, &err) != ZT_OK ||
        zt_scene_load(path, &o.load, &one->scene, &err) != ZT_OK ||
        zt_scene_apply(one->scene, &o.shot, &err) != ZT_OK)
        return complain(one, err.message);
    if (zt_scene_frame_count(one->scene) != 1)
        return complain(one, "more than one frame");
    one->frame = zt_scene_frame(one->scene, 0);
    int32_t width, height;
    zt_scene_size(one->scene, &width, &height);
    if (zt_image_init(&one->image, width, height, NULL, &err) != ZT_OK)
        return complain(one, err.message);
    one->image.keep_alpha = zt_scene_transparent(one->scene);
    return true;
}

static bool wanted(const char *name, const char *const *names)
{
    for (int i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return !names || !names[0];
}

static bool read_line(goldens *g, const char *source_dir, const char *const *names, char *line)
{
    char *rest = line, path[GOLDEN_TEXT];
    const char *name = next_field(&rest), *scene = name ? next_field(&rest) : NULL;
    char *arguments = scene ? next_field(&rest) : NULL;
    const char *hash = arguments ? next_field(&rest) : NULL;
    if (!hash) {
        fprintf(stderr, "matrix: golden/manifest.txt: a line without five fields\n");
        return false;
    }
    if (!wanted(name, names) || strncmp(arguments, "sheet ", 6) == 0)
        return true;
    if (g->count == GOLDEN_LIMIT) {
        fprintf(stderr, "matrix: raise GOLDEN_LIMIT\n");
        return false;
    }
    golden *one = &g->all[g->count++];
    budget_init(&one->memory, 0, NULL);
    arena_init(&one->environment.arena, &one->memory);
    snprintf(one->name, sizeof one->name, "%.*s", (int)sizeof one->name - 1, name);
    one->want = strtoull(hash, NULL, 16);
    snprintf(path, sizeof path, "%s/scenes/%s", source_dir, scene);
    return open_scene(one, path, arguments);
}

bool goldens_load(goldens *g, const char *source_dir, const char *const *names)
{
    char path[GOLDEN_TEXT], line[GOLDEN_TEXT];
    *g = (goldens){.all = calloc(GOLDEN_LIMIT, sizeof *g->all)};
    snprintf(path, sizeof path, "%s/golden/manifest.txt", source_dir);
    FILE *manifest = g->all ? fopen(path, "r") : NULL;
    bool good = manifest != NULL;
    if (!good)
        fprintf(stderr, "matrix: %s: cannot be read\n", path);
    while (good && fgets(line, sizeof line, manifest))
        if (line[0] >= 'a' && line[0] <= 'z')
            good = read_line(g, source_dir, names, line);
    if (manifest)
        fclose(manifest);
    if (good && g->count == 0)
        fprintf(stderr, "matrix: no golden of these names\n");
    return good && g->count > 0;
}

void goldens_free(goldens *g)
{
    for (int i = 0; g->all && i < g->count; i++) {
        zt_image_finish(&g->all[i].image);
        zt_scene_destroy(g->all[i].scene);
        arena_finish(&g->all[i].environment.arena);
    }
    free(g->all);
}
