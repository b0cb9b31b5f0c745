// SPDX-License-Identifier: MIT
// Models and scenes from memory: the example of docs/library.md, and that they are those in files.
//   api_memory MODEL FOLDER, where the model is converted to .gltf with its other files
#include "example/api_memory.c"

#include "api_check.h"

#include <dirent.h>
#include <sys/stat.h>

/// Reads FOLDER/NAME; the caller frees name and bytes.
static upload read_upload(const char *folder, const char *name)
{
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0)
        exit(3);
    const size_t size = (size_t)status.st_size;
    char *bytes = malloc(size + 1), *own_name = malloc(strlen(name) + 1);
    if (!bytes || !own_name || fread(bytes, 1, size, file) != size)
        exit(3);
    fclose(file);
    strcpy(own_name, name);
    return (upload){own_name, bytes, size};
}

/// All files of a folder, model.gltf first.
static uploads read_folder(const char *folder)
{
    uploads all = {.files = {read_upload(folder, "model.gltf")}, .count = 1};
    DIR *directory = opendir(folder);
    for (struct dirent *e; directory && (e = readdir(directory)) != NULL;)
        if (e->d_name[0] != '.' && strcmp(e->d_name, "model.gltf") != 0 && all.count < 16)
            all.files[all.count++] = read_upload(folder, e->d_name);
    if (directory)
        closedir(directory);
    return all;
}

static void free_uploads(uploads *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free((void *)(uintptr_t)all->files[i].name);
        free((void *)(uintptr_t)all->files[i].bytes);
    }
    all->count = 0;
}

static zt_scene *scene_of(const zt_model *model, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    zt_instance_def instance = zt_default_instance_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_scene *scene = NULL;
    instance.model = model;
    shot.width = shot.height = 64;
    if (zt_scene_create(&load, &scene, err) != ZT_OK ||
        zt_scene_add_instance(scene, &instance, err) != ZT_OK ||
        zt_scene_apply(scene, &shot, err) != ZT_OK)
        exit(9);
    return scene;
}

/// Pixel hash of frame 0; destroys the scene.
static uint64_t hash_of_scene(zt_scene *scene, zt_error *err)
{
    const uint64_t hash = hash_of(scene, 0, err);
    zt_scene_destroy(scene);
    return hash;
}

static uint64_t hash_of_model(const zt_model *model, zt_error *err)
{
    return hash_of_scene(scene_of(model, err), err);
}

/// What loads these bytes, and other files by `open`.
static zt_load_def memory_def(const void *bytes, size_t size, zt_open_fn open, void *user)
{
    zt_load_def def = zt_default_load_def();
    def.bytes = bytes;
    def.size = size;
    def.open = open;
    def.open_user = user;
    return def;
}

/// Loads from memory alone, as `size` bytes and with this def.
static zt_result load_alone(const uploads *all, size_t size, const zt_load_def *def, zt_error *err)
{
    zt_model *model = NULL;
    zt_load_def load = *def;
    load.bytes = all->files[0].bytes;
    load.size = size;
    const zt_result result = zt_model_load("memory", &load, &model, err);
    require((result == ZT_OK) == (model != NULL), "a model although it failed", err);
    zt_model_destroy(model);
    return result;
}

static void count_warnings(void *user, zt_severity severity, const char *text)
{
    *(int *)user += severity == ZT_WARNING && strstr(text, "not found") != NULL;
}

static bool open_buffers(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    return strstr(name, ".bin") && open_upload(user, name, out_bytes, out_size);
}

static void check_refusals(uploads *all, zt_error *err)
{
    zt_load_def def = zt_default_load_def();
    const size_t size = all->files[0].size;
    int warnings = 0;
    require(load_alone(all, size, &def, err) == ZT_ERR_INPUT &&
                strstr(err->message, "zt_load_def.open") && strstr(err->message, "memory:"),
            "a buffer without open is ZT_ERR_INPUT", err);
    def.open = open_buffers;
    def.open_user = all;
    def.message = count_warnings;
    def.message_user = &warnings;
    require(load_alone(all, size, &def, err) == ZT_OK && warnings > 0,
            "textures that open does not give are warnings", err);
    require(load_alone(all, size / 2, &def, err) == ZT_ERR_FORMAT, "half of it is broken", err);
    require(load_alone(all, 0, &def, err) == ZT_ERR_FORMAT, "nothing is broken", err);
    def.cookie_ = 0;
    require(load_alone(all, size, &def, err) == ZT_ERR_ARGUMENT, "no cookie", err);
}

