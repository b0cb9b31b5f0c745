// SPDX-License-Identifier: MIT
/// Runs every lane operation of one instruction set; see lane_probe.h.
#include "lane_probe.h"

#include "simd/lanes.h"

enum { MIPMAP_ONE = 32640 };

#define PROBE_JOIN_(a, b) a##b
#define PROBE_JOIN(a, b)  PROBE_JOIN_(a, b)

typedef struct probe_lanes {
    vf a, b, small;
    vi i, j, half, index, bytes;
} probe_lanes;

/// The sign of a NaN result depends on the architecture: all NaNs compare equal.
static void put_f(probe_output *out, uint32_t *row, int at, vf x)
{
    const vi one_nan = vi_set1(0x7fc00000);
    vi_store((int32_t *)&out->result[(*row)++][at], vi_sel(vf_eq(x, x), vi_bits(x), one_nan));
}

/// For operations that move bits and do not compute: NaNs keep their bits.
static void put_moved(probe_output *out, uint32_t *row, int at, vf x)
{
    vi_store((int32_t *)&out->result[(*row)++][at], vi_bits(x));
}

static void put_i(probe_output *out, uint32_t *row, int at, vi x)
{
    vi_store((int32_t *)&out->result[(*row)++][at], x);
}

static void put_m(probe_output *out, uint32_t *slot, int at, vm m)
{
    out->masks[(*slot)++] |= vm_bits(m) << at;
}

static void probe_floats(const probe_lanes *l, probe_output *out, uint32_t *row, int at)
{
    put_f(out, row, at, l->a + l->b);
    put_f(out, row, at, l->a - l->b);
    put_f(out, row, at, l->a * l->b);
    put_f(out, row, at, l->a / l->b);
    put_f(out, row, at, l->a * l->b + l->small);
    put_f(out, row, at, l->small - l->a * l->b);
    put_f(out, row, at, vf_sqrt(l->a));
    put_moved(out, row, at, vf_min(l->a, l->b));
    put_moved(out, row, at, vf_max(l->a, l->b));
    put_moved(out, row, at, vf_min(l->a, vf_neg(l->a)));
    put_moved(out, row, at, vf_max(vf_neg(l->a), l->a));
    put_moved(out, row, at, vf_clamp(l->a, vf_set1(-1.0f), vf_set1(2.5f)));
    put_moved(out, row, at, vf_abs(l->a));
    put_moved(out, row, at, vf_neg(l->a));
    put_moved(out, row, at, vf_floor(l->small));
    put_moved(out, row, at, vf_from_vi(l->i));
    put_moved(out, row, at, vf_bits(l->i));
    put_moved(out, row, at, vf_sel(vf_lt(l->a, l->b), l->a, l->small));
    put_moved(out, row, at, vf_set1(0.1f));
}

static void probe_integers(const probe_lanes *l, probe_output *out, uint32_t *row, int at)
{
    put_i(out, row, at, l->half + vi_shr(l->j, 1));
    put_i(out, row, at, l->half - vi_shr(l->j, 1));
    put_i(out, row, at, vi_add_wrap(l->i, l->j));
    put_i(out, row, at, vi_mul(l->i, l->j));
    const vi no_minimum = vi_or(l->j, vi_set1(0x00010001)); // -2^15 squared twice is too large
    put_i(out, row, at, vi_madd16(l->i, no_minimum));
    put_i(out, row, at, vi_shru_each(vi_and(l->i, vi_set1(0xffffff)), l->index));
    put_i(out, row, at, vi_min(l->i, l->j));
    put_i(out, row, at, vi_max(l->i, l->j));
    put_i(out, row, at, vi_min_unsigned(l->i, l->j));
    put_i(out, row, at, vi_and(l->i, l->j));
    put_i(out, row, at, vi_or(l->i, l->j));
    put_i(out, row, at, vi_xor(l->i, l->j));
    put_i(out, row, at, vi_andnot(l->i, l->j));
    put_i(out, row, at, vi_shl(l->i, 7));
    put_i(out, row, at, vi_shr(l->i, 9));
    put_i(out, row, at, vi_shru(l->i, 9));
    put_i(out, row, at, vi_from_vf(l->small));
    put_i(out, row, at, vi_bits(l->a));
    put_i(out, row, at, vi_sel(vi_gt(l->i, l->j), l->i, l->half));
    put_i(out, row, at, vi_increment(l->half, vi_gt(l->i, l->j)));
    put_i(out, row, at, vi_set1(-7));
    put_i(out, row, at, vi_iota() + vi_set1(at));
    put_i(out, row, at, l->bytes);
}

