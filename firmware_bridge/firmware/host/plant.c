/* Pump, valve, hose, cup and card. Flows in mL/s, vacuum in kPa. Two lumps of air: what lies before the hose, with the
   sensor and the valve, and the hose with the cup. A blocked hose leaves the pump only the first. */
#include "plant.h"
#include <math.h>

#define AIR_KPA 101.3
#define DEAD_ML 2.0           /* pump, valve, sensor and tees */
#define HOSE_ML 13.0          /* a metre of 4 mm hose and a cup */
#define PUMP_ML_S 50.0        /* 3 L/min in the open */
#define PUMP_KPA 50.0         /* and nothing any more against this */
#define MOTOR_S 0.09
#define MOTOR_STALLS 0.78     /* with less than this of its voltage a small motor stands still under load */
#define COIL_S 0.015
#define VENT_LEAK 2.6         /* mL/s for each kPa, as all that follow */
#define HOSE_FLOW 200.0
#define OPEN_LEAK 32.0
#define CARD_LEAK 0.88        /* porous cardboard and a bleed hole of 0.4 mm: 26 kPa if the pump is not throttled */
#define JOINT_LEAK 0.005      /* what a good pump's valves and the joints before the hose let in */

/* MPX5100DP: 0.2 V at rest and 45 mV/kPa, on a converter of 1024 counts over 5 V */
#define SENSOR_ZERO 41.0
#define SENSOR_PER_KPA 9.216

static double cup_leak(const plant *p)
{
    return p->card ? CARD_LEAK + p->leak * (OPEN_LEAK - CARD_LEAK) : OPEN_LEAK;
}

void plant_step(plant *p, double pump, bool valve, double seconds)
{
    double turns = pump < MOTOR_STALLS ? 0.0 : pump;
    p->speed += (turns - p->speed) * (1.0 - exp(-seconds / MOTOR_S));
    p->coil += ((valve ? 1.0 : 0.0) - p->coil) * (1.0 - exp(-seconds / COIL_S));
    double flow = p->speed * PUMP_ML_S, hose = p->blocked ? 0.0 : HOSE_FLOW;
    double here = seconds * AIR_KPA / DEAD_ML, there = seconds * AIR_KPA / HOSE_ML;
    /* both at the end of the step at once: the hose evens them out faster than any step */
    double a = 1.0 + here * (flow / PUMP_KPA + JOINT_LEAK + (1.0 - p->coil) * VENT_LEAK + hose), b = here * hose;
    double c = there * hose, d = 1.0 + there * (hose + cup_leak(p));
    double pulled = p->sensed_kpa + here * flow, kpa = p->kpa;
    p->sensed_kpa = (d * pulled + b * kpa) / (a * d - b * c);
    p->kpa = (c * p->sensed_kpa + kpa) / d;
}

uint16_t plant_counts(plant *p)
{
    p->dither = p->dither * 1664525u + 1013904223u;
    double counts = SENSOR_ZERO + SENSOR_PER_KPA * p->sensed_kpa + (double)(p->dither >> 24) / 128.0 - 1.0;
    return (uint16_t)fmin(fmax(counts + 0.5, 0.0), 1023.0);
}

bool plant_at_rest(const plant *p)
{
    return p->kpa < 0.005 && p->sensed_kpa < 0.005 && p->speed < 0.001;
}
