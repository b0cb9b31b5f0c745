#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual is what the tables of flags and commands say: docs/cli.md is up to date, man pages are
# sound troff, and completions offer commands, flags, words and files.
# Environment: also MANUAL (the generator) and SOURCE (the root of the repository).
. "$(dirname "$0")/expect.sh"
commands="render turntable thumbnail compare inspect check convert"

# made OUT ARGUMENT...: one file of the manual.
made() {
  checks=$((checks + 1))
  out=$1
  shift
  "$MANUAL" "$out" "$@" 2>.err && [ -s "$out" ] || fail "zoetrope_manual $*"
}

made cli.md markdown
cmp -s cli.md "$SOURCE/docs/cli.md" ||
  fail "docs/cli.md is out of date: build the target docs-update"

made zoetrope.1 man
for command in $commands; do
  made "zoetrope-$command.1" man "$command"
  grep -qF "zoetrope\\-$command" zoetrope.1 || fail "zoetrope.1 does not name $command"
  flags=$("$ZOETROPE" "$command" --help | sed -n 's/^  \(-[a-z], \|    \)--\([a-z-]*\).*/\2/p')
  [ -n "$flags" ] || fail "$command --help names no flags"
  for flag in $flags; do
    checks=$((checks + 1))
    escaped=$(printf '%s' "$flag" | sed 's/-/\\\\-/g')
    grep -q "^.*\\\\-\\\\-$escaped" "zoetrope-$command.1" ||
      fail "zoetrope-$command.1 does not name --$flag"
  done
done
if command -v groff >/dev/null; then
  for page in zoetrope.1 zoetrope-*.1; do
    warnings=$(groff -man -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || fail "$page: $warnings"
  done
fi

# offers TEXT WORD...: TEXT is one of the completions of the last word.
offers() {
  checks=$((checks + 1))
  text=$1
  shift
  bash -c '. ./zoetrope.bash
    COMP_WORDS=(zoetrope "$@") COMP_CWORD=$#
    _zoetrope
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@" >.out 2>.err
  grep -qxF -- "$text" .out && [ ! -s .err ] || fail "completion of '$*' does not offer '$text'"
}
made zoetrope.bash bash
made zoetrope.zsh zsh
made zoetrope.fish fish
if command -v bash >/dev/null; then
  mkdir folder
  : >"a model.glb"
  offers render ""
  offers --version --v
  offers thumbnail th
  offers --tone-map render x.glb --tone
  offers aces render --tone-map a
  offers aces render --tone-map = ac
  offers neutral render --tone-map =
  offers folder thumbnail --outdir f
  offers "a model.glb" render a
  offers y4m render -o - --format y
  offers --max-diff compare --m
  # Another command's flag is not offered.
  offers --diff compare --d
  grep -qF -- --outdir .out && fail "compare is offered --outdir"
fi
if command -v zsh >/dev/null; then
  zsh -n zoetrope.zsh || fail "the completion for zsh is malformed"
fi
if command -v fish >/dev/null; then
  fish -n zoetrope.fish || fail "the completion for fish is malformed"
fi
for command in $commands; do
  for shell in bash zsh fish; do
    checks=$((checks + 1))
    grep -qw "$command" zoetrope.$shell || fail "the completion for $shell does not name $command"
  done
done
finish
