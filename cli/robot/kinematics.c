/* Where the links of a robot are: see kinematics.h. */
#include "robot/kinematics.h"

#include <math.h>

void robot_rest(const robot *r, double *values) {
    for (uint32_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        values[i] = joint_moves(j) ? cm_clamp(0, j->lower, j->upper) : 0;
    }
    robot_follow(r, values);
}

void robot_follow(const robot *r, double *values) {
    for (uint32_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        if (j->leader != i) values[i] = j->factor * values[j->leader] + j->offset;
    }
}

/* The finalizer of a counter: any two numbers give unrelated bits. Based on: [Steele14]. */
static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void robot_sample(const robot *r, const bool *varied, uint64_t seed, uint64_t number, double *values) {
    robot_rest(r, values);
    for (uint32_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        if (!joint_moves(j) || (varied && !varied[i])) continue;
        const double share = (double)(mix(mix(mix(seed) ^ number) ^ i) >> 11) * 0x1p-53;
        values[i] = cm_clamp(j->lower + share * (j->upper - j->lower), j->lower, j->upper);
    }
    robot_follow(r, values);
}

static cm_pose pose_of_joint(const robot_joint *j, double value) {
    cm_pose moved = cm_pose_identity();
    if (j->kind == JOINT_PRISMATIC)
        moved.position = cm_scale(j->axis, value);
    else if (joint_moves(j)) {
        const cm_vec3 v = cm_scale(j->axis, sin(value / 2));
        moved.rotation = (cm_quat){v.x, v.y, v.z, cos(value / 2)};
    }
    return cm_pose_mul(&j->origin, &moved);
}

static cm_pose *pose_at(cm_pose *links, uint32_t link, size_t stride) {
    return (cm_pose *)(void *)((char *)links + link * stride);
}

void robot_place(const robot *r, const double *values, cm_pose *links, size_t stride) {
    for (uint32_t i = 0; i < r->link_count; i++) {
        const uint32_t link = r->order[i], joint = r->links[link].joint;
        cm_pose *pose = pose_at(links, link, stride);
        *pose = cm_pose_identity();
        if (joint == ROBOT_NONE) continue;
        const robot_joint *j = &r->joints[joint];
        const cm_pose moved = pose_of_joint(j, values[joint]);
        *pose = cm_pose_mul(pose_at(links, j->parent, stride), &moved);
        pose->rotation = cm_quat_normalize(pose->rotation);
    }
}
