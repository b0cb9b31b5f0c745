# Reads golden/manifest.txt. A line holds, separated by two spaces or more:
#   name  scene (below scenes/)  arguments of "zoetrope render" or -  pixel hash  why it exists
# golden_line NAME sets $scene $arguments $hash.
golden_line() {
    line=$(grep -E "^$1  " "$source_dir/golden/manifest.txt") || {
        echo "golden: no line '$1' in golden/manifest.txt"
        exit 1
    }
    field() { printf '%s\n' "$line" | awk -F '   *' -v n="$1" '{print $n}'; }
    scene="$source_dir/scenes/$(field 2)"
    arguments=$(field 3)
    [ "$arguments" = - ] && arguments=""
    hash=$(field 4)
}
