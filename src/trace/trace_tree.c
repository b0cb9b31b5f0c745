// SPDX-License-Identifier: MIT
#include "trace/trace_tree.h"

#include "base/maths.h"
#include "geometry/posed_meshlet.h"

#include <string.h>

enum {
    BINS = 16,
    DEPTH_SAH_MAX = 40, ///< nodes below split at the middle, which at least quarters ranges
    TASKS_MIN = 64,     ///< ranges that threads share: so many, unless they become small
    TASK_TRIANGLES = 4096,
};
#define REFIT_COST_MAX 1.2 ///< of that at build

typedef struct tree_box {
    float low[3], high[3];
} tree_box;

/// The box of a triangle. Its centre is low + high, of twice the size.
typedef struct tree_ref {
    tree_box box;
    uint32_t triangle;
} tree_ref;

/// Refs [begin, end) with their box.
typedef struct tree_range {
    tree_box box;
    uint32_t begin, end;
    uint32_t node, child; ///< where the node above has it
    int32_t depth;
} tree_range;

typedef struct tree_builder {
    const trace_triangle *triangles;
    tree_ref *refs;
    uint32_t leaf_size;
    bool middle;
} tree_builder;

/// A part of the tree, built by one thread.
typedef struct tree_part {
    const tree_builder *b;
    arena *a;
    uint32_t node, child; ///< where the part above has it
    trace_node *nodes;
    trace_block *blocks;
    tree_range *open; ///< ranges that need a node
    uint32_t node_count, node_capacity, block_count, block_capacity, open_count, open_capacity;
} tree_part;

static const tree_box empty_box = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};
static const tree_box endless_box = {{-INFINITY, -INFINITY, -INFINITY},
                                     {INFINITY, INFINITY, INFINITY}};

static void box_add(tree_box *box, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = maths_minf(low[k], box->low[k]);
        box->high[k] = maths_maxf(high[k], box->high[k]);
    }
}

/// Half of its surface; 0 for an empty box.
static float box_area(const tree_box *b)
{
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x >= 0.0f ? x * y + y * z + z * x : 0.0f;
}

/// Endless for a triangle that nothing hits.
static tree_box triangle_box(const trace_triangle *t)
{
    tree_box box = empty_box;
    for (int k = 0; k < 3; k++)
        box_add(&box, t->corner[k], t->corner[k]);
    for (int k = 0; k < 9; k++)
        if (!(fabsf(t->corner[k / 3][k % 3]) <= TRACE_FAR_AWAY))
            return endless_box;
    return box;
}

// ---- Splitting a range --------------------------------------------------------------------------

typedef struct tree_bin {
    tree_box box;
    uint32_t count;
} tree_bin;

/// Bins along the axes, from the lowest centre on.
typedef struct tree_bins {
    float first[3], scale[3]; ///< scale 0: all centres are equal
    tree_bin bin[3][BINS];
} tree_bins;

static int bin_of(const tree_bins *bins, const tree_ref *ref, int axis)
{
    const float at =
        ((ref->box.low[axis] + ref->box.high[axis]) - bins->first[axis]) * bins->scale[axis];
    const int bin = (int)at;
    return bin < BINS - 1 ? bin : BINS - 1;
}

static void bins_fill(tree_bins *bins, const tree_ref *refs, uint32_t begin, uint32_t end)
{
    tree_box centres = empty_box;
    for (uint32_t i = begin; i < end; i++) {
        float centre[3];
        for (int k = 0; k < 3; k++)
            centre[k] = refs[i].box.low[k] + refs[i].box.high[k];
        box_add(&centres, centre, centre);
    }
    for (int k = 0; k < 3; k++) {
        const float width = centres.high[k] - centres.low[k];
        bins->first[k] = centres.low[k];
        bins->scale[k] = width > 0x1p-100f ? (float)BINS / width : 0.0f;
        for (int b = 0; b < BINS; b++)
            bins->bin[k][b] = (tree_bin){empty_box, 0};
    }
    for (uint32_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            tree_bin *bin = &bins->bin[k][bin_of(bins, &refs[i], k)];
            box_add(&bin->box, refs[i].box.low, refs[i].box.high);
            bin->count++;
        }
}

/// The axis and the first bin of the upper part by which rays meet the least. -1: none divides.
static int best_split(const tree_bins *bins, int *out_bin)
{
    float best = INFINITY;
    int axis = -1;
    for (int k = 0; k < 3; k++) {
        float above[BINS];
        tree_box box = empty_box;
        uint32_t count = 0;
        for (int b = BINS - 1; b > 0; b--) {
            box_add(&box, bins->bin[k][b].box.low, bins->bin[k][b].box.high);
            count += bins->bin[k][b].count;
            above[b] = count > 0 ? box_area(&box) * (float)count : INFINITY;
        }
        box = empty_box;
        count = 0;
        for (int b = 1; b < BINS && bins->scale[k] > 0.0f; b++) {
            box_add(&box, bins->bin[k][b - 1].box.low, bins->bin[k][b - 1].box.high);
            count += bins->bin[k][b - 1].count;
            const float cost = box_area(&box) * (float)count + above[b];
            if (count > 0 && cost < best) {
                best = cost;
                axis = k;
                *out_bin = b;
            }
        }
    }
    return axis;
}

