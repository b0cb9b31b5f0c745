// SPDX-License-Identifier: MIT
/// A property of every model file: whatever it holds, the library loads it and draws a small
/// picture of it, or says in one line what is wrong with it, within its limits of time and memory.
/// Valid files are changed (mutate.h), loaded, drawn at two times, inspected and converted.
///
/// fuzz_models COUNT|SECONDSs SEED FOLDER FILE...: so many mutants, or for so long. FOLDER holds
/// the file at hand, which stays there when the process dies. Single pictures become models that
/// show them; files that name others are packed first.
#define _XOPEN_SOURCE 700 // setitimer: time of the processor, however busy the machine is
#include "base/path.h"
#include "base/picture_kind.h"
#include "fuzz_work.h"
#include "mutate.h"
#include "outcomes.h"
#include "scene/scene.h"
#include "unit/glb.h"

#include <jansson.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SEEDS_LIMIT = 2000, PATH_SIZE = 1024, SECONDS_EACH = 20, SIZE_LIMIT = 1 << 21, SIDE = 24 };
#define MEMORY ((uint64_t)192 << 20)

typedef struct seed {
    const char *name;
    bool text; ///< .m3d
    uint8_t *data;
    size_t size;
} seed;

static struct {
    char folder[PATH_SIZE - 64], glb[PATH_SIZE], m3d[PATH_SIZE];
    seed seeds[SEEDS_LIMIT];
    size_t seed_count;
    uint64_t executions, outcomes[ZT_RESULT_COUNT];
    int64_t json_blocks; ///< of jansson, in use
} state;

static void *json_block(size_t size)
{
    void *block = malloc(size);
    state.json_blocks += block != NULL;
    return block;
}

static void json_block_free(void *block)
{
    state.json_blocks -= block != NULL;
    free(block);
}

static void set_limit(int seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void on_alarm(int number)
{
    static const char text[] = "fuzz_models: too slow: the file is in the folder\n";
    (void)number;
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    abort();
}

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_models: %s\n", what);
    abort();
}

/// A failure has its code and one line.
static void check_failure(zt_result result, const zt_error *err)
{
    require(result == ZT_ERR_INPUT || result == ZT_ERR_FORMAT || result == ZT_ERR_LIMIT ||
                result == ZT_ERR_UNSUPPORTED || result == ZT_ERR_OUTPUT ||
                result == ZT_ERR_ARGUMENT,
            zt_result_name(result));
    require(err->code == result && err->message[0] && !strchr(err->message, '\n'), err->message);
}

// ---- One file -----------------------------------------------------------------------------------

static zt_load_def load_def(void)
{
    zt_load_def def = zt_default_load_def();
    def.max_memory = MEMORY;
    def.threads = 1;
    return def;
}

static bool has_clips(const zt_scene *scene)
{
    char *text = NULL;
    zt_error err = {0};
    require(zt_scene_list_clips(scene, &text, &err) == ZT_OK, err.message);
    const bool any = text[0] != 0;
    zt_free(text);
    return any;
}

static uint64_t draw(zt_scene *scene, zt_isa isa, double time_s, zt_result *out)
{
    zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_image image = {0};
    zt_error err = {0};
    def.threads = 1;
    def.max_isa = isa;
    def.max_memory = MEMORY;
    zt_shot_def shot = zt_default_shot_def();
    shot.width = shot.height = SIDE;
    shot.thumbnail = true;
    shot.time_s = time_s;
    shot.clip = time_s > 0.0 && has_clips(scene) ? "0" : NULL;
    zt_result r = zt_renderer_create(&def, &renderer, &err);
    if (r == ZT_OK)
        r = zt_scene_apply(scene, &shot, &err);
    if (r == ZT_OK)
        r = zt_image_init(&image, SIDE, SIDE, NULL, &err);
    if (r == ZT_OK)
        r = zt_render(renderer, scene, zt_scene_frame(scene, 0), &image, &err);
    const uint64_t hash = r == ZT_OK ? zt_image_hash(&image) : 0;
    if (r != ZT_OK)
        check_failure(r, &err);
    *out = r;
    zt_image_finish(&image);
    zt_renderer_destroy(renderer);
    return hash;
}

static zt_result load_and_draw(const char *path, bool moving, bool twice)
{
    const zt_load_def def = load_def();
    zt_scene *scene = NULL;
    zt_error err = {0};
    zt_result r = zt_scene_load(path, &def, &scene, &err), again;
    if (r != ZT_OK) {
        check_failure(r, &err);
        return r;
    }
    require(fuzz_work_fits(&scene->budget_own, 64 << 10), "more work than the bytes may cost");
    const uint64_t hash = draw(scene, ZT_ISA_BEST, moving ? 0.3 : 0.0, &r);
    if (twice)
        require(draw(scene, ZT_ISA_SCALAR, moving ? 0.3 : 0.0, &again) == hash && again == r,
                "two instruction sets draw different pictures");
    zt_scene_destroy(scene);
    return r;
}

static void inspect(const char *path)
{
    const zt_load_def def = load_def();
    char *text = NULL;
    zt_error err = {0};
    const zt_result r = zt_inspect(path, &def, "json", &text, &err);
    if (r != ZT_OK)
        check_failure(r, &err);
    zt_free(text);
}

static void convert(const char *path, uint64_t *random)
{
    static const char *const names[] = {"out/out.glb", "out/out.gltf", "out/out.m3d"};
    const zt_load_def def = load_def();
    char out[PATH_SIZE];
    zt_error err = {0};
    snprintf(out, sizeof out, "%s/%s", state.folder, names[mutate_random(random) % 3]);
    const zt_result r = zt_convert(path, out, &def, &err);
    if (r != ZT_OK)
        check_failure(r, &err);
    else
        (void)load_and_draw(out, false, false); // what was written may be read
}

