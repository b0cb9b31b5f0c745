// SPDX-License-Identifier: MIT
/// See jpeg_library.h. Reference: libjpeg-turbo, libjpeg.txt, "Error handling".
#include "image/jpeg_library.h"

#include <jerror.h>

static void jump(j_common_ptr object)
{
    jpeg_errors *errors = (jpeg_errors *)object->err;
    errors->code = object->err->msg_code;
    object->err->format_message(object, errors->text);
    longjmp(errors->begin, 1);
}

/// Levels from 0 on are remarks.
static void note_warning(j_common_ptr object, int level)
{
    jpeg_errors *errors = (jpeg_errors *)object->err;
    if (level < 0)
        errors->warning = object->err->msg_code;
}

static void print_nothing(j_common_ptr object) { (void)object; }

struct jpeg_error_mgr *jpeg_errors_init(jpeg_errors *errors)
{
    *errors = (jpeg_errors){.code = 0};
    struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
    manager->error_exit = jump;
    manager->emit_message = note_warning;
    manager->output_message = print_nothing;
    return manager;
}

bool jpeg_attempt(jpeg_errors *errors, void (*step)(void *user), void *user)
{
    if (setjmp(errors->begin))
        return false;
    step(user);
    return true;
}

bool jpeg_lacks_memory(const jpeg_errors *errors) { return errors->code == JERR_OUT_OF_MEMORY; }
