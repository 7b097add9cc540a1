/* The core as a shared library for tests: no process, no wire, time passes when told to. */
#include <stdbool.h>
#include <stdint.h>
#include "board.h"
#include "port.h"
#include "protocol.h"

static uint8_t said[65536];
static unsigned said_count;
static uint16_t vacuum = 41;
static uint8_t buttons, room = 127;
static uint16_t kept;
static bool has_kept;
static struct {
    uint8_t pump;
    uint8_t valve;
    uint8_t lamps;
    uint8_t unused;
    uint16_t pitch;
    uint16_t starts; /* how often the pump or the valve went on */
} pins;

void port_send(uint8_t byte)
{
    if (said_count < sizeof said)
        said[said_count++] = byte;
}

uint8_t port_room(void)
{
    return room;
}

void port_pump(uint8_t level)
{
    if (level && !pins.pump)
        pins.starts++;
    pins.pump = level;
}

void port_valve(bool closed)
{
    if (closed && !pins.valve)
        pins.starts++;
    pins.valve = closed;
}

void port_lamps(uint8_t bits)
{
    pins.lamps = bits;
}

void port_lights(void)
{
}

void port_buzz(uint16_t pitch)
{
    pins.pitch = pitch;
}

uint16_t port_vacuum(void)
{
    return vacuum;
}

uint16_t port_full_count(void)
{
    return 1023;
}

uint8_t port_buttons(void)
{
    return buttons;
}

uint16_t port_overruns(void)
{
    return 0;
}

void port_keep(uint16_t word)
{
    kept = word;
    has_kept = true;
}

bool port_kept(uint16_t *word)
{
    *word = kept;
    return has_kept;
}

uint16_t port_can(void)
{
    return CAN_PWM | CAN_VALVE | CAN_VACUUM | CAN_BUTTONS | CAN_EIGHT_BUTTONS | CAN_LAMPS | CAN_LIGHTS | CAN_BUZZ | IS_SIMULATED;
}

const char *port_description(void)
{
    return "library, C core";
}

void library_hear(const uint8_t *bytes, unsigned count)
{
    while (count--)
        board_receive(*bytes++);
}

unsigned library_said(uint8_t *bytes, unsigned capacity)
{
    unsigned count = said_count < capacity ? said_count : capacity;
    for (unsigned i = 0; i < count; i++)
        bytes[i] = said[i];
    said_count = 0;
    return count;
}

void library_run(unsigned ms)
{
    while (ms--)
        board_tick(1);
}

void library_senses(uint16_t counts, uint8_t pressed)
{
    vacuum = counts;
    buttons = pressed;
}

void library_lose_power(void)
{
    has_kept = false;
}

void library_room(uint8_t bytes)
{
    room = bytes;
}

const void *library_pins(void)
{
    return &pins;
}
