# SPDX-License-Identifier: MIT
# Makes the packages for npm of SOURCE_DIR with the program ZOETROPE in $work/packages, and installs them in a new
# folder, which becomes the current one. Read by npm.sh and npm_runners.sh.
set -eu
source=$(cd "$1" && pwd) program=$(realpath "$2") work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in node npm; do
    command -v $tool >/dev/null || {
        echo "npm: no $tool (apt-get install nodejs npm)"
        exit 77
    }
done
fail() {
    echo "npm: $*"
    exit 1
}
export HOME="$work/home" TMPDIR="$work/tmp" MODELS="$source/scenes/models" npm_config_cache="$work/cache" \
    npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false npm_config_offline=true
mkdir "$HOME" "$TMPDIR" "$work/ein Ordner für Gäste"
cd "$work/ein Ordner für Gäste"
cp "$MODELS/walker.glb" model.glb
sh "$source/src/bindings/npm/pack.sh" "$work/packages" "$program" "$program" >/dev/null
echo '{ "private": true }' >package.json
npm install "$work"/packages/zoetrope-[0-9]*.tgz "$work/packages/zoetrope-linux-$(node -p process.arch)"-*.tgz >/dev/null
