// SPDX-License-Identifier: MIT
// Surface nets (Gibson, "Constrained elastic surface nets", 1998): one point per grid cell that the
// surface passes through, one quad per grid edge that it crosses. Points are then moved onto the
// surface and evened out along it.
//
// The grid lives in a space in which hands are twice and the head 1.35 times their size, so that
// fingers and the round helmet get smaller triangles than the back.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

// Cell size in metres: gives some 9,000 vertices, which keeps walker.m3d below 3 MB. Fingers (31 mm
// across, seen at 62 mm by the grid) are the thinnest parts and get rings of nine points or so.
#define CELL 0.0242

enum { GRID_X = 38, GRID_Y = 86, GRID_Z = 29 };

static dvec3 grid_point(double i, double j, double k)
{
    // The first layer of cells straddles x = 0: by symmetry its points lie on that plane.
    return v3((i - 0.5) * CELL, -0.05 + j * CELL, -0.335 + k * CELL);
}

// A tube of grid space that is shrunk by `amount` around its axis, from `begin` over `span` metres
// along `direction` on; full within radius `inner`, gone at `outer`.
typedef struct lens {
    dvec3 origin, direction;
    double begin, span, inner, outer, amount;
} lens;

static dvec3 through_lens(const lens *l, dvec3 g)
{
    const dvec3 w = dvec3_sub(g, l->origin);
    const double along = dvec3_dot(w, l->direction);
    const dvec3 radial = v3_mad(w, l->direction, -along);
    const double inside = 1.0 - smooth_step(l->inner, l->outer, dvec3_length(radial));
    const double t = maths_clamp((along - l->begin) / l->span, 0.0, 1.0);
    const double shrink = l->amount * inside * t * t * (3.0 - 2.0 * t);
    // Length lost up to here: the integral of shrink along the axis.
    const double beyond = maths_max(along - l->begin - l->span, 0.0);
    const double lost = l->amount * inside * (l->span * (t * t * t - 0.5 * t * t * t * t) + beyond);
    return dvec3_add(l->origin, dvec3_add(dvec3_scale(l->direction, along - lost),
                                          dvec3_scale(radial, 1.0 - shrink)));
}

// Grid space to metres: the left hand is scaled to half its size, the head at three quarters.
static dvec3 unwarp(dvec3 g)
{
    const lens hand = {
        v3(0.5192, 0.9967, 0.004), WALKER_ARM_DIRECTION, -0.06, 0.09, 0.13, 0.26, 0.5};
    const lens head = {v3(0.0, 1.48, 0.0), v3(0.0, 1.0, 0.0), -0.01, 0.08, 0.3, 0.4, 0.26};
    return through_lens(&head, through_lens(&hand, g));
}

static dvec3 onto_surface(dvec3 p)
{
    const bool middle = p.x == 0.0;
    for (int step = 0; step < 4; step++) {
        const dvec3 g = walker_gradient(p, 1e-3);
        const double square = dvec3_dot(g, g);
        if (square < 1e-6)
            break;
        // Never more than a third of a cell at once: the distance is only approximate.
        const double d = maths_clamp(walker_distance(p), -CELL / 3.0, CELL / 3.0);
        p = v3_mad(p, g, -d / square);
        if (middle)
            p.x = 0.0;
    }
    return p;
}

static int add_point(walker_mesh *mesh, dvec3 p)
{
    array_reserve((void **)&mesh->points, &mesh->point_capacity, mesh->point_count + 1, sizeof p);
    mesh->points[mesh->point_count] = p;
    return (int)mesh->point_count++;
}

