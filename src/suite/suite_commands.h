// SPDX-License-Identifier: MIT
/// Command lines that people copy from a report.
#pragma once

#include "suite/suite.h"

/// Renders the picture of a shot alone; NULL: no memory in `texts`, or too long.
const char *suite_render_command(const suite_shot *shot, int64_t frame, comparison_list *texts);
/// Makes its picture the golden; NULL: as above.
const char *suite_accept_command(const suite *s, const suite_shot *shot, comparison_list *texts);
