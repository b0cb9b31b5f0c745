// SPDX-License-Identifier: MIT
/// Every extension of materials that is read shows: under a studio, lamps and the gradient. A lobe
/// that a path of shading forgets has the pixels of a material without it.
#include "drawing.h"
#include "model/material_extensions.h"

enum { SIDE = 48, FRAME = 15 /* texture coordinates of toons move */ };

static zt_error err;
static zt_renderer *renderer;

static void start(void) { renderer = make_renderer(0, ZT_ISA_BEST); }

static void stop(void) { zt_renderer_destroy(renderer); }

TestSuite(extensions, .init = start, .fini = stop);

/// A bent triangle before a smaller one, two lamps, up to material extensions; ' for ".
static const char bent[] =
    "{'asset':{'version':'2.0'},'extensions':{'KHR_lights_punctual':{'lights':[{'type':'d"
    "irectional','intensity':3}]}},'nodes':[{'mesh':0},{'mesh':1,'scale':[0.5,0.5,0.5],'t"
    "ranslation':[0.1,0,-0.4]},{'rotation':[-0.25,0.25,0,0.935],'extensions':{'KHR_lights"
    "_punctual':{'light':0}}},{'rotation':[0.25,0.96,0,0.1],'extensions':{'KHR_lights_pun"
    "ctual':{'light':0}}}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':"
    "1,'TEXCOORD_0':2},'material':1}]},{'primitives':[{'attributes':{'POSITION':0,'NORMAL"
    "':1,'TEXCOORD_0':2},'material':0}]}],'accessors':[{'bufferView':0,'componentType':51"
    "26,'type':'VEC3','count':3,'min':[-1,-1,0],'max':[1,1,0]},{'bufferView':0,'byteOffse"
    "t':36,'componentType':5126,'type':'VEC3','count':3},{'bufferView':0,'byteOffset':72,"
    "'componentType':5126,'type':'VEC2','count':3}],'bufferViews':[{'buffer':0,'byteLengt"
    "h':96}],'buffers':[{'byteLength':96,'uri':'data:;base64,AACAvwAAgL8AAAAAAACAPwAAgL8A"
    "AAAAAAAAAAAAgD8AAAAAmpkZv5qZmb6kcD0/mpkZP5qZmb6kcD0/AAAAAJqZGT/NzEw/AAAAAAAAgD8AAIA/"
    "AACAPwAAAD8AAAAA'}],'materials':[{},{'doubleSided':true,'pbrMetallicRoughness':{'bas"
    "eColorTexture':{'index':0},'baseColorFactor':[0.8,0.7,0.5,1],'metallicFactor':0,'"
    "roughnessFactor':0.4},'extensions'"
    ":{";

/// The end of the file: a picture of 2x2 texels whose channels are all different, and none is 255.
static const char file_end[] =
    "],'images':[{'uri':'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg"
    "0kAAAAG0lEQVR42mPYF9WTErXlxAKGCpsomwU9z04AAEs6CKNHaHt4AAAAAElFTkSuQmCC'}],'textures'"
    ":[{'source':0}]}";