static void probe_masks(const probe_lanes *l, probe_output *out, uint32_t *slot, int at)
{
    put_m(out, slot, at, vf_lt(l->a, l->b));
    put_m(out, slot, at, vf_le(l->a, l->b));
    put_m(out, slot, at, vf_gt(l->a, l->b));
    put_m(out, slot, at, vf_ge(l->a, l->b));
    put_m(out, slot, at, vf_eq(l->a, l->b));
    put_m(out, slot, at, vf_eq(l->a, l->a));
    put_m(out, slot, at, vi_lt(l->i, l->j));
    put_m(out, slot, at, vi_gt(l->i, l->j));
    put_m(out, slot, at, vi_eq(l->i, l->i));
    const vm p = vf_lt(l->a, l->b), q = vi_gt(l->i, l->j);
    put_m(out, slot, at, vm_and(p, q));
    put_m(out, slot, at, vm_or(p, q));
    put_m(out, slot, at, vm_andnot(p, q));
    put_m(out, slot, at, vm_not(p));
    put_m(out, slot, at, vm_from_bits(0x9ac5u >> at));
    const unsigned all = (1u << ZT_W) - 1u;
    const bool agree = vm_any(p) == (vm_bits(p) != 0) && vm_all(q) == (vm_bits(q) == all);
    put_m(out, slot, at, vm_from_bits(agree ? all : 0u));
}

static void probe_memory(const probe_input *in, const probe_lanes *l, probe_output *out,
                         uint32_t *row, int at)
{
    put_moved(out, row, at, vf_gather(in->a, l->index));
    put_i(out, row, at, vi_gather(in->i, l->index));
    put_moved(out, row, at, l->b);
    vf_store_mask((float *)&out->result[*row - 1][at], vf_lt(l->a, l->b), l->a);
    const int32_t *words = (const int32_t *)(const void *)in->table; // more than 64
    put_i(out, row, at, vi_lookup64(words, vi_and(l->i, vi_set1(63))));
    put_i(out, row, at, l->i);
    vi_store_mask((int32_t *)&out->result[*row - 1][at], vi_gt(l->i, l->j), l->j);

    const float *from[ZT_W];
    for (int lane = 0; lane < ZT_W; lane++)
        from[lane] = in->table[in->index[at + lane]];
    vf channels[8];
    vf_load4(from, channels);
    for (int c = 0; c < 4; c++)
        put_moved(out, row, at, channels[c]);
    vf_load8(from, channels);
    for (int c = 0; c < 8; c++)
        put_moved(out, row, at, channels[c]);
    qf q[ZT_W];
    vf_to_qf4(channels, q);
    for (int lane = 0; lane < ZT_W; lane++)
        qf_store((float *)&out->result[*row + (uint32_t)(at + lane) / 4][(at + lane) % 4 * 4],
                 q[lane]);
    *row += 4;
}

/// Texels of two levels and their weights, for every lane.
typedef struct probe_octo {
    int16_t texels[2][ZT_W][2][16]; ///< [level][lane][top, bottom]
    uint32_t top[ZT_W], bottom[ZT_W];
    int32_t left[2][ZT_W], right[2][ZT_W];
} probe_octo;

static void probe_octo_fill(const probe_input *in, int at, probe_octo *out)
{
    for (int i = 0; i < ZT_W; i++) {
        const int lane = at + i;
        for (int c = 0; c < 64; c++)
            out->texels[c / 32][i][c / 16 % 2][c % 16] =
                (int16_t)((int64_t)in->i[(lane + c) % PROBE_LANES] * (c + 1) % (MIPMAP_ONE + 1));
        out->top[i] = (uint32_t)((size_t)i * sizeof out->texels[0][0]);
        out->bottom[i] = out->top[i] + (uint32_t)sizeof out->texels[0][0][0];
        const int32_t w = in->bytes[lane] * 16;
        out->left[0][i] = w << 16 | (4096 - w);
        out->right[0][i] = 4096;
        out->left[1][i] = (4096 - w) << 16 | w;
        out->right[1][i] = 4096 << 16;
    }
}

