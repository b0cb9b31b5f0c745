// SPDX-License-Identifier: MIT
/// Criterion, and what nearly every test takes of the C library.
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
