#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cycles_rmse.py CYCLES RENDERS: distance of RENDERS/NAME.png to path-traced references.

The root of the mean square, in 8-bit sRGB, over the pixels that both pictures cover (alpha of at
least 250 of 255); beside it that of three.js, by the same rule. b12 has all bounces, b0 only direct
light. Needs numpy and PIL.
"""
import os
import sys

import numpy
from PIL import Image


def load(path):
    return numpy.asarray(Image.open(path).convert('RGBA'), numpy.float64)


def rmse(a, b):
    mask = (a[..., 3] >= 250) & (b[..., 3] >= 250)
    return float(numpy.sqrt(((a[..., :3] - b[..., :3])[mask] ** 2).mean())) if mask.any() else 255.0


def bias(a, b):
    """How much brighter the picture is, in steps of red, green and blue."""
    mask = (a[..., 3] >= 250) & (b[..., 3] >= 250)
    return '  '.join('%+6.1f' % v for v in (a - b)[mask].mean(axis=0)[:3]) if mask.any() else ''


def main():
    references, renders = sys.argv[1], sys.argv[2]
    print('%-20s %8s %8s %8s %9s   %s' % ('RMSE to Cycles', 'b12', 'three.js', 'b0', 'covered', 'brighter than b12 (R G B)'))
    worse = 0
    for name in sorted(os.listdir(references)):
        if not name.endswith('.cycles_b12.png'):
            continue
        name = name.split('.')[0]
        if not os.path.exists(os.path.join(renders, name + '.png')):
            print('%-20s no picture' % name)
            worse += 1
            continue
        ours = load(os.path.join(renders, name + '.png'))
        b12, b0, three = (load(os.path.join(references, '%s.%s.png' % (name, k)))
                          for k in ('cycles_b12', 'cycles_b0', 'threejs'))
        covered = ((ours[..., 3] >= 128) ^ (b12[..., 3] >= 128)).mean()
        mine, theirs = rmse(ours, b12), rmse(three, b12)
        worse += mine >= theirs
        print('%-20s %8.2f %8.2f %8.2f %8.2f%%   %s%s' % (name, mine, theirs, rmse(ours, b0), 100 * covered,
                                                       bias(ours, b12), '' if mine < theirs else '   worse than three.js'))
    print('%d of the pictures are not nearer than three.js' % worse)


main()
