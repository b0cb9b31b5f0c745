# SPDX-License-Identifier: MIT
# zoetrope serve as clients see it: serve.py, for which Python is needed.
command -v python3 >/dev/null || {
  echo "serve: skipped, there is no python3"
  exit 77
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/serve.py"