/// Moves the refs of lower bins to the front; returns the first of the others.
static uint32_t partition(const tree_bins *bins, int axis, int bin, tree_ref *refs, uint32_t begin,
                          uint32_t end)
{
    while (begin < end) {
        if (bin_of(bins, &refs[begin], axis) < bin) {
            begin++;
        } else {
            const tree_ref moved = refs[--end];
            refs[end] = refs[begin];
            refs[begin] = moved;
        }
    }
    return begin;
}

static tree_range range_of(const tree_builder *b, uint32_t begin, uint32_t end, int32_t depth)
{
    tree_range range = {.box = empty_box, .begin = begin, .end = end, .depth = depth};
    for (uint32_t i = begin; i < end; i++)
        box_add(&range.box, b->refs[i].box.low, b->refs[i].box.high);
    return range;
}

static void split(const tree_part *part, tree_range *range, tree_range *out_upper)
{
    const tree_builder *b = part->b;
    tree_bins bins;
    tree_range lower = *range, upper = *range;
    uint32_t middle = range->begin + (range->end - range->begin) / 2;
    int bin = 0, axis = -1;
    const bool asks = range->end - range->begin > 1u << 16; // what comes of it is left then
    if (!b->middle && range->depth < DEPTH_SAH_MAX &&
        !(asks && budget_cancelled(part->a->budget))) {
        bins_fill(&bins, b->refs, range->begin, range->end);
        axis = best_split(&bins, &bin);
    }
    if (axis >= 0) {
        middle = partition(&bins, axis, bin, b->refs, range->begin, range->end);
        lower.box = upper.box = empty_box;
        lower.end = upper.begin = middle;
        for (int i = 0; i < BINS; i++)
            box_add(i < bin ? &lower.box : &upper.box, bins.bin[axis][i].box.low,
                    bins.bin[axis][i].box.high);
    } else {
        lower = range_of(b, range->begin, middle, range->depth);
        upper = range_of(b, middle, range->end, range->depth);
    }
    *range = lower;
    *out_upper = upper;
}

// ---- Nodes --------------------------------------------------------------------------------------

/// The range to be split next: the largest box, deep down the most triangles. -1: all are leaves.
static int widest(const tree_builder *b, const tree_range *ranges, int count)
{
    int at = -1;
    float most = -1.0f;
    for (int i = 0; i < count; i++) {
        const uint32_t size = ranges[i].end - ranges[i].begin;
        const bool by_area = !b->middle && ranges[i].depth < DEPTH_SAH_MAX;
        const float worth = by_area ? box_area(&ranges[i].box) : (float)size;
        if (size > b->leaf_size && worth > most) {
            most = worth;
            at = i;
        }
    }
    return at;
}

static void block_put(trace_block *block, uint32_t lane, const trace_triangle *t)
{
    for (int k = 0; k < 9; k++)
        block->corner[k / 3][k % 3][lane] = t->corner[k / 3][k % 3];
    block->id[lane] = t->id;
}

static void node_bound(trace_node *node, uint32_t child, const tree_box *box)
{
    for (int k = 0; k < 3; k++) {
        node->bound[k][0][child] = box->low[k];
        node->bound[k][1][child] = box->high[k];
    }
}

static bool add_block(tree_part *part, const tree_range *range)
{
    if (!arena_grow(part->a, &part->blocks, part->block_count, &part->block_capacity,
                    sizeof *part->blocks))
        return false;
    trace_block *block = &part->blocks[part->block_count++];
    *block = (trace_block){.id = {0}};
    for (int k = 0; k < 9 * TRACE_CHILDREN; k++)
        block->corner[k / 24][k / 8 % 3][k % 8] = NAN;
    for (uint32_t i = range->begin; i < range->end; i++)
        block_put(block, i - range->begin, &part->b->triangles[part->b->refs[i].triangle]);
    return true;
}

static bool part_open(tree_part *part, const tree_range *range)
{
    if (!arena_grow(part->a, &part->open, part->open_count, &part->open_capacity, sizeof *range))
        return false;
    part->open[part->open_count++] = *range;
    return true;
}

