#!/bin/sh
# SPDX-License-Identifier: MIT
# Progress: few lines where nobody looks on, a bar that no terminal wraps, a line for each frame as JSON.
. "$(dirname "$0")/expect.sh"

run 0 turntable "$tri" --count 40 --size 8 -o "lines/####.png"
err_has "zoetrope: frame 0 (1/40) lines/0000.png" "zoetrope: frame 39 (40/40) lines/0039.png"
grep -qE '^zoetrope: 40 frames in [0-9.]+ (s|min [0-9]+ s), [0-9.]+ a second$' .err || fail "no closing line"
[ "$(grep -c '(' .err)" -lt 30 ] || fail "$(grep -c '(' .err) lines for 40 frames"
rm lines/0003.png
run 0 turntable "$tri" --count 40 --size 8 -o "lines/####.png" --resume
grep -qE '^zoetrope: 1 frame in [0-9.]+ s; 39 existed$' .err || fail "the closing line of a resumed run"
warns 0 "zoetrope: all 40 frames exist" turntable "$tri" --count 40 --size 8 -o "lines/####.png" --resume
for command in "turntable --count 5 -o lines/####.png" "sheet --frames 0-4 -o sheet.png"; do
  # shellcheck disable=SC2086 # several words
  "$ZOETROPE" $command "$tri" --size 8 --progress json 2>.err
  [ "$(sed -n 's/^{"done":\([1-5]\),"total":5,.*/\1/p' .err | tr -d '\n')" = 12345 ] && [ "$(grep -c '(' .err)" -le 1 ] ||
    fail "not a line of JSON for each frame of $command"
done
run 0 turntable "$tri" --count 5 --size 8 -o "lines/####.png" -q
[ ! -s .err ] || fail "-q shows progress"
run 0 render "$tri" --time 0 --size 8 -o one.png
[ "$(wc -l <.err)" -eq 1 ] || fail "one frame is not one line"

# Quality final: samples within the frame, up to all of them, and the time that is left.
printf '%s\n' 'format: 1' 'output: { frames: 0-2 }' "models: [ { file: $tri } ]" 'ambient_occlusion: auto' >rays.yaml
"$ZOETROPE" render rays.yaml --size 16x64 --quality final --threads 1 --progress json -o "rays/####.png" 2>.err
awk -F '[:,}]' '/samples/ { if ($10 <= last || $10 > $12 || $13 != "\"seconds_left\"" || $2 != files + 0) exit 2
    last = $10 % $12; ends += !last; lines++ }
  /"file"/ { files++ }
  END { exit files != 3 || last || ends != 3 || lines != 24 }' .err || fail "samples: $(cat .err)"

# A model that failed has no picture, and is not among those that were made.
mkdir failing
cp "$tri" failing/a.gltf
echo broken >failing/b.gltf
run 4 thumbnail --outdir thumbs --size 8 failing
err_has "model 1 (1/2) thumbs/a.png" "model 2 (2/2) failed" "zoetrope: 1 model in "
"$ZOETROPE" thumbnail --outdir thumbs --size 8 failing --progress json 2>.err
err_has '{"done":2,"total":2,"frame":2,"skipped":false,"failed":true}'
run 4 sheet --size 8 -o s.png failing/a.gltf failing/b.gltf
err_has "frame 0 (2/2) failed" "zoetrope: 1 frame in "
# Stages that the commands do themselves are in the table.
for stats in "thumbnail $tri one.png" "thumbnail --outdir thumbs $tri" "sheet $tri --frames 0 -o s.png"; do
  # shellcheck disable=SC2086 # several words
  run 0 $stats --size 256 --stats
  [ "$(grep -cE '^(encode|write) +[0-9]*[1-9]|^(encode|write) +0\.[0-9]*[1-9]' .err)" -eq 2 ] || fail "--stats: $(cat .err)"
done

# A terminal of some width, resized midway: no line reaches the last column.
if command -v python3 >/dev/null; then
  cat >terminal.py <<'TERMINAL'
import fcntl, os, pty, re, struct, sys, termios, time
before, after = int(sys.argv[1]), int(sys.argv[2])
def resize(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
reader, writer = os.pipe()
child, fd = pty.fork()
if child == 0:
    os.read(reader, 1)  # until the terminal has its size
    os.execvp(sys.argv[3], sys.argv[3:])
resize(fd, before)
os.write(writer, b"x")
pieces, out = [], b""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    if out.count(b"\r") < 2 <= (out + data).count(b"\r"):
        resize(fd, after)
    out += data
os.waitpid(child, 0)
bars = [len(piece) for piece in out.decode().split("\r") if "/s" in piece or "/200" in piece]
assert bars and max(bars) < before, bars
assert bars[-1] < after, (bars[-1], after)
for bar in out.decode().split("\r"):  # its numbers follow from each other
    whole = re.fullmatch(r"\[(#*)(\.*)\] +(\d+)/200  ([\d.]+)/s  ([\d.]+) s, ([\d.]+) s left *", bar)
    if whole:
        full, width = len(whole[1]), len(whole[1] + whole[2])
        done, rate, spent, left = map(float, whole.groups()[2:])
        rounded = 0.11 + 200 / rate**2 * (0.05 if rate < 99.95 else 0.5)
        assert full == int(done * width / 200) and abs(spent + left - 200 / rate) < rounded, bar
assert "200 frames in " in out.decode().split("\r")[-2], out[-200:]
TERMINAL
  for columns in "50 50" "80 30" "12 12"; do
    size=8
    [ "$columns" != "80 30" ] || size=384 # long enough to be resized
    checks=$((checks + 1))
    # shellcheck disable=SC2086 # two numbers
    python3 terminal.py $columns "$ZOETROPE" turntable "$tri" --count 200 --size $size -o "bar/####.png" >.out 2>.err ||
      fail "a terminal of $columns columns"
  done
fi
finish
