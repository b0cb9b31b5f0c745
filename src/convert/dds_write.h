// SPDX-License-Identifier: MIT
/// A picture in memory -> an uncompressed DDS file: 8 bits a channel, R, G, B, A in this order,
/// with the mip levels of the picture. Nothing is lost except the low bits of 16-bit channels.
#pragma once

#include "image/picture.h"

enum { DDS_HEADER_SIZE = 128 }; ///< bytes before the pixels of level 0

/// Allocates the file from `a`. Fails with ZT_ERR_MEMORY or ZT_ERR_LIMIT of the budget.
zt_result dds_write(arena *a, const picture *source, file_bytes *out, zt_error *err);