static octo_sums probe_octo_sums(const probe_octo *o, int level, int k)
{
    const octo_places places = {(const uint8_t *)o->texels[level], o->top, o->bottom,
                                o->left[level], o->right[level]};
    return octo_sums_at(&places, k);
}

/// Tables and octuples; the texels differ from lane to lane and have both signs.
static void probe_tables(const probe_input *in, const probe_lanes *l, probe_output *out,
                         uint32_t *row, int at)
{
    put_i(out, row, at, vi_lookup16(in->i, l->index));
    const vi within = vi_and(l->index, vi_set1(ZT_W - 1));
    const vf found = vf_lookup(in->b, within), expected = vf_gather(in->b, within);
    put_i(out, row, at, vi_xor(vi_bits(found), vi_bits(expected))); // 0 for every width
    probe_octo octo;
    octo_row rows[ZT_ROWS];
    probe_octo_fill(in, at, &octo);
    for (int k = 0; k < ZT_ROWS; k++)
        rows[k] =
            octo_row_of(octo_sums_add(probe_octo_sums(&octo, 0, k), probe_octo_sums(&octo, 1, k)));
    vf channels[8];
    vf_from_octo_rows(rows, channels);
    for (int c = 0; c < 8; c++)
        put_moved(out, row, at, channels[c]);
}

/// Pairs of groups of four floats, of the 32 groups of the table.
static void probe_pairs(const probe_input *in, const probe_lanes *l, probe_output *out,
                        uint32_t *row, int at)
{
    uint32_t top[ZT_W], bottom[ZT_W];
    vf left[4], right[4];
    for (int lane = 0; lane < ZT_W; lane++) {
        top[lane] = 16u * (uint32_t)in->index[at + lane];
        bottom[lane] = 16u * (uint32_t)(30 - in->index[at + lane]);
    }
    float groups[32][4];
    memcpy(groups, in->table, sizeof groups);
    vf_mix_pairs(groups, top, bottom, l->b, left, right);
    for (int c = 0; c < 4; c++) {
        put_f(out, row, at, left[c]);
        put_f(out, row, at, right[c]);
    }
}

/// Rotations within pairs and fours of lanes. With one lane, writes the elements they should read.
static void probe_turns(const probe_input *in, const probe_lanes *l, probe_output *out,
                        uint32_t *row, int at)
{
    const vi rotated[4] = {vi_rotate2(l->i), vi_rotate4(l->i, 1), vi_rotate4(l->i, 2),
                           vi_rotate4(l->i, 3)};
    for (int k = 0; k < 4; k++) {
        const int from = k == 0 ? at ^ 1 : (at & ~3) + (at + k) % 4;
        put_i(out, row, at, ZT_W == 1 ? vi_set1(in->i[from]) : rotated[k]);
    }
}

/// The elements with i > j, packed: as words, as bytes, and their number.
static void probe_packed(const probe_input *in, const probe_lanes *l, probe_output *out,
                         uint32_t *row, int at)
{
    const unsigned bits = vm_bits(vi_gt(l->i, l->j));
    const vi packed = vi_pack(l->i, bits);
    int32_t words[ZT_W];
    uint8_t bytes[ZT_W];
    uint32_t before = 0;
    for (int lane = 0; lane < at; lane++)
        before += in->i[lane] > in->j[lane];
    vi_store(words, packed);
    vi_store_u8(bytes, vi_and(packed, vi_set1(255)));
    for (uint32_t k = 0; k < lanes_count(bits); k++) {
        out->result[*row][before + k] = (uint32_t)words[k];
        out->result[*row + 1][before + k] = bytes[k];
        out->result[*row + 2][before + k] = before + k + 1;
    }
    *row += 3;
}