/// The node of a range: eight ranges, of which the large ones are left open.
static bool add_node(tree_part *part, const tree_range *from)
{
    const tree_builder *b = part->b;
    tree_range child[TRACE_CHILDREN] = {*from};
    int count = 1;
    for (int at; count < TRACE_CHILDREN && (at = widest(b, child, count)) >= 0; count++)
        split(part, &child[at], &child[count]);
    if (!arena_grow(part->a, &part->nodes, part->node_count, &part->node_capacity,
                    sizeof *part->nodes))
        return false;
    const uint32_t number = part->node_count++;
    trace_node *node = &part->nodes[number];
    *node = (trace_node){.child = {0}};
    if (number > 0)
        part->nodes[from->node].child[from->child] = number;
    for (int i = 0; i < TRACE_CHILDREN; i++) {
        node_bound(node, (uint32_t)i, i < count ? &child[i].box : &empty_box);
        if (i < count && child[i].end - child[i].begin <= b->leaf_size) {
            node->child[i] = TRACE_LEAF | part->block_count;
            if (!add_block(part, &child[i]))
                return false;
        } else if (i < count) {
            child[i].node = number;
            child[i].child = (uint32_t)i;
            child[i].depth = from->depth + 1;
            if (!part_open(part, &child[i]))
                return false;
        }
    }
    return true;
}

/// Builds what is open. Ranges of at most `small` triangles go to `rest`.
static bool part_build(tree_part *part, uint32_t small, tree_part *rest)
{
    while (part->open_count > 0) {
        const tree_range range = part->open[--part->open_count];
        const bool later = range.end - range.begin <= small;
        if (arena_cancelled(part->a) || !(later ? part_open(rest, &range) : add_node(part, &range)))
            return false;
    }
    return true;
}

// ---- The tree -----------------------------------------------------------------------------------

void trace_space_init(trace_scene *scene, const double low[3], const double high[3])
{
    double most = 0.0, scale = 1.0;
    for (int k = 0; k < 3; k++) {
        scene->centre[k] = 0.5 * low[k] + 0.5 * high[k];
        most = maths_max(most, 0.5 * high[k] - 0.5 * low[k]);
    }
    while (most * scale >= 2.0)
        scale *= 0.5;
    while (most > 0.0 && most * scale < 1.0 && scale < 0x1p127)
        scale *= 2.0;
    scene->scale = (float)scale;
}

void trace_space_point(const trace_scene *scene, const double world[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (float)((world[k] - scene->centre[k]) * (double)scene->scale);
}

static void build_part(void *user, int64_t index, int32_t worker)
{
    tree_part *parts = user;
    (void)worker;
    (void)part_build(&parts[index], 0, NULL);
}

/// Copies a part behind what there is, and links it to the node above.
static void join_part(trace_scene *scene, const tree_part *part)
{
    trace_node *to = scene->nodes + scene->node_count;
    if (scene->node_count > 0)
        scene->nodes[part->node].child[part->child] = scene->node_count;
    for (uint32_t i = 0; i < part->node_count; i++) {
        to[i] = part->nodes[i];
        for (int k = 0; k < TRACE_CHILDREN; k++)
            if (to[i].child[k])
                to[i].child[k] +=
                    to[i].child[k] & TRACE_LEAF ? scene->block_count : scene->node_count;
    }
    if (part->block_count > 0)
        memcpy(scene->blocks + scene->block_count, part->blocks,
               part->block_count * sizeof *part->blocks);
    scene->node_count += part->node_count;
    scene->block_count += part->block_count;
}

/// The box around children [first, end) of a node.
static tree_box node_box(const trace_node *node, uint32_t first, uint32_t end)
{
    tree_box box = empty_box;
    for (uint32_t i = first; i < end; i++)
        box_add(&box, (float[]){node->bound[0][0][i], node->bound[1][0][i], node->bound[2][0][i]},
                (float[]){node->bound[0][1][i], node->bound[1][1][i], node->bound[2][1][i]});
    return box;
}

/// Moves the triangles of a block; returns their box.
static tree_box move_block(trace_block *block, const trace_triangle *triangles,
                           const uint32_t *first)
{
    tree_box box = empty_box;
    for (uint32_t i = 0; i < TRACE_CHILDREN && block->id[i] != TRACE_NONE; i++) {
        const uint32_t id = block->id[i];
        const trace_triangle *t = &triangles[first[primitive_meshlet(id)] + primitive_triangle(id)];
        const tree_box own = triangle_box(t);
        box_add(&box, own.low, own.high);
        block_put(block, i, t);
    }
    return box;
}

/// Fits nodes to what is below them, from the last one to the root, and finds the extent.
/// `triangles`: blocks take these; NULL: they have them. Returns the surface of all boxes in that
/// of the root: what a ray costs.
static double fit_nodes(trace_scene *scene, const trace_triangle *triangles, const uint32_t *first)
{
    double sum = 0.0;
    for (uint32_t i = TRACE_CHILDREN * scene->node_count; i-- > 0;) {
        const uint32_t k = i % TRACE_CHILDREN;
        trace_node *node = &scene->nodes[i / TRACE_CHILDREN];
        const uint32_t child = node->child[k];
        tree_box box = node_box(node, k, k + 1);
        if (child & TRACE_LEAF && triangles)
            box = move_block(&scene->blocks[child & ~TRACE_LEAF], triangles, first);
        else if (child != 0 && !(child & TRACE_LEAF))
            box = node_box(&scene->nodes[child], 0, TRACE_CHILDREN);
        node_bound(node, k, &box);
        sum += (double)box_area(&box);
    }
    const tree_box root = node_box(scene->nodes, 0, TRACE_CHILDREN);
    scene->extent = 0.0f;
    for (int k = 0; k < 3; k++)
        scene->extent = maths_maxf(scene->extent, maths_maxf(-root.low[k], root.high[k]));
    return sum / (double)box_area(&root);
}

/// Joins the parts, the first of which is the top.
static zt_result join_parts(trace_scene *scene, const tree_part *parts, uint32_t count, arena *a,
                            zt_error *err)
{
    size_t node_count = 0, block_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].a->failed != ZT_OK)
            return arena_fail(parts[i].a, err, "the tree of rays");
        node_count += parts[i].node_count;
        block_count += parts[i].block_count;
    }
    ZT_TRY(ARENA_TAKE_RAW(a, &scene->nodes, node_count, "the tree of rays", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &scene->blocks, block_count, "the tree of rays", err));
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(arena_go_on(a, "the tree of rays", err));
        join_part(scene, &parts[i]);
    }
    scene->cost = fit_nodes(scene, NULL, NULL);
    return ZT_OK;
}

