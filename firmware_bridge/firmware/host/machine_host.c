/* The firmware's core as an ordinary program: serial chip, interrupts and watchdog as the port for the ATmega has them. */
#include <string.h>
#include "board.h"
#include "frame.h"
#include "lights.h"
#include "machine.h"
#include "port.h"
#include "protocol.h"

#define STEP_US 100u
#define BYTE_US 87u /* ten bits at 115,200 Bd */
#define WATCHDOG_US (WATCHDOG_MS * 1000u)
#define RX_RING 64u
#define TX_RING 128u
#define WIRE 65536u

plant machine_plant;
machine_log machine_record;
uint8_t machine_lights[MACHINE_LIGHTS][3];
const char *const machine_kind = "host";

static struct {
    uint8_t bytes[WIRE];
    unsigned head, tail;
    uint64_t ready_us;
} to_board, from_board;

static uint8_t rx[RX_RING], rx_count, tx[TX_RING];
static unsigned tx_head, tx_tail;
static uint16_t overruns;
static bool stop_seen;
static machine_pins pins;
static uint16_t kept;
static bool has_kept;
static uint64_t kicked_us, tick_us, hung_until_us;

static void pump_pin(uint8_t level)
{
    if (pins.pump != level && (pins.pump == 0 || level == 0))
        machine_record.pump_changed_us = machine_record.now_us;
    machine_record.starts += level && !pins.pump;
    pins.pump = level;
}

static void valve_pin(bool closed)
{
    if (pins.valve != closed)
        machine_record.valve_changed_us = machine_record.now_us;
    machine_record.starts += closed && !pins.valve;
    pins.valve = closed;
}

void port_send(uint8_t byte)
{
    tx[tx_head++ % TX_RING] = byte;
}

uint8_t port_room(void)
{
    return (uint8_t)(TX_RING - 1u - (tx_head - tx_tail));
}

void port_pump(uint8_t level)
{
    pump_pin(stop_seen ? 0 : level);
}

void port_valve(bool closed)
{
    valve_pin(closed && !stop_seen);
}

void port_lamps(uint8_t bits)
{
    pins.lamps = bits;
}

void port_lights(void)
{
    for (uint8_t i = 0; i < LIGHTS; i++)
        lights_pixel(i, machine_lights[i]);
}

void port_buzz(uint16_t pitch)
{
    pins.pitch = pitch;
}

uint16_t port_vacuum(void)
{
    return plant_counts(&machine_plant);
}

uint16_t port_full_count(void)
{
    return 1023;
}

uint8_t port_buttons(void)
{
    return machine_plant.uno ? machine_plant.buttons & 0x3Fu : machine_plant.buttons;
}

uint16_t port_overruns(void)
{
    return overruns;
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
    uint16_t can = CAN_PWM | CAN_VALVE | CAN_VACUUM | CAN_BUTTONS | CAN_LAMPS | CAN_LIGHTS | CAN_BUZZ | IS_SIMULATED;
    return machine_plant.uno ? can : can | CAN_EIGHT_BUTTONS;
}

const char *port_description(void)
{
    return "simulated, C core";
}

static void receive_interrupt(uint8_t byte)
{
    machine_record.last_heard_us = machine_record.now_us;
    if (byte == FRAME_STOP) {
        pump_pin(0);
        valve_pin(false);
        rx_count = 0;
        stop_seen = true;
        return;
    }
    if (rx_count == RX_RING) {
        overruns++;
        return;
    }
    rx[rx_count++] = byte;
    if (rx_count > machine_record.backlog)
        machine_record.backlog = rx_count;
}

static void wire_in(void)
{
    while (to_board.tail != to_board.head && to_board.ready_us <= machine_record.now_us) {
        receive_interrupt(to_board.bytes[to_board.tail++ % WIRE]);
        to_board.ready_us += BYTE_US;
    }
    if (to_board.tail == to_board.head && to_board.ready_us < machine_record.now_us)
        to_board.ready_us = machine_record.now_us;
}

