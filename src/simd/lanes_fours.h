// SPDX-License-Identifier: MIT
/// Groups of ZT_Q four-vectors, and 4x4 matrices, where a register holds one four-vector: scalar,
/// SSE2, NEON. This is the specification; lanes_avx2.h and lanes_avx512.h have the wider forms.
///
/// wf: ZT_Q four-vectors. wm: a matrix of four columns. Skinning takes ZT_Q vertices at a time:
/// each blends its own wm; then column c of all goes into one wf, so that a multiplication serves
/// all. Attributes are pairs of four-vectors (normal, tangent). Each instruction set chooses the
/// order of the 2 ZT_Q four-vectors in a pair's two wf: one for values (wf_load_pairs) and columns
/// (wm_pairs), another where both have different columns (wf_load_mixed, wf_pairs_mix).
#pragma once

#define ZT_Q 1

/// True when it is faster to blend the matrices of the next group while one is transformed.
#define ZT_Q_AHEAD false

typedef qf wf;
typedef struct wm {
    qf c0, c1, c2, c3;
} wm;

ZT_LANE_OP wf wf_load(const float *p) { return qf_load(p); }
ZT_LANE_OP void wf_store(float *p, wf x) { qf_store(p, x); }
ZT_LANE_OP wf wf_add(wf a, wf b) { return qf_add(a, b); }
ZT_LANE_OP wf wf_mul(wf a, wf b) { return qf_mul(a, b); }
/// x, y, z of the sum; w of `keep`.
ZT_LANE_OP wf wf_add_xyz(wf a, wf b, wf keep) { return qf_with_w(qf_add(a, b), keep); }
/// The x, y, z or w of each four-vector, in all its four components.
ZT_LANE_OP wf wf_spread_x(wf v) { return qf_spread(v, 0); }
ZT_LANE_OP wf wf_spread_y(wf v) { return qf_spread(v, 1); }
ZT_LANE_OP wf wf_spread_z(wf v) { return qf_spread(v, 2); }
ZT_LANE_OP wf wf_spread_w(wf v) { return qf_spread(v, 3); }
/// The four-vector at p, ZT_Q times.
ZT_LANE_OP wf wf_repeat(const float *p) { return qf_load(p); }

/// 2 ZT_Q four-vectors at p.
ZT_LANE_OP void wf_load_pairs(const float *p, wf out[2])
{
    out[0] = qf_load(p);
    out[1] = qf_load(p + 4);
}
ZT_LANE_OP void wf_store_pairs(float *p, const wf pairs[2])
{
    qf_store(p, pairs[0]);
    qf_store(p + 4, pairs[1]);
}
/// The first of each pair of columns.
ZT_LANE_OP wf wf_pairs_first(const wf pairs[2]) { return pairs[0]; }
/// The first of each pair from a, the second from b, in the order of wf_load_mixed.
ZT_LANE_OP void wf_pairs_mix(const wf a[2], const wf b[2], wf out[2])
{
    out[0] = a[0];
    out[1] = b[1];
}
ZT_LANE_OP void wf_load_mixed(const float *p, wf out[2]) { wf_load_pairs(p, out); }
ZT_LANE_OP void wf_store_mixed(float *p, const wf mixed[2]) { wf_store_pairs(p, mixed); }

/// 16 floats, column-major.
ZT_LANE_OP wm wm_load(const float *p)
{
    return (wm){qf_load(p), qf_load(p + 4), qf_load(p + 8), qf_load(p + 12)};
}
ZT_LANE_OP wm wm_add(wm a, wm b)
{
    return (wm){qf_add(a.c0, b.c0), qf_add(a.c1, b.c1), qf_add(a.c2, b.c2), qf_add(a.c3, b.c3)};
}
ZT_LANE_OP wm wm_scale(wm a, float s)
{
    const qf w = qf_set1(s);
    return (wm){qf_mul(a.c0, w), qf_mul(a.c1, w), qf_mul(a.c2, w), qf_mul(a.c3, w)};
}
/// Column `column` (a constant) of matrix i, for both four-vectors of pair i.
ZT_LANE_OP void wm_pairs(const wm m[ZT_Q], int column, wf out[2])
{
    out[0] = out[1] = column < 2 ? (column == 0 ? m->c0 : m->c1) : (column == 2 ? m->c2 : m->c3);
}
