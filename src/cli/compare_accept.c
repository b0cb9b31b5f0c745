// SPDX-License-Identifier: MIT
// Taking over pictures.
#include "cli/compare.h"
#include "report/shell_words.h"

#include <fnmatch.h>
#include <string.h>

bool accept_names(const options *o, const char *name, bool has_golden, bool *used)
{
    bool any = false;
    for (int i = 2; i < o->input_count; i++) {
        const bool meant = strcmp(o->inputs[i], "all") == 0 ||
                           (strcmp(o->inputs[i], "missing") == 0 && !has_golden);
        if (!meant && strcmp(o->inputs[i], name) != 0 && fnmatch(o->inputs[i], name, 0) != 0)
            continue;
        used[i] = true;
        any = true;
    }
    return any;
}

const char *accept_command(comparison_list *list, const options *o, const char *name)
{
    shell_words words = {0};
    shell_word(&words, "zoetrope");
    shell_word(&words, "compare");
    shell_path(&words, o->inputs[0]);
    shell_path(&words, o->inputs[1]);
    shell_word(&words, "--accept");
    if (name)
        shell_pattern(&words, name);
    return shell_line(&words, list);
}