/// Finds a name that is out of the folder of the model, or that of a folder.
static bool open_any(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    *(int *)user += 1 + (strstr(name, "..") || !last[0] || strcmp(last, ".") == 0 ? 1000 : 0);
    *out_bytes = "";
    *out_size = 0;
    return true;
}

static void check_names(zt_error *err)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],"
        "\"images\":[{\"uri\":\"../..\"},{\"uri\":\"a/../..\"},{\"uri\":\"..%2Fb.png\"},{"
        "\"uri\":\"..\\\\c.png\"},{\"uri\":\"d/\"},{\"uri\":\"/etc/passwd\"}],\"textures\":[{"
        "\"source\":0},{\"source\":1},{\"source\":2},{\"source\":3},{\"source\":4},{\"source\":5}],"
        "\"materials\":[{\"normalTexture\":{\"index\":0},\"emissiveTexture\":{\"index\":1},"
        "\"occlusionTexture\":{\"index\":2},\"pbrMetallicRoughness\":{\"baseColorTexture\":{"
        "\"index\":3}}},{\"normalTexture\":{\"index\":4},\"emissiveTexture\":{\"index\":5}}],"
        "\"meshes\":[{\"primitives\":[{\"material\":0,\"attributes\":{\"POSITION\":0}},{"
        "\"material\":1,\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
        "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"bufferView\":0,\"min\":[0,0,0],"
        "\"max\":[0,0,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{"
        "\"byteLength\":36,\"uri\":\"data:;base64,"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}";
    zt_model *model = NULL;
    int asked = 0;
    const zt_load_def def = memory_def(text, sizeof text - 1, open_any, &asked);
    require(zt_model_load("memory", &def, &model, err) == ZT_OK && asked == 2, // b.png and c.png
            "open is asked for files in the folder of the model alone", err);
    zt_model_destroy(model);
}

static void check_bake(const zt_model *model, zt_error *err)
{
    const zt_bake_def def = zt_default_bake_def();
    zt_scene *scene = scene_of(model, err);
    require(zt_scene_bake(scene, "api_memory_baked.glb", &def, err) == ZT_ERR_UNSUPPORTED,
            "baking refuses it", err);
    zt_scene_destroy(scene);
}

// ---- Files that are made ------------------------------------------------------------------------

/// The last file that was handed over, and how many there were.
static struct saved {
    char path[64];
    void *bytes;
    size_t size;
    int count;
    bool refuses;
} last;

static bool save_last(void *user, const char *path, const void *bytes, size_t size)
{
    struct saved *to = user;
    snprintf(to->path, sizeof to->path, "%s", path);
    free(to->bytes);
    to->bytes = malloc(size + 1);
    memcpy(to->bytes, bytes, size);
    to->size = size;
    to->count++;
    return !to->refuses;
}

/// True when a file has the bytes that were handed over last.
static bool is_file(const char *path, const zt_error *err)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(last.size + 1);
    const bool same = file && fread(bytes, 1, last.size + 1, file) == last.size &&
                      memcmp(bytes, last.bytes, last.size) == 0;
    require(file != NULL, path, err);
    if (file)
        fclose(file);
    free(bytes);
    last.count = 0;
    return same;
}

/// Conversion and inspection of uploads; `folder` has them as files.
static void check_convert(uploads *all, const char *folder, zt_error *err)
{
    char path[4096], *in_memory = NULL, *in_file = NULL;
    const zt_load_def plain = zt_default_load_def();
    zt_load_def def = memory_def(all->files[0].bytes, all->files[0].size, open_upload, all);
    def.save = save_last;
    def.save_user = &last;
    snprintf(path, sizeof path, "%s/model.gltf", folder);
    for (int i = 0; i < 2; i++) {
        const char *out = i ? "api_memory_converted.m3d" : "api_memory_converted.glb";
        require(zt_convert(path, out, &plain, err) == ZT_OK &&
                    zt_convert("model.gltf", out, &def, err) == ZT_OK &&
                    strcmp(last.path, out) == 0 && (i || last.count == 1) && is_file(out, err),
                "an upload is converted to the bytes of a file, the model last", err);
    }
    last.refuses = true;
    require(zt_convert("model.gltf", "out.gltf", &def, err) == ZT_ERR_OUTPUT && last.count == 1,
            "a file that is not taken ends a conversion", err);
    last = (struct saved){.bytes = last.bytes, .size = last.size};
    require(zt_inspect("model.gltf", &def, "json", &in_memory, err) == ZT_OK &&
                zt_inspect(path, &plain, "json", &in_file, err) == ZT_OK &&
                strcmp(strstr(in_memory, "\"format\""), strstr(in_file, "\"format\"")) == 0,
            "an upload is inspected as a file is", err);
    zt_free(in_memory);
    require(zt_inspect(path, &plain, "yaml", &in_memory, err) == ZT_ERR_ARGUMENT && !in_memory,
            "a form that there is not", err);
    zt_free(in_file);
}

