// SPDX-License-Identifier: MIT
// The public header alone, in strict C11: it includes what it needs, and every def has its maker.
#include <zoetrope/zoetrope.h>

int main(void)
{
    const zt_load_def load = zt_default_load_def();
    const zt_shot_def shot = zt_default_shot_def();
    const zt_renderer_def renderer = zt_default_renderer_def();
    const zt_sequence_def sequence = zt_default_sequence_def();
    const zt_camera_def camera = zt_default_camera_def();
    const zt_light_def light = zt_default_light_def();
    const zt_environment_def environment = zt_default_environment_def();
    const zt_instance_def instance = zt_default_instance_def();
    const bool made = load.cookie_ && shot.cookie_ && renderer.cookie_ && sequence.cookie_ &&
                      camera.cookie_ && light.cookie_ && environment.cookie_ && instance.cookie_ &&
                      instance.clip == -1 && !shot.tone_map;
    return made && zt_result_name(ZT_OK) && zt_version()[0] && zt_api_version() == ZT_API_VERSION
               ? 0
               : 1;
}
