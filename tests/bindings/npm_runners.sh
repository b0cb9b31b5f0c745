#!/bin/sh
# SPDX-License-Identifier: MIT
# toMatchModelSnapshot in Jest, Vitest and Playwright (with Debian's chromium), and the types with tsc. They come from
# npm, or from the folder NPM_CACHE; where npm is out of reach, Debian's jest is used if there is one, and no other.
#   usage: npm_runners.sh SOURCE_DIR ZOETROPE
. "$(dirname "$0")/npm_install.sh"
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm_config_cache="${NPM_CACHE:-$work/cache}" npm_config_offline=false \
    npm install --prefer-offline --ignore-scripts --fetch-retries=0 jest vitest@3 @playwright/test typescript \
    @types/node@18 @types/jest >"$work/log" 2>&1 </dev/null ||
    echo "npm_runners: npm is out of reach: $(grep -m 1 error "$work/log")"
PATH=$PWD/node_modules/.bin:$PATH
CHROMIUM=$(command -v chromium || true)

# A golden is written or matched; then VIEW shows another side of the model under its name.
cat >hero.cjs <<'END'
module.exports = async (expect, page) => {
  const match = (view, name) => expect("model.glb").toMatchModelSnapshot({ size: 48, view, name });
  if (process.env.CI) await expect(match("front", "new")).rejects.toThrow("is missing");
  if (page) await expect(await page.screenshot()).toMatchModelSnapshot({ name: "screen" });
  await match();
  await match(process.env.VIEW);
};
END
cat >hero.test.mjs <<'END'
import { toMatchModelSnapshot } from "zoetrope/jest";
import hero from "./hero.cjs";
expect.extend({ toMatchModelSnapshot });
test("hero", () => hero(expect));
END
sed 's/^import \(.*\) from \(.*\);/const \1 = require(\2);/' hero.test.mjs >hero.test.cjs
cat >page.spec.mjs <<'END'
import { test } from "@playwright/test";
import { expect } from "zoetrope/playwright";
import hero from "./hero.cjs";
test.use({ launchOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] } });
test("page", ({ page }) => hero(expect, page));
END

# state EXPECTED [VARIABLE=VALUE...] COMMAND...: a run in an environment that says nothing of CI.
state() {
    expected=$1 status=0
    shift
    env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" CHROMIUM="$CHROMIUM" timeout 100 \
        env "$@" >"$work/log" 2>&1 </dev/null ||
        status=$?
    [ "$status" = "$expected" ] || fail "exit $status (expected $expected): $*: $(cat "$work/log")"
}
ran=0
# runner FLAG_OF_UPDATES COMMAND...
runner() {
    update=$1
    shift
    command -v "$1" >/dev/null || {
        echo "npm_runners: no $1: skipped"
        return
    }
    state 1 VIEW=top "$@"
    grep -q '% of the pixels differ' "$work/log" || fail "another fault: $*: $(cat "$work/log")"
    received=$(ls __model_snapshots__/*.received.png) golden=${received%.received.png}.png
    mv "$received" "${golden%.png}.diff.png" .
    state 0 CI=1 "$@"
    state 0 VIEW=top "$@" "$update"
    cmp "$golden" ./*.received.png
    rm -r __model_snapshots__ ./*.received.png
    ran=$((ran + 1))
}
runner -u jest --testMatch '**/hero.test.cjs'
runner -u vitest run --globals hero.test.mjs
[ -z "$CHROMIUM" ] || runner --update-snapshots=all playwright test page.spec.mjs
if [ -d node_modules/@types/jest ]; then
    cat >types.mts <<'END'
import { frames, render, ZoetropeError, type RawPicture } from "zoetrope";
import { expect as expectPage } from "zoetrope/playwright";
const picture: Promise<Buffer> = render("a.glb", { size: 9, maxMemory: "1G", onProgress: ({ done }) => done });
const raw: Promise<RawPicture> = render(new Uint8Array(1), { raw: true });
for await (const { frame, data } of frames("a.glb", { raw: true })) console.log(frame + data.width, picture, raw);
await expect("a.glb").toMatchModelSnapshot({ size: 9, name: new ZoetropeError(5, "a").message, command: "thumbnail" });
await expectPage("a.glb").toMatchModelSnapshot({ size: 9 });
// @ts-expect-error
render("a.glb", { format: "bmp" });
END
    state 0 tsc --noEmit --strict --module nodenext --target es2022 --types node,jest,zoetrope/jest types.mts
fi
[ "$ran" -gt 0 ] || exit 77
echo "npm_runners: $ran of 3 ran"
