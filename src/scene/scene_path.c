// SPDX-License-Identifier: MIT
#include "scene/scene_path.h"

#include "base/maths.h"
#include "scene/scene_read.h"

#include <math.h>

/// Newton's steps from a distance to the place on the curve: the error squares with each.
enum { NEWTON_STEPS = 3 };

static uint32_t segment_count(const scene_path *p) { return p->closed ? p->count : p->count - 1; }

static dvec3 point_at(const scene_path *p, int64_t i)
{
    const int64_t count = p->count;
    if (p->closed)
        return p->point[((i % count) + count) % count];
    if (i < 0) // the neighbour that makes the curve leave the end straight
        return dvec3_sub(dvec3_scale(p->point[0], 2.0), p->point[1]);
    if (i >= count)
        return dvec3_sub(dvec3_scale(p->point[count - 1], 2.0), p->point[count - 2]);
    return p->point[i];
}

/// The curve from point `segment` on at u, 0 to 1, and its derivative by u (Catmull & Rom, "A class
/// of local interpolating splines", 1974, with tension 1/2).
static void curve_at(const scene_path *p, uint32_t segment, double u, dvec3 *out, dvec3 *slope)
{
    const dvec3 a = point_at(p, (int64_t)segment - 1), b = point_at(p, segment),
                c = point_at(p, (int64_t)segment + 1), d = point_at(p, (int64_t)segment + 2);
    const double u2 = u * u, u3 = u2 * u;
    const double w[4] = {0.5 * (2.0 * u2 - u3 - u), 0.5 * (3.0 * u3 - 5.0 * u2 + 2.0),
                         0.5 * (4.0 * u2 - 3.0 * u3 + u), 0.5 * (u3 - u2)};
    const double v[4] = {0.5 * (4.0 * u - 3.0 * u2 - 1.0), 0.5 * (9.0 * u2 - 10.0 * u),
                         0.5 * (8.0 * u - 9.0 * u2 + 1.0), 0.5 * (3.0 * u2 - 2.0 * u)};
    *out = dvec3_add(dvec3_add(dvec3_scale(a, w[0]), dvec3_scale(b, w[1])),
                     dvec3_add(dvec3_scale(c, w[2]), dvec3_scale(d, w[3])));
    *slope = dvec3_add(dvec3_add(dvec3_scale(a, v[0]), dvec3_scale(b, v[1])),
                       dvec3_add(dvec3_scale(c, v[2]), dvec3_scale(d, v[3])));
}

/// The length of a segment between two u: Gauss-Legendre quadrature with four points (Abramowitz &
/// Stegun, table 25.4).
static double arc(const scene_path *p, uint32_t segment, double from, double to)
{
    static const double abscissa[2] = {0.339981043584856265, 0.861136311594052575};
    static const double weight[2] = {0.652145154862546143, 0.347854845137453857};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        dvec3 at, before, after;
        curve_at(p, segment, middle - half * abscissa[k], &at, &before);
        curve_at(p, segment, middle + half * abscissa[k], &at, &after);
        sum += weight[k] * (dvec3_length(before) + dvec3_length(after));
    }
    return half * sum;
}

bool scene_path_measure(arena *a, scene_path *path)
{
    const uint32_t parts = SCENE_PATH_PARTS * segment_count(path);
    double *length = ARENA_ARRAY(a, double, (size_t)parts + 1);
    path->length = length;
    if (!length)
        return false;
    for (uint32_t i = 0; i < parts; i++) {
        const double u = (double)(i % SCENE_PATH_PARTS) / SCENE_PATH_PARTS;
        length[i + 1] = length[i] + arc(path, i / SCENE_PATH_PARTS, u, u + 1.0 / SCENE_PATH_PARTS);
    }
    return true;
}

double scene_path_length(const scene_path *path)
{
    return path->length[SCENE_PATH_PARTS * segment_count(path)];
}

double scene_path_driven(const scene_path *path, double time_s)
{
    return path->speed.key_count > 0 ? track_integral(&path->speed, path->speed_sum, time_s) -
                                           track_integral(&path->speed, path->speed_sum, 0.0)
                                     : 0.0;
}

