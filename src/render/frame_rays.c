// SPDX-License-Identifier: MIT
#include "render/frame_rays.h"

#include "base/maths.h"
#include "render/frame_views.h"
#include "render/ray_surface.h"
#include "trace/ray_numbers.h"

#include <float.h>
#include <string.h>

/// Light that has passed surfaces counts as blocked below this share.
static const float min_share = 1.0f / 1024.0f;
static const double one_share = 0x1p24;          ///< shares are summed in so many parts
enum { SKY_LEVEL = ENVIRONMENT_IRRADIANCE - 3 }; ///< blurred by some 10 degrees

static int64_t parts_of(double share) { return (int64_t)(share * one_share + 0.5); }

// ---- Preparation --------------------------------------------------------------------------------

/// The tree, kept while draws stand still; else that of the frame before is fitted, if it serves.
static zt_result make_tree(frame *f, trace_posed *out, zt_error *err)
{
    still_draws *kept = f->kept;
    if (f->still != STILL_KEPT || !kept->has_tree) {
        if (!kept->tree.first)
            arena_reset(&kept->tree_arena);
        ZT_TRY(trace_follow(&f->geometry, f->surface_flags, f->workers.pool, &kept->tree_arena,
                            &kept->tree, err));
        kept->has_tree = f->still != STILL_NEW;
    }
    *out = kept->tree;
    out->frame = &f->geometry;
    return ZT_OK;
}

/// The square of the distance from the middle to the corners of the box around all triangles.
static double ball_of(const trace_scene *scene)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3 && scene->node_count > 0; axis++) {
        float(*bound)[TRACE_CHILDREN] = scene->nodes->bound[axis];
        float most = 0.0f;
        for (int i = 0; i < TRACE_CHILDREN; i++)
            if (bound[0][i] <= bound[1][i])
                most = maths_maxf(most, maths_maxf(-bound[0][i], bound[1][i]));
        sum += (double)most * (double)most;
    }
    return sum * (1.0 + 1e-5);
}

/// All numbers of rays of a frame.
static zt_result make_samples(const frame *f, arena *a, const ray_sample **out, zt_error *err)
{
    const int32_t count = f->light_samples;
    const uint32_t first = f->sub ? (uint32_t)(f->sub->index * count) : 0;
    ray_sample *samples;
    ZT_TRY(ARENA_TAKE_RAW(a, &samples, (size_t)count * RAY_CLASSES, "rays", err));
    *out = samples;
    for (int32_t i = 0; i < RAY_CLASSES; i++)
        for (int32_t k = 0; k < count; k++) {
            double u[RAY_DIMENSIONS], sine, cosine;
            ray_numbers(i, first + (uint32_t)k, u);
            maths_sincos_deg(360.0 * u[0], &sine, &cosine);
            const double radius = sqrt(u[1]);
            *samples++ = (ray_sample){
                {radius * cosine, radius * sine}, sqrt(1.0 - u[1]), {u[2] - 0.5, u[3] - 0.5}};
        }
    return ZT_OK;
}

/// Fills out->lights. *out_wide: all are wide, and fewer texels suffice for their soft shadows.
static zt_result make_lights(const frame *f, frame_rays *out, bool *out_wide, zt_error *err)
{
    ray_light *lights;
    ZT_TRY(ARENA_TAKE(f->arena, &lights, (size_t)f->shade.shadow_count + 1, "rays", err));
    out->lights = lights;
    *out_wide = true;
    for (uint32_t i = 0; i < f->lights.count; i++) {
        const frame_light *from = &f->lights.lights[i];
        if (!from->shadow)
            continue;
        lights[1 + from->shadow->number] =
            (ray_light){&f->lights.shaded[i],
                        light_radius(&from->source, from->scene->shadow_softness), from->emitter};
        *out_wide = *out_wide && from->emitter > 0;
    }
    return ZT_OK;
}

/// Luminance in parts of shares (ITU-R BT.709).
static int64_t luminance_of(const float rgb[3])
{
    return parts_of(0.2126 * (double)rgb[0] + 0.7152 * (double)rgb[1] + 0.0722 * (double)rgb[2]);
}

