/* What a machine must give the board's core: the wire, the outputs and the inputs. */
#ifndef PORT_H
#define PORT_H
#include <stdbool.h>
#include <stdint.h>

void port_send(uint8_t byte);
uint8_t port_room(void);            /* bytes that port_send can take now */
void port_pump(uint8_t level);      /* 0 off .. 255 full */
void port_valve(bool closed);       /* false: no current, vented */
void port_lamps(uint8_t bits);
void port_lights(void);             /* sends lights_pixel of each to the line of lamp 7, which is low before and after */
void port_buzz(uint16_t pitch);     /* hertz, 0 silent */
uint16_t port_vacuum(void);         /* newest sample in raw counts; more vacuum, more counts */
uint16_t port_full_count(void);     /* what port_vacuum shows at the end of its scale: 1023 with ten bits */
uint8_t port_buttons(void);         /* 1 = pressed, not debounced */
uint16_t port_overruns(void);       /* received bytes that were lost */
void port_keep(uint16_t word);      /* in memory that outlives a reset */
bool port_kept(uint16_t *word);     /* what was kept before this start; false when the power was lost since */
uint16_t port_can(void);            /* the abilities of the protocol, and whether all of it is simulated */
const char *port_description(void); /* at most 24 characters */

#endif
