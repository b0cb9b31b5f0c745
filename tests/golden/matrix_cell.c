// SPDX-License-Identifier: MIT
// One cell: all goldens with one instruction set, number of threads, schedule and order of jobs.
#include "matrix.h"
#include "render/frame_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cell_name(const cell *c, char out[128])
{
    static const char *const orders[] = {"forward", "reverse", "shuffle"};
    const int length =
        snprintf(out, 128, "%s, %d threads, %s, %s", zt_isa_name(c->isa), (int)c->threads,
                 c->spread ? "one frame per thread" : "one frame", orders[c->order.kind]);
    if (c->order.kind == JOB_ORDER_SHUFFLE)
        snprintf(out + length, 128 - (size_t)length, ":%u", (unsigned)c->order.seed);
    return out;
}

int32_t first_difference(const uint64_t *a, const uint64_t *b)
{
    for (int p = 0; p < PRODUCT_COUNT; p++)
        if (a[p] != b[p] && a[p] != 0 && b[p] != 0)
            return p;
    return PRODUCT_COUNT;
}

typedef struct cell_loop {
    zt_renderer *renderer;
    zt_renderer *framed; ///< copies of it for one golden each, with its framing and environment
    const goldens *goldens;
    const kernel_table *kernels;
    golden_hashes *hashes;
    _Atomic int failed;
} cell_loop;

/// One golden by one worker.
static void draw_alone(void *user, int64_t index, int32_t worker)
{
    cell_loop *loop = user;
    const golden *one = &loop->goldens->all[index];
    zt_renderer *renderer = &loop->framed[index];
    frame_stats stats = {0};
    zt_error err = {0};
    const frame_workers workers = renderer_single_worker(renderer, worker);
    const picture_planes planes = {
        .width = one->image.width, .height = one->image.height, .color8 = one->image};
    if (frame_draw(renderer, &workers, one->scene, scene_frame_time(one->scene, one->frame),
                   &planes, &stats, &err) != ZT_OK) {
        fprintf(stderr, "matrix: %s: %s\n", one->name, err.message);
        loop->failed = 1;
    }
    memcpy(loop->hashes[index], stats.hash, sizeof stats.hash);
}

static void draw_all_apart(cell_loop *loop)
{
    const int count = loop->goldens->count;
    loop->framed = calloc((size_t)count, sizeof *loop->framed);
    if (!loop->framed) {
        loop->failed = 1;
        return;
    }
    for (int i = 0; i < count; i++) {
        loop->framed[i] = *loop->renderer;
        loop->framed[i].framing = loop->goldens->all[i].framing;
        loop->framed[i].environment = loop->goldens->all[i].environment;
        if (loop->kernels)
            loop->framed[i].kernels = loop->kernels;
    }
    job_pool_run(loop->renderer->pool, count, draw_alone, loop);
    free(loop->framed);
}

static void draw_together(cell_loop *loop, int index, bool frame_anew)
{
    golden *one = &loop->goldens->all[index];
    zt_error err = {0};
    const kernel_table *saved = loop->renderer->kernels;
    const kept_environment other = loop->renderer->environment;
    loop->renderer->environment = one->environment;
    if (frame_anew) {
        loop->renderer->environment.kind = SCENE_ENVIRONMENT_AMBIENT;
    } else {
        loop->renderer->framed_scene = one->scene;
        loop->renderer->framed_stamp = one->scene->edit_stamp;
        loop->renderer->framing = one->framing;
    }
    if (loop->kernels)
        loop->renderer->kernels = loop->kernels;
    if (zt_render(loop->renderer, one->scene, one->frame, &one->image, &err) != ZT_OK) {
        fprintf(stderr, "matrix: %s: %s\n", one->name, err.message);
        loop->failed = 1;
    }
    loop->renderer->kernels = saved;
    one->environment = loop->renderer->environment;
    loop->renderer->environment = other;
    one->framing = loop->renderer->framing;
    for (int p = 0; p < PRODUCT_COUNT; p++)
        zt_renderer_product(loop->renderer, p, &loop->hashes[index][p]);
}

/// Hash of the picture as a file, of which `flipped` bits of the last byte are changed.
static uint64_t file_hash(const golden *one, uint8_t flipped)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (zt_image_encode(&one->image, NULL, &bytes, &size, NULL) != ZT_OK)
        return 0;
    bytes[size - 1] ^= flipped;
    const uint64_t hash = product_hash_bytes(bytes, size);
    zt_free(bytes);
    return hash;
}