static void write_below(const char *folder, const char *name, const char *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, bytes, size);
}

static bool contains(const char *bytes, size_t size, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, text, length) == 0)
            return true;
    return false;
}

/// Names of files that are handed over do not depend on the disk: there is one of the name that the
/// source mentions.
static void check_names_of_output(uploads *all, const char *folder, zt_error *err)
{
    static const char mention[] = "{\"extras\":\"shot-model-color.png\",";
    char path[4096];
    const upload *model = &all->files[0];
    char *text = malloc(sizeof mention + model->size);
    strcpy(text, mention);
    memcpy(text + sizeof mention - 1, (const char *)model->bytes + 1, model->size - 1);
    zt_load_def def = memory_def(text, sizeof mention - 2 + model->size, open_upload, all);
    def.save = save_last;
    def.save_user = &last;
    write_below(folder, "shot-model-color.png", "", 0);
    snprintf(path, sizeof path, "%s/shot.gltf", folder);
    require(zt_convert("model.gltf", path, &def, err) == ZT_OK &&
                contains(last.bytes, last.size, "shot-model-color.png") &&
                !contains(last.bytes, last.size, "shot-model-color-2.png"),
            "names of files that are handed over do not depend on the disk", err);
    remove(strcat(strcpy(path, folder), "/shot-model-color.png"));
    last.count = 0;
    free(text);
}

/// A scene of one model in memory.
static void check_scene_of_model(uploads *all, zt_error *err)
{
    zt_load_def def = memory_def(all->files[0].bytes, all->files[0].size, NULL, NULL);
    zt_scene *scene = NULL;
    require(zt_scene_load("in/model.gltf", &def, &scene, err) == ZT_ERR_INPUT,
            "without open there is no buffer", err);
    def.open = open_upload;
    def.open_user = all;
    require(zt_scene_load("in/model.gltf", &def, &scene, err) == ZT_OK &&
                zt_scene_frame_count(scene) > 0,
            "a model in memory is a scene", err);
    zt_scene_destroy(scene);
}

// ---- Scenes -------------------------------------------------------------------------------------

#define SCENE(FOLDER) SCENE_LIT("image: " FOLDER "sky.hdr", FOLDER)
#define SCENE_LIT(LIGHT, FOLDER)                                                                   \
    "format: 1\n"                                                                                  \
    "output: { size: [64, 64] }\n"                                                                 \
    "environment: { " LIGHT " }\n"                                                                 \
    "models:\n"                                                                                    \
    "  - { file: " FOLDER "model.gltf, clips_from: " FOLDER "model.gltf,\n"                        \
    "      materials: { shell: { base_color_map: " FOLDER "model-color.png } } }\n"

/// The files as if they were in a folder "in".
static bool open_inside(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    return strncmp(name, "in/", 3) == 0 && open_upload(user, name + 3, out_bytes, out_size);
}

static zt_scene *scene_from(const char *text, zt_open_fn open, uploads *all, zt_error *err)
{
    zt_scene *scene = NULL;
    zt_load_def def = memory_def(text, strlen(text), open, all);
    def.save = save_last;
    def.save_user = &last;
    const zt_result result = zt_scene_load("shots/walk.yaml", &def, &scene, err);
    require((result == ZT_OK) == (scene != NULL), "a scene although it failed", err);
    return scene;
}

static uint64_t key_of(const zt_scene *scene)
{
    const zt_encode_def def = zt_default_encode_def();
    return zt_scene_frame_key(scene, 0, &def);
}

