// SPDX-License-Identifier: MIT
// Completions for bash, zsh and fish.
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

/// Text inside single quotes of a shell; `escape`: characters that get a backslash too.
static void print_quoted(const char *text, const char *escape)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else
            printf("%s%c", strchr(escape, *text) ? "\\" : "", *text);
    }
}

/// The words of a flag with a space between them; false when it takes no words.
static bool print_words(const option_flag *flag)
{
    int32_t value;
    const char *name = NULL;
    int count = 0;
    for (; (name = option_word_at(flag, count, &value)) != NULL; count++)
        printf("%s%s", count ? " " : "", name);
    return count > 0;
}

static bool has_words(const option_flag *flag)
{
    int32_t value;
    return option_word_at(flag, 0, &value) != NULL;
}

/// Behind the name of a model: the names of its clips, without INDEX, START and END.
#define LIST_CLIPS "--list-clips -q 2>/dev/null | sed 's/^[0-9]* \\(.*\\) [^ ]* [^ ]*$/\\1/'"

static bool names_clip(const option_flag *flag) { return strcmp(flag->name, "--clip") == 0; }

/// The text after each flag that takes a value.
static void print_bash_values(void)
{
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        if (flag->kind == OPTION_SWITCH)
            continue;
        printf("  ");
        if (flag->letter)
            printf("-%c|", flag->letter);
        printf("%s) ", flag->name);
        if (has_words(flag)) {
            printf("_zoetrope_reply -W '");
            print_words(flag);
            printf("'");
        } else {
            printf(names_clip(flag)              ? "_zoetrope_clips"
                   : flag->kind == OPTION_FOLDER ? "_zoetrope_reply -d"
                   : flag->kind == OPTION_FILE   ? "_zoetrope_reply -f"
                                                 : ":");
        }
        printf("; return ;;\n");
    }
}

static void print_bash_flags(void)
{
    for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
        const option_flag *flag = NULL;
        printf("  %s) flags='", command_at((command)c)->name);
        const char *between = "";
        for (int i = 0; (flag = option_at(i)) != NULL; i++) {
            if (!(flag->commands & 1u << c))
                continue;
            printf("%s%s", between, flag->name);
            between = " ";
        }
        printf("' ;;\n");
    }
}

void manual_bash(void)
{
    printf(
        "# bash completion for zoetrope\n"
        "_zoetrope_reply() {\n"
        "  mapfile -t COMPREPLY < <(compgen \"$@\" -- \"$current\")\n"
        "}\n\n"
        "_zoetrope_clips() {\n"
        "  local word name begun=${current//\\\\/}\n"
        "  begun=${begun#[\\\"\\']}\n"
        "  for word in \"${COMP_WORDS[@]:2}\"; do\n"
        "    word=${word//\\\\/} word=${word#[\\\"\\']} word=${word%%[\\\"\\']}\n"
        "    [ -f \"${word/#\\~/$HOME}\" ] || continue\n"
        "    while IFS= read -r name; do\n"
        "      [[ $name != \"$begun\"* && ${name##*|} != \"$begun\"* ]] || COMPREPLY+=(\"$name\")\n"
        "    done < <(\"${COMP_WORDS[0]}\" render \"${word/#\\~/$HOME}\" " LIST_CLIPS ")\n"
        "  done\n"
        "}\n\n"
        "_zoetrope() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} flags=\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    _zoetrope_reply -W '");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        printf("%s ", command_at((command)i)->name);
    printf("help --help --help-all --version -V'\n"
           "    return\n"
           "  fi\n"
           "  # --flag=value is three words here.\n"
           "  if [ \"$current\" = = ]; then\n"
           "    current=\n"
           "  elif [ \"$previous\" = = ]; then\n"
           "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "  fi\n"
           "  case $previous in\n");
    print_bash_values();
    printf("  esac\n"
           "  case ${COMP_WORDS[1]} in\n");
    print_bash_flags();
    printf("  esac\n"
           "  case $current in\n"
           "  -*) _zoetrope_reply -W \"$flags\" ;;\n"
           "  *) _zoetrope_reply -f ;;\n"
           "  esac\n"
           "}\n"
           "complete -o filenames -F _zoetrope zoetrope\n");
}

