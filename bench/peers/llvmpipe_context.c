// SPDX-License-Identifier: MIT
// EGL_MESA_platform_surfaceless, EGL_KHR_no_config_context and EGL_KHR_surfaceless_context: nothing
// is drawn but into framebuffer objects.
#include "llvmpipe_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EGLDisplay display = EGL_NO_DISPLAY;
static EGLContext context = EGL_NO_CONTEXT;

static bool fail(const char *what)
{
    fprintf(stderr, "llvmpipe: %s (EGL error 0x%x)\n", what, (unsigned)eglGetError());
    return false;
}

bool llvmpipe_start(int32_t threads)
{
    char count[16];
    snprintf(count, sizeof count, "%d", threads > 1 ? (int)threads : 0);
    setenv("LP_NUM_THREADS", count, 1);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return fail("there is no surfaceless EGL display");
    static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                    EGL_NONE};
    eglBindAPI(EGL_OPENGL_ES_API);
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (context == EGL_NO_CONTEXT)
        return fail("no context of OpenGL ES 3.1");
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return fail("the context cannot be used without a surface");
    if (!strstr((const char *)glGetString(GL_RENDERER), "llvmpipe"))
        return fail("another renderer came than llvmpipe");
    return true;
}

const char *llvmpipe_name(void)
{
    static char name[256];
    snprintf(name, sizeof name, "%s, %s", (const char *)glGetString(GL_RENDERER),
             (const char *)glGetString(GL_VERSION));
    return name;
}

void llvmpipe_stop(void)
{
    if (display == EGL_NO_DISPLAY)
        return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT)
        eglDestroyContext(display, context);
    eglTerminate(display);
    display = EGL_NO_DISPLAY;
}
