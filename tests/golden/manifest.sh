# Reads golden/manifest.txt. A line holds, separated by two spaces or more:
#   name  scene (below scenes/)  arguments of "zoetrope render" or -  pixel hash  why it exists
# Where the arguments begin with "sheet" they are those of "zoetrope sheet".
# golden_line NAME sets $command $scene $arguments $hash.
golden_line() {
    line=$(grep -E "^$1  " "$source_dir/golden/manifest.txt") || {
        echo "golden: no line '$1' in golden/manifest.txt"
        exit 1
    }
    field() { printf '%s\n' "$line" | awk -F '   *' -v n="$1" '{print $n}'; }
    scene="$source_dir/scenes/$(field 2)"
    arguments=$(field 3)
    [ "$arguments" = - ] && arguments=""
    command=render
    case $arguments in
    "sheet "*) command=sheet arguments=${arguments#sheet } ;;
    esac
    hash=$(field 4)
}
