// SPDX-License-Identifier: MIT
/// Materials and textures of an .m3d file.
#pragma once

#include "m3d/m3d_file.h"
#include "model/model_report.h"
#include "model/model_source.h"

zt_result m3d_build_materials(const m3d_file *file, const model_source *source, zt_model *model,
                              arena *scratch, model_report *report, zt_error *err);
