/* The board's core: sessions, requests and their answers, events. */
#include <string.h>
#include "board.h"
#include "frame.h"
#include "lights.h"
#include "port.h"
#include "protocol.h"
#include "senses.h"
#include "suction.h"

#define LIGHTS_LINE 0x40u /* of the lamps: the seventh */
#define LONGEST_ACT 5u /* bytes in the body of a request that acts */

static frame_reader reader;
static uint8_t out[FRAME_ROOM], out_length;

static bool session;
static uint16_t silent_ms;
static uint8_t event_number;
static uint16_t status_wait;
static uint8_t reported_fault;

static bool acted; /* an act of this session is remembered, so that its repetition is answered and not done again */
static uint8_t last_type, last_sequence, last_body[LONGEST_ACT], last_result;

static uint8_t reset_reason, lamps;
static uint16_t buzz_ms;
static uint16_t crc_errors, frame_errors, unsent;
static uint32_t uptime_ms;

static void say(uint8_t byte)
{
    if (out_length < FRAME_ROOM)
        out[out_length++] = byte;
}

static void say16(uint16_t word)
{
    say((uint8_t)word);
    say((uint8_t)(word >> 8));
}

static void say32(uint32_t word)
{
    say16((uint16_t)word);
    say16((uint16_t)(word >> 16));
}

static void begin(uint8_t type, uint8_t sequence)
{
    out_length = 0;
    say(type);
    say(sequence);
}

static void count(uint16_t *counter)
{
    if (*counter != 0xFFFFu)
        (*counter)++;
}

/* Never waits: what does not fit is left out whole, and counted. */
static void send(void)
{
    if (port_room() < out_length + 5u)
        count(&unsent);
    else
        frame_write(out, out_length, port_send);
}

static void say_hello(void)
{
    say(PROTOCOL_VERSION);
    say(FIRMWARE_MAJOR);
    say(FIRMWARE_MINOR);
    say16(port_can());
    say(reset_reason);
    say(suction()->fault);
    for (const char *c = port_description(); *c; c++)
        say((uint8_t)*c);
}

static void say_status(void)
{
    const suction_state *s = suction();
    say(s->pump);
    say(s->valve_closed);
    say(s->fault);
    say(senses_buttons());
    say(lamps);
    say16(senses_vacuum());
    say16(s->lease_ms);
    say16(s->on_ms);
    say16(s->budget_ms);
}

static void say_counters(void)
{
    say16(crc_errors);
    say16(frame_errors);
    say16(port_overruns());
    say16(unsent);
    say32(uptime_ms);
}

static void say_bounds(void)
{
    const suction_state *s = suction();
    say16(LEASE_MS);
    say16(ON_TIME_MS);
    say16(BUDGET_MS);
    say16(BUDGET_START_MS);
    say16(SESSION_MS);
    say16(WATCHDOG_MS);
    say16(PITCH_LOW);
    say16(PITCH_HIGH);
    say(s->pump_most);
    say16(s->vacuum_most);
    say16(port_full_count());
}

static void refuse(uint8_t type, uint8_t sequence, uint8_t code)
{
    begin(REFUSAL, sequence);
    say(type);
    say(code);
    send();
}

static void set_lamps(uint8_t bits)
{
    lamps = bits;
    port_lamps(lights_used() ? bits & (uint8_t)~LIGHTS_LINE : bits);
}

static void silence(void)
{
    buzz_ms = 0;
    port_buzz(0);
}

static void all_safe(void)
{
    suction_safe();
    set_lamps(0);
    lights_dark();
    silence();
}

static uint16_t word(const uint8_t *body)
{
    return (uint16_t)(body[0] | (uint16_t)body[1] << 8);
}

static uint8_t buzz(uint16_t ms, uint16_t pitch)
{
    if (ms && (pitch < PITCH_LOW || pitch > PITCH_HIGH))
        return REFUSED_MALFORMED;
    buzz_ms = ms;
    port_buzz(ms ? pitch : 0);
    return REFUSED_NOT;
}

static uint8_t lights(const uint8_t *body)
{
    if (!lights_fill(body[0], body[1], body + 2))
        return REFUSED_MALFORMED;
    set_lamps(lamps); /* their line is low from now on, long before the first pixel is sent */
    return REFUSED_NOT;
}

/* Length of the body of each request; 0xFF where it may vary. */
static uint8_t body_length(uint8_t type)
{
    switch (type) {
    case SAY_PING:
        return 0xFF;
    case SAY_PUMP:
    case SAY_VALVE:
    case SAY_LAMPS:
        return 1;
    case SAY_LIMITS:
        return 3;
    case SAY_BUZZ:
        return 4;
    case SAY_LIGHTS:
        return 5;
    default:
        return 0;
    }
}

/* Off and vented need neither session nor lease, and are done as often as they are asked for. */
static bool makes_safe(uint8_t type, const uint8_t *body)
{
    return (type == SAY_PUMP || type == SAY_VALVE) && body[0] == 0;
}

/* What changes something. */
static uint8_t act(uint8_t type, const uint8_t *body)
{
    if (!session && !makes_safe(type, body))
        return REFUSED_NO_SESSION;
    switch (type) {
    case SAY_RENEW:
        suction_renew();
        return REFUSED_NOT;
    case SAY_PUMP:
        return suction_pump(body[0]);
    case SAY_VALVE:
        return body[0] > 1 ? REFUSED_MALFORMED : suction_valve(body[0] == 1);
    case SAY_LAMPS:
        set_lamps(body[0]);
        return REFUSED_NOT;
    case SAY_BUZZ:
        return buzz(word(body), word(body + 2));
    case SAY_CLEAR:
        suction_clear();
        reported_fault = FAULT_NONE;
        return REFUSED_NOT;
    case SAY_LIGHTS:
        return lights(body);
    case SAY_LIMITS:
        return suction_limits(body[0], word(body + 1));
    default: /* SAY_BYE */
        all_safe();
        session = false;
        return REFUSED_NOT;
    }
}