/// The pixel hash of the triangle with these extensions.
static uint64_t shown(const char *extensions, const char *preset, const char *light,
                      double azimuth_deg)
{
    OWN_MODEL *model = NULL;
    zt_load_def load = zt_default_load_def();
    zt_shot_def shot = sized_shot(SIDE, SIDE);
    shot.preset = preset;
    shot.light = light;
    shot.azimuth_deg = azimuth_deg;
    PRINTED(json, 4096, "%s%s}}%s", bent, extensions, file_end);
    for (char *at = json; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    load.bytes = json;
    load.size = strlen(json);
    MUST(zt_model_load("bent.gltf", &load, &model, &err), err);
    OWN_SCENE *scene = scene_of_model(model, &shot);
    OWN_IMAGE image = draw_frame(renderer, scene, FRAME);
    return zt_image_hash(&image);
}

/// Adds an extension whose numbers are in their ranges and not those of a material without it, and
/// a map of it; NULL: none.
static void add_row(const material_extension_row *row, const material_map *map, char *out,
                    size_t size)
{
    size_t used = strlen(out);
    used += (size_t)snprintf(out + used, size - used, "%s'%s':{", used ? "," : "", row->name);
    for (const material_field *f = row->fields; f->key; f++) {
        // Nanometres, an index of refraction, or a share.
        const double value = strstr(f->key, "ThicknessMinimum")   ? 150.0
                             : strstr(f->key, "ThicknessMaximum") ? 400.0
                             : f->min >= 1.0f                     ? 1.6
                                                                  : 0.7;
        used += (size_t)snprintf(out + used, size - used, "%s'%s':", f == row->fields ? "" : ",",
                                 f->key);
        used +=
            (size_t)snprintf(out + used, size - used, f->width == 3 ? "[0.9,0.5,%g]" : "%g", value);
    }
    if (row == &material_extension_table[MODEL_TOON])
        used += (size_t)snprintf(out + used, size - used, ",'outlineWidthMode':'worldCoordinates'");
    if (map)
        used += (size_t)snprintf(out + used, size - used, ",'%s':{'index':0}", map->key);
    (void)snprintf(out + used, size - used, "}");
}

/// Adds an extension after those that let it show: what is inside shows where light passes, and its
/// dispersion where it is refracted.
static void add_shown_row(int x, const material_map *map, char *out, size_t size)
{
    if (x == MODEL_VOLUME || x == MODEL_DISPERSION)
        add_row(&material_extension_table[MODEL_TRANSMISSION], NULL, out, size);
    if (x == MODEL_DISPERSION)
        add_row(&material_extension_table[MODEL_VOLUME], NULL, out, size);
    add_row(&material_extension_table[x], map, out, size);
}

typedef struct shown_light {
    const char *preset, *light;
} shown_light;
static const shown_light lights[] = {{"studio", NULL}, {"studio", "file"}, {"flat", NULL}};

Test(extensions, each_row_changes_pixels)
{
    for (int x = 0; x < MATERIAL_EXTENSION_COUNT; x++) {
        const material_extension_row *row = &material_extension_table[x];
        char without[1024] = "", with[1024] = "";
        add_shown_row(x, NULL, with, sizeof with);
        if (x == MODEL_VOLUME)
            add_row(&material_extension_table[MODEL_TRANSMISSION], NULL, without, sizeof without);
        if (x == MODEL_DISPERSION)
            add_shown_row(MODEL_VOLUME, NULL, without, sizeof without);
        for (size_t i = 0; i < sizeof lights / sizeof *lights; i++)
            cr_expect(shown(without, lights[i].preset, lights[i].light, 20.0) !=
                          shown(with, lights[i].preset, lights[i].light, 20.0),
                      "%s does not show: %s, light %s", row->name, lights[i].preset,
                      lights[i].light ? lights[i].light : "of the preset");
    }
}

/// A map that is read and that no lobe looks up has the pixels of a material without it.
Test(extensions, each_map_changes_pixels)
{
    for (int x = 0; x < MATERIAL_EXTENSION_COUNT; x++)
        for (const material_map *map = material_extension_table[x].maps; map->key; map++) {
            char without[1024] = "", with[1024] = "";
            const double azimuth_deg =
                map->map == MODEL_OUTLINE_WIDTH_MAP ? 200.0 : 20.0; // its back
            add_shown_row(x, NULL, without, sizeof without);
            add_shown_row(x, map, with, sizeof with);
            cr_expect(!map->shaded || shown(without, "studio", "file", azimuth_deg) !=
                                          shown(with, "studio", "file", azimuth_deg),
                      "%s of %s does not show", map->key, material_extension_table[x].name);
        }
}
