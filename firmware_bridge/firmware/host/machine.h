/* A machine that runs the board's firmware in virtual time, with a plant at its pins. */
#ifndef MACHINE_H
#define MACHINE_H
#include <stdbool.h>
#include <stdint.h>
#include "plant.h"

typedef struct {
    uint8_t pump;
    bool valve;
    uint8_t lamps;
    uint16_t pitch;
    uint16_t period; /* of the pump's PWM, in ticks of the chip's clock; 0 where no chip is simulated */
} machine_pins;

extern plant machine_plant;
extern const char *const machine_kind;

#define MACHINE_LIGHTS 64u
extern uint8_t machine_lights[MACHINE_LIGHTS][3]; /* what each pixel shows: green, red, blue */

bool machine_open(const char *firmware);       /* a file where the machine needs one */
void machine_run(uint64_t until_us);
void machine_hear(uint8_t byte);               /* queued, and delivered at the speed of the wire */
unsigned machine_said(uint8_t *bytes, unsigned room);
machine_pins machine_look(void);
bool machine_reset(uint8_t reason);            /* false where the machine cannot be reset that way */
bool machine_load(uint16_t version, uint8_t handed); /* the same through a bootloader, which clears the reason and leaves that in r2 */
void machine_hang(uint64_t us);                /* the main loop stands still for that long, or until the watchdog bites */
bool machine_lock(void);                       /* no interrupt is let in from now on; false where it cannot */
bool machine_freeze(void);                     /* the millisecond timer stands still, the main loop goes on; false where it cannot */
bool machine_pounce(const char *where, unsigned nth); /* a stop byte comes in at the worst moment; false where it cannot */
bool machine_speed(uint32_t bauds);            /* at which the other end of the wire speaks from now on; false where any will do */
bool machine_measure(void);                    /* look at the stack and at interrupts from now on; false where no chip is simulated */
void machine_measured(unsigned *stack_bytes, double *without_us); /* the most, and the longest stretch in which none was let in */
bool machine_at_rest(void);                    /* nothing is under way that a late look would distort */

typedef struct {
    uint64_t now_us, last_heard_us, pump_changed_us, valve_changed_us;
    uint32_t resets;
    uint32_t starts;  /* how often the pump or the valve have gone on, since the beginning or the last pounce */
    uint32_t backlog; /* most bytes that waited in the receiver */
} machine_log;

extern machine_log machine_record;

#endif