static void wire_out(void)
{
    while (tx_tail != tx_head && from_board.ready_us <= machine_record.now_us) {
        if (from_board.head - from_board.tail < WIRE)
            from_board.bytes[from_board.head++ % WIRE] = tx[tx_tail % TX_RING];
        tx_tail++;
        from_board.ready_us += BYTE_US;
    }
    if (tx_tail == tx_head && from_board.ready_us < machine_record.now_us)
        from_board.ready_us = machine_record.now_us;
}

static void main_loop(void)
{
    if (stop_seen) {
        stop_seen = false;
        board_stop();
    }
    for (uint8_t i = 0; i < rx_count; i++)
        board_receive(rx[i]);
    rx_count = 0;
    if (machine_record.now_us - tick_us < 1000)
        return;
    uint64_t gone_ms = (machine_record.now_us - tick_us) / 1000;
    tick_us += gone_ms * 1000;
    for (; gone_ms > BOARD_LONGEST_STEP_MS; gone_ms -= BOARD_LONGEST_STEP_MS)
        board_tick(BOARD_LONGEST_STEP_MS);
    board_tick((uint8_t)gone_ms);
    kicked_us = machine_record.now_us;
}

bool machine_reset(uint8_t reason)
{
    rx_count = 0;
    tx_head = tx_tail = 0;
    overruns = 0;
    stop_seen = false;
    hung_until_us = 0;
    kicked_us = tick_us = machine_record.now_us;
    machine_record.resets++;
    if (reason == RESET_POWER)
        has_kept = false;
    board_init(reason);
    return true;
}

bool machine_open(const char *firmware)
{
    (void)firmware;
    machine_plant.dither = 1;
    port_keep(BUDGET_MS); /* nobody has run it for a while */
    board_init(RESET_POWER);
    return true;
}

static void step_plant(void)
{
    static uint64_t done_us;
    if (machine_record.now_us - done_us < 1000)
        return;
    plant_step(&machine_plant, pins.pump / 255.0, pins.valve, (double)(machine_record.now_us - done_us) * 1e-6);
    done_us = machine_record.now_us;
}

bool machine_load(uint16_t version, uint8_t handed)
{
    (void)version;
    (void)handed;
    return false; /* there is no bootloader here */
}

void machine_run(uint64_t until_us)
{
    while (machine_record.now_us < until_us) {
        machine_record.now_us += STEP_US;
        wire_in();
        if (machine_record.now_us >= hung_until_us)
            main_loop();
        else if (machine_record.now_us - kicked_us >= WATCHDOG_US)
            machine_reset(RESET_WATCHDOG);
        wire_out();
        step_plant();
    }
}

void machine_hear(uint8_t byte)
{
    if (to_board.head - to_board.tail < WIRE)
        to_board.bytes[to_board.head++ % WIRE] = byte;
}

unsigned machine_said(uint8_t *bytes, unsigned room)
{
    unsigned count = 0;
    while (count < room && from_board.tail != from_board.head)
        bytes[count++] = from_board.bytes[from_board.tail++ % WIRE];
    return count;
}

machine_pins machine_look(void)
{
    return pins;
}

void machine_hang(uint64_t us)
{
    hung_until_us = machine_record.now_us + us;
}

bool machine_lock(void)
{
    return false; /* nothing of it happens in an interrupt */
}

bool machine_freeze(void)
{
    return false;
}

bool machine_pounce(const char *where, unsigned nth)
{
    (void)where;
    (void)nth;
    return false; /* its interrupts come between two turns of the main loop */
}

bool machine_speed(uint32_t bauds)
{
    (void)bauds;
    return false;
}

bool machine_measure(void)
{
    return false;
}

void machine_measured(unsigned *stack_bytes, double *without_us)
{
    *stack_bytes = 0;
    *without_us = 0;
}

bool machine_at_rest(void)
{
    return tx_head == tx_tail && to_board.head == to_board.tail && !pins.pump && !pins.valve
        && plant_at_rest(&machine_plant) && hung_until_us <= machine_record.now_us;
}
