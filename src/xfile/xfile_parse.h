// SPDX-License-Identifier: MIT
/// From the bytes of an .x file to its tree.
#pragma once

#include "xfile/xfile_tree.h"

zt_result xfile_parse(xfile_tree *tree, zt_error *err);
