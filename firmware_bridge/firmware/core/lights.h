/* A strip and a ring of pixels on one wire, and what all of them may draw. */
#ifndef LIGHTS_H
#define LIGHTS_H
#include <stdbool.h>
#include <stdint.h>

void lights_init(void);
bool lights_fill(uint8_t first, uint8_t count, const uint8_t *colour); /* false where there are not so many; red, green, blue */
void lights_dark(void);
bool lights_used(void);                       /* since the start: their line is no lamp's any more */
void lights_tick(uint8_t elapsed_ms);
void lights_pixel(uint8_t index, uint8_t *sent); /* what a port sends: green, red, blue, dimmed to the limit */

#endif
