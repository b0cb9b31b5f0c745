// SPDX-License-Identifier: MIT
/// The version of the library, with the commit that it was built from, if known, and of its ABI.
#include <zoetrope/zoetrope.h>
#ifdef ZT_WITH_COMMIT
#include <zt_commit.h> // written by cmake/commit.cmake: " (g1a2b3c4d5e6f)", or "" without a checkout
#else
#define ZT_COMMIT ""
#endif

#define TEXT_OF(number)     #number
#define VERSION_OF(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

/// "-dev", but "" in the commit of a release (RELEASING.md).
#define STAGE "-dev"

const char *zt_version(void)
{
    return VERSION_OF(ZT_VERSION_MAJOR, ZT_VERSION_MINOR, ZT_VERSION_PATCH) STAGE ZT_COMMIT;
}

int32_t zt_api_version(void) { return ZT_API_VERSION; }
