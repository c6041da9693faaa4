// Two boxes by Jolt's oriented boxes, in a file of its own: Jolt is built for one processor, headers and all.
#pragma once
#include <carom/carom.h>

bool jolt_boxes_overlap(const cm_obb *a, const cm_obb *b);
