// SPDX-License-Identifier: MIT
/// Matrices and dual quaternions of joints: what pose writes and skinning reads.
#pragma once

/// A 4x4 matrix, column-major, 64-byte rows of a palette; the last row is 0 0 0 1.
typedef struct skin_matrix {
    float column[4][4];
} skin_matrix;

/// A rotation r and translation t as a unit dual quaternion: real = r, dual = t r / 2; x, y, z, w.
typedef struct skin_dual {
    float real[4], dual[4];
} skin_dual;
