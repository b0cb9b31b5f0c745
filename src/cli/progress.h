// SPDX-License-Identifier: MIT
/// Progress on standard error: a bar on a terminal, a few lines elsewhere, JSON for programs.
#pragma once

#include "cli/options.h"

typedef struct progress {
    progress_kind kind; ///< never PROGRESS_AUTO
    const char *noun;   ///< of what is counted: "frame"
    double start_s;
    double shown_s;      ///< when the last bar or line was shown
    int64_t done, total; ///< so far
    int64_t skipped;     ///< of done
    int64_t failed;      ///< of done
    double drawn;        ///< files that were not skipped, with parts of frames
    int width;           ///< columns of the bar that is on the line; 0: none
} progress;

void progress_begin(progress *p, const options *o);
/// A bar is drawn at most 20 times a second, lines once, and every 10 s after the first minute;
/// first and last frame always; JSON each. Without a path: a failure, or samples.
void progress_frame(progress *p, const zt_frame_report *report);
/// Takes the bar off its line, for a message; the next frame draws it again.
void progress_clear(progress *p);
/// Ends the line that a bar is on. When all is done and it was more than one, a line says how long
/// it took: "36 frames in 1.2 s, 30.1 a second".
void progress_end(progress *p);
