// SPDX-License-Identifier: MIT
/// The directions of a conversion. Each writes its files through job->files, for the caller to
/// commit, and reports what the target format cannot express with convert_report_loss().
///
/// glTF -> glTF copies the JSON and moves the buffers, so that nothing is interpreted and nothing
/// lost. All others start from a zt_model, whatever its format was.
#pragma once

#include "convert/convert_job.h"
#include "model/model.h"

/// Reads job->source.bytes itself.
zt_result convert_gltf_to_gltf(convert_job *job);
/// `model` was loaded from job->source, of any format.
zt_result convert_model_to_gltf(convert_job *job, const zt_model *model);
/// The same; `from_gltf`: what only the JSON says is reported as lost.
zt_result convert_model_to_m3d(convert_job *job, const zt_model *model, bool from_gltf);

/// Chooses among these by the format of `model`.
zt_result convert_to_gltf(convert_job *job, const zt_model *model);
zt_result convert_to_m3d(convert_job *job, const zt_model *model);