static void probe_quads(const probe_input *in, probe_output *out, uint32_t *row)
{
    const qf a = qf_load(in->table[0]), b = qf_load(in->table[1]);
    float *to = (float *)out->result[(*row)++];
    qf_store(to, qf_add(a, b));
    qf_store(to + 4, qf_sub(a, b));
    qf_store(to + 8, qf_mul(a, b));
    qf_store(to + 12, qf_with_w(a, b));
    to = (float *)out->result[(*row)++];
    qf_store(to, qf_set1(in->table[2][0]));
    const int32_t weights = in->weight * 64 << 16 | (16384 - in->weight * 64);
    const int16_t *texels = (const int16_t *)in->texels16;
    qf_store(to + 4, qf_from_qi(qi_dot_i16(texels, texels + 4, weights)));
    qf_store(to + 8, qf_from_qi(qi_dot_u8(in->texels8, in->texels8 + 4, weights)));
    qf_store(to + 12, qf_spread(a, 2));
}

/// ZT_Q pairs, the first of them pair `at`, into rows of two pairs.
static void put_pairs(probe_output *out, uint32_t row, int at, const wf pairs[2], bool mixed)
{
    float four[ZT_Q * 8];
    if (mixed)
        wf_store_mixed(four, pairs);
    else
        wf_store_pairs(four, pairs);
    memcpy(&out->result[row + (uint32_t)at / 2][at % 2 * 8], four, sizeof four);
}

/// Operations on groups of four-vectors, ZT_Q at a time. Writes rows of four four-vectors, the last
/// four of which are columns, then pairs of rows of two pairs.
static void probe_fours(const probe_input *in, probe_output *out, uint32_t *row)
{
    enum { FOURS = 4, SINGLES = 8, FIRSTS = 4 };
    const uint32_t first = *row;
    for (int at = 0; at < FOURS; at += ZT_Q) {
        const float *flat = (const float *)in->table;
        const wf a = wf_load(flat + 4 * at), b = wf_load(flat + 32 + 4 * at);
        wf pairs[2], these[2], others[2], mixed[2];
        wm m[ZT_Q];
        wf_load_pairs(in->table[at], pairs);
        wf_load_mixed(in->table[at], these);
        wf_load_mixed(in->table[8 + at], others);
        wf_pairs_mix(these, others, mixed);
        const wf single[SINGLES] = {wf_add(a, b),   wf_mul(a, b),           wf_add_xyz(a, b, a),
                                    wf_spread_x(a), wf_spread_y(a),         wf_spread_z(a),
                                    wf_spread_w(b), wf_repeat(in->table[1])};
        for (uint32_t k = 0; k < SINGLES; k++)
            wf_store((float *)&out->result[first + k][at * 4], single[k]);
        uint32_t next = first + SINGLES + FIRSTS;
        put_pairs(out, next, at, pairs, false);
        put_pairs(out, next + 2, at, mixed, true);
        for (int k = 0; k < ZT_Q; k++) {
            const wm one = wm_load(in->table[at + k]), two = wm_load(in->table[2 * (at + k)]);
            m[k] = wm_add(one, wm_scale(two, in->table[at + k][3]));
        }
        next += 4;
        for (int column = 0; column < 4; column++) {
            wm_pairs(m, column, pairs);
            wf_store((float *)&out->result[first + SINGLES + (uint32_t)column][at * 4],
                     wf_pairs_first(pairs));
            put_pairs(out, next + 2 * (uint32_t)column, at, pairs, false);
        }
        *row = next + 8;
    }
}

lane_probe_fn PROBE_JOIN(lane_probe_, ZT_ISA_NAME);

void PROBE_JOIN(lane_probe_, ZT_ISA_NAME)(const probe_input *in, probe_output *out)
{
    memset(out, 0, sizeof *out);
    uint32_t row = 0;
    for (int at = 0; at < PROBE_LANES; at += ZT_W) {
        const probe_lanes l = {vf_load(in->a + at),     vf_load(in->b + at),
                               vf_load(in->small + at), vi_load(in->i + at),
                               vi_load(in->j + at),     vi_load(in->half + at),
                               vi_load(in->index + at), vi_load_u8(in->bytes + at)};
        uint32_t slot = 0;
        row = 0;
        probe_floats(&l, out, &row, at);
        probe_integers(&l, out, &row, at);
        probe_memory(in, &l, out, &row, at);
        probe_tables(in, &l, out, &row, at);
        probe_pairs(in, &l, out, &row, at);
        probe_turns(in, &l, out, &row, at);
        probe_packed(in, &l, out, &row, at);
        probe_masks(&l, out, &slot, at);
        out->mask_count = slot;
    }
    probe_quads(in, out, &row);
    probe_fours(in, out, &row);
    out->count = row;
}
