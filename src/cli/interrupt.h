// SPDX-License-Identifier: MIT
/// Signals and the --timeout. The library is asked to stop and does, usually within milliseconds.
/// Where it cannot, in a codec of another library or a write that blocks, a watchdog removes
/// temporary files a quarter of a second later and ends the process: it always stops when told.
#pragma once

#include <zoetrope/zoetrope.h>

#include <stdbool.h>

/// From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2 and the end of
/// `timeout_s` (0: none) end the program, also
/// when whoever started it has blocked signals; a signal that was ignored stays so (nohup). SIGPIPE
/// is ignored: a closed pipe is a failed write.
void interrupt_install(double timeout_s);
/// Starts the watchdog, after the sandbox has closed: it closes threads that begin later.
void interrupt_watch(void);
/// Waits until the watchdog has begun: what holds locks while a thread starts (the allocator of a
/// sanitizer) would hold them forever in a process that is made then.
void interrupt_before_fork(void);
/// In a new process: forgets the watchdog, the stop and the timeout of the one that it was made of,
/// which tells people why it has to stop. Before its own interrupt_watch().
void interrupt_fork(void);
/// Before another command of the same process, which nothing has stopped: forgets the outputs and
/// the document of the one before.
void interrupt_again(void);
/// Ends the watchdog. What comes now no longer waits for anything.
void interrupt_finish(void);
/// For the definitions of the library. Valid as long as the process.
const zt_cancel *interrupt_cancel(void);
/// The watchdog removes temporary files of this process in the folder and in `depth` levels of
/// folders below it. At most eight folders.
void interrupt_folder(const char *folder, int depth);
/// Likewise in the folder of `path`.
void interrupt_output(const char *path, int depth);
/// Likewise the folder of the file at `path`, not the last one: of many, the one being written.
void interrupt_file(const char *path);
/// The beginning of a JSON document, with a member or more; before interrupt_watch(). If the
/// watchdog ends the process before anyone has begun a document, it completes this one with code
/// and message on standard output.
void interrupt_document(const char *begin);
/// The caller begins a document: from now on the watchdog writes none. False: one was begun before.
bool interrupt_document_begin(void);
/// True after a signal or the timeout.
bool interrupt_raised(void);
/// The exit code for it: 128 + signal, or 5 for the timeout.
int interrupt_code(void);
/// "stopped by --timeout" or "stopped by a signal".
const char *interrupt_message(void);
/// True once: the caller prints the message then, and nobody else does.
bool interrupt_tell(void);
