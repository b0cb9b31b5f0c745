// SPDX-License-Identifier: MIT
// A tree over a bumpy ball and rays through it, by each instruction set and by Embree: its
// robust mode, built with medium quality:
//     bench_rays [RINGS] [--threads N] [--repeat N] [--case NAME] [--json]
// A ball has 4 RINGS^2 triangles, 1,000,000 if nothing is said, and two threads send the rays.
// These start above triangles anywhere; three of four aim at another one, and the rest away from
// one.
#include "base/maths.h"
#include "bench_timing.h"
#include "kernels/kernels.h"
#include "own.h"
#include "trace/trace_tree.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 1 << 18, TRIANGLES_MAX = 1000000, PEER = ZT_ISA_COUNT };
enum { NEAREST, ANY, BUILD, BYTES, ROWS };

typedef struct side {
    const char *name;         ///< NULL: there is none
    const trace_loops *loops; ///< NULL: Embree
    bench_series series[ROWS];
    uint64_t hits;
} side;

typedef struct contest {
    trace_triangle triangles[TRIANGLES_MAX];
    uint32_t count;
    trace_ray rays[RAYS];
    trace_hit hits[RAYS];
    bool blocked[RAYS];
    side sides[PEER + 1];
    const trace_loops *loops;
    bool any;
    trace_scene scene;
    RTCDevice device;
    RTCScene peer;
} contest;

/// A ball of 4 rings^2 triangles, its hills a twentieth of its radius high.
static void make_ball(contest *c, uint32_t rings)
{
    c->count = 4 * rings * rings;
    for (uint32_t i = 0; i < 3 * c->count; i++) {
        const uint32_t corner = i % 6 < 3 ? (6 - i % 6) % 3 : i % 6 - 2; // 0 2 1, 1 2 3
        const double along = 180.0 * (i / 6 / (2 * rings) + corner / 2) / rings;
        const double about = 180.0 * (i / 6 % (2 * rings) + corner % 2) / rings;
        double s[2], cosine[2], hill, valley, none;
        maths_sincos_deg(along, &s[0], &cosine[0]);
        maths_sincos_deg(about, &s[1], &cosine[1]);
        maths_sincos_deg(20.0 * along, &hill, &none);
        maths_sincos_deg(20.0 * about, &valley, &none);
        const double radius = 1.0 + 0.05 * hill * valley;
        float *out = c->triangles[i / 3].corner[i % 3];
        out[0] = (float)(radius * s[0] * cosine[1]);
        out[1] = (float)(radius * s[0] * s[1]);
        out[2] = (float)(radius * cosine[0]);
        c->triangles[i / 3].id = i / 3 + 1;
    }
}

static void make_rays(contest *c)
{
    uint64_t state = 1;
    for (int i = 0; i < RAYS; i++) {
        const trace_triangle *from = &c->triangles[bench_random(&state) % c->count];
        const trace_triangle *to = &c->triangles[bench_random(&state) % c->count];
        const float sign = i % 4 == 0 ? -1.0f : 1.0f;
        c->rays[i] = (trace_ray){.far = INFINITY};
        for (int k = 0; k < 3; k++) {
            c->rays[i].origin[k] = from->corner[0][k] * 1.001f;
            c->rays[i].direction[k] = (0.97f * to->corner[1][k] - from->corner[0][k]) * sign;
        }
    }
}

static void peer_prepare(contest *c)
{
    const RTCGeometry g = rtcNewGeometry(c->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *corners = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             3 * sizeof(float), 3 * (size_t)c->count);
    uint32_t *index = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof *index, c->count);
    for (uint32_t i = 0; i < 3 * c->count; i++) {
        memcpy(corners + 3 * (size_t)i, c->triangles[i / 3].corner[i % 3], 3 * sizeof(float));
        index[i] = i;
    }
    rtcCommitGeometry(g);
    c->peer = rtcNewScene(c->device);
    rtcSetSceneFlags(c->peer, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(c->peer, RTC_BUILD_QUALITY_MEDIUM);
    rtcAttachGeometry(c->peer, g);
    rtcReleaseGeometry(g);
}