bool cell_draw(const cell *c, const goldens *g, const kernel_table *kernels, golden_hashes *hashes)
{
    zt_error err = {0};
    zt_renderer_def def = zt_default_renderer_def();
    cell_loop loop = {.goldens = g, .kernels = kernels, .hashes = hashes};
    def.threads = c->threads;
    def.max_isa = c->isa;
    if (zt_renderer_create(&def, &loop.renderer, &err) != ZT_OK) {
        fprintf(stderr, "matrix: %s\n", err.message);
        return false;
    }
    loop.renderer->order = c->order;
    zt_renderer_hash_stages(loop.renderer, true);
    for (int i = 0; i < g->count; i++)
        memset(g->all[i].image.rgba8, 0xa5,
               g->all[i].image.stride * (size_t)g->all[i].image.height);
    if (c->spread)
        draw_all_apart(&loop);
    for (int i = 0; i < g->count && !c->spread; i++)
        draw_together(&loop, i, c->frame_anew);
    zt_renderer_destroy(loop.renderer);
    for (int i = 0; i < g->count && c->encode; i++)
        hashes[i][PRODUCT_FILE] = file_hash(&g->all[i], 0);
    return loop.failed == 0;
}

/// The stage whose result is broken, and the kernels that it is broken with.
static int32_t broken;
static const kernel_table *sound;

static void flip(void *word)
{
    uint32_t bits;
    memcpy(&bits, word, sizeof bits);
    bits ^= 1;
    memcpy(word, &bits, sizeof bits);
}

static void broken_skin(const skin_job *job)
{
    if (broken == PRODUCT_PALETTE) { // what is const to the kernel belongs to the frame
        void *palette;
        memcpy(&palette, &job->palette, sizeof palette);
        flip(palette);
    }
    sound->geometry->skin(job);
    if (broken == PRODUCT_VERTICES)
        flip(&job->out_position[job->first]);
}

static void broken_setup(const setup_job *job)
{
    sound->geometry->setup(job);
    if (broken == PRODUCT_SETUP && *job->out_count > 0)
        flip(&job->out[0].z0);
    if (broken == PRODUCT_SETUP && job->small && *job->small_count > 0)
        flip(&job->small[0].z[0]);
}

static void broken_raster(const raster_job *job)
{
    sound->raster->draw(job);
    if (broken == PRODUCT_DEPTH)
        flip(&job->tile.depth[0]);
    for (int i = 0; broken == PRODUCT_ID && i < 4; i++) // a pixel of which nothing is seen now
        job->tile.id[i] = ID_NONE;
}

static void broken_shade(const shade_job *job)
{
    sound->shade->shade(job);
    if (broken == PRODUCT_COLOR)
        flip(&job->color.g[job->index ? job->index[0] : 0]);
}

static void broken_film(const film_job *job)
{
    sound->film->film(job);
    if (broken == PRODUCT_PIXELS)
        flip(job->out);
}

bool matrix_self_test(const goldens *g)
{
    static golden_hashes hashes[GOLDEN_LIMIT];
    const cell one = {.isa = ZT_ISA_SCALAR, .threads = 1, .encode = true};
    sound = kernels_for(ZT_ISA_SCALAR);
    geometry_loops geometry = *sound->geometry;
    raster_loops raster = *sound->raster;
    shade_loops shade = *sound->shade;
    film_loops film = *sound->film;
    geometry.skin = broken_skin;
    geometry.setup = broken_setup;
    raster.draw = broken_raster;
    shade.shade = broken_shade;
    film.film = broken_film;
    kernel_table kernels = *sound;
    kernels.geometry = &geometry;
    kernels.raster = &raster;
    kernels.shade = &shade;
    kernels.film = &film;
    for (int p = 0; p < PRODUCT_COUNT; p++) {
        int named = 0;
        broken = p;
        if (!cell_draw(&one, g, &kernels, hashes))
            return false;
        for (int i = 0; i < g->count; i++) {
            if (broken == PRODUCT_FILE)
                hashes[i][p] = file_hash(&g->all[i], 1);
            const int32_t first = first_difference(g->all[i].hash, hashes[i]);
            named += first == broken;
            if (first != broken && first != PRODUCT_COUNT) {
                printf("matrix: %s: %s was broken, but %s is the first that differs\n",
                       g->all[i].name, frame_product_name((frame_product)broken),
                       frame_product_name((frame_product)first));
                return false;
            }
        }
        if (named == 0) {
            printf("matrix: %s was broken, and no golden notices\n",
                   frame_product_name((frame_product)broken));
            return false;
        }
        printf("matrix: %s broken: named by %d of %d goldens\n",
               frame_product_name((frame_product)broken), named, g->count);
    }
    return true;
}
