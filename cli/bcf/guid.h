/* The two kinds of ids that BCF has: GUIDs of its own, and GlobalIds of IFC. */
#ifndef CLI_GUID_H
#define CLI_GUID_H

#include <stdbool.h>
#include <stdint.h>

/* What a GUID of ours is of. */
typedef enum guid_kind { GUID_FINDING = 0xf1, GUID_GROUP = 0xf2, GUID_VIEWPOINT = 0xf3, GUID_COMMENT = 0xf4 } guid_kind;
enum { GUID_SIZE = 37 };

/* The GUID (a UUID of version 8) that holds the number: of a finding its id, so that a later check gives the same topic
 * the same GUID, and a topic of any tool tells which finding it is about. */
void guid_make(guid_kind kind, uint64_t number, char out[GUID_SIZE]);
/* The number in a GUID of that kind, in upper or lower case; 0 where it is another's. */
uint64_t guid_number(guid_kind kind, const char *guid);

/* Is it a GlobalId: 22 digits of the 64 that IFC has? */
bool is_global_id(const char *text);

#endif