static bool is_repetition(uint8_t type, uint8_t sequence, const uint8_t *body)
{
    return acted && type == last_type && sequence == last_sequence && memcmp(body, last_body, body_length(type)) == 0;
}

static void answer_act(uint8_t type, uint8_t sequence, const uint8_t *body)
{
    if (makes_safe(type, body) || !is_repetition(type, sequence, body)) {
        last_result = act(type, body);
        last_type = type;
        last_sequence = sequence;
        memcpy(last_body, body, body_length(type));
        acted = true;
    }
    if (last_result != REFUSED_NOT) {
        refuse(type, sequence, last_result);
        return;
    }
    begin((uint8_t)(type | ANSWER), sequence);
    say_status();
    send();
}

static void greet(uint8_t sequence)
{
    all_safe();
    session = true;
    acted = false;
    status_wait = STATUS_IDLE_MS; /* a first status at once */
    event_number = 0;
    reported_fault = suction()->fault;
    begin(SAY_HELLO | ANSWER, sequence);
    say_hello();
    send();
}

static void answer(uint8_t type, uint8_t sequence, const uint8_t *body, uint8_t length)
{
    begin((uint8_t)(type | ANSWER), sequence);
    switch (type) {
    case SAY_PING:
        for (uint8_t i = 0; i < length; i++)
            say(body[i]);
        break;
    case SAY_STATUS:
        say_status();
        break;
    case SAY_BOUNDS:
        say_bounds();
        break;
    default: /* SAY_COUNTERS */
        say_counters();
        break;
    }
    send();
}

static void understand(const uint8_t *content, uint8_t length)
{
    uint8_t type = content[0], sequence = content[1];
    const uint8_t *body = content + 2;
    uint8_t given = (uint8_t)(length - 2), wanted = body_length(type);
    silent_ms = 0;
    if (type < SAY_HELLO || type > SAY_LIGHTS)
        refuse(type, sequence, REFUSED_UNKNOWN);
    else if (wanted != 0xFF && wanted != given)
        refuse(type, sequence, REFUSED_MALFORMED);
    else if (type == SAY_HELLO)
        greet(sequence);
    else if (type == SAY_PING || type == SAY_STATUS || type == SAY_COUNTERS || type == SAY_BOUNDS)
        answer(type, sequence, body, given);
    else
        answer_act(type, sequence, body);
}

void board_stop(void)
{
    suction_stop();
    silence();
    frame_forget(&reader); /* what is older than the stop is not done any more */
}

void board_receive(uint8_t byte)
{
    if (byte == FRAME_STOP) {
        board_stop();
        return;
    }
    uint8_t length;
    switch (frame_read(&reader, byte, &length)) {
    case FRAME_READY:
        understand(reader.bytes, length);
        break;
    case FRAME_BROKEN:
        count(&frame_errors);
        break;
    case FRAME_CRC_WRONG:
        count(&crc_errors);
        break;
    case FRAME_NONE:
        break;
    }
}

void board_init(uint8_t reason)
{
    reader.length = 0;
    reader.overlong = reader.skipping = false;
    session = acted = false;
    reset_reason = reason;
    silent_ms = status_wait = 0;
    event_number = 0;
    crc_errors = frame_errors = unsent = 0;
    uptime_ms = 0;
    suction_init(reason);
    senses_init();
    lights_init();
    set_lamps(0);
    silence();
    reported_fault = suction()->fault;
    begin(EVENT_BOOT, event_number++);
    say_hello();
    send();
}

static void tell_button(uint8_t index, bool down)
{
    begin(EVENT_BUTTON, event_number++);
    say(index);
    say(down);
    send();
}

static void tell_buttons(void)
{
    uint8_t changed = senses_changed();
    if (!session)
        return;
    for (uint8_t i = 0; i < 8; i++)
        if (changed & (uint8_t)(1u << i))
            tell_button(i, (senses_buttons() >> i) & 1u);
}

static void tell_fault(void)
{
    if (!session || reported_fault == suction()->fault)
        return;
    reported_fault = suction()->fault;
    begin(EVENT_FAULT, event_number++);
    say(reported_fault);
    send();
    status_wait = STATUS_IDLE_MS; /* and how things are now, at once */
}

static void tell_status(uint8_t elapsed)
{
    status_wait = (uint16_t)(status_wait + elapsed);
    if (!session || status_wait < (suction_busy() ? STATUS_BUSY_MS : STATUS_IDLE_MS))
        return;
    status_wait = 0;
    begin(EVENT_STATUS, event_number++);
    say_status();
    send();
}

static void run_session(uint8_t elapsed)
{
    silent_ms = (uint16_t)(silent_ms + elapsed);
    if (silent_ms < SESSION_MS)
        return;
    silent_ms = SESSION_MS;
    if (session)
        all_safe();
    session = acted = false;
}

static void run_buzzer(uint8_t elapsed)
{
    if (buzz_ms == 0)
        return;
    if (buzz_ms > elapsed)
        buzz_ms = (uint16_t)(buzz_ms - elapsed);
    else
        silence();
}

void board_tick(uint8_t elapsed_ms)
{
    uptime_ms += elapsed_ms;
    senses_tick(elapsed_ms);
    suction_tick(elapsed_ms, senses_vacuum());
    run_buzzer(elapsed_ms);
    lights_tick(elapsed_ms);
    run_session(elapsed_ms);
    tell_fault();
    tell_buttons();
    tell_status(elapsed_ms);
}
