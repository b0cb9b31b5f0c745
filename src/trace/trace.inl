// SPDX-License-Identifier: MIT
// Loops over rays: the definition of a hit in trace_loops.h, and the search of the tree.

enum { TRACE_STACK = TRACE_DEPTH_MAX * (TRACE_CHILDREN - 1) + 1 };
#define TRACE_PAD      0x1p-19f
#define TRACE_FLAT     0x1p-80f
#define TRACE_ROUNDING 0x1p-149f ///< twice the error of a t that is rounded as a subnormal

/// A ray as boxes and triangles take it. What all lanes need is spread once.
typedef struct trace_setup {
    vf origin[3], shear[3]; ///< by axis[]
    vf side[3][2];          ///< the origin for the plane that is passed first and last, widened
    vf inverse[3];
    int first[3];        ///< the plane that is passed first: 0 low, 1 high
    int axis[3];         ///< x, y of the sheared space, and the largest component
    float near;          ///< of the ray
    float unit, to_unit; ///< the scaled direction is `unit` times the direction; 1 / unit
    float from;          ///< near, in scaled lengths or before
    uint32_t after, skip;
} trace_setup;

/// As many rays as there are lanes, prepared together.
typedef struct trace_group {
    float side[3][2][ZT_W]; ///< the origin moved up and down
    float inverse[3][ZT_W], shear[3][ZT_W], unit[ZT_W], to_unit[ZT_W], from[ZT_W];
    int32_t axis[ZT_W]; ///< the largest component
    unsigned first[3];  ///< bits: negative directions
    unsigned may_hit;   ///< bits: finite, with a direction, and not from too far away
} trace_group;

ZT_LANE_OP vf trace_pick(vi axis, vf x, vf y, vf z)
{
    return vf_sel(vi_eq(axis, vi_set1(0)), x, vf_sel(vi_eq(axis, vi_set1(1)), y, z));
}

/// Directions of unit size, whose components are not below 2^-80 of the largest.
ZT_LANE_OP void trace_scale(trace_group *out, vf largest, vf d[3])
{
    const vi power = vi_set1(0x7f000000) - vi_and(vi_bits(largest), vi_set1(0x7f800000));
    const vf unit = vf_bits(vi_sel(vi_eq(power, vi_set1(0)), vi_set1(0x00800000), power));
    const vf flat = largest * unit * vf_set1(TRACE_FLAT);
    for (int k = 0; k < 3; k++) {
        d[k] = d[k] * unit;
        const vi sign = vi_and(vi_bits(d[k]), vi_set1(INT32_MIN));
        d[k] = vf_sel(vf_lt(vf_abs(d[k]), flat), vf_bits(vi_or(vi_bits(flat), sign)), d[k]);
        vf_store(out->inverse[k], vf_set1(1.0f) / d[k]);
        out->first[k] = vm_bits(vf_lt(d[k], vf_set1(0.0f)));
    }
    vf_store(out->unit, unit); // of 1 / 2^e, where `largest` is 2^e or more
    vf_store(out->to_unit, vf_set1(1.0f) / unit);
}

/// Shears along the largest component. A turn of the other two keeps the winding.
ZT_LANE_OP void trace_turn(trace_group *out, vi axis, const vf d[3])
{
    const vf z = trace_pick(axis, d[0], d[1], d[2]);
    const vf next = trace_pick(axis, d[1], d[2], d[0]), last = trace_pick(axis, d[2], d[0], d[1]);
    const vm turned = vf_lt(z, vf_set1(0.0f));
    vf_store(out->shear[0], vf_sel(turned, last, next) / z);
    vf_store(out->shear[1], vf_sel(turned, next, last) / z);
    vf_store(out->shear[2], vf_set1(1.0f) / z);
    vi_store(out->axis, axis);
}

