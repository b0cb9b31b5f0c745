// SPDX-License-Identifier: MIT
/// Values that scenes and suites both say about pictures: value_fn of an int32_t, or of two in a
/// row.
#pragma once

#include "document/document_value.h"

/// [width, height], "WxH", or one number for a square. ZT_ERR_LIMIT above that of a picture.
zt_result value_size(document_reader *r, const document_node *value, void *target);
/// A frame rate: numerator and denominator.
zt_result value_rate(document_reader *r, const document_node *value, void *target);
/// The DEF_POWER or DEF_MULTIPLE of zt_shot_def that has the name of the key.
zt_result value_step(document_reader *r, const document_node *value, void *target);
