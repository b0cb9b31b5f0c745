// SPDX-License-Identifier: MIT
/// cr_log_info stands in criterion.h.
#include <criterion/criterion.h>
