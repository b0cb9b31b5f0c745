#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fidelity_scenes.py FOLDER OUT SET NAMES: writes a scene of each reference picture to OUT.

FOLDER holds scenarios.json and cycles/*.json, whose conventions its README states. SET is
"scenarios" or "cycles"; of the first only those in NAMES, separated by spaces, are written. Prints
a line for each: the name of the scene and its frame. Keys of the environment variable ZT_FIDELITY_KEYS,
as YAML, are added to each scene.
"""
import json
import os
import sys

CYCLES_FPS = 1000  # times of the references are whole milliseconds


def text(value):
    return json.dumps(value)


def scene(model, clip, frame, size, camera, fov, environment, background, tone_map, samples):
    """JSON is YAML. Light comes from the environment and from the lamps of the model alone."""
    keys = [
        'format: 1',
        'output: %s' % text({'size': size, 'frames': str(frame), 'fps': CYCLES_FPS, 'samples': samples,
                             'background': background, 'tone_map': tone_map, 'anisotropy': 16}),
        'models: [%s]' % text({'file': model, 'animation': {'clip': clip} if clip else 'none'}),
        'camera: %s' % text({'look_at': {k: camera[k] for k in ('position', 'target', 'up')}, 'fov': fov}),
        'lights: []',
        'environment: %s' % text(environment),
        'ambient_occlusion: auto',
        os.environ.get('ZT_FIDELITY_KEYS', '')]
    return '\n'.join(keys) + '\n'


def scenario(folder, s):
    e = s['environment']
    return scene(os.path.join(folder, s['model_file']), None, 0, [s['golden_width'], s['golden_height']],
                 s['camera'], s['camera']['vertical_fov_deg'],
                 {'image': os.path.join(folder, e['path']), 'rotation': e['rotation_deg'],
                  'intensity': e['intensity']},
                 'environment' if e['show_as_skybox'] else 'transparent', 'aces', 4)


def cycles(folder, s):
    e = s['environment']
    frame = round(s['time_s'] * CYCLES_FPS) if s['clip'] else 0
    return frame, scene(os.path.join(folder, 'cycles', s['model']), s['clip'], frame, s['resolution'],
                        s['camera'], s['camera']['vfov_deg'],
                        {'image': os.path.join(folder, 'cycles', e['file']), 'rotation': e['rotation_deg'],
                         'intensity': e['intensity']}, 'transparent', 'linear', 16)


def main():
    folder, out, kind, names = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4].split()
    scenes = {}
    if kind == 'scenarios':
        with open(os.path.join(folder, 'scenarios.json'), encoding='utf-8') as file:
            for s in json.load(file)['scenarios']:
                if s['name'] in names:
                    scenes[s['name']] = (0, scenario(folder, s))
    else:
        for name in sorted(os.listdir(os.path.join(folder, 'cycles'))):
            if name.endswith('.cycles_b12.json'):
                with open(os.path.join(folder, 'cycles', name), encoding='utf-8') as file:
                    scenes[name.split('.')[0]] = cycles(folder, json.load(file))
    for name, (frame, content) in scenes.items():
        with open(os.path.join(out, name + '.yaml'), 'w', encoding='utf-8') as file:
            file.write(content)
        print(name, frame)


main()
