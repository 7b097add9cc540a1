/* Vacuum and buttons, freed of noise: a median against spikes, a low-pass against ripple, four equal looks against bounce. */
#include "senses.h"
#include "port.h"

#define TAPS 5u
#define VACUUM_EVERY_MS 2u
#define BUTTONS_EVERY_MS 5u

static uint16_t taps[TAPS];
static uint8_t next_tap;
static uint16_t smooth; /* sixteenths of a count */
static uint8_t vacuum_wait, buttons_wait;
static uint8_t pressed, changed, ones, twos; /* ones and twos: a two-bit counter for each button */

static uint16_t median(void)
{
    for (uint8_t i = 0; i < TAPS; i++) {
        uint8_t below = 0, same = 0;
        for (uint8_t k = 0; k < TAPS; k++) {
            below = (uint8_t)(below + (taps[k] < taps[i]));
            same = (uint8_t)(same + (taps[k] == taps[i]));
        }
        if (below <= TAPS / 2 && below + same > TAPS / 2)
            return taps[i];
    }
    return taps[0];
}

static void sample_vacuum(void)
{
    taps[next_tap] = port_vacuum();
    next_tap = (uint8_t)((next_tap + 1u) % TAPS);
    uint16_t aim = (uint16_t)(median() << 4);
    if (aim >= smooth)
        smooth = (uint16_t)(smooth + (aim - smooth) / 4u);
    else
        smooth = (uint16_t)(smooth - (smooth - aim) / 4u);
}

static void sample_buttons(void)
{
    uint8_t differs = (uint8_t)(port_buttons() ^ pressed);
    twos = (uint8_t)((twos ^ ones) & differs);
    ones = (uint8_t)(~ones & differs);
    uint8_t sure = (uint8_t)(differs & (uint8_t)~(ones | twos)); /* counted 1, 2, 3 and round to 0: the fourth look in a row */
    pressed ^= sure;
    changed |= sure;
}

void senses_init(void)
{
    for (uint8_t i = 0; i < TAPS; i++)
        taps[i] = port_vacuum();
    smooth = (uint16_t)(taps[0] << 4);
    next_tap = vacuum_wait = buttons_wait = 0;
    ones = twos = changed = 0;
    pressed = port_buttons(); /* a button that is stuck since before the start is no press */
}

void senses_tick(uint8_t elapsed_ms)
{
    vacuum_wait = (uint8_t)(vacuum_wait + elapsed_ms);
    if (vacuum_wait >= VACUUM_EVERY_MS) {
        vacuum_wait = 0;
        sample_vacuum();
    }
    buttons_wait = (uint8_t)(buttons_wait + elapsed_ms);
    if (buttons_wait >= BUTTONS_EVERY_MS) {
        buttons_wait = 0;
        sample_buttons();
    }
}

uint16_t senses_vacuum(void)
{
    return (uint16_t)((smooth + 8u) >> 4);
}

uint8_t senses_buttons(void)
{
    return pressed;
}

uint8_t senses_changed(void)
{
    uint8_t bits = changed;
    changed = 0;
    return bits;
}