static void trace_begin(const trace_scene *scene, const trace_ray *rays, size_t count,
                        trace_group *out)
{
    float from[7][ZT_W];
    for (size_t i = 0; i < ZT_W; i++) {
        const trace_ray *ray = &rays[i < count ? i : count - 1];
        for (int k = 0; k < 3; k++) {
            from[k][i] = ray->origin[k];
            from[3 + k][i] = ray->direction[k];
        }
        from[6][i] = ray->near;
    }
    const vf huge = vf_set1(0x1.fffffep127f);
    vf largest = vf_set1(0.0f), extent = vf_set1(scene->extent), d[3];
    vi axis = vi_set1(0);
    vm may_hit = vf_le(largest, largest);
    for (int k = 0; k < 3; k++) {
        d[k] = vf_load(from[3 + k]);
        const vf size = vf_abs(d[k]), away = vf_abs(vf_load(from[k]));
        may_hit = vm_and(may_hit, vm_and(vf_le(size, huge), vf_le(away, vf_set1(TRACE_FAR_AWAY))));
        axis = vi_sel(vf_gt(size, largest), vi_set1(k), axis);
        largest = vf_max(size, largest);
        extent = vf_max(away, extent);
    }
    out->may_hit = vm_bits(vm_and(may_hit, vf_ge(largest, vf_set1(0x1p-126f))));
    trace_scale(out, largest, d);
    trace_turn(out, axis, d);
    for (int k = 0; k < 3; k++) {
        const vf origin = vf_load(from[k]), pad = vf_set1(TRACE_PAD) * extent;
        vf_store(out->side[k][0], origin + pad);
        vf_store(out->side[k][1], origin - pad);
    }
    vf_store(out->from,
             (vf_min(vf_load(from[6]), huge) - vf_set1(TRACE_ROUNDING)) * vf_load(out->to_unit));
}

/// One ray of a group.
ZT_LANE_OP void trace_spread(const trace_group *group, int i, const trace_ray *ray,
                             trace_setup *out)
{
    const int axis = group->axis[i];
    for (int k = 0; k < 3; k++) {
        out->first[k] = group->first[k] >> i & 1;
        for (int last = 0; last < 2; last++)
            out->side[k][last] = vf_set1(group->side[k][last ^ out->first[k]][i]);
        out->inverse[k] = vf_set1(group->inverse[k][i]);
        out->shear[k] = vf_set1(group->shear[k][i]);
    }
    static const int turn[3][2][2] = {{{1, 2}, {2, 1}}, {{2, 0}, {0, 2}}, {{0, 1}, {1, 0}}};
    out->axis[0] = turn[axis][out->first[axis]][0];
    out->axis[1] = turn[axis][out->first[axis]][1];
    out->axis[2] = axis;
    for (int k = 0; k < 3; k++)
        out->origin[k] = vf_set1(ray->origin[out->axis[k]]);
    out->near = ray->near;
    out->unit = group->unit[i];
    out->to_unit = group->to_unit[i];
    out->from = group->from[i];
    out->after = ray->after;
    out->skip = ray->skip;
}

/// Where the ray enters boxes and leaves them.
typedef struct trace_span {
    vf enter, leave;
} trace_span;

/// Takes the planes of axis `k`, the one that is passed first and the last one.
ZT_LANE_OP void trace_span_add(trace_span *s, const trace_setup *r, int k, vf first, vf last)
{
    const vf enter = (first - r->side[k][0]) * r->inverse[k];
    const vf leave = (last - r->side[k][1]) * r->inverse[k];
    s->enter = k == 0 ? enter : vf_max(s->enter, enter);
    s->leave = k == 0 ? leave : vf_min(s->leave, leave);
}

// ---- Triangles ----------------------------------------------------------------------------------

typedef struct trace_corner {
    vf x, y, z;
} trace_corner;

ZT_LANE_OP trace_corner trace_shear(const trace_setup *r, const float (*corner)[TRACE_CHILDREN],
                                    int at)
{
    const vf x = vf_load(corner[r->axis[0]] + at) - r->origin[0];
    const vf y = vf_load(corner[r->axis[1]] + at) - r->origin[1];
    const vf z = vf_load(corner[r->axis[2]] + at) - r->origin[2];
    return (trace_corner){x - r->shear[0] * z, y - r->shear[1] * z, r->shear[2] * z};
}

