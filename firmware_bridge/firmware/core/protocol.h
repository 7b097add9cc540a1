/* The numbers of PROTOCOL.md: messages, refusals, faults, reset reasons and times. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#define PROTOCOL_VERSION 1u
#define FIRMWARE_MAJOR 1u
#define FIRMWARE_MINOR 2u

/* requests; the answer is the same number with ANSWER added */
enum {
    SAY_HELLO = 0x01,
    SAY_PING = 0x02,
    SAY_RENEW = 0x03,
    SAY_PUMP = 0x04,
    SAY_VALVE = 0x05,
    SAY_LAMPS = 0x06,
    SAY_BUZZ = 0x07,
    SAY_CLEAR = 0x08,
    SAY_STATUS = 0x09,
    SAY_COUNTERS = 0x0A,
    SAY_LIMITS = 0x0B,
    SAY_BYE = 0x0C,
    SAY_BOUNDS = 0x0D,
    SAY_LIGHTS = 0x0E,
    ANSWER = 0x80,
    EVENT_BOOT = 0xE0,
    EVENT_STATUS = 0xE1,
    EVENT_BUTTON = 0xE2,
    EVENT_FAULT = 0xE3,
    REFUSAL = 0xFE
};

enum {
    REFUSED_NOT = 0,
    REFUSED_UNKNOWN = 1,
    REFUSED_MALFORMED = 2,
    REFUSED_NO_SESSION = 3,
    REFUSED_NO_LEASE = 4,
    REFUSED_FAULT = 5,
    REFUSED_RESTING = 6
};

enum { FAULT_NONE = 0, FAULT_STOPPED = 1, FAULT_LEASE = 2, FAULT_ON_TIME = 3, FAULT_DUTY = 4, FAULT_WATCHDOG = 5, FAULT_BROWN_OUT = 6 };

enum { RESET_UNKNOWN = 0, RESET_POWER = 1, RESET_EXTERNAL = 2, RESET_BROWN_OUT = 3, RESET_WATCHDOG = 4 };

enum { CAN_PWM = 1, CAN_VALVE = 2, CAN_VACUUM = 4, CAN_BUTTONS = 8, CAN_LAMPS = 16, CAN_BUZZ = 32, IS_SIMULATED = 64, CAN_EIGHT_BUTTONS = 128, CAN_LIGHTS = 256 };

#define LEASE_MS 700u          /* pump and valve without a renewal */
#define ON_TIME_MS 20000u      /* pump in one go */
#define BUDGET_MS 24000u       /* pump time in hand: on spends it, off earns it back one to one; so at most 72 s in any 120 s (60 %) */
#define BUDGET_START_MS 1000u  /* least that a start needs */
#define SESSION_MS 3000u       /* silence that ends a session */
#define WATCHDOG_MS 250u       /* a main loop that hangs for longer */
#define STATUS_BUSY_MS 25u
#define STATUS_IDLE_MS 200u
#define PUMP_SLEW_PER_MS 4u    /* soft start: full power after 64 ms */
#define VACUUM_SLACK 128u      /* so small a part of the scale below the vacuum limit the pump helps again */
#define LIGHTS 64u             /* a strip of 52 and a ring of 12 */
#define LIGHTS_MOST_MA 500u    /* what all of them may draw at 5 V */
#define PITCH_LOW 500u
#define PITCH_HIGH 5000u

#endif