static void add_triangle(walker_mesh *mesh, int a, int b, int c)
{
    array_reserve((void **)&mesh->triangles, &mesh->triangle_capacity, mesh->triangle_count + 1,
                  sizeof *mesh->triangles);
    int *t = mesh->triangles[mesh->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void add_quad(walker_mesh *mesh, int a, int b, int c, int d)
{
    const dvec3 *p = mesh->points;
    if (dvec3_length(dvec3_sub(p[a], p[c])) <= dvec3_length(dvec3_sub(p[b], p[d]))) {
        add_triangle(mesh, a, b, c);
        add_triangle(mesh, a, c, d);
    } else {
        add_triangle(mesh, a, b, d);
        add_triangle(mesh, b, c, d);
    }
}

// Moves each point halfway to the mean of its neighbours, then back onto the surface.
static void relax(walker_mesh *mesh)
{
    dvec3 *sum = checked_alloc(mesh->point_count, sizeof *sum);
    int *count = checked_alloc(mesh->point_count, sizeof *count);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int a = mesh->triangles[i][k], b = mesh->triangles[i][(k + 1) % 3];
            sum[a] = dvec3_add(sum[a], mesh->points[b]);
            sum[b] = dvec3_add(sum[b], mesh->points[a]);
            count[a]++;
            count[b]++;
        }
    for (size_t i = 0; i < mesh->point_count; i++) {
        if (count[i] == 0)
            continue;
        dvec3 target = v3_lerp(mesh->points[i], dvec3_scale(sum[i], 1.0 / count[i]), 0.5);
        if (mesh->points[i].x == 0.0)
            target.x = 0.0;
        mesh->points[i] = onto_surface(target);
        if (mesh->points[i].x != 0.0 && mesh->points[i].x < 1e-4)
            mesh->points[i].x = 1e-4; // stay on this side of the middle
    }
    free(sum);
    free(count);
}

static size_t sample_index(int i, int j, int k)
{
    return ((size_t)i * GRID_Y + (size_t)j) * GRID_Z + (size_t)k;
}

// The point of one cell: the mean of the crossings on its twelve edges, or -1 without crossing.
static int cell_point(walker_mesh *mesh, const double *samples, int i, int j, int k)
{
    double value[8];
    int below = 0;
    for (int c = 0; c < 8; c++) {
        value[c] = samples[sample_index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
        below += value[c] < 0.0;
    }
    if (below == 0 || below == 8)
        return -1;
    dvec3 sum = v3(0.0, 0.0, 0.0);
    int crossings = 0;
    for (int a = 0; a < 8; a++)
        for (int axis = 1; axis < 8; axis <<= 1) {
            const int b = a | axis;
            if (a & axis || (value[a] < 0.0) == (value[b] < 0.0))
                continue;
            const double t = value[a] / (value[a] - value[b]);
            sum = dvec3_add(sum, v3((a & 1) + (axis == 1 ? t : 0.0),
                                    (a >> 1 & 1) + (axis == 2 ? t : 0.0),
                                    (a >> 2) + (axis == 4 ? t : 0.0)));
            crossings++;
        }
    sum = dvec3_scale(sum, 1.0 / crossings);
    dvec3 p = unwarp(grid_point(i + sum.x, j + sum.y, k + sum.z));
    if (i == 0)
        p.x = 0.0;
    return add_point(mesh, p);
}

void walker_mesh_build(walker_mesh *mesh)
{
    double *samples = checked_alloc((size_t)GRID_X * GRID_Y * GRID_Z, sizeof *samples);
    int *cells = checked_alloc((size_t)GRID_X * GRID_Y * GRID_Z, sizeof *cells);
    for (int i = 0; i < GRID_X; i++)
        for (int j = 0; j < GRID_Y; j++)
            for (int k = 0; k < GRID_Z; k++)
                samples[sample_index(i, j, k)] = walker_distance(unwarp(grid_point(i, j, k)));
    for (int i = 0; i + 1 < GRID_X; i++)
        for (int j = 0; j + 1 < GRID_Y; j++)
            for (int k = 0; k + 1 < GRID_Z; k++)
                cells[sample_index(i, j, k)] = cell_point(mesh, samples, i, j, k);
    // For each axis, the four cells around an edge in the order that faces the edge's far end.
    static const int around[3][4][3] = {{{0, -1, -1}, {0, 0, -1}, {0, 0, 0}, {0, -1, 0}},
                                        {{-1, 0, -1}, {-1, 0, 0}, {0, 0, 0}, {0, 0, -1}},
                                        {{-1, -1, 0}, {0, -1, 0}, {0, 0, 0}, {-1, 0, 0}}};
    for (int i = 1; i + 1 < GRID_X; i++)
        for (int j = 1; j + 1 < GRID_Y; j++)
            for (int k = 1; k + 1 < GRID_Z; k++)
                for (int axis = 0; axis < 3; axis++) {
                    const double here = samples[sample_index(i, j, k)];
                    const double there =
                        samples[sample_index(i + (axis == 0), j + (axis == 1), k + (axis == 2))];
                    if ((here < 0.0) == (there < 0.0))
                        continue;
                    int q[4];
                    for (int c = 0; c < 4; c++) {
                        const int *o = around[axis][c];
                        q[c] = cells[sample_index(i + o[0], j + o[1], k + o[2])];
                    }
                    if (here < 0.0)
                        add_quad(mesh, q[0], q[1], q[2], q[3]);
                    else
                        add_quad(mesh, q[3], q[2], q[1], q[0]);
                }
    free(samples);
    free(cells);
    for (size_t i = 0; i < mesh->point_count; i++)
        mesh->points[i] = onto_surface(mesh->points[i]);
    for (int pass = 0; pass < 4; pass++)
        relax(mesh);
}

// --- cutting -------------------------------------------------------------------------------------

// Where side() vanishes between a and b, by bisection; the surface bends little over one edge.
static dvec3 crossing(dvec3 a, dvec3 b, double (*side)(dvec3))
{
    const bool a_below = side(a) < 0.0;
    for (int step = 0; step < 24; step++) {
        const dvec3 middle = dvec3_scale(dvec3_add(a, b), 0.5);
        if ((side(middle) < 0.0) == a_below)
            a = middle;
        else
            b = middle;
    }
    return dvec3_scale(dvec3_add(a, b), 0.5);
}

typedef struct cut_edge {
    int a, b, point;
} cut_edge;

// Points added so far: a hash table with linear probing, keyed by the edge.
static int edge_point(walker_mesh *mesh, cut_edge *table, size_t size, int a, int b,
                      double (*side)(dvec3))
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    size_t at = ((size_t)low * 2654435761u + (size_t)high * 40503u) % size;
    while (table[at].b != 0) {
        if (table[at].a == low && table[at].b == high)
            return table[at].point;
        at = (at + 1) % size;
    }
    dvec3 p = crossing(mesh->points[low], mesh->points[high], side);
    if (mesh->points[low].x == 0.0 && mesh->points[high].x == 0.0)
        p.x = 0.0;
    table[at] = (cut_edge){low, high, add_point(mesh, onto_surface(p))};
    return table[at].point;
}

void walker_mesh_cut(walker_mesh *mesh, double (*side)(dvec3), bool (*near)(dvec3))
{
    enum { ON = 0, BELOW = -1, ABOVE = 1 };
    const size_t points = mesh->point_count;
    int *where = checked_alloc(points, sizeof *where);
    bool *close = checked_alloc(points, sizeof *close);
    for (size_t i = 0; i < points; i++) {
        where[i] = side(mesh->points[i]) < 0.0 ? BELOW : ABOVE;
        close[i] = near(mesh->points[i]);
    }
    // A point nearer than 0.3 edge lengths to a crossing moves there: this avoids slivers.
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int a = mesh->triangles[i][k], b = mesh->triangles[i][(k + 1) % 3];
            if (!close[a] || !close[b] || where[a] * where[b] >= 0)
                continue;
            const dvec3 p = crossing(mesh->points[a], mesh->points[b], side);
            const double length = dvec3_length(dvec3_sub(mesh->points[b], mesh->points[a]));
            for (int end = 0; end < 2; end++) {
                const int v = end == 0 ? a : b, other = end == 0 ? b : a;
                if (dvec3_length(dvec3_sub(p, mesh->points[v])) > 0.3 * length)
                    continue;
                if (mesh->points[v].x == 0.0 && mesh->points[other].x != 0.0)
                    continue; // the middle plane keeps its points
                mesh->points[v] = onto_surface(p);
                where[v] = ON;
                break;
            }
        }
    const size_t table_size = points * 2 + 1;
    cut_edge *table = checked_alloc(table_size, sizeof *table);
    const size_t triangles = mesh->triangle_count;
    for (size_t i = 0; i < triangles; i++) {
        int t[3];
        memcpy(t, mesh->triangles[i], sizeof t);
        // Edge k begins at corner k. Only the edge decides, so that both of its triangles agree:
        // a point is added for both or for neither.
        bool split[3];
        int count = 0, alone = 0;
        for (int k = 0; k < 3; k++) {
            const int p = t[k], q = t[(k + 1) % 3];
            split[k] = close[p] && close[q] && where[p] * where[q] < 0;
            count += split[k];
        }
        if (count == 0)
            continue;
        for (int k = 0; k < 3; k++) // with two edges their common corner, with one the opposite one
            if (count == 2 ? split[k] && split[(k + 2) % 3] : split[(k + 1) % 3])
                alone = k;
        const int a = t[alone], b = t[(alone + 1) % 3], c = t[(alone + 2) % 3];
        int *first = mesh->triangles[i]; // add_triangle may move the array: written before it
        first[0] = a;
        if (count == 1) {
            const int bc = edge_point(mesh, table, table_size, b, c, side);
            first[1] = b;
            first[2] = bc;
            add_triangle(mesh, a, bc, c);
        } else {
            const int ab = edge_point(mesh, table, table_size, a, b, side);
            const int ca = edge_point(mesh, table, table_size, c, a, side);
            first[1] = ab;
            first[2] = ca;
            add_triangle(mesh, ab, b, c);
            add_triangle(mesh, ab, c, ca);
        }
    }
    free(table);
    free(where);
    free(close);
}

void walker_mesh_free(walker_mesh *mesh)
{
    free(mesh->points);
    free(mesh->triangles);
    *mesh = (walker_mesh){0};
}
