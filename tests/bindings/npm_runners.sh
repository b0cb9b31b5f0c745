#!/bin/sh
# SPDX-License-Identifier: MIT
# toMatchModelSnapshot in Jest, Vitest and Playwright (with Debian's chromium), and the types with tsc. They come from
# npm; where it is out of reach, Debian's jest is used if it is there, and the rest is skipped.
#   usage: npm_runners.sh SOURCE_DIR ZOETROPE
. "$(dirname "$0")/npm_install.sh"
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm_config_offline=false npm install --ignore-scripts --fetch-retries=0 jest vitest@3 \
    @playwright/test typescript @types/node@18 @types/jest >"$work/log" 2>&1 </dev/null ||
    echo "npm_runners: npm is out of reach: $(grep -m 1 error "$work/log")"
PATH=$PWD/node_modules/.bin:$PATH
CHROMIUM=$(command -v chromium || true)

cat >hero.test.cjs <<'END'
const { toMatchModelSnapshot } = require("zoetrope/jest");
expect.extend({ toMatchModelSnapshot });
test("hero", () => expect("model.glb").toMatchModelSnapshot({ size: 48, view: process.env.VIEW }));
END
sed 's/^const \(.*\) = require(\(.*\));/import \1 from \2;/' hero.test.cjs >hero.test.mjs
cat >page.spec.mjs <<'END'
import { test } from "@playwright/test";
import { expect } from "zoetrope/playwright";
test.use({ launchOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] } });
test("page", async ({ page }) => {
  await page.setContent(`<body style="background: ${process.env.VIEW ? "red" : "blue"}">`);
  await expect("model.glb").toMatchModelSnapshot({ size: 48 });
  await expect(await page.screenshot()).toMatchModelSnapshot({ name: "screen" });
});
END

# state EXPECTED [VARIABLE=VALUE...] COMMAND...: a run in an environment that says nothing of CI.
state() {
    expected=$1 status=0
    shift
    env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" CHROMIUM="$CHROMIUM" timeout 100 env "$@" >"$work/log" 2>&1 </dev/null ||
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
    state 1 CI=1 "$@"
    state 0 "$@"
    state 0 CI=1 "$@"
    state 1 VIEW=top "$@"
    grep -q '% of the pixels differ' "$work/log"
    ls __model_snapshots__/*.received.png __model_snapshots__/*.diff.png >/dev/null
    state 0 VIEW=top "$@" "$update"
    state 0 VIEW=top CI=1 "$@"
    rm -r __model_snapshots__
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
