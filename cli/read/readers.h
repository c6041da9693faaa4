/* Who reads what: formats that have a reader of their own, and formats that nothing here reads.
 *
 * A reader program is started by exec and writes the stream of docs/reader.md. All that is not in the table is
 * Assimp's. */
#ifndef CLI_READERS_H
#define CLI_READERS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum reader_kind {
    READER_ASSIMP,
    READER_GLTF, /* of this program, gltf.h */
    READER_AMF,  /* likewise, amf.h */
    READER_PROGRAM,
    READER_ROBOT, /* of carom check alone, robot/robot.h */
    READER_NONE
} reader_kind;

typedef struct reader {
    reader_kind kind;
    const char *format;  /* "IFC"; NULL for Assimp */
    const char *advice;  /* READER_NONE, READER_ROBOT: what to do instead; READER_PROGRAM: what to install where it
                            cannot start */
    bool wide;           /* its text is UTF-16 or UTF-32, which no READER_PROGRAM reads */
    const char *command; /* READER_PROGRAM: the interpreter, found along PATH; NULL: the program needs none */
    char script[1024];   /* READER_PROGRAM: what it runs, or the program itself */
} reader;

/* The reader for a file, by its first bytes and by the end of its name. */
void reader_find(const char *path, reader *out);

#endif
