/* GUIDs and GlobalIds: see guid.h. */
#include "bcf/guid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A UUID of version 8 is free but for the digit 8 and the two bits after it. */
void guid_make(guid_kind kind, uint64_t number, char out[GUID_SIZE]) {
    snprintf(out, GUID_SIZE, "%08x-%04x-8ca7-80%02x-%04x6361726f", (unsigned)(number >> 32),
             (unsigned)(number >> 16 & 0xffff), (unsigned)kind & 0xff, (unsigned)(number & 0xffff));
}

uint64_t guid_number(guid_kind kind, const char *guid) {
    static const int digits[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 24, 25, 26, 27};
    char lower[GUID_SIZE] = {0}, hexadecimal[17] = {0}, again[GUID_SIZE];
    if (strlen(guid) != GUID_SIZE - 1) return 0;
    for (int i = 0; i < GUID_SIZE - 1; i++)
        lower[i] = (char)(guid[i] >= 'A' && guid[i] <= 'F' ? guid[i] - 'A' + 'a' : guid[i]);
    for (int i = 0; i < 16; i++) hexadecimal[i] = lower[digits[i]];
    const uint64_t number = strtoull(hexadecimal, NULL, 16);
    guid_make(kind, number, again);
    return strcmp(again, lower) == 0 ? number : 0;
}

bool is_global_id(const char *text) {
    return strlen(text) == 22 && strspn(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_$abcdefghijklmnopqrstuvwxyz") == 22;
}
