// SPDX-License-Identifier: MIT
/// Valid model files, changed in ways that keep their structure. All follows from a seed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mutant {
    uint8_t *data; ///< malloc
    size_t size;
} mutant;

/// xorshift64*; the state must not be 0.
uint64_t mutate_random(uint64_t *state);
/// A changed copy: a GLB or glTF in its JSON, its binary data or its chunks, an .m3d in its tokens.
/// It may borrow parts of the JSON of `other` (NULL: of none).
mutant mutate_model(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                    uint64_t *random);
