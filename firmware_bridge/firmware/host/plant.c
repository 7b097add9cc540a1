/* Pump, valve, hose, cup and card. Flows in mL/s, vacuum in kPa, one lump of air. */
#include "plant.h"
#include <math.h>

#define AIR_KPA 101.3
#define VOLUME_ML 15.0        /* a metre of 4 mm hose and a cup */
#define PUMP_ML_S 14.0        /* through the hose's resistance */
#define PUMP_KPA 50.0         /* against a closed cup */
#define MOTOR_S 0.09
#define COIL_S 0.015
#define VENT_LEAK 2.6         /* mL/s for each kPa, as the next three */
#define OPEN_LEAK 9.1
#define CARD_LEAK 0.88        /* porous cardboard and a bleed hole: 12 kPa with a sound pump */
#define BLOCKED_LEAK 0.005

/* MPX5100DP: 0.2 V at rest and 45 mV/kPa, on a converter of 1024 counts over 5 V */
#define SENSOR_ZERO 41.0
#define SENSOR_PER_KPA 9.216

static double leakage(const plant *p)
{
    double cup = OPEN_LEAK;
    if (p->card)
        cup = CARD_LEAK + p->leak * (OPEN_LEAK - CARD_LEAK);
    if (p->blocked)
        cup = BLOCKED_LEAK;
    return cup + (1.0 - p->coil) * VENT_LEAK;
}

void plant_step(plant *p, double pump, bool valve, double seconds)
{
    p->speed += (pump - p->speed) * (1.0 - exp(-seconds / MOTOR_S));
    p->coil += ((valve ? 1.0 : 0.0) - p->coil) * (1.0 - exp(-seconds / COIL_S));
    double drag = p->speed * PUMP_ML_S / PUMP_KPA + leakage(p);
    double target = p->speed * PUMP_ML_S / drag;
    p->kpa += (target - p->kpa) * (1.0 - exp(-seconds * drag * AIR_KPA / VOLUME_ML));
}

uint16_t plant_counts(plant *p)
{
    p->dither = p->dither * 1664525u + 1013904223u;
    double counts = SENSOR_ZERO + SENSOR_PER_KPA * p->kpa + (double)(p->dither >> 24) / 128.0 - 1.0;
    return (uint16_t)fmin(fmax(counts + 0.5, 0.0), 1023.0);
}

bool plant_at_rest(const plant *p)
{
    return p->kpa < 0.005 && p->speed < 0.001;
}
