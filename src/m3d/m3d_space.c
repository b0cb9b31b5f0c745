// SPDX-License-Identifier: MIT
/// From the space of an .m3d file to ours: right-handed, fronts counter-clockwise.
///
/// The format comes from a left-handed, clockwise world, but exporters differ (the book's soldier
/// is right-handed), so the data decides. With e = (p1 - p0) x (p2 - p0) and the sum n of the three
/// stored normals, a clockwise front seen in left-handed space has e . n > 0, in right-handed space
/// e . n < 0. The majority of the triangles counts; a draw is left-handed, as the format is.
///
/// Mirroring z, S = diag(1, 1, -1): p' = S p, n' = S n, t' = S t, M' = S M S, and a rotation
/// (x, y, z, w) becomes (-x, -y, z, w). The bitangent w N x T turns into -w N' x T', so w' = -w.
/// Negation is written 0 - x, which makes no negative zeros.
///
/// The book's camera looks along +z: the front of a character is at -z of the file. Turning by 180
/// degrees about y negates x and z: with R = diag(-1, 1, -1), p' = R p and so on, M' = R M R, and a
/// rotation (x, y, z, w) becomes (-x, y, -z, w).
#include "base/dvec3.h"
#include "m3d/m3d_file.h"

// The normal of a triangle by its counter-clockwise winding; twice its area long.
static dvec3 face_normal(const m3d_file *file, const uint32_t corner[3])
{
    dvec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = dvec3_from_floats(&file->position[corner[k]].x);
    return dvec3_cross(dvec3_sub(p[1], p[0]), dvec3_sub(p[2], p[0]));
}

// > 0: the triangle winds with its normals (counter-clockwise about them), < 0: against them.
static double winding(const m3d_file *file, uint32_t triangle)
{
    const uint32_t *c = &file->corner[3 * (size_t)triangle];
    dvec3 n = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
        n = dvec3_add(n, dvec3_from_floats(&file->attributes[c[k]].nx));
    return dvec3_dot(face_normal(file, c), n);
}

// Triangles that wind with their normals minus those that wind against them.
static int64_t winding_majority(const m3d_file *file)
{
    int64_t majority = 0;
    for (uint32_t f = 0; f < file->triangle_count; f++) {
        const double w = winding(file, f);
        majority += (w > 0.0) - (w < 0.0);
    }
    return majority;
}

static void negate(float *x) { *x = 0.0f - *x; }

/// Negates z of the mesh, and with `x` also x.
static void negate_mesh(m3d_file *file, bool x)
{
    for (uint32_t v = 0; v < file->vertex_count; v++) {
        vertex_attributes *a = &file->attributes[v];
        negate(&file->position[v].z);
        negate(&a->nz);
        negate(&a->tz);
        if (!x) {
            negate(&file->tangent_w[v]);
            continue;
        }
        negate(&file->position[v].x);
        negate(&a->nx);
        negate(&a->tx);
    }
}

static void negate_bones(m3d_file *file, bool x)
{
    for (uint32_t i = 0; i < file->bone_count; i++)
        for (int column = 0; column < 4; column++)
            for (int row = 0; row < 4; row++) {
                const bool from = column == 2 || (x && column == 0);
                const bool to = row == 2 || (x && row == 0);
                if (from != to)
                    negate(&file->bones[i].bone_from_bind[column][row]);
            }
}

/// Rotations keep the sign of what is about the axis of the turn, or about that of the mirror.
static void negate_clips(m3d_file *file, bool x)
{
    for (uint32_t c = 0; c < file->clip_count; c++)
        for (uint32_t b = 0; b < file->bone_count; b++) {
            m3d_track *track = &file->clips[c].tracks[b];
            for (size_t k = 0; k < track->key_count; k++) {
                negate(&track->translation[3 * k + 2]);
                if (x)
                    negate(&track->translation[3 * k]);
                negate(&track->rotation[4 * k]);
                negate(&track->rotation[4 * k + (x ? 2 : 1)]);
            }
        }
}

void m3d_turn(m3d_file *file)
{
    negate_mesh(file, true);
    negate_bones(file, true);
    negate_clips(file, true);
}

bool m3d_to_right_handed(m3d_file *file, int handedness)
{
    const int64_t majority = winding_majority(file);
    const bool mirror = handedness == 'l' || (handedness != 'r' && majority >= 0);
    if (mirror) {
        negate_mesh(file, false);
        negate_bones(file, false);
        negate_clips(file, false);
    }
    // The format's fronts are clockwise, so triangles are reversed; only where an override
    // contradicts the normals they stay, so that the front is the side that the normals point to.
    const bool contradicted = majority != 0 && mirror != (majority > 0);
    if (!contradicted)
        for (uint32_t f = 0; f < file->triangle_count; f++) {
            uint32_t *c = &file->corner[3 * (size_t)f];
            const uint32_t last = c[2];
            c[2] = c[1];
            c[1] = last;
        }
    return mirror;
}

static bool is_zero(float x, float y, float z) { return x == 0.0f && y == 0.0f && z == 0.0f; }

// Sums of the triangles' normals, weighted by area, at vertices that have none. [vertex_count].
static void sum_face_normals(const m3d_file *file, dvec3 *sum)
{
    for (uint32_t f = 0; f < file->triangle_count; f++) {
        const uint32_t *c = &file->corner[3 * (size_t)f];
        const dvec3 n = face_normal(file, c);
        for (int k = 0; k < 3; k++)
            sum[c[k]] = dvec3_add(sum[c[k]], n);
    }
}

zt_result m3d_complete_frames(m3d_file *file, arena *scratch, zt_error *err)
{
    if (file->repairs.normals_missing > 0) {
        dvec3 *sum;
        ZT_TRY(ARENA_TAKE(scratch, &sum, file->vertex_count, "normals", err));
        sum_face_normals(file, sum);
        for (uint32_t v = 0; v < file->vertex_count; v++) {
            vertex_attributes *a = &file->attributes[v];
            if (!is_zero(a->nx, a->ny, a->nz))
                continue;
            const bool any = dvec3_normalize(&sum[v], 0.0);
            dvec3_to_floats(any ? sum[v] : (dvec3){0.0, 1.0, 0.0}, &a->nx);
        }
    }
    if (file->repairs.tangents_missing > 0)
        for (uint32_t v = 0; v < file->vertex_count; v++) {
            vertex_attributes *a = &file->attributes[v];
            if (!is_zero(a->tx, a->ty, a->tz))
                continue;
            // The coordinate axis that is farthest from the normal, less its part along it.
            const dvec3 n = dvec3_from_floats(&a->nx);
            dvec3 t = dvec3_reject(dvec3_smallest_axis(n), n);
            dvec3_normalize(&t, 0.0);
            dvec3_to_floats(t, &a->tx);
        }
    return ZT_OK;
}