/// Luminance of the texels that sky_weight looks up.
static zt_result make_luminance(const environment_view *e, arena *a, int64_t **out, zt_error *err)
{
    *out = NULL;
    if (!e)
        return ZT_OK;
    const int32_t count = (e->chain.size[SKY_LEVEL] + 1) * (e->chain.size[SKY_LEVEL] + 1);
    ZT_TRY(ARENA_TAKE_RAW(a, out, (size_t)count, "rays", err));
    for (int32_t i = 0; i < count; i++)
        (*out)[i] = luminance_of(e->chain.texels[e->chain.first[SKY_LEVEL] + i]);
    return ZT_OK;
}

zt_result frame_rays_prepare(frame *f, zt_error *err)
{
    const camera_pass *pass = &f->cameras[0];
    const int32_t kinds = 1 + f->shade.shadow_count, width = pass->view.width;
    const bool shaded = picture_planes_any_shaded(picture_planes_present(f->target));
    frame_rays *rays;
    bool wide;
    if (f->scene->quality != SCENE_QUALITY_FINAL || !shaded ||
        (kinds == 1 && !f->occlusion && !f->ground))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(f->arena, &rays, 1, "rays", err));
    ZT_TRY(make_tree(f, &rays->posed, err));
    rays->radius2 = ball_of(&rays->posed.scene);
    for (uint32_t i = 0; i < f->material_count; i++)
        rays->through |= (f->surface_flags[i] & (SURFACE_MASKED | SURFACE_BLENDED)) != 0 &&
                         surface_meets_light(f->surface_flags[i], false);
    ZT_TRY(make_luminance(f->shade.environment, f->arena, &rays->luminance, err));
    ZT_TRY(make_lights(f, rays, &wide, err));
    ZT_TRY(make_samples(f, f->arena, &rays->samples, err));
    const int32_t step = wide ? occlusion_step(width, pass->view.height) : 1;
    const occlusion_view view = occlusion_view_of(&pass->view.view, width, pass->view.height, step);
    ZT_TRY(light_shares_init(&rays->shares, &view, kinds, f->light_samples, f->arena, err));
    for (int32_t i = 1; i < kinds; i++)
        if (!(rays->lights[i].radius > 0.0)) // its edges are sharp
            rays->shares.share[i] = rays->shares.found[i];
    rays->shares.ground = f->pose.draw_count;
    f->rays = rays;
    f->cameras[0].view.depth_ids = true;
    for (int32_t i = 0; i < f->camera_count; i++)
        f->cameras[i].shade.shares = &rays->shares;
    return ZT_OK;
}

bool frame_rays_widen(const frame *f) { return f->ground && f->rays->shares.view.step > 1; }

// ---- Rays ---------------------------------------------------------------------------------------

/// Rays of a texel to one light.
typedef struct ray_batch {
    int32_t count;
    trace_ray rays[CASTER_HITS];
    trace_hit hits[CASTER_HITS];
    bool blocked[CASTER_HITS];
    float passed[CASTER_HITS];   ///< the share that has passed so far
    int64_t weight[CASTER_HITS]; ///< of what arrives
} ray_batch;