/// The nodes above the parts, the parts, and all together.
static zt_result build_parts(trace_scene *scene, const tree_builder *b, job_pool *pool,
                             arena *scratch, arena *a, zt_error *err)
{
    const uint32_t small = scene->triangle_count / TASKS_MIN;
    const tree_range root = range_of(b, 0, scene->triangle_count, 0);
    tree_part top = {.b = b, .a = scratch}, rest = top, *parts;
    arena *memory;
    if (!part_open(&top, &root) ||
        !part_build(&top, small > TASK_TRIANGLES ? small : TASK_TRIANGLES, &rest))
        return arena_fail(scratch, err, "the tree of rays");
    const uint32_t count = rest.open_count + 1;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &parts, count, "the tree of rays", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &memory, count, "the tree of rays", err));
    parts[0] = top;
    for (uint32_t i = 1; i < count; i++) {
        const tree_range *range = &rest.open[i - 1];
        arena_init(&memory[i], a->budget);
        parts[i] = (tree_part){.b = b, .a = &memory[i], .node = range->node, .child = range->child};
        (void)part_open(&parts[i], range);
    }
    job_pool_run(pool, count, build_part, parts);
    const zt_result result = join_parts(scene, parts, count, a, err);
    for (uint32_t i = 1; i < count; i++)
        arena_finish(&memory[i]);
    return result;
}

zt_result trace_tree_build(trace_scene *scene, const trace_triangle *triangles, uint32_t count,
                           trace_build_def def, job_pool *pool, arena *a, zt_error *err)
{
    arena scratch;
    tree_builder b = {triangles, NULL, def.leaf_size ? def.leaf_size : TRACE_CHILDREN, def.middle};
    scene->node_count = scene->block_count = scene->triangle_count = 0;
    scene->extent = 0.0f;
    if (count >= TRACE_LEAF)
        return zt_fail(err, ZT_ERR_LIMIT, "%u triangles that rays meet (expected fewer than 2^31)",
                       (unsigned)count);
    arena_init(&scratch, a->budget);
    zt_result result = ARENA_TAKE_RAW(&scratch, &b.refs, count, "the tree of rays", err);
    for (uint32_t i = 0; i < count && result == ZT_OK; i++) {
        tree_ref *ref = &b.refs[scene->triangle_count];
        *ref = (tree_ref){triangle_box(&triangles[i]), i};
        scene->triangle_count += ref->box.high[0] < INFINITY;
        result = arena_go_on_at(&scratch, i, "the tree of rays", err);
    }
    if (result == ZT_OK && scene->triangle_count > 0)
        result = build_parts(scene, &b, pool, &scratch, a, err);
    arena_finish(&scratch);
    return result;
}

bool trace_tree_refit(trace_scene *scene, const trace_triangle *triangles, const uint32_t *first)
{
    return scene->node_count == 0 ||
           fit_nodes(scene, triangles, first) <= REFIT_COST_MAX * scene->cost;
}
