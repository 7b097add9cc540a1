/* What the core needs of the C library: there is none here. */
#ifndef STRING_H
#define STRING_H
#include <stddef.h>
int memcmp(const void *one, const void *other, size_t length);
void *memcpy(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
#endif
