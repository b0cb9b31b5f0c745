// SPDX-License-Identifier: MIT
/// The reader of Luna's .m3d, a text format.
#pragma once

#include "model/model_format.h"

extern const model_format m3d_format;