static void trace_some(void *user, size_t first, size_t count)
{
    contest *c = user;
    const trace_job job = {&c->scene, c->rays + first, count, c->hits + first, c->blocked + first};
    struct RTCIntersectContext context;
    if (c->loops)
        (c->any ? c->loops->any : c->loops->nearest)(&job);
    rtcInitIntersectContext(&context);
    for (size_t i = first; i < first + count && !c->loops; i++) {
        struct RTCRayHit hit = {.ray = {.tfar = INFINITY, .mask = ~0u},
                                .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        memcpy(&hit.ray.org_x, c->rays[i].origin, sizeof c->rays[i].origin);
        memcpy(&hit.ray.dir_x, c->rays[i].direction, sizeof c->rays[i].direction);
        if (c->any)
            rtcOccluded1(c->peer, &context, &hit.ray);
        else
            rtcIntersect1(c->peer, &context, &hit);
        c->blocked[i] = hit.ray.tfar < 0.0f;
        c->hits[i].id = hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? TRACE_NONE : 1;
    }
}

/// Builds both trees, and sends the rays through them by every side.
static zt_result run_turn(contest *c, int32_t turn, job_pool *pool, arena *a, zt_error *err)
{
    arena_reset(a);
    peer_prepare(c);
    uint64_t start = bench_now_ns();
    ZT_TRY(trace_tree_build(&c->scene, c->triangles, c->count, (trace_build_def){0}, pool, a, err));
    bench_add_since(&c->sides[0].series[BUILD], turn, start);
    start = bench_now_ns();
    rtcCommitScene(c->peer);
    bench_add_since(&c->sides[PEER].series[BUILD], turn, start);
    bench_add(&c->sides[0].series[BYTES], (c->scene.node_count * sizeof *c->scene.nodes +
                                           c->scene.block_count * sizeof *c->scene.blocks) /
                                              c->count);
    for (side *s = c->sides; s <= &c->sides[PEER]; s++)
        for (int any = 0; any < 2 && s->name; any++) {
            c->loops = s->loops;
            c->any = any;
            start = bench_now_ns();
            ZT_TRY(job_pool_ranges(pool, NULL, RAYS, trace_some, c, err));
            bench_add_since(&s->series[any], turn, start);
            s->hits = 0;
            for (int i = 0; i < RAYS; i++)
                s->hits += any ? c->blocked[i] : c->hits[i].id != TRACE_NONE;
        }
    rtcReleaseScene(c->peer);
    return ZT_OK;
}

static void report(const bench_options *o, const contest *c)
{
    static const char *const names[ROWS] = {"nearest", "any", "build", "bytes"};
    static const char *const units[ROWS] = {"ns/ray", "ns/ray", "ms", "bytes"};
    static const double scales[ROWS] = {1.0 / RAYS, 1.0 / RAYS, 1e-6, 1.0};
    for (int i = 0; i < ROWS; i++)
        for (const side *s = c->sides; s <= &c->sides[PEER]; s++) {
            char name[64];
            snprintf(name, sizeof name, "%s_%s", o->name ? o->name : "rays", names[i]);
            if (s->series[i].count > 0)
                bench_report(o, name, i < BUILD || !s->loops ? s->name : "fast", units[i],
                             scales[i], &s->series[i], s->hits);
        }
}

int main(int argc, char **argv)
{
    static contest c;
    bench_options o;
    char config[32];
    zt_error err = {ZT_OK, ""};
    if (!bench_options_read(argc, argv, &o))
        return 2;
    const int threads = o.threads ? o.threads : 2, rings = o.model ? atoi(o.model) : 500;
    if (rings < 1 || 4 * rings > TRIANGLES_MAX / rings)
        return 2;
    OWN_MEMORY(a, 0);
    OWN_POOL *pool = NULL;
    snprintf(config, sizeof config, "threads=%d", threads);
    c.device = rtcNewDevice(config);
    for (int isa = 0; isa < PEER; isa++) {
        const kernel_table *table = kernels_for((zt_isa)isa);
        if (table)
            c.sides[isa] = (side){.name = table->name, .loops = table->trace};
    }
    c.sides[PEER].name = "embree";
    make_ball(&c, (uint32_t)rings);
    make_rays(&c);
    zt_result result = job_pool_create(threads, &pool, &err);
    for (int32_t turn = 0; turn < o.repeats + BENCH_WARM_UP && result == ZT_OK; turn++)
        result = run_turn(&c, turn, pool, &a, &err);
    if (result == ZT_OK)
        report(&o, &c);
    else
        fprintf(stderr, "%s\n", err.message);
    rtcReleaseDevice(c.device);
    return (int)result;
}
