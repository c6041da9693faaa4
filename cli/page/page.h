/* A page that the command writes: HTML (the folders report and play) with the data between its head and its tail.
 *
 * The data are one JSON block and after it binary buffers in base64, cut into script elements of a type that no browser
 * runs. Nothing of a text can leave its block: in JSON every <, > and & is written as \u00xx, and all else that is not
 * ASCII as well. Text that is not UTF-8 is repaired. Joined in order the buffers are little-endian. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <carom/carom.h>

#include <jansson.h>
#include <stdio.h>

/* The two halves of a page, made by cmake/embed.cmake. */
typedef struct page_frame {
    const unsigned char *head, *tail;
    size_t head_size, tail_size;
} page_frame;

typedef struct page {
    FILE *file;
    const page_frame *frame;
    char *path;    /* that is written, links resolved */
    char *partial; /* stands in for it until all is written; NULL: written at once */
    uint64_t at;   /* bytes of binary so far, while offsets are given away */
    size_t block;  /* bytes of binary in the open block */
    int error;     /* errno of the first failure, 0 while all is well */
    uint8_t bytes[3];
    unsigned byte_count;
    struct z_stream_s *packer; /* of the open packed element; NULL: there is none */
} page;

/* Whether the file could be written, asked before the long work: leaves an existing file as it is and makes none.
 * On failure `message` says why, in one line that names the path. */
bool page_can_write(const char *path, char *message, size_t size);

/* Opens the page and writes its head. A file that exists stays until page_close puts the whole new one in its place.
 * A failure here and in all that follows is kept in `error`, and what comes after it does nothing. */
void page_open(page *p, const char *path, const page_frame *frame);
/* Writes the tail and closes. False where anything failed: `message` says what, and nothing new is left behind. */
bool page_close(page *p, const char *path, char *message, size_t size);

void page_put(page *p, const void *bytes, size_t size);
void page_put_text(page *p, const char *text);

/* --- JSON ------------------------------------------------------------------------------------------------------ */

/* Text for JSON; each byte that is no UTF-8 becomes the replacement character. */
json_t *page_text(const char *text);
/* null beyond CM_REAL_MAX. */
json_t *page_real(double value);
json_t *page_point(cm_vec3 v);
/* Writes the value and lets it go; NULL (no memory) is a failure of the page. */
void page_put_json(page *p, json_t *value);
/* The same after "name":, with a comma. */
void page_put_field(page *p, const char *name, json_t *value);
/* Opens an array field; the items follow, each on its own line. */
void page_open_array(page *p, const char *name);

/* --- binary ---------------------------------------------------------------------------------------------------- */

void page_put_u32(page *p, uint32_t value);
/* float32; beyond its range the nearest that is in it. */
void page_put_float(page *p, cm_real value);
void page_put_from(page *p, cm_vec3 point, cm_vec3 from);
/* The last block has to be ended before the tail. */
void page_close_blocks(page *p);

/* --- packed ------------------------------------------------------------------------------------------------------ */

/* Bytes that grow. */
typedef struct page_bytes {
    uint8_t *bytes; /* free() it */
    size_t size, room;
} page_bytes;

void page_bytes_put(page_bytes *b, const void *bytes, size_t size);
void page_bytes_u32(page_bytes *b, uint32_t value);
void page_bytes_float(page_bytes *b, cm_real value);
void page_bytes_double(page_bytes *b, double value);
/* Small numbers take few bytes: seven bits each, the lowest first, of the number with its sign as lowest bit. */
void page_bytes_signed(page_bytes *b, int32_t value);
/* What is put between the two is written, as it comes, compressed by zlib, as an element of its own. */
void page_open_packed(page *p);
void page_close_packed(page *p);
/* Writes such an element of these bytes, and empties them. */
void page_put_packed(page *p, page_bytes *b);

#endif