static void print_zsh_flag(const option_flag *flag)
{
    const bool takes = flag->kind != OPTION_SWITCH;
    char metavar[64];
    option_metavar(flag, metavar, sizeof metavar);
    printf(" \\\n      ");
    if (flag->letter)
        printf("'(-%c %s)'{-%c,%s%s}'[", flag->letter, flag->name, flag->letter, flag->name,
               takes ? "=" : "");
    else
        printf("'%s%s[", flag->name, takes ? "=" : "");
    print_quoted(flag->help, "[]:\\");
    printf("]");
    if (takes) {
        printf(":");
        print_quoted(metavar, ":\\");
        printf(":");
        if (has_words(flag)) {
            printf("(");
            print_words(flag);
            printf(")");
        } else if (names_clip(flag)) {
            printf("_zoetrope_clips");
        } else if (flag->kind == OPTION_FOLDER) {
            printf("_files -/");
        } else if (flag->kind == OPTION_FILE) {
            printf("_files");
        }
    }
    printf("'");
}

void manual_zsh(void)
{
    printf("#compdef zoetrope\n\n"
           "_zoetrope_clips() {\n"
           "  local word\n"
           "  for word in ${(Q)words}; do\n"
           "    [[ -f $word ]] || continue\n"
           "    compadd -- ${(f)\"$(zoetrope render $word " LIST_CLIPS ")\"}\n"
           "  done\n"
           "}\n\n"
           "_zoetrope() {\n"
           "  local -a commands=(");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        printf("\n    '%s:", command_at((command)i)->name);
        print_quoted(command_at((command)i)->help, ":\\");
        printf("'");
    }
    printf("\n    'help:print the help of a command')\n"
           "  if (( CURRENT == 2 )); then\n"
           "    _describe command commands\n"
           "    return\n"
           "  fi\n"
           "  shift words\n"
           "  (( CURRENT-- ))\n"
           "  case $words[1] in\n");
    for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
        const option_flag *flag = NULL;
        printf("  %s)\n    _arguments", command_at((command)c)->name);
        for (int i = 0; (flag = option_at(i)) != NULL; i++)
            if (flag->commands & 1u << c)
                print_zsh_flag(flag);
        printf(" \\\n      '*:file:_files' ;;\n");
    }
    printf("  esac\n"
           "}\n\n"
           "_zoetrope \"$@\"\n");
}

static void print_fish_flag(const option_flag *flag)
{
    printf("complete -c zoetrope -n '__fish_seen_subcommand_from");
    for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
        if (flag->commands & 1u << c)
            printf(" %s", command_at((command)c)->name);
    printf("' -l %s", flag->name + 2);
    if (flag->letter)
        printf(" -s %c", flag->letter);
    if (has_words(flag)) {
        printf(" -x -a '");
        print_words(flag);
        printf("'");
    } else if (names_clip(flag)) {
        printf(" -x -a '(__zoetrope_clips)'");
    } else if (flag->kind == OPTION_FOLDER) {
        printf(" -x -a '(__fish_complete_directories)'");
    } else if (flag->kind == OPTION_FILE) {
        printf(" -r -F");
    } else if (flag->kind != OPTION_SWITCH) {
        printf(" -x");
    }
    // fish escapes a quote by a backslash.
    printf(" -d '");
    for (const char *c = flag->help; *c; c++)
        printf("%s%c", *c == '\'' || *c == '\\' ? "\\" : "", *c);
    printf("'\n");
}

void manual_fish(void)
{
    const option_flag *flag = NULL;
    printf("# fish completion for zoetrope\n"
           "function __zoetrope_clips\n"
           "  for word in (commandline -opc)\n"
           "    test -f $word; and zoetrope render $word " LIST_CLIPS "\n"
           "  end\n"
           "end\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        printf("complete -c zoetrope -n __fish_use_subcommand -f -a %s -d '%s'\n",
               command_at((command)i)->name, command_at((command)i)->help);
    printf("complete -c zoetrope -n __fish_use_subcommand -f -a help -d 'print the help of a "
           "command'\n"
           "complete -c zoetrope -n __fish_use_subcommand -f -l version -s V -d 'print the "
           "version'\n");
    for (int i = 0; (flag = option_at(i)) != NULL; i++)
        print_fish_flag(flag);
}
