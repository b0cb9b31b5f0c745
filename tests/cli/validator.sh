#!/bin/sh
# SPDX-License-Identifier: MIT
# Khronos's glTF validator finds no error in what convert writes of files that are no glTF, and of
# scenes. It is not in Debian: `npm install gltf-validator` in a folder, and that folder in
# ZT_GLTF_VALIDATOR.
. "$(dirname "$0")/expect.sh"
NODE_PATH=${ZT_GLTF_VALIDATOR:+$ZT_GLTF_VALIDATOR/node_modules}
export NODE_PATH
if ! node -e 'require("gltf-validator")' 2>/dev/null; then
  echo "skipped: no glTF validator (ZT_GLTF_VALIDATOR names the folder in which npm installed gltf-validator)"
  exit 0
fi
formats=${ZT_ASSETS:-$SOURCE/../shared/assets}/formats
corpus=$SOURCE/tests/fuzz/corpus

mkdir written
count=0
find "$SOURCE/scenes" "$corpus" "$formats" -type f ! -path '*/hostile/*' 2>/dev/null |
  grep -i -E '\.(stl|ply|obj|3mf|fbx|x|m3d)$|/scenes/tests/.*yaml$' | sort >models.txt
while IFS= read -r model; do
  count=$((count + 1))
  "$ZOETROPE" convert -q "$model" "written/$count.glb" >/dev/null 2>&1 ||
    rm -f "written/$count.glb"
done <models.txt
cat >check.js <<'SCRIPT'
const fs = require("fs"), validator = require("gltf-validator");
(async () => {
  const names = fs.readFileSync("models.txt", "utf8").split("\n");
  let count = 0;
  for (const file of fs.readdirSync("written")) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync("written/" + file)));
    const first = report.issues.messages.find(m => m.severity === 0);
    count++;
    if (first)
      console.log(`${names[parseInt(file) - 1]}: ${first.pointer}: ${first.message}`);
  }
  console.error(count);
})();
SCRIPT
node check.js >errors.txt 2>count.txt
checks=$((checks + $(cat count.txt)))
[ ! -s errors.txt ] || fail "the validator finds errors: $(head -5 errors.txt)"
[ "$(cat count.txt)" -gt 30 ] || fail "only $(cat count.txt) models were converted"
finish