ZT_LANE_OP vf trace_edge(trace_corner a, trace_corner b) { return a.x * b.y - a.y * b.x; }

/// Edges whose products are equal, by their signs in doubles.
static void trace_edge_exact(trace_corner a, trace_corner b, vf *edge)
{
    float ax[ZT_W], ay[ZT_W], bx[ZT_W], by[ZT_W], e[ZT_W];
    vf_store(ax, a.x);
    vf_store(ay, a.y);
    vf_store(bx, b.x);
    vf_store(by, b.y);
    vf_store(e, *edge);
    for (int i = 0; i < ZT_W; i++) {
        const double one = (double)ax[i] * (double)by[i], other = (double)ay[i] * (double)bx[i];
        if (e[i] == 0.0f && one != other)
            e[i] = one > other ? 0x1p-149f : -0x1p-149f;
    }
    *edge = vf_load(e);
}

/// Takes the best hit among lanes `at` of a block. True: there was one.
ZT_LANE_OP bool trace_lanes(const trace_setup *r, const trace_block *block, int at, trace_hit *best)
{
    const vf zero = vf_set1(0.0f);
    const trace_corner a = trace_shear(r, block->corner[0], at);
    const trace_corner b = trace_shear(r, block->corner[1], at);
    const trace_corner c = trace_shear(r, block->corner[2], at);
    vf u = trace_edge(c, b), v = trace_edge(a, c), w = trace_edge(b, a);
    vf least = vf_min(vf_min(u, v), w), most = vf_max(vf_max(u, v), w);
    vm hit = vm_or(vf_ge(least, zero), vf_le(most, zero));
    if (!vm_any(hit))
        return false;
    if (vm_any(vm_and(hit, vm_or(vf_eq(least, zero), vf_eq(most, zero))))) {
        trace_edge_exact(c, b, &u);
        trace_edge_exact(a, c, &v);
        trace_edge_exact(b, a, &w);
        least = vf_min(vf_min(u, v), w);
        most = vf_max(vf_max(u, v), w);
        hit = vm_or(vf_ge(least, zero), vf_le(most, zero));
    }
    const vf sum = (u + v) + w;
    const float(*corner)[3][TRACE_CHILDREN] = block->corner;
    trace_span s = {zero, zero};
    for (int k = 0; k < 3; k++) {
        const vf p = vf_load(corner[0][k] + at), q = vf_load(corner[1][k] + at);
        const vf o = vf_load(corner[2][k] + at);
        const vf low = vf_min(vf_min(p, q), o), high = vf_max(vf_max(p, q), o);
        trace_span_add(&s, r, k, r->first[k] ? high : low, r->first[k] ? low : high);
    }
    const vf t = vf_clamp((u * a.z + v * b.z + w * c.z) / sum, s.enter, s.leave) * vf_set1(r->unit);
    hit = vm_andnot(hit, vf_eq(sum, zero));
    hit = vm_and(hit, vm_and(vf_le(s.enter, s.leave),
                             vm_and(vf_ge(t, vf_set1(r->near)), vf_le(t, vf_set1(best->t)))));
    unsigned bits = vm_bits(hit);
    float ts[ZT_W], us[ZT_W], vs[ZT_W];
    bool found = false;
    if (bits == 0)
        return false;
    vf_store(ts, t);
    vf_store(us, v / sum);
    vf_store(vs, w / sum);
    for (; bits; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        const uint32_t id = block->id[at + i];
        if (id == r->skip || (ts[i] == r->near && id <= r->after) ||
            (ts[i] == best->t && best->id != TRACE_NONE && id >= best->id) || ts[i] > best->t)
            continue;
        *best = (trace_hit){id, ts[i], us[i], vs[i]};
        found = true;
    }
    return found;
}

static bool trace_block_hit(const trace_setup *r, const trace_block *block, trace_hit *best)
{
    bool found = false;
    for (int at = 0; at < TRACE_CHILDREN; at += ZT_W)
        found |= trace_lanes(r, block, at, best);
    return found;
}

// ---- The tree -----------------------------------------------------------------------------------

