// SPDX-License-Identifier: MIT
/// 3MF packages, which programs for 3D printing write.
#pragma once

#include "model/model_format.h"

extern const model_format threemf_format;
