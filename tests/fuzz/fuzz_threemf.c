// SPDX-License-Identifier: MIT
/// Feeds bytes to the 3MF reader: packages, and model parts ("<"), which a package is made for.
/// Their checksum would be wrong after a mutation otherwise.
#include "../unit/package.h"
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "threemf/threemf.h"

static const fuzz_reading threemf = {&threemf_format, "fuzz.3mf", true, NULL};

void fuzz_input(const uint8_t *data, size_t size)
{
    const size_t headers = 2048;
    if (size == 0 || data[0] != '<' || size > PACKAGE_BYTES - headers) {
        fuzz_reader(&threemf, data, size);
        return;
    }
    package p = {0};
    package_add(&p, "3D/3dmodel.model", data, size);
    package_add_text(&p, "Metadata/thumbnail.png", "no picture");
    package_finish(&p);
    fuzz_reader(&threemf, p.bytes, p.size);
}