/// A part of the tree that is still to be searched.
typedef struct trace_entry {
    float enter;
    uint32_t child;
} trace_entry;

/// The children of a node that the ray passes up to `limit`, as bits, and where it enters them.
ZT_LANE_OP unsigned trace_node_meet(const trace_setup *r, const trace_node *node, float limit,
                                    float enter[TRACE_CHILDREN])
{
    unsigned bits = 0;
    for (int at = 0; at < TRACE_CHILDREN; at += ZT_W) {
        trace_span s = {vf_set1(0.0f), vf_set1(0.0f)};
        for (int k = 0; k < 3; k++)
            trace_span_add(&s, r, k, vf_load(node->bound[k][r->first[k]] + at),
                           vf_load(node->bound[k][!r->first[k]] + at));
        s.leave = vf_min(s.leave, vf_set1(limit));
        const vm hit = vm_and(vf_le(s.enter, s.leave), vf_ge(s.leave, vf_set1(r->from)));
        vf_store(enter + at, s.enter);
        bits |= vm_bits(hit) << at;
    }
    return bits;
}

/// The first of some children; the others go to the stack, the last one first if it is sorted.
ZT_LANE_OP trace_entry trace_first(const trace_node *node, unsigned bits, const float *enter,
                                   bool sorts, trace_entry *stack, uint32_t *top)
{
    const uint32_t begin = *top;
    int i = __builtin_ctz(bits);
    trace_entry first = {enter[i], node->child[i]};
    while (bits &= bits - 1) {
        i = __builtin_ctz(bits);
        const trace_entry next = {enter[i], node->child[i]};
        const bool swaps = sorts && next.enter < first.enter;
        const trace_entry later = swaps ? first : next;
        first = swaps ? next : first;
        uint32_t to = (*top)++;
        for (; sorts && to > begin && stack[to - 1].enter < later.enter; to--)
            stack[to] = stack[to - 1];
        stack[to] = later;
    }
    return first;
}

ZT_LANE_OP bool trace_search(const trace_scene *scene, const trace_setup *r, bool any,
                             trace_hit *best)
{
    trace_entry stack[TRACE_STACK], entry = {r->from, 0};
    float limit = (best->t + TRACE_ROUNDING) * r->to_unit; // in scaled lengths
    uint32_t top = 0;
    bool found = false;
    if (scene->node_count == 0)
        return false;
    for (;;) {
        if (entry.child & TRACE_LEAF) {
            if (trace_block_hit(r, &scene->blocks[entry.child & ~TRACE_LEAF], best)) {
                limit = (best->t + TRACE_ROUNDING) * r->to_unit;
                found = true;
            }
            if (any && found)
                return true;
        } else {
            const trace_node *node = &scene->nodes[entry.child];
            float enter[TRACE_CHILDREN];
            const unsigned bits = trace_node_meet(r, node, limit, enter);
            if (bits) {
                entry = trace_first(node, bits, enter, !any, stack, &top);
                continue;
            }
        }
        do {
            if (top == 0)
                return found;
            entry = stack[--top];
        } while (entry.enter > limit);
    }
}

ZT_LANE_OP void trace_all(const trace_job *job, bool any)
{
    trace_group group;
    trace_setup setup;
    for (size_t first = 0; first < job->count; first += ZT_W) {
        const size_t count = job->count - first < ZT_W ? job->count - first : ZT_W;
        trace_begin(job->scene, &job->rays[first], count, &group);
        for (size_t i = 0; i < count; i++) {
            const trace_ray *ray = &job->rays[first + i];
            trace_hit best = {.id = TRACE_NONE, .t = ray->far};
            if (group.may_hit >> i & 1) {
                trace_spread(&group, (int)i, ray, &setup);
                (void)trace_search(job->scene, &setup, any, &best);
            }
            if (any)
                job->blocked[first + i] = best.id != TRACE_NONE;
            else
                job->hits[first + i] = best;
        }
    }
}

static void trace_nearest(const trace_job *job) { trace_all(job, false); }

static void trace_any(const trace_job *job) { trace_all(job, true); }
