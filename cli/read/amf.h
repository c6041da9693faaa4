/* Reading AMF (ISO/ASTM 52915): objects, volumes, constellations, plain or as a ZIP archive. */
#ifndef CLI_AMF_H
#define CLI_AMF_H

/* Runs in the importer's process: reads `path`, writes the stream of import.h to `fd`. Returns the exit status. */
int amf_child(const char *path, int fd);

#endif
