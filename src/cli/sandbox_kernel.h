// SPDX-License-Identifier: MIT
/// Linux closes a process in: Landlock (landlock(7)) and a filter of calls (seccomp(2)).
#pragma once

#include <stdbool.h>

/// The version of Landlock's interface; 0: the kernel has none, or the program was built without.
int sandbox_landlock_version(void);
bool sandbox_has_filter(void);

typedef enum sandbox_access {
    SANDBOX_READ,
    SANDBOX_LIST,           ///< the names in folders
    SANDBOX_WRITE,          ///< and read, make and remove files and folders
    SANDBOX_REMOVE_FOLDERS, ///< nothing else
    SANDBOX_REMOVE_FILES    ///< nothing else
} sandbox_access;

typedef struct sandbox_rules {
    int descriptor;
    int version;
} sandbox_rules;

/// Rules without any file. False: the kernel refuses.
bool sandbox_rules_begin(sandbox_rules *rules);
/// Allows a file, or a folder and all below it; one that does not exist is passed over.
void sandbox_allow(sandbox_rules *rules, const char *path, sandbox_access access);
/// From here on the process has no further rights, and the rules hold for it. False: they do not.
bool sandbox_rules_enforce(sandbox_rules *rules);
/// Only system calls that the program needs work from here on, for threads that begin later too:
/// with `workers` also those that make processes, watch them and close them in.
bool sandbox_filter_calls(bool workers);
