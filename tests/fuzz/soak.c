// SPDX-License-Identifier: MIT
/// Many thumbnails in one process, as a server makes them, from a folder that is partly hostile:
/// each file as it is, cut short, and changed (mutate.h). Fails when memory or descriptors grow
/// after the first ones, or when a file gives another picture than before.
///
/// soak COUNT WARM FOLDER FILE...: the files of FOLDER are drawn in turn, COUNT pictures in all.
/// The peak of memory after WARM of them and at the end differs by 2 MiB at most.
#define _POSIX_C_SOURCE 200809L
#include "mutate.h"
#include "outcomes.h"
#include "own.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

enum {
    FILES_LIMIT = 4000,
    PATH_SIZE = 1024,
    SIZE_LIMIT = 1 << 20,
    SIDE = 64,
    COPIES = 4,
    MUTANTS = 3,
    OUTPUTS = 500, // names of pictures
    GROWTH_KIB = 2048
};

typedef struct soak_file {
    char path[PATH_SIZE];
    bool drawn; ///< at least once
    zt_result result;
    uint64_t hash;
} soak_file;

static struct {
    soak_file files[FILES_LIMIT];
    size_t count;
    uint64_t outcomes[ZT_RESULT_COUNT];
} state;

static void require(bool condition, const char *what, const char *name)
{
    if (condition)
        return;
    fprintf(stderr, "soak: %s: %s\n", name, what);
    exit(1);
}

static void add_file(const char *folder, const char *suffix, const uint8_t *data, size_t size)
{
    require(state.count < FILES_LIMIT, "too many files", folder);
    soak_file *f = &state.files[state.count];
    snprintf(f->path, sizeof f->path, "%.900s/%04zu%s", folder, state.count, suffix);
    state.count++;
    FILE *file = fopen(f->path, "wb");
    require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "cannot be written",
            f->path);
}

/// The file, under several names, half of it, and mutants; packed first if it names others.
static void add_family(const char *folder, const char *path, uint64_t *random)
{
    static uint8_t data[SIZE_LIMIT];
    char packed[PATH_SIZE];
    const zt_load_def def = zt_default_load_def();
    snprintf(packed, sizeof packed, "%.900s/packed.glb", folder);
    if (strstr(path, ".gltf") && zt_convert(path, packed, &def, NULL) == ZT_OK)
        path = packed;
    FILE *file = fopen(path, "rb");
    require(file != NULL, "cannot be read", path);
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    const char *suffix = strrchr(path, '.') ? strrchr(path, '.') : "";
    for (int i = 0; i < COPIES; i++)
        add_file(folder, suffix, data, size);
    add_file(folder, suffix, data, size / 2);
    for (int i = 0; i < MUTANTS; i++) {
        mutant m = mutate_model(data, size, NULL, 0, random);
        require(m.data != NULL, "cannot be changed", path);
        add_file(folder, suffix, m.data, m.size);
        free(m.data);
    }
}

static zt_result draw(zt_renderer *renderer, zt_budget *whole, const char *path, const char *out,
                      uint64_t *out_hash, zt_error *err)
{
    zt_load_def def = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    OWN_SCENE *scene = NULL;
    OWN_IMAGE image = {0};
    def.budget = whole;
    def.threads = 1;
    def.picture_side = shot.width = shot.height = SIDE;
    shot.thumbnail = true;
    ZT_TRY(zt_scene_load(path, &def, &scene, err));
    ZT_TRY(zt_scene_apply(scene, &shot, err));
    ZT_TRY(zt_image_init(&image, SIDE, SIDE, whole, err));
    ZT_TRY(zt_render(renderer, scene, zt_scene_frame(scene, 0), &image, err));
    *out_hash = zt_image_hash(&image);
    return zt_image_write(out, &image, NULL, err);
}

/// The same file always has the same result.
static void draw_again(zt_renderer *renderer, zt_budget *whole, const char *folder, size_t number)
{
    soak_file *f = &state.files[number % state.count];
    char out[PATH_SIZE];
    uint64_t hash = 0;
    zt_error err = {0};
    snprintf(out, sizeof out, "%.900s/picture-%zu.png", folder, number % OUTPUTS);
    const zt_result r = draw(renderer, whole, f->path, out, &hash, &err);
    require(r != ZT_ERR_INTERNAL && r != ZT_ERR_OUTPUT && r != ZT_ERR_MEMORY, err.message, f->path);
    require(!f->drawn || (f->result == r && f->hash == hash), "another result than before",
            f->path);
    f->drawn = true;
    f->result = r;
    f->hash = hash;
    state.outcomes[r]++;
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static long descriptors(void)
{
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static double processor_s(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void report(size_t done)
{
    printf("soak: %zu thumbnails of %zu files: peak %ld KiB, %ld descriptors, %.1f s of processor, "
           "%.0f a second:",
           done, state.count, peak_kib(), descriptors(), processor_s(),
           (double)done / processor_s());
    outcomes_print(state.outcomes);
}

int main(int count, char **arguments)
{
    if (count < 5) {
        fprintf(stderr, "usage: %s COUNT WARM FOLDER FILE...\n", arguments[0]);
        return 2;
    }
    const size_t total = strtoul(arguments[1], NULL, 10), warm = strtoul(arguments[2], NULL, 10);
    const char *folder = arguments[3];
    uint64_t random = 1;
    for (int i = 4; i < count; i++)
        add_family(folder, arguments[i], &random);
    require(warm >= state.count && total > warm, "every file is drawn before the first look",
            folder);

    zt_budget *whole = NULL;
    zt_renderer *renderer = NULL;
    zt_renderer_def def = zt_default_renderer_def();
    zt_error err = {0};
    require(zt_budget_create((uint64_t)256 << 20, NULL, &whole, &err) == ZT_OK, err.message,
            folder);
    def.budget = whole;
    def.threads = 1;
    require(zt_renderer_create(&def, &renderer, &err) == ZT_OK, err.message, folder);
    long peak = 0, open_files = 0;
    for (size_t i = 0; i < total; i++) {
        draw_again(renderer, whole, folder, i);
        if (i + 1 == warm) {
            peak = peak_kib();
            open_files = descriptors();
        }
        if (i + 1 == warm || (i + 1) % 10000 == 0)
            report(i + 1);
    }
    report(total);
    zt_renderer_destroy(renderer);
    require(zt_budget_take(whole, (uint64_t)256 << 20), "memory was not given back", folder);
    zt_budget_destroy(whole);
    require(peak_kib() - peak <= GROWTH_KIB, "memory grows", folder);
    require(descriptors() == open_files, "descriptors grow", folder);
    require(state.outcomes[ZT_OK] > 0 && state.outcomes[ZT_ERR_FORMAT] > 0, "all alike", folder);
    return 0;
}