/// The part that has a distance, which is on the path.
static uint32_t part_at(const scene_path *p, double distance)
{
    uint32_t low = 0, high = SCENE_PATH_PARTS * segment_count(p) - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->length[middle + 1] < distance)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void scene_path_at(const scene_path *path, double distance, dvec3 *out_point, dvec3 *out_tangent)
{
    const double whole = scene_path_length(path);
    if (path->closed && isfinite(distance)) {
        distance = fmod(distance, whole);
        distance += distance < 0.0 ? whole : 0.0;
    }
    distance = maths_clamp(distance, 0.0, whole);
    const uint32_t part = part_at(path, distance), segment = part / SCENE_PATH_PARTS;
    const double from = (double)(part % SCENE_PATH_PARTS) / SCENE_PATH_PARTS;
    const double left = distance - path->length[part];
    const double part_length = path->length[part + 1] - path->length[part];
    double u = from + (part_length > 0.0 ? left / part_length : 0.0) / SCENE_PATH_PARTS;
    curve_at(path, segment, u, out_point, out_tangent);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const double speed = dvec3_length(*out_tangent);
        if (!(speed > 0.0))
            break;
        u += (left - arc(path, segment, from, u)) / speed;
        u = maths_clamp(u, from, from + 1.0 / SCENE_PATH_PARTS);
        curve_at(path, segment, u, out_point, out_tangent);
    }
    if (!dvec3_normalize(out_tangent, 0.0))
        *out_tangent = (dvec3){0.0, 0.0, 1.0};
}

/// The keys of `path`.
typedef struct path_entry {
    scene_path out;
    const document_node *points;
} path_entry;

static zt_result read_points(document_reader *r, const document_node *value, path_entry *entry)
{
    ZT_TRY(value_list(r, value, 2, SCENE_PATH_POINT_LIMIT, "a list of 2 to 1024 points [x, y, z]"));
    dvec3 *points;
    ZT_TRY(ARENA_TAKE(r->keep, &points, value->count, "path", r->err));
    for (const document_node *node = value->first; node; node = node->next) {
        double point[3];
        ZT_TRY(value_vector(r, node, -1e6, 1e6, point));
        const uint32_t i = entry->out.count++;
        points[i] = dvec3_load(point);
        if (i > 0 && !(dvec3_length(dvec3_sub(points[i], points[i - 1])) > 1e-6))
            return value_fail(r, node, false, "a point twice in a row (expected another one)");
    }
    entry->out.point = points;
    return ZT_OK;
}

zt_result scene_read_path(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NODE("points", KEY_REQUIRED, path_entry, points),
        KEY_BOOL("closed", KEY_OPTIONAL, path_entry, out.closed),
        KEY_BOOL("turn", KEY_OPTIONAL, path_entry, out.turns),
        KEY_NUMBER("start", KEY_OPTIONAL, path_entry, out.start_m, -1e6, 1e6),
        KEY_TRACK("speed", KEY_OPTIONAL, path_entry, out.speed, TRACK_NUMBER, -1e4, 1e4),
    };
    arena *a = r->keep;
    path_entry entry = {.out = {.turns = true}};
    ZT_TRY(value_map(r, value, "path", keys, COUNT_OF(keys), &entry));
    ZT_TRY(read_points(r, entry.points, &entry));
    const track *speed = &entry.out.speed;
    if (speed->loop || track_uses(speed, TRACK_SPLINE))
        return value_fail(r, document_member(value, "speed"), false,
                          "the speed of a path is a spline or loops (expected step, linear or "
                          "ease, and no loop)");
    scene_path *path;
    ZT_TRY(ARENA_TAKE(a, &path, 1, "path", r->err));
    *path = entry.out;
    path->speed_sum = speed->key_count > 0 ? track_sums(a, speed) : NULL;
    if ((speed->key_count > 0 && !path->speed_sum) || !scene_path_measure(a, path))
        return arena_fail(a, r->err, "path");
    ((scene_instance *)target)->path = path;
    return ZT_OK;
}
