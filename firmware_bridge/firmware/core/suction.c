/* Pump and valve, and everything that switches them off by itself: lease, longest on-time, duty budget, latched faults. */
#include "suction.h"
#include "port.h"
#include "protocol.h"

static suction_state now;
static uint8_t wanted;      /* level asked for */
static bool vacuum_enough;

const suction_state *suction(void)
{
    return &now;
}

bool suction_busy(void)
{
    return wanted != 0 || now.valve_closed;
}

static void drive_pump(uint8_t level)
{
    if (level == now.pump)
        return;
    now.pump = level;
    port_pump(level);
}

static void drive_valve(bool closed)
{
    now.valve_closed = closed;
    port_valve(closed);
}

static void pump_off(void)
{
    wanted = 0;
    now.on_ms = 0;
    now.pump = 0;
    port_pump(0); /* said even when it is off already: this must not depend on what we believe */
}

void suction_safe(void)
{
    pump_off();
    drive_valve(false);
    now.lease_ms = 0;
}

static void trip(uint8_t fault)
{
    suction_safe();
    if (now.fault == FAULT_NONE)
        now.fault = fault;
}

static void less(uint16_t *left, uint16_t elapsed)
{
    *left = (uint16_t)(*left > elapsed ? *left - elapsed : 0);
}

/* Nobody rests a hot pump by resetting its board: what is not remembered counts as spent, and so does the time of a hang. */
static uint16_t budget_of_last_time(uint8_t reset_reason)
{
    uint16_t kept;
    if (!port_kept(&kept))
        return 0;
    if (kept > BUDGET_MS)
        kept = BUDGET_MS;
    if (reset_reason == RESET_WATCHDOG)
        less(&kept, WATCHDOG_MS);
    return kept;
}

void suction_init(uint8_t reset_reason)
{
    now.fault = FAULT_NONE;
    if (reset_reason == RESET_WATCHDOG)
        now.fault = FAULT_WATCHDOG;
    if (reset_reason == RESET_BROWN_OUT)
        now.fault = FAULT_BROWN_OUT;
    now.budget_ms = budget_of_last_time(reset_reason);
    now.pump_most = 255;
    now.vacuum_most = 0;
    vacuum_enough = false;
    suction_safe();
}

void suction_stop(void)
{
    trip(FAULT_STOPPED);
}

void suction_clear(void)
{
    now.fault = FAULT_NONE;
}

void suction_renew(void)
{
    now.lease_ms = LEASE_MS;
}

static uint8_t may_act(void)
{
    if (now.fault != FAULT_NONE)
        return REFUSED_FAULT;
    if (now.lease_ms == 0)
        return REFUSED_NO_LEASE;
    return REFUSED_NOT;
}

uint8_t suction_pump(uint8_t level)
{
    if (level == 0) { /* off is never refused */
        pump_off();
        return REFUSED_NOT;
    }
    uint8_t refused = may_act();
    if (refused != REFUSED_NOT)
        return refused;
    if (wanted == 0 && now.budget_ms < BUDGET_START_MS)
        return REFUSED_RESTING;
    wanted = level < now.pump_most ? level : now.pump_most;
    return REFUSED_NOT;
}

uint8_t suction_valve(bool closed)
{
    uint8_t refused = closed ? may_act() : REFUSED_NOT;
    if (refused == REFUSED_NOT)
        drive_valve(closed);
    return refused;
}

uint8_t suction_limits(uint8_t most, uint16_t vacuum)
{
    if (most == 0)
        return REFUSED_MALFORMED;
    now.pump_most = most;
    now.vacuum_most = vacuum;
    if (wanted > most)
        wanted = most;
    return REFUSED_NOT;
}

static void spend(uint8_t elapsed)
{
    now.on_ms = (uint16_t)(now.on_ms + elapsed);
    less(&now.budget_ms, elapsed);
    if (now.on_ms >= ON_TIME_MS)
        trip(FAULT_ON_TIME);
    else if (now.budget_ms == 0)
        trip(FAULT_DUTY);
}

static void earn(uint8_t elapsed)
{
    uint16_t missing = (uint16_t)(BUDGET_MS - now.budget_ms);
    now.budget_ms = (uint16_t)(now.budget_ms + (missing < elapsed ? missing : elapsed));
}

static void run_lease(uint8_t elapsed)
{
    less(&now.lease_ms, elapsed);
    if (now.lease_ms == 0 && suction_busy())
        trip(FAULT_LEASE);
}

/* Soft start upwards, at once downwards; rests while the vacuum is at its limit. */
static void follow(uint8_t elapsed, uint16_t vacuum)
{
    uint16_t slack = (uint16_t)((port_full_count() + 1u) / VACUUM_SLACK);
    if (now.vacuum_most == 0 || vacuum + slack < now.vacuum_most)
        vacuum_enough = false;
    else if (vacuum >= now.vacuum_most)
        vacuum_enough = true;
    uint8_t aim = vacuum_enough ? 0 : wanted;
    uint16_t step = (uint16_t)(now.pump + (uint16_t)elapsed * PUMP_SLEW_PER_MS);
    drive_pump(step < aim ? (uint8_t)step : aim);
}

void suction_tick(uint8_t elapsed_ms, uint16_t vacuum)
{
    run_lease(elapsed_ms);
    if (wanted != 0)
        spend(elapsed_ms);
    else
        earn(elapsed_ms);
    port_keep(now.budget_ms);
    follow(elapsed_ms, vacuum);
}
