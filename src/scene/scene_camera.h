// SPDX-License-Identifier: MIT
/// The camera of a scene.
#pragma once

#include "scene/scene_point.h"

typedef enum scene_camera_kind {
    SCENE_CAMERA_ORBIT, ///< around a target
    SCENE_CAMERA_LOOK,  ///< position, target, up
    SCENE_CAMERA_MODEL, ///< a camera node of a model
} scene_camera_kind;

typedef struct scene_camera {
    scene_camera_kind kind;
    bool target_auto, distance_auto;            ///< from the posed bounds over the shot
    scene_point target;                         ///< of an orbit and of look_at
    track azimuth_deg, elevation_deg, distance; ///< orbit
    scene_point position;                       ///< look_at
    track up;                                   ///< look_at
    track fov_deg;                              ///< vertical
    double zoom;                                ///< divides the automatic distance
    double margin; ///< part of the picture that stays free on each side of what is framed
    bool orthographic;
    double ortho_height;    ///< metres, 0 = auto
    double near_m, far_m;   ///< 0 = from the bounds of the scene
    int32_t instance, node; ///< model camera
} scene_camera;

typedef enum scene_focus {
    SCENE_FOCUS_AUTO,     ///< the nearest surface in the middle of the picture
    SCENE_FOCUS_DISTANCE, ///< along the view
    SCENE_FOCUS_POINT
} scene_focus;

enum { SCENE_SUBFRAMES_AUTO = 0, SCENE_SUBFRAMES_MAX = 4096 };

/// The open time of the shutter and the opening of the lens: a frame is then the mean of
/// sub-frames.
typedef struct scene_blur {
    track shutter;        ///< no keys or 0: closed
    bool shutter_seconds; ///< it is in seconds; otherwise in degrees, 360 of which are a frame
    double shutter_phase; ///< the middle of the open time is so many open times after the frame's
                          ///< time: -0.5 (it closes there) to 0.5 (it opens there)
    track aperture;       ///< no keys or 0: a pinhole
    bool aperture_stops;  ///< it is the focal length in diameters of the opening; otherwise its
                          ///< radius in metres
    double sensor_m;      ///< height of the sensor, which makes a focal length of the field of view
    scene_focus focus;
    track focus_m;
    scene_point focus_point;
    int32_t blades; ///< corners of the opening; 0: it is round
    double blades_turn_deg;
    int32_t subframes; ///< or SCENE_SUBFRAMES_AUTO
} scene_blur;

/// A full circle of the camera.
typedef struct scene_turntable {
    int32_t count;  ///< frames of the circle; 0: no turntable
    bool clockwise; ///< seen from above
    bool eased;     ///< starts and ends slowly
    bool swings;    ///< the elevation reaches half_elevation_deg after half of the turn
    double half_elevation_deg;
    double clip_rate; ///< seconds of the clips for a second of the shot; 0: 1
    int32_t lead;     ///< frames before frame 0 that springs have moved for
} scene_turntable;
