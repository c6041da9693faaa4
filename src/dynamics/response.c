/* The names of the responses. */
#include "carom/dynamics.h"

static const struct response_entry {
    const char *name;
    uint32_t bit;
} response_entries[] = {
#define RESPONSE_ENTRY(NAME, name, bit) {#name, bit},
    CM_RESPONSE_LIST(RESPONSE_ENTRY)
#undef RESPONSE_ENTRY
};
enum { RESPONSE_ENTRIES = sizeof response_entries / sizeof response_entries[0] };

static bool same_name(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

bool cm_response_from_name(const char *name, uint32_t *out) {
    for (int i = 0; name && i < RESPONSE_ENTRIES; i++) {
        if (!same_name(response_entries[i].name, name)) continue;
        if (out) *out = response_entries[i].bit;
        return true;
    }
    return false;
}

const char *cm_response_name(uint32_t response) {
    for (int i = 0; i < RESPONSE_ENTRIES; i++)
        if (response_entries[i].bit == response) return response_entries[i].name;
    return NULL;
}
