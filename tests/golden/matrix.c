// SPDX-License-Identifier: MIT
/// Draws every golden in every cell of {instruction set} x {threads} x {one frame over all threads,
/// one frame per thread} x {order of jobs}, in one process, and compares what every stage hands on
/// with the first cell, and the pixels with golden/manifest.txt.
///   matrix SOURCE_DIR [--isas LIST] [--threads LIST] [--schedules together,apart]
///          [--orders forward,reverse,shuffle:SEED] [--quarter] [--self-test] [NAME...]
/// Without an option it takes all that there is. It reports the cells that this machine cannot run.
/// --quarter takes one order and schedule for each instruction set and number of threads, in turn,
/// so that each combination of two is. Status: 0 all cells agree, 1 one differs.
#include "matrix.h"

#include "render/frame_stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ZT_MATRIX_BUILD
#define ZT_MATRIX_BUILD "unknown build"
#endif
#ifndef ZT_MATRIX_KIND
#define ZT_MATRIX_KIND "" // of the instruction sets, after their names
#endif

enum { LIST_LIMIT = 16 };

typedef struct matrix {
    goldens goldens;
    const char *isas, *threads, *schedules, *orders;
    bool quarter, self_test;
    const char *names[GOLDEN_LIMIT];
    int run, agree, pictures;
    bool have_reference;
} matrix;

/// Copies entry `index` of a list with commas; false when there are fewer.
static bool list_entry(const char *list, int index, char out[32])
{
    for (; index > 0 && list; index--) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    if (!list || !*list)
        return false;
    snprintf(out, 32, "%.*s", (int)strcspn(list, ","), list);
    return true;
}

static bool parse_order(const char *text, job_order *out)
{
    *out = (job_order){JOB_ORDER_FORWARD, 0};
    if (strcmp(text, "reverse") == 0)
        out->kind = JOB_ORDER_REVERSE;
    else if (strncmp(text, "shuffle:", 8) == 0)
        *out = (job_order){JOB_ORDER_SHUFFLE, (uint32_t)strtoul(text + 8, NULL, 10)};
    else if (strcmp(text, "forward") != 0)
        return false;
    return true;
}

/// The first cell says what every other must give.
static bool set_reference(matrix *m, golden_hashes *hashes)
{
    bool good = true;
    for (int i = 0; i < m->goldens.count; i++) {
        golden *one = &m->goldens.all[i];
        memcpy(one->hash, hashes[i], sizeof one->hash);
        if (one->hash[PRODUCT_PIXELS] == one->want)
            continue;
        printf("matrix: %s: pixel hash %016" PRIx64 " (the manifest has %016" PRIx64 ")\n",
               one->name, one->hash[PRODUCT_PIXELS], one->want);
        good = false;
    }
    m->have_reference = true;
    return good;
}

static bool run_cell(matrix *m, const cell *c)
{
    static golden_hashes hashes[GOLDEN_LIMIT];
    char name[128];
    bool good = cell_draw(c, &m->goldens, NULL, hashes);
    if (!m->have_reference)
        good = set_reference(m, hashes) && good;
    for (int i = 0; i < m->goldens.count; i++) {
        const int32_t first = first_difference(m->goldens.all[i].hash, hashes[i]);
        if (first == PRODUCT_COUNT)
            continue;
        printf("matrix: %s: %s: the first that differs: %s\n", cell_name(c, name),
               m->goldens.all[i].name, frame_product_name((frame_product)first));
        good = false;
    }
    m->run++;
    m->agree += good;
    m->pictures += m->goldens.count;
    return good;
}