static bool write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool written = size == 0 || fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

static void run(const seed *s, const seed *other, uint64_t *random)
{
    const char *path = s->text ? state.m3d : state.glb;
    mutant m = mutate_model(s->data, s->size, other->data, other->size, random);
    require(m.data && write_file(path, m.data, m.size), "the folder cannot be written");
    const uint64_t choice = mutate_random(random);
    require(state.json_blocks <= 1, "mutate.c left a JSON tree behind"); // one is m.data
    state.json_blocks = 0;
    set_limit(SECONDS_EACH);
    const zt_result r = load_and_draw(path, choice % 2, choice % 32 == 0);
    if (choice / 32 % 8 == 0)
        inspect(path);
    if (choice / 256 % 8 == 0)
        convert(path, random);
    set_limit(0);
    require(state.json_blocks == 0, "a JSON tree was left behind"); // a leak, told when it happens
    state.outcomes[r]++;
    state.executions++;
    free(m.data);
}

// ---- Seeds --------------------------------------------------------------------------------------

static void add_seed(const char *name, bool text, uint8_t *data, size_t size)
{
    if (state.seed_count == SEEDS_LIMIT || size > SIZE_LIMIT)
        free(data);
    else
        state.seeds[state.seed_count++] = (seed){name, text, data, size};
}

static uint8_t *read_file(const char *path, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(SIZE_LIMIT + 1);
    *out_size = file && data ? fread(data, 1, SIZE_LIMIT + 1, file) : 0;
    if (file)
        fclose(file);
    return data;
}

/// A square that shows a picture.
static void add_picture(const char *name, const uint8_t *png, size_t size)
{
    static const float corners[4][5] = {
        {0, 0, 0, 0, 1}, {1, 0, 0, 1, 1}, {0, 1, 0, 0, 0}, {1, 1, 0, 1, 0}};
    char json[1024];
    const size_t bin_size = sizeof corners + size;
    snprintf(json, sizeof json,
             "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%zu}],'bufferViews':["
             "{'buffer':0,'byteLength':80,'byteStride':20},"
             "{'buffer':0,'byteOffset':80,'byteLength':%zu}],'accessors':["
             "{'bufferView':0,'componentType':5126,'type':'VEC3','count':4},"
             "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC2','count':4}],"
             "'images':[{'bufferView':1}],'textures':[{'source':0}],'materials':[{"
             "'pbrMetallicRoughness':{'baseColorTexture':{'index':0}},"
             "'normalTexture':{'index':0}}],'meshes':[{'primitives':[{'attributes':{"
             "'POSITION':0,'TEXCOORD_0':1},'mode':5,'material':0}]}],'nodes':[{'mesh':0}]}",
             (bin_size + 3) / 4 * 4, size);
    uint8_t *bin = malloc(bin_size);
    require(bin != NULL, "no memory");
    memcpy(bin, corners, sizeof corners);
    memcpy(bin + sizeof corners, png, size);
    size_t total;
    uint8_t *glb = glb_make(json, bin, bin_size, &total);
    free(bin);
    add_seed(name, false, glb, total);
}

static void add_file(const char *path)
{
    size_t size;
    uint8_t *data = read_file(path, &size);
    if (picture_kind_named(path)) {
        if (size <= SIZE_LIMIT)
            add_picture(path, data, size);
        free(data);
        return;
    }
    if (has_suffix(path, ".m3d")) {
        add_seed(path, true, data, size);
        return;
    }
    free(data);
    const zt_load_def def = load_def();
    zt_error err = {0};
    if (zt_convert(path, state.glb, &def, &err) != ZT_OK) {
        fprintf(stderr, "fuzz_models: left out: %s\n", err.message);
        return;
    }
    data = read_file(state.glb, &size);
    add_seed(path, false, data, size);
}

static double now_s(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void report(double seconds)
{
    printf("fuzz_models: %llu executions in %.0f s from %zu files:",
           (unsigned long long)state.executions, seconds, state.seed_count);
    outcomes_print(state.outcomes);
}

int main(int count, char **arguments)
{
    if (count < 5) {
        fprintf(stderr, "usage: %s COUNT|SECONDSs SEED FOLDER FILE...\n", arguments[0]);
        return 2;
    }
    char *unit;
    const double limit = strtod(arguments[1], &unit), start = now_s();
    uint64_t random = strtoull(arguments[2], NULL, 10) * 2 + 1;
    double reported_s = start;
    snprintf(state.folder, sizeof state.folder, "%.900s", arguments[3]);
    snprintf(state.glb, sizeof state.glb, "%s/current.glb", state.folder);
    snprintf(state.m3d, sizeof state.m3d, "%s/current.m3d", state.folder);
    signal(SIGPROF, on_alarm);
    json_set_alloc_funcs(json_block, json_block_free);
    for (int i = 4; i < count; i++)
        add_file(arguments[i]);
    require(state.seed_count > 0, "no files");
    require(state.json_blocks == 0, "a JSON tree was left behind by a file as it is");
    while (*unit == 's' ? now_s() - start < limit : (double)state.executions < limit) {
        const seed *s = &state.seeds[mutate_random(&random) % state.seed_count];
        run(s, &state.seeds[mutate_random(&random) % state.seed_count], &random);
        if (now_s() - reported_s > 60.0) {
            reported_s = now_s();
            report(reported_s - start);
        }
    }
    report(now_s() - start);
    for (size_t i = 0; i < state.seed_count; i++)
        free(state.seeds[i].data);
    remove(state.glb);
    remove(state.m3d);
    return 0;
}
