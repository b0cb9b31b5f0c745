# SPDX-License-Identifier: MIT
"""The fixture `model_snapshot` of pytest."""
from __future__ import annotations

import re
from typing import Any, Callable

import pytest

from ._pool import Source, shared

FLAG = "--model-snapshot-update"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(FLAG, action="store_true", help="write the goldens of the fixture model_snapshot")


@pytest.fixture
def model_snapshot(request: pytest.FixtureRequest) -> Callable[..., None]:
    """model_snapshot(source, name=None, criteria={}, **options) compares a picture with its golden."""
    folder = request.path.parent / "model_snapshots"
    used: list[str] = []

    def check(source: Source, name: str | None = None, criteria: dict[str, Any] = {}, **options: Any) -> None:
        test = f"{request.path.stem} {request.node.nodeid.partition('::')[2]}"
        stem = re.sub(r"[^\w.-]+", "-", name or test).strip("-")
        used.append(stem)
        stem += f"-{used.count(stem)}" if used.count(stem) > 1 else ""
        golden, received, difference = (folder / (stem + end) for end in (".png", ".received.png", ".diff.png"))
        picture = shared.render(source, **{"frames": 0, "size": 256, **options})
        for old in (received, difference):
            old.unlink(missing_ok=True)
        folder.mkdir(exist_ok=True)
        if request.config.getoption(FLAG):
            golden.write_bytes(picture)
            return
        fault = f"{golden} is missing"
        if golden.exists():
            pair = shared.compare(golden, picture, diff=difference, **criteria)["pairs"][0]
            if pair["pass"]:
                return difference.unlink(missing_ok=True)
            fault = f"{golden}: {pair.get('share', 100):.3g} % of the pixels differ: {pair['rule']}"
        received.write_bytes(picture)
        pytest.fail(f"{fault} (is {received.name} right? pytest {FLAG} accepts it)", pytrace=False)

    return check