/// All schedules and orders with one instruction set and thread count. `parity`: of their places.
static bool run_threads(matrix *m, zt_isa isa, int32_t threads, int parity)
{
    char schedule[32], order[32];
    const int run = m->run, agree = m->agree;
    for (int s = 0; list_entry(m->schedules, s, schedule); s++) {
        for (int o = 0; list_entry(m->orders, o, order); o++) {
            cell c = {.isa = isa, .threads = threads, .spread = strcmp(schedule, "apart") == 0};
            if (!parse_order(order, &c.order) || (!c.spread && strcmp(schedule, "together") != 0)) {
                fprintf(stderr, "matrix: no such schedule or order: %s, %s\n", schedule, order);
                return false;
            }
            if (m->quarter && parity % 4 != s % 2 + 2 * (o % 2))
                continue;
            c.encode = o == 0 && !c.spread;
            c.frame_anew = c.encode && isa == ZT_ISA_SCALAR; // it has no kernels of its own
            run_cell(m, &c);
        }
    }
    printf("%s" ZT_MATRIX_KIND ", %d threads: %d of %d cells agree\n", zt_isa_name(isa),
           (int)threads, m->agree - agree, m->run - run);
    fflush(stdout);
    return true;
}

static bool run_matrix(matrix *m)
{
    char isa_name[32], threads[32];
    // The framing of a scene is found by the cell that draws it alone: the reference.
    const cell reference = {.isa = ZT_ISA_SCALAR, .threads = 1, .encode = true, .frame_anew = true};
    if (!zt_isa_available(ZT_ISA_SCALAR) || (!run_cell(m, &reference) && !m->have_reference))
        return false;
    if (m->self_test)
        return matrix_self_test(&m->goldens);
    for (int i = 0; list_entry(m->isas, i, isa_name); i++) {
        zt_isa isa;
        if (!zt_isa_from_name(isa_name, &isa)) {
            fprintf(stderr, "matrix: no such instruction set: %s\n", isa_name);
            return false;
        }
        if (!zt_isa_available(isa)) {
            if (zt_isa_built(isa))
                printf("%s" ZT_MATRIX_KIND ": not run (not on this machine)\n", isa_name);
            continue;
        }
        for (int t = 0; list_entry(m->threads, t, threads); t++)
            if (!run_threads(m, isa, (int32_t)strtol(threads, NULL, 10), i + t))
                return false;
    }
    printf("matrix: %s: %d goldens, %d cells run, %d agree, %d pictures\n", ZT_MATRIX_BUILD,
           m->goldens.count, m->run, m->agree, m->pictures);
    return m->agree == m->run;
}

static bool parse(matrix *m, int count, char **words, const char **out_source)
{
    int names = 0;
    m->isas = "scalar,sse2,avx2,avx512,neon";
    m->threads = "1,2,7,16";
    m->schedules = "together,apart";
    m->orders = "forward,reverse,shuffle:1";
    for (int i = 1; i < count; i++) {
        const char *const flags[] = {"--isas", "--threads", "--schedules", "--orders"};
        const char **const values[] = {&m->isas, &m->threads, &m->schedules, &m->orders};
        int f = 0;
        while (f < 4 && strcmp(words[i], flags[f]) != 0)
            f++;
        if (strcmp(words[i], "--self-test") == 0)
            m->self_test = true;
        else if (strcmp(words[i], "--quarter") == 0)
            m->quarter = true;
        else if (f < 4 && i + 1 < count)
            *values[f] = words[++i];
        else if (words[i][0] == '-')
            return false;
        else if (!*out_source)
            *out_source = words[i];
        else if (names < GOLDEN_LIMIT - 1)
            m->names[names++] = words[i];
    }
    return *out_source != NULL;
}

int main(int argument_count, char **arguments)
{
    static matrix m;
    const char *source = NULL;
    if (!parse(&m, argument_count, arguments, &source)) {
        fprintf(stderr, "usage: matrix SOURCE_DIR [--isas LIST] [--threads LIST] [--schedules "
                        "together,apart]\n              [--orders forward,reverse,shuffle:SEED] "
                        "[--quarter] [--self-test] [NAME...]\n");
        return 2;
    }
    const bool good = goldens_load(&m.goldens, source, m.names) && run_matrix(&m);
    goldens_free(&m.goldens);
    return good ? 0 : 1;
}
