/* Pump and valve, and everything that switches them off by itself. */
#ifndef SUCTION_H
#define SUCTION_H
#include <stdbool.h>
#include <stdint.h>

void suction_init(uint8_t reset_reason);
uint8_t suction_pump(uint8_t level);   /* these three return a REFUSED_ code */
uint8_t suction_valve(bool closed);
uint8_t suction_limits(uint8_t pump_most, uint16_t vacuum_most);
void suction_renew(void);
void suction_safe(void);               /* pump off, valve vented, lease given back; no fault */
void suction_stop(void);               /* the same, and latched */
void suction_clear(void);
void suction_tick(uint8_t elapsed_ms, uint16_t vacuum);

typedef struct {
    uint8_t pump; /* what the pump gets now */
    bool valve_closed;
    uint8_t fault;
    uint16_t lease_ms, on_ms, budget_ms;
    uint8_t pump_most;     /* the highest level that the pump gets */
    uint16_t vacuum_most;  /* raw counts at which it rests; 0: never */
} suction_state;

const suction_state *suction(void);
bool suction_busy(void);

#endif
