# SPDX-License-Identifier: MIT
# zsh -f completion.zsh LINE, where the completion is ./_zoetrope.
# Types a line, with its tabs, into an interactive zsh; prints the words that zoetrope is then given.
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "PS1= fpath=(\$PWD \$fpath); autoload -Uz compinit; compinit -u -D
zoetrope() { print -r -- \$* >words; print o''k; }; print read''y"
zpty -r -m shell unused '*ready*'
zpty -w shell "$1"
zpty -r -m shell unused '*ok*'
cat words
