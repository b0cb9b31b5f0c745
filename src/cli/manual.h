// SPDX-License-Identifier: MIT
/// The manual from the tables of flags and commands: Markdown, man pages, completions, to stdout.
#pragma once

#include "cli/option_table.h"

/// A part of the manual that belongs to no single flag or command.
typedef struct manual_section {
    const char *title;
    const char *text; ///< Markdown paragraphs, one line each, an empty line between them
} manual_section;

enum { MANUAL_SECTION_COUNT = 4 };
extern const manual_section manual_sections[MANUAL_SECTION_COUNT];
/// Two paragraphs: what Zoetrope is, and how flags are written.
extern const char manual_summary[], manual_usage[];

/// The reference page.
void manual_markdown(void);
/// The man page of a command, or of the program for COMMAND_NONE, in troff.
void manual_roff(command which);
void manual_bash(void);
void manual_zsh(void);
void manual_fish(void);
