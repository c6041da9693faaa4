/* Where the mesh files of a robot are. Only what lies below the folder of the URDF, or below a folder that --package
 * names, is opened; ".." is resolved in the text, links are followed. */
#ifndef CLI_PACKAGES_H
#define CLI_PACKAGES_H

#include "robot/robot.h"
#include "robot/urdf.h"

/* The absolute path of each collision's mesh, NULL for other shapes; free() each and the list. NULL after saying what
 * is missing: all packages and files at once. */
char **packages_find(const robot *r, const char *urdf, const robot_options *options);
void packages_free(char **paths, uint32_t count);

#endif