static void check_scene(uploads *all, const char *folder, zt_error *err)
{
    char path[4096];
    const zt_load_def def = zt_default_load_def();
    const zt_bake_def bake = zt_default_bake_def();
    zt_environment_def light = zt_default_environment_def();
    zt_scene *from_file = NULL;
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    if (zt_scene_load(path, &def, &from_file, err) != ZT_OK) {
        require(false, "the scene in a file loads", err);
        return;
    }
    zt_scene *scene = scene_from(SCENE(""), open_upload, all, err);
    require(scene && key_of(scene) == key_of(from_file), "its key is that of the file", err);
    require(zt_scene_bake(from_file, "api_memory_baked.glb", &bake, err) == ZT_OK && scene &&
                zt_scene_bake(scene, "baked.glb", &bake, err) == ZT_OK && last.count == 1 &&
                is_file("api_memory_baked.glb", err),
            "a scene from memory bakes to the same bytes in memory", err);
    check_scene_of_model(all, err);
    const uint64_t want = hash_of_scene(from_file, err);
    require(want != 0 && scene && hash_of_scene(scene, err) == want,
            "the picture of a scene is that of the file", err);
    scene = scene_from(SCENE("in/"), open_inside, all, err);
    require(scene && hash_of_scene(scene, err) == want, "names are behind their folder", err);
    scene = scene_from(SCENE_LIT("color: white", "in/"), open_inside, all, err);
    light.image = "sky.hdr"; // another test may have a file of this name
    require(scene && zt_scene_set_environment(scene, &light, err) == ZT_ERR_INPUT &&
                strstr(err->message, "among the inputs"),
            "light by a call is no file on the disk", err);
    light.image = "in/sky.hdr";
    require(scene && zt_scene_set_environment(scene, &light, err) == ZT_OK &&
                hash_of_scene(scene, err) == want,
            "light by a call comes from open", err);
    require(!scene_from(SCENE(""), NULL, NULL, err) && err->code == ZT_ERR_INPUT &&
                strstr(err->message, "shots/walk.yaml:3:") &&
                strstr(err->message, "zt_load_def.open"),
            "a scene without open says where", err);
    require(!scene_from(SCENE("../"), open_upload, all, err) && err->code == ZT_ERR_INPUT &&
                strstr(err->message, "outside the folder of this file"),
            "names do not lead out of the folder", err);
    require(!scene_from("format: 1\nmodels: 3\n", open_upload, all, err) &&
                err->code == ZT_ERR_FORMAT && strstr(err->message, "shots/walk.yaml:2:"),
            "a scene that is wrong says where", err);
}

static void find_sky(void *user, const char *path)
{
    *(bool *)user = *(bool *)user || strcmp(path, "shots/sky.hdr") == 0;
}

static void check_paths(zt_error *err)
{
    const zt_allocator half = {0};
    bool found = false;
    zt_load_def def = memory_def(SCENE(""), sizeof SCENE("") - 1, NULL, NULL);
    require(zt_scene_paths("shots/walk.yaml", &def, find_sky, &found, err) == ZT_OK && found,
            "the paths of a scene in memory", err);
    def.allocator = &half;
    require(zt_scene_paths("shots/walk.yaml", &def, find_sky, &found, err) == ZT_ERR_ARGUMENT,
            "an allocator without functions", err);
}

int main(int argc, char **argv)
{
    const zt_load_def def = zt_default_load_def();
    zt_error err = {0};
    zt_model *from_file = NULL, *from_memory = NULL;
    char path[4096];
    if (argc != 3)
        return 2;
    snprintf(path, sizeof path, "%s/model.gltf", argv[2]);
    if (zt_convert(argv[1], path, &def, &err) != ZT_OK ||
        zt_model_load(path, &def, &from_file, &err) != ZT_OK) {
        fprintf(stderr, "api_memory: %s\n", err.message);
        return (int)err.code;
    }
    static const char sky[] =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x80\x90\xA0\x80\x40\x30\x20\x81";
    write_below(argv[2], "sky.hdr", sky, sizeof sky - 1);
    write_below(argv[2], "scene.yaml", SCENE(""), sizeof SCENE("") - 1);
    uploads all = read_folder(argv[2]);
    check_refusals(&all, &err);
    check_names(&err);
    require(load_upload(&all, &from_memory, &err) == ZT_OK, "the uploads load", &err);
    zt_load_def empty = zt_default_load_def();
    zt_model *none = NULL;
    empty.open = open_upload;
    empty.open_user = &all;
    require(zt_model_load(argv[1], &empty, &none, &err) != ZT_OK && !none,
            "an upload without bytes is not the file of its name", &err);
    check_convert(&all, argv[2], &err);
    check_names_of_output(&all, argv[2], &err);
    check_scene(&all, argv[2], &err);
    check_paths(&err);
    free_uploads(&all); // the model keeps nothing of them
    if (from_memory) {
        require(hash_of_model(from_memory, &err) == hash_of_model(from_file, &err) &&
                    hash_of_model(from_file, &err) != 0,
                "the picture is that of the file", &err);
        check_bake(from_memory, &err);
    }
    free(last.bytes);
    zt_model_destroy(from_memory);
    zt_model_destroy(from_file);
    return faults ? 1 : 0;
}
