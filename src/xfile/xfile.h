// SPDX-License-Identifier: MIT
/// DirectX .x files: text, binary, and both compressed.
#pragma once

#include "model/model_format.h"

extern const model_format xfile_format;
