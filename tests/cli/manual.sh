#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual is what the tables of flags and commands say: docs/cli.md is up to date, man pages are
# sound troff, and completions offer commands, flags, words and files.
# Environment: also MANUAL (the generator) and SOURCE (the root of the repository).
. "$(dirname "$0")/expect.sh"
here=$(cd "$(dirname "$0")" && pwd)
commands="render turntable thumbnail sheet compare inspect check convert"

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
  flags=$("$ZOETROPE" "$command" --help-all | sed -n 's/^  \(-[a-z], \|    \)--\([a-z-]*\).*/\2/p')
  [ -n "$flags" ] || fail "$command --help names no flags"
  for flag in $flags; do
    checks=$((checks + 1))
    escaped=$(printf '%s' "$flag" | sed 's/-/\\\\-/g')
    grep -q "^.*\\\\-\\\\-$escaped" "zoetrope-$command.1" ||
      fail "zoetrope-$command.1 does not name --$flag"
  done
done
[ "$(sed -n '/^\.PP$/{n;s/ .*//p;}' zoetrope.1 | tr '\n' ' ')" = "Every A An The With A " ] || fail "paragraphs of zoetrope.1"
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
  zoetrope=${zoetrope:-} bash -c '. ./zoetrope.bash
    COMP_WORDS=("${zoetrope:-zoetrope}" "$@") COMP_CWORD=$#
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
  offers -V -
  offers thumbnail th
  offers --tone-map render x.glb --tone
  offers aces render --tone-map a
  offers aces render --tone-map = ac
  offers neutral render --tone-map =
  offers folder thumbnail --outdir f
  offers "a model.glb" render a
  offers y4m render -o - --format y
  offers --max-diff compare --m
  # Clips are those of the file in the line, by the program of the line.
  zoetrope=$ZOETROPE
  sed 's/"spin"/"Rig|a spin"/' "$MODELS/triangle.gltf" >"a rig.gltf"
  offers "Rig|a spin" render "a\\ rig.gltf" --clip R
  offers "Rig|a spin" render "a rig.gltf" --clip = 'Rig\|a\ s'
  offers "Rig|a spin" render '"a rig.gltf"' --clip '"Rig|a s'
  offers "Rig|a spin" render "'a rig.gltf'" --clip "'R"
  # Another command's flag is not offered.
  offers --diff compare --d
  grep -qF -- --outdir .out && fail "compare is offered --outdir"
fi
# types WORDS TYPED: what zsh makes of a line with tabs.
types() {
  checks=$((checks + 1))
  zsh -f "$here/completion.zsh" "$2" >.out 2>.err
  [ "$(cat .out)" = "$1" ] || fail "zsh does not make '$1' of '$2'"
}
tab=$(printf '\t')
if command -v zsh >/dev/null; then
  zsh -n zoetrope.zsh || fail "the completion for zsh is malformed"
  cp zoetrope.zsh _zoetrope
  types "render --tone-map=agx" "zoetrope ren${tab}--tone-m${tab}ag$tab"
  types "thumbnail --outdir=folder a model.glb" "zoetrope thumb${tab}--outd${tab}fol$tab a\\ m$tab"
else
  echo "no zsh here: its completion was not tried"
fi
# fish_offers TEXT LINE: TEXT is one of the completions of a line.
fish_offers() {
  checks=$((checks + 1))
  fish --no-config -c 'source zoetrope.fish; complete -C $argv[1]' "$2" >.out 2>.err
  cut -f 1 .out | grep -qxF -- "$1" && [ ! -s .err ] || fail "fish does not offer '$1' for '$2'"
}
# Where there is no fish, at least a line of each kind: a command, words, a folder, a file.
while IFS= read -r line; do
  sed "s/ -d '.*//" zoetrope.fish | grep -qxF -- "$line" || fail "the completion for fish lacks: $line"
done <<'FISH'
complete -c zoetrope -n __fish_use_subcommand -f -a thumbnail
complete -c zoetrope -n '__fish_seen_subcommand_from render turntable thumbnail sheet' -l tone-map -x -a 'neutral aces linear agx soft'
complete -c zoetrope -n '__fish_seen_subcommand_from thumbnail' -l outdir -x -a '(__fish_complete_directories)'
complete -c zoetrope -n '__fish_seen_subcommand_from render turntable thumbnail sheet convert' -l output -s o -r -F
complete -c zoetrope -n '__fish_seen_subcommand_from render turntable thumbnail sheet inspect' -l clip -x -a '(__zoetrope_clips)'
FISH
if command -v fish >/dev/null; then
  fish -n zoetrope.fish || fail "the completion for fish is malformed"
  fish_offers thumbnail "zoetrope th"
  fish_offers aces "zoetrope render --tone-map a"
  fish_offers folder/ "zoetrope thumbnail --outdir f"
  fish_offers "a model.glb" "zoetrope render a"
  fish_offers --diff "zoetrope compare --d"
  grep -qF -- --outdir .out && fail "fish offers --outdir for compare"
else
  echo "no fish here: its completion was not tried"
fi
for command in $commands; do
  for shell in bash zsh fish; do
    checks=$((checks + 1))
    grep -qw "$command" zoetrope.$shell || fail "the completion for $shell does not name $command"
  done
done
finish