/// Two directions at right angles to the unit vector n (Duff et al., "Building an Orthonormal
/// Basis, Revisited", 2017).
static void basis_of(dvec3 n, dvec3 out[2])
{
    const double sign = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (sign + n.z), b = n.x * n.y * a;
    out[0] = (dvec3){1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    out[1] = (dvec3){b, sign + n.y * n.y * a, -n.y};
}

/// The directions of a light's rays: to its middle, and as long as it is wide along x and y of
/// samples.
typedef struct ray_axes {
    bool sky, distant;
    dvec3 axis, side[2];
    dvec3 middle;    ///< of a light at a place, in the space of the tree
    double radius;   ///< over the distance
    dvec3 ball;      ///< to the ball around all triangles, along sides and axis
    double tangent2; ///< square of the distance to where lines touch it; 0: all rays may hit
    float start[3];  ///< of rays from the middle of the pixel
} ray_axes;

static ray_axes axes_of(const frame_rays *rays, const ray_light *light, const ray_surface *s)
{
    const trace_scene *scene = &rays->posed.scene;
    const bool sky = !light->light;
    ray_axes out = {sky, sky || light->light->kind == SHADE_LIGHT_DIRECTIONAL, .axis = s->smooth};
    double radius = out.radius = sky ? 1.0 : light->radius;
    ray_surface_start(s, 0.0, 0.0, out.start);
    if (!sky)
        out.axis = dvec3_from_floats(light->light->to_light);
    if (!out.distant) {
        const dvec3 offset =
            dvec3_sub(dvec3_from_floats(light->light->position), dvec3_load(scene->centre));
        out.middle = dvec3_scale(offset, (double)scene->scale);
        out.axis = dvec3_sub(out.middle, dvec3_from_floats(out.start));
        radius *= (double)scene->scale;
        out.radius = radius / dvec3_length(out.axis);
    }
    if (!dvec3_normalize(&out.axis, 0.0))
        out.axis = s->smooth;
    basis_of(out.axis, out.side);
    for (int k = 0; k < 2; k++)
        out.side[k] = dvec3_scale(out.side[k], radius);
    const dvec3 to = dvec3_scale(dvec3_from_floats(out.start), -1.0);
    out.ball =
        (dvec3){dvec3_dot(to, out.side[0]), dvec3_dot(to, out.side[1]), dvec3_dot(to, out.axis)};
    out.tangent2 = out.distant ? dvec3_dot(to, to) - rays->radius2 : 0.0;
    return out;
}

/// The unit direction of a sample of light from all around.
static dvec3 sky_direction(const ray_axes *a, const ray_sample *s)
{
    return dvec3_add(dvec3_scale(a->axis, s->up), dvec3_add(dvec3_scale(a->side[0], s->disc[0]),
                                                            dvec3_scale(a->side[1], s->disc[1])));
}

/// Luminance of the environment in a direction of light from all around, in parts of shares: what
/// is bright counts more where it is blocked.
static int64_t sky_weight(const frame *f, dvec3 d)
{
    const environment_view *e = f->shade.environment;
    if (!e) {
        float rgb[3];
        for (int k = 0; k < 3; k++)
            rgb[k] = 0.5f * (f->shade.sky[k] + f->shade.ambient_below[k]) +
                     0.5f * (f->shade.sky[k] - f->shade.ambient_below[k]) * (float)d.y;
        return luminance_of(rgb);
    }
    const int32_t size = e->chain.size[SKY_LEVEL];
    const double x = d.x * (double)e->cosine - d.z * (double)e->sine;
    const double z = d.x * (double)e->sine + d.z * (double)e->cosine;
    const double scale = 0.5 * size / (fabs(x) + fabs(d.y) + fabs(z)), middle = 0.5 * size + 0.5;
    double u = x * scale, v = z * scale;
    if (d.y < 0.0) {
        u = (0.5 * size - fabs(z * scale)) * (x < 0.0 ? -1.0 : 1.0);
        v = (0.5 * size - fabs(x * scale)) * (z < 0.0 ? -1.0 : 1.0);
    }
    return f->rays->luminance[(int32_t)(v + middle) * (size + 1) + (int32_t)(u + middle)];
}

/// The ray of a sample. Light from all around has no edges: its rays start in the middle.
static void make_ray(const ray_axes *a, const ray_surface *s, const ray_sample *sample,
                     trace_ray *out)
{
    // A start of 0 makes subnormal numbers, which are slow.
    *out = (trace_ray){.near = 0x1p-100f, .far = a->distant ? FLT_MAX : 1.0f, .skip = s->id};
    if (a->sky)
        memcpy(out->origin, a->start, sizeof out->origin);
    else
        ray_surface_start(s, sample->pixel[0], sample->pixel[1], out->origin);
    const dvec3 middle = a->distant ? dvec3_scale(a->axis, a->sky ? sample->up : 1.0)
                                    : dvec3_sub(a->middle, dvec3_from_floats(out->origin));
    const dvec3 aside = dvec3_add(dvec3_scale(a->side[0], sample->disc[0]),
                                  dvec3_scale(a->side[1], sample->disc[1]));
    dvec3_to_floats(dvec3_add(middle, aside), out->direction);
}

/// False for a sample whose ray passes the ball around all triangles by.
static bool may_hit(const ray_axes *a, const ray_sample *s)
{
    const double up = a->sky ? s->up : 1.0;
    const double along = (a->ball.x * s->disc[0] + a->ball.y * s->disc[1]) + a->ball.z * up;
    const double aside2 = a->radius * a->radius * (1.0 - s->up * s->up);
    return a->tangent2 <= 0.0 || (along > 0.0 && along * along >= a->tangent2 * (aside2 + up * up));
}

/// Hits -> batch->passed, and rays that go on behind them; the others leave the batch, with what
/// has passed in *sum.
static void pass_hits(const frame *f, uint32_t emitter, ray_batch *b, int64_t *sum)
{
    caster_hits_job job = {.frame = &f->shade, .meshlets = f->geometry.meshlets};
    int32_t left = 0;
    for (int32_t i = 0; i < b->count; i++) {
        const trace_hit *hit = &b->hits[i];
        bool ends = hit->id == TRACE_NONE;
        if (!ends) {
            const trace_place at = trace_place_of(&f->rays->posed, hit->id);
            const unsigned flags = f->surface_flags[at.material];
            const bool own =
                emitter > 0 && at.draw == &f->pose.draws[emitter - 1] && flags & SURFACE_EMISSIVE;
            if (!own && !(flags & (SURFACE_MASKED | SURFACE_BLENDED)))
                continue; // blocked
            ends = own;
        }
        if (ends) {
            *sum += (int64_t)((double)b->passed[i] * (double)b->weight[i] + 0.5);
            continue;
        }
        job.id[left] = hit->id;
        job.barycentric[0][left] = hit->u;
        job.barycentric[1][left] = hit->v;
        b->passed[left] = b->passed[i];
        b->weight[left] = b->weight[i];
        b->rays[left] = b->rays[i];
        b->rays[left].near = hit->t;
        b->rays[left++].after = hit->id;
    }
    job.count = left;
    b->count = 0;
    f->renderer->kernels->shade->caster_hits(&job);
    for (int32_t i = 0; i < left; i++) {
        const float passed = b->passed[i] * (1.0f - job.alpha[i]);
        if (passed < min_share)
            continue;
        b->rays[b->count] = b->rays[i];
        b->weight[b->count] = b->weight[i];
        b->passed[b->count++] = passed;
    }
}

/// Adds what arrives along the rays to *sum, and empties the batch.
static void run_batch(const frame *f, uint32_t emitter, ray_batch *b, int64_t *sum)
{
    const trace_loops *loops = f->renderer->kernels->trace;
    if (f->rays->through || emitter > 0) {
        for (int32_t i = 0; i < b->count; i++)
            b->passed[i] = 1.0f;
        while (b->count > 0 && !budget_cancelled(&f->renderer->budget)) {
            loops->nearest(
                &(trace_job){&f->rays->posed.scene, b->rays, (size_t)b->count, b->hits, NULL});
            pass_hits(f, emitter, b, sum);
        }
    } else {
        loops->any(
            &(trace_job){&f->rays->posed.scene, b->rays, (size_t)b->count, NULL, b->blocked});
        for (int32_t i = 0; i < b->count; i++)
            *sum += b->blocked[i] ? 0 : b->weight[i];
    }
    b->count = 0;
}

/// Rays of a texel of the ground to the sky. A quarter will do where they are widened after.
static int32_t ground_samples(const frame *f)
{
    const light_shares *shares = &f->rays->shares;
    return frame_rays_widen(f) ? shares->samples / 4 : shares->samples;
}

/// The share of one light that arrives at a texel.
static float find_share(const frame *f, const ray_light *light, const ray_surface *s,
                        const ray_sample *samples, ray_batch *batch)
{
    const ray_axes axes = axes_of(f->rays, light, s);
    const bool ground = axes.sky && f->shade.materials[s->material].ground;
    const int32_t count = ground ? ground_samples(f) : f->rays->shares.samples;
    const bool weighs = axes.sky && !ground; // the contact shadow is of an even sky
    int64_t sum = 0, all = 0;
    // Light from behind a surface reaches it only through itself.
    const shade_lobes *lobes = f->shade.materials[s->material].lobes;
    if (!axes.sky && !(lobes && lobes->has.diffuse_transmission) &&
        dvec3_dot(axes.axis, s->smooth) < -axes.radius &&
        dvec3_dot(axes.axis, s->plane) < -axes.radius)
        return 0.0f;
    batch->count = 0;
    for (int32_t i = 0; i < count; i++) {
        const int64_t weight =
            weighs ? sky_weight(f, sky_direction(&axes, &samples[i])) : parts_of(1.0);
        all += weight;
        if (!may_hit(&axes, &samples[i])) {
            sum += weight;
            continue;
        }
        batch->weight[batch->count] = weight;
        make_ray(&axes, s, &samples[i], &batch->rays[batch->count++]);
        if (batch->count == CASTER_HITS)
            run_batch(f, light->emitter, batch, &sum);
    }
    run_batch(f, light->emitter, batch, &sum);
    return all > 0 ? (float)((double)sum / (double)all) : 1.0f;
}

/// The surface of a texel, its draw and a ground's depth; false: light meets nothing there.
static bool find_surface(const frame *f, int32_t x, int32_t y, ptrdiff_t at, ray_surface *out)
{
    const light_shares *shares = &f->rays->shares;
    const screen_view *view = &f->cameras[0].view.view;
    const double px = x * shares->view.step + 0.5, py = y * shares->view.step + 0.5;
    const bool ground = shares->id[at] == ID_NONE && f->ground;
    const uint32_t id = ground ? primitive_id(f->geometry.meshlet_count - 1, 0) : shares->id[at];
    const posed_meshlet *m = id == ID_NONE ? NULL : &f->geometry.meshlets[primitive_meshlet(id)];
    if (!m || m->line || f->shade.materials[m->material].unlit ||
        (!ray_surface_of(&f->rays->posed, view, id, ground, shares->kinds > 1, px, py, out) &&
         ground)) {
        shares->depth[at] = 0.0f;
        return false;
    }
    if (ground)
        shares->depth[at] =
            (float)(view->transform.orthographic ? 2.0 - out->at[2] / (double)view->depth_range
                                                 : 1.0 / out->at[2]);
    shares->id[at] = (uint32_t)(out->draw - f->pose.draws) + 1;
    return true;
}

void frame_rays_trace(const frame *f, int64_t index)
{
    const light_shares *shares = &f->rays->shares;
    const occlusion_view *v = &shares->view;
    const int32_t first = (int32_t)index * OCCLUSION_BAND;
    ray_surface s = {.id = ID_NONE};
    ray_batch batch;
    for (int32_t y = first; y < first + OCCLUSION_BAND && y < v->height; y++)
        for (int32_t x = 0; x < v->width; x++) {
            const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
            if (budget_cancelled(&f->renderer->budget) || !find_surface(f, x, y, at, &s))
                continue;
            const double n[3] = {s.smooth.x, s.smooth.y, s.smooth.z};
            for (int k = 0; k < 3; k++)
                shares->normal[at] |= (uint32_t)(128.5 + 127.0 * n[k]) << (8 * k);
            const ray_sample *samples =
                f->rays->samples +
                (size_t)(x % RAY_PATTERN + y % RAY_PATTERN * RAY_PATTERN) * (size_t)shares->samples;
            for (int32_t k = f->occlusion || s.endless ? 0 : 1; k < shares->kinds; k++)
                shares->found[k][at] = find_share(f, &f->rays->lights[k], &s, samples, &batch);
        }
}

/// 1 / the noise of a mean of samples. The error of a stratified sequence falls with about the
/// 3/4th power of their count.
static float to_noise_of(int32_t samples)
{
    const float root = maths_sqrt(maths_sqrt((float)samples));
    return root * root * root * 0.4f;
}

void frame_rays_filter(const frame *f, bool widens, int64_t index)
{
    const light_shares *shares = &f->rays->shares;
    const shadow_loops *loops = f->renderer->kernels->shadow;
    const int32_t first = (int32_t)index * OCCLUSION_BAND, height = shares->view.height;
    const int32_t texels = widens ? RAY_CLASSES : 1; // of which a share is the mean already
    const light_shares_job job = {
        shares,
        first,
        first + OCCLUSION_BAND < height ? first + OCCLUSION_BAND : height,
        {to_noise_of(shares->samples), to_noise_of(texels * ground_samples(f))}};
    (widens ? loops->light_shares_widen : loops->light_shares_filter)(&job);
}
