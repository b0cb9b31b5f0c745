// SPDX-License-Identifier: MIT
/// Nodes, skin and clips of an .m3d file.
#pragma once

#include "m3d/m3d_file.h"
#include "model/model_report.h"

zt_result m3d_build_skeleton(const m3d_file *file, zt_model *model, arena *scratch,
                             model_report *report, zt_error *err);
