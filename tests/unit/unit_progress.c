// SPDX-License-Identifier: MIT
/// Lines of progress by a clock of the test's own.
#include "cli/console.h"
#include "cli/progress.h"
#include "testing.h"

#include <unistd.h>

static double now_s;

double console_clock(void) { return now_s; }

Test(progress, lines_of_long_runs_are_ten_seconds_apart)
{
    enum { COUNT = 2400 }; // half a second each
    char line[256];
    FILE *file = tmpfile();
    const options o = {.progress = PROGRESS_LINES};
    progress p;
    int first_minute = 0, later = 0;
    long long frame = 0;
    cr_assert(file && dup2(fileno(file), STDERR_FILENO) == STDERR_FILENO);
    progress_begin(&p, &o);
    for (int64_t i = 1; i <= COUNT; i++) {
        now_s += 0.5;
        const zt_frame_report report = {.done = i, .total = COUNT, .frame = i, .path = "a.png"};
        progress_frame(&p, &report);
    }
    progress_end(&p);
    progress_begin(&p, &o);
    now_s += 2.0; // a quarter of the one frame
    progress_frame(&p,
                   &(zt_frame_report){
                       .total = 1, .samples = 1000000, .samples_total = 4000000, .share = 0.25});
    rewind(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "zoetrope: frame %lld (", &frame) == 1)
            *(frame <= 120 ? &first_minute : &later) += 1;
    cr_expect(first_minute > 55 && first_minute < 65, "%d", first_minute);
    cr_expect(later > 110 && later < 120, "%d", later);
    cr_expect(strstr(line, "frame 0 (0/1) 0.1/s  2.0 s, 6.0 s left, 1.00 of 4.00 M samples\n"),
              "%s", line);
}
