// SPDX-License-Identifier: MIT
/// Signals and the --timeout; see interrupt.h. Handlers touch two flags and call only what POSIX
/// lists as async-signal-safe.
#include "cli/interrupt.h"

#include <zoetrope/zoetrope.h>

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t raised_signal, deferred;

static zt_renderer *volatile watched;

static const char timeout_text[] = "zoetrope: stopped by --timeout\n";

static int code_of(int signal_number)
{
    return signal_number == SIGALRM ? (int)ZT_ERR_LIMIT : 128 + signal_number;
}

static void on_signal(int signal_number)
{
    if (!deferred) {
        if (signal_number == SIGALRM &&
            write(STDERR_FILENO, timeout_text, sizeof timeout_text - 1) < 0)
            _exit((int)ZT_ERR_LIMIT);
        _exit(code_of(signal_number));
    }
    raised_signal = signal_number;
    if (watched)
        zt_renderer_cancel(watched);
}

static void start_timer(double timeout_s)
{
    timer_t timer;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        return;
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    when.it_value.tv_sec = (time_t)timeout_s;
    when.it_value.tv_nsec = (long)((timeout_s - (double)when.it_value.tv_sec) * 1e9);
    if (when.it_value.tv_sec == 0 && when.it_value.tv_nsec == 0)
        when.it_value.tv_nsec = 1; // zero would disarm it
    timer_settime(timer, 0, &when, NULL);
}

void interrupt_install(double timeout_s)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); // beyond ulimit -f a write fails
    if (timeout_s > 0.0)
        start_timer(timeout_s);
}

void interrupt_defer(bool defer)
{
    deferred = defer;
    if (!defer && raised_signal)
        on_signal(raised_signal);
}

void interrupt_watch(zt_renderer *renderer)
{
    watched = renderer;
}

bool interrupt_raised(void)
{
    return raised_signal != 0;
}

int interrupt_code(void)
{
    return code_of(raised_signal);
}
