/* Pump, valve, hose, cup and card: what the simulated board works on. */
#ifndef PLANT_H
#define PLANT_H
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double kpa;    /* vacuum in the cup, 0 = none */
    double sensed_kpa; /* and at the sensor, before the hose */
    double speed;  /* of the pump's motor, 0 .. 1 */
    double coil;   /* of the valve, 0 vented .. 1 shut */
    double leak;   /* of the card on the cup, 0 as good as cardboard gets .. 1 as if it were not there */
    bool card;
    bool blocked;  /* the hose, between sensor and cup */
    uint8_t buttons;
    bool uno;      /* the board has no lines for buttons 7 and 8, or nothing holds them */
    uint32_t dither;
} plant;

void plant_step(plant *p, double pump, bool valve, double seconds);
uint16_t plant_counts(plant *p); /* what the sensor shows a 10-bit converter, with a count of noise */
bool plant_at_rest(const plant *p);

#endif
