#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the steps of the jobs for CI in docs/examples, all but what needs their servers: apt-get is a stand-in, and
# "actions" are passed over. Each job runs in a clone of a small repository, on a branch that changes nothing and on
# one that changes a model: the first passes, the second fails and has its report.
#   usage: jobs.sh SOURCE_DIR ZOETROPE
command -v git >/dev/null || {
    echo "jobs: no git (apt-get install git)"
    exit 77
}
source=$(cd "$1" && pwd) ZOETROPE=$(realpath "$2") MODELS=
. "$source/tests/cli/expect.sh"
mkdir bin home
ln -s "$ZOETROPE" bin/zoetrope
printf '#!/bin/sh\n' >bin/apt-get
chmod +x bin/apt-get
export PATH="$work/bin:$PATH" HOME="$work/home" GIT_CONFIG_NOSYSTEM=1
git config --global user.name test
git config --global user.email test@localhost
git config --global init.defaultBranch main

# steps INDENT FILE JOB: the commands of a job, a line each.
steps() {
    awk -v any="^$1[a-z]+:\$" -v wanted="^$1$3:\$" '
        $0 ~ any { inside = $0 ~ wanted; next }
        !inside { next }
        /^ *(- )?run: / { sub(/^ *(- )?run: /, ""); sub(/   # .*/, ""); print; next }
        /^  [a-z_]+:/ { script = /script:/ }
        script && /^    - / { sub(/^    - /, ""); print }' "$source/docs/examples/$2"
}

# The repository: a suite with its goldens, and two branches.
git init -q origin && cd origin || exit 1
cp "$source/scenes/models/ball.glb" model.glb
printf 'format: 1\ndefaults: { file: model.glb, size: 32 }\nshots: [ { name: front }, { name: side, azimuth: 90 } ]\n' >suite.yaml
zoetrope test suite.yaml --update all >/dev/null
git add . && git commit -qm before
git branch same
git checkout -qb changed
cp "$source/scenes/models/materials.glb" model.glb
git commit -qam after
git checkout -q main
cd .. || exit 1
export GITHUB_BASE_REF=main CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main GITHUB_STEP_SUMMARY="$work/summary.md"

for job in "  github.yml pictures" "  github.yml changes" "gitlab-ci.yml pictures" "gitlab-ci.yml changes"; do
    # shellcheck disable=SC2086 # the name of the file, and of the job
    steps "${job%%[a-z]*}" $job >job.sh
    [ "$(wc -l <job.sh)" -ge 2 ] || fail "$job: $(wc -l <job.sh) commands (expected more: the search is broken)"
    for branch in same changed; do
        rm -rf clone before summary.md
        git clone -q -b $branch origin clone
        # Steps after one that fails are those with "if: always()": all that are left here.
        (cd clone && code=0 && while IFS= read -r line; do sh -c "$line" || code=$?; done <../job.sh && exit "$code") >.out 2>.err
        code=$? checks=$((checks + 1))
        case $branch:$code in same:0 | changed:1) ;; *) fail "$job on the branch '$branch' ended with $code" ;; esac
        grep -q "<title>" clone/report/index.html || fail "no page of $job on the branch '$branch'"
        ! grep -q GITHUB_STEP job.sh || grep -q "$([ $branch = same ] && echo pass || echo side)" summary.md ||
            fail "no summary of $job on the branch '$branch'"
    done
done
finish
