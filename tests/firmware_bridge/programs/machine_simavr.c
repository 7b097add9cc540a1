/* The Nano's own code in a simulated ATmega328P. Test only: it links libsimavr (GPL-3), and nothing that Digside ships does.
 *
 * The simulator paces itself only when the firmware sleeps, counts eleven bits to a byte, forgets every cycle timer at a reset and shows
 * no pin events then; so time, bytes and pins are looked after here. And it looks at the two pins with an interrupt of their own in each
 * cycle in which they are low, whether that interrupt is wanted or not: told not to, it is twenty times as fast.
 */
#include <avr_adc.h>
#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <sim_hex.h>
#include <sim_interrupts.h>
#include <sim_irq.h>
#include <stdio.h>
#include <string.h>
#include "frame.h"
#include "machine.h"
#include "pins.h"
#include "protocol.h"

#define REST_US (BUDGET_MS * 1000ull)
#define HZ 16000000u
#define CYCLES_PER_US (HZ / 1000000u)
#define SLICE_US 100u
#define WIRE 65536u
#define WATCH_US 5000u /* after a reset and after a pounce each instruction is looked at */
#define RAM_START 0x100u
#define RJMP_TO_ITSELF 0xCFFFu
#define CLI 0x94F8u
#define STS 0x9200u /* from any register, to the address in the next word */
#define STS_MASK 0xFE0Fu
#define RECEIVED 0x48u /* where the receiver's interrupt begins */
#define IN_FROM_PORT_B 0xB005u /* into any register */
#define IN_MASK 0xF60Fu
#define LOADER_VERSION 0x7FFEu

/* registers of the chip, as addresses in data space */
enum { R_TIMSK0 = 0x6E, R_TCCR1A = 0x80, R_TCCR1B = 0x81, R_ICR1 = 0x86, R_OCR1A = 0x88, R_TCCR2A = 0xB0, R_OCR2A = 0xB3, R_UCSR0A = 0xC0, R_UBRR0 = 0xC4 };

enum {
#define PIN(name, port, bit, label, does) P_##name = bit,
#define ANALOG(name, channel, label, does) A_##name = channel,
    PIN_LIST(PIN, ANALOG)
#undef PIN
#undef ANALOG
};

static const struct {
    char port;
    uint8_t bit;
} places[] = {
#define PIN(name, port, bit, label, does) {#port[0], bit},
#define ANALOG(name, channel, label, does)
    PIN_LIST(PIN, ANALOG)
#undef PIN
#undef ANALOG
};

enum { /* where each pin stands in the list of places */
#define PIN(name, port, bit, label, does) AT_##name,
#define ANALOG(name, channel, label, does)
    PIN_LIST(PIN, ANALOG)
#undef PIN
#undef ANALOG
};

plant machine_plant;
machine_log machine_record;
const char *const machine_kind = "simavr";

static avr_t *avr;
static avr_uart_t *uart;
static struct {
    uint8_t bytes[WIRE];
    unsigned head, tail;
} to_board, from_board;
static bool was_reset;
static void (*chip_reset)(avr_t *);
static avr_flashaddr_t hung_at;
static uint16_t hung_code;
static bool hung, locked;
static uint64_t hung_until_us;
static struct {
    uint8_t pump;
    bool valve;
} seen;
static uint64_t watch_until_us;
static uint32_t vacuum_millivolts, held_millivolts;
static bool has_loader;
static uint32_t wire_bauds; /* at which the other end speaks; 0: as the chip does */
static struct {
    enum { NOWHERE, BEFORE_CLI, BEFORE_TIMER_1, AFTER_READING_PORT_B, AFTER_RECEIVING } where;
    unsigned left;
    bool received;
} pounce;

#define LIGHT_BIT 4 /* A4: lamp 7 */

static void note_reset(avr_t *a)
{
    was_reset = true;
    if (chip_reset)
        chip_reset(a);
}

static uint16_t word_at(unsigned address)
{
    return (uint16_t)(avr->data[address] | avr->data[address + 1] << 8);
}

/* Is this pin an output, and high? */
static bool driven(int place)
{
    avr_ioport_state_t state;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(places[place].port), &state);
    return state.port & state.ddr & (1u << places[place].bit);
}

static uint8_t pump_level(void)
{
    if (!(avr->data[R_TCCR1A] & 0x80u))
        return driven(AT_PUMP) ? 255 : 0;
    unsigned top = word_at(R_ICR1), match = word_at(R_OCR1A);
    return match >= top ? 255 : (uint8_t)((match * 255u + top / 2u) / top);
}

machine_pins machine_look(void)
{
    machine_pins pins = {.pump = pump_level(), .valve = driven(AT_VALVE), .period = (uint16_t)(word_at(R_ICR1) + 1u)};
    for (int i = 0; i < 8; i++)
        pins.lamps |= (uint8_t)(driven(AT_LAMP_1 + i) << i);
    if (avr->data[R_TCCR2A] & 0x10u)
        pins.pitch = (uint16_t)(125000u / (avr->data[R_OCR2A] + 1u));
    return pins;
}

/* Ten times a millisecond, or after each instruction; so it looks at these two alone. */
static void note_pins(void)
{
    uint8_t pump = pump_level();
    bool valve = driven(AT_VALVE);
    if ((pump != 0) != (seen.pump != 0))
        machine_record.pump_changed_us = machine_record.now_us;
    if (valve != seen.valve)
        machine_record.valve_changed_us = machine_record.now_us;
    machine_record.starts += (unsigned)(pump && !seen.pump) + (valve && !seen.valve);
    seen.pump = pump;
    seen.valve = valve;
}

uint8_t machine_lights[MACHINE_LIGHTS][3];

/* What pixels make of their line: 5 ticks high are a zero and 12 a one, and 50 us low begin anew. */
static void light_hook(struct avr_irq_t *irq, uint32_t high, void *unused)
{
    (void)irq;
    (void)unused;
    static avr_cycle_count_t rose, fell;
    static unsigned place;
    if (high) {
        rose = avr->cycle;
        if (rose - fell > 50u * (HZ / 1000000u))
            place = 0;
        return;
    }
    fell = avr->cycle;
    avr_cycle_count_t ticks = fell - rose;
    bool one = ticks >= 10 && ticks <= 15;
    if (!one && (ticks < 4 || ticks > 8))
        place = MACHINE_LIGHTS * 24u; /* no bit at all */
    if (place >= MACHINE_LIGHTS * 24u)
        return;
    uint8_t *byte = &machine_lights[place / 24u][place / 8u % 3u], bit = (uint8_t)(0x80u >> place % 8u);
    *byte = (uint8_t)(one ? *byte | bit : *byte & ~bit);
    place++;
}

static unsigned cycles_per_bit(void)
{
    return (word_at(R_UBRR0) + 1u) * (avr->data[R_UCSR0A] & 2u ? 8u : 16u);
}

/* What arrives at an end that listens at another speed. */
static uint8_t heard_as(uint8_t byte)
{
    uint32_t bauds = HZ / cycles_per_bit();
    bool same = !wire_bauds || (bauds * 100u > wire_bauds * 96u && bauds * 100u < wire_bauds * 104u);
    return same ? byte : (uint8_t)(byte << 1 | 0x81u);
}

static void tx_hook(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    value = heard_as((uint8_t)value);
    if (from_board.head - from_board.tail < WIRE)
        from_board.bytes[from_board.head++ % WIRE] = (uint8_t)value;
}

/* One byte in each byte time. The simulator's receiver holds 64 where the chip holds two, so what waits in it is recorded. */
static avr_cycle_count_t rx_timer(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)param;
    uint32_t waiting = (uint32_t)(uart->input.write - uart->input.read) & 63u;
    if (waiting > machine_record.backlog)
        machine_record.backlog = waiting;
    if (avr_regbit_get(a, uart->rxen) && to_board.tail != to_board.head) {
        machine_record.last_heard_us = a->cycle / CYCLES_PER_US;
        avr_raise_irq(avr_io_getirq(a, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT),
                      heard_as(to_board.bytes[to_board.tail++ % WIRE]));
    }
    return when + (uart->cycles_per_byte ? uart->cycles_per_byte : 1390u);
}

/* A byte has ten bits here; the simulator always counts a parity bit in. */
static void true_byte_time(void)
{
    unsigned per_bit = cycles_per_bit();
    if (uart->cycles_per_byte == per_bit * 11u)
        uart->cycles_per_byte = per_bit * 10u;
}

static void unhang(void)
{
    if (hung)
        memcpy(avr->flash + hung_at, &hung_code, 2);
    hung = locked = false;
}

static void watch(void)
{
    avr->run_cycle_limit = 1;
    watch_until_us = avr->cycle / CYCLES_PER_US + WATCH_US;
}

static void note_each_instruction(void)
{
    if (!watch_until_us)
        return;
    machine_record.now_us = avr->cycle / CYCLES_PER_US;
    note_pins();
    if (machine_record.now_us < watch_until_us || pounce.where)
        return;
    watch_until_us = 0;
    avr->run_cycle_limit = 16000;
}

static struct {
    bool on;
    uint16_t lowest;
    avr_cycle_count_t since, longest; /* without interrupts */
} measured;

bool machine_measure(void)
{
    measured.on = true;
    measured.lowest = (uint16_t)avr->ramend;
    measured.since = avr->cycle;
    measured.longest = 0;
    avr->run_cycle_limit = 1;
    return true;
}

void machine_measured(unsigned *stack_bytes, double *without_us)
{
    *stack_bytes = avr->ramend - measured.lowest;
    *without_us = (double)measured.longest / CYCLES_PER_US;
}

static void measure(void)
{
    if (!measured.on)
        return;
    uint16_t stack = word_at(R_SPL);
    if (stack < measured.lowest)
        measured.lowest = stack;
    if (avr->sreg[S_I])
        measured.since = avr->cycle;
    else if (avr->cycle - measured.since > measured.longest)
        measured.longest = avr->cycle - measured.since;
}

static void after_reset(void)
{
    was_reset = false;
    machine_record.resets++;
    unhang();
    watch();
    for (uint8_t line = 0; line < 2; line++)
        avr_extint_set_strict_lvl_trig(avr, line, 0);
    avr_cycle_timer_register(avr, 1600, rx_timer, NULL);
}

static void forget_reason(void)
{
    const avr_regbit_t flags[] = {avr->reset_flags.porf, avr->reset_flags.extrf, avr->reset_flags.borf, avr->reset_flags.wdrf};
    for (uint8_t i = 0; i < sizeof flags / sizeof *flags; i++)
        avr_regbit_clear(avr, flags[i]);
}

/* On the chip the input capture of timer 1 is off while ICR1 is its top; the simulator captures always. */
static void raise_button(int place, bool pressed, bool anew)
{
    bool captures = !(avr->data[R_TCCR1B] & 0x10u);
    uint8_t top[2];
    memcpy(top, avr->data + R_ICR1, sizeof top);
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(places[place].port), places[place].bit);
    if (anew)
        pin->value = pressed; /* else it would take no notice of what it thinks it knows */
    avr_raise_irq(pin, !pressed);
    if (!captures)
        memcpy(avr->data + R_ICR1, top, sizeof top);
}

/* What the next conversion reads. The converter's own capacitor keeps the voltage of the one before, and that is what a line reads which
   nothing holds; the simulator would read it as nothing. */
static void note_conversion(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    union {
        uint32_t word;
        avr_adc_mux_t mux;
    } trigger = {.word = value};
    unsigned channel = trigger.mux.src, pressed = channel == A_BUTTON_7 ? 0x40u : 0x80u;
    bool is_line = trigger.mux.kind == ADC_MUX_SINGLE && (channel == A_BUTTON_7 || channel == A_BUTTON_8);
    if (trigger.mux.kind == ADC_MUX_REF)
        held_millivolts = channel; /* the chip's own ground or 1.1 V */
    else if (channel == A_VACUUM)
        held_millivolts = vacuum_millivolts;
    else if (is_line && !machine_plant.uno)
        held_millivolts = machine_plant.buttons & pressed ? 0 : 5000;
    if (is_line)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + channel), held_millivolts);
}

static void set_inputs(bool anew)
{
    static const int button_places[] = {AT_BUTTON_1, AT_BUTTON_2, AT_BUTTON_3, AT_BUTTON_4, AT_BUTTON_5, AT_BUTTON_6};
    uint8_t pressed = machine_plant.buttons;
    for (unsigned i = 0; i < 6; i++)
        raise_button(button_places[i], pressed >> i & 1u, anew);
    vacuum_millivolts = plant_counts(&machine_plant) * 5000u / 1024u + 3u; /* the middle of that count */
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + A_VACUUM), vacuum_millivolts);
}

static void start_anew(void)
{
    after_reset();
    set_inputs(true);
    note_pins();
}

bool machine_reset(uint8_t reason)
{
    const avr_regbit_t flags[] = {{0}, avr->reset_flags.porf, avr->reset_flags.extrf, avr->reset_flags.borf, avr->reset_flags.wdrf};
    if (reason == RESET_UNKNOWN || reason >= sizeof flags / sizeof *flags)
        return false;
    if (reason == RESET_POWER)
        memset(avr->data + RAM_START, 0x55, avr->ramend + 1u - RAM_START);
    avr_reset(avr);
    forget_reason();
    avr_regbit_set(avr, flags[reason]);
    start_anew();
    return true;
}

bool machine_load(uint16_t version, uint8_t handed)
{
    memcpy(avr->flash + LOADER_VERSION, &version, 2);
    avr_reset(avr);
    forget_reason();
    avr->data[2] = handed;
    start_anew();
    return true;
}

/* Now, between two instructions: the receiver's interrupt with a stop byte, where interrupts are let in. */
static void stop_now(void)
{
    uart->input.read = (uint8_t)((uart->input.read - 1u) & 63u); /* what lies there is still on the wire */
    uart->input.buffer[uart->input.read] = FRAME_STOP;
    avr_raise_interrupt(avr, &uart->rxc);
    avr_service_interrupts(avr);
    pounce.where = NOWHERE;
    note_pins();
    machine_record.starts = 0;
    watch();
}

/* Is the next instruction the one that is waited for? */
static bool pounces_here(void)
{
    if (!pounce.where || avr->state != cpu_Running)
        return false;
    uint16_t code[2];
    memcpy(code, avr->flash + avr->pc, sizeof code);
    const bool here[] = {
        [BEFORE_CLI] = code[0] == CLI,
        [BEFORE_TIMER_1] = (code[0] & STS_MASK) == STS && code[1] == R_TCCR1A,
        [AFTER_READING_PORT_B] = (code[0] & IN_MASK) == IN_FROM_PORT_B,
        [AFTER_RECEIVING] = pounce.received = pounce.received || avr->pc == RECEIVED,
    };
    return here[pounce.where] && pounce.left-- == 0;
}

static void run_slice(uint64_t until_us)
{
    avr_cycle_count_t end = until_us * CYCLES_PER_US;
    while (avr->cycle < end) {
        bool here = pounces_here();
        bool after = pounce.where == AFTER_READING_PORT_B;
        if (here && !after)
            stop_now();
        if (locked)
            avr->sreg[S_I] = 0; /* each time: the end of an interrupt that was under way lets others in */
        int state = avr_run(avr);
        if (here && after)
            stop_now();
        note_each_instruction();
        measure();
        if (was_reset) { /* by the watchdog; and the bootloader, as many do, forgets why: here, where none is loaded */
            if (!has_loader)
                forget_reason();
            after_reset();
        }
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the simulated chip crashed at %#x\n", avr->pc);
            _Exit(2);
        }
    }
}

void machine_run(uint64_t until_us)
{
    static uint64_t plant_us;
    while (machine_record.now_us < until_us) {
        true_byte_time();
        uint64_t next = machine_record.now_us + SLICE_US;
        run_slice(next < until_us ? next : until_us);
        machine_record.now_us = avr->cycle / CYCLES_PER_US;
        if (hung && machine_record.now_us >= hung_until_us)
            unhang();
        note_pins();
        if (machine_record.now_us - plant_us < 1000)
            continue;
        plant_step(&machine_plant, seen.pump / 255.0, seen.valve, (double)(machine_record.now_us - plant_us) * 1e-6);
        plant_us = machine_record.now_us;
        set_inputs(false);
    }
}

static void never_sleep(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a;
    (void)cycles;
}

/* A bootloader is a .hex file at the end of a flash that is blank, and the chip begins there: as its fuses say. */
static bool load_hex(const char *file)
{
    ihex_chunk_p chunks = NULL;
    int count = read_ihex_chunks(file, &chunks);
    if (count <= 0)
        return false;
    memset(avr->flash, 0xFF, avr->flashend + 1u);
    for (int i = 0; i < count; i++)
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
    avr->reset_pc = avr->pc = chunks[0].baseaddr;
    avr->codeend = avr->flashend;
    free_ihex_chunks(chunks);
    return true;
}

static bool load_elf(const char *file)
{
    elf_firmware_t code = {0};
    if (elf_read_firmware(file, &code))
        return false;
    code.frequency = HZ;
    avr_load_firmware(avr, &code);
    return true;
}

bool machine_open(const char *firmware)
{
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    has_loader = firmware && strstr(firmware, ".hex");
    if (!firmware || !(has_loader ? load_hex : load_elf)(firmware)) {
        fprintf(stderr, "cannot read the firmware %s\n", firmware ? firmware : "(none given)");
        return false;
    }
    avr->frequency = HZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = never_sleep;
    avr->log = LOG_ERROR;
    chip_reset = avr->reset;
    avr->reset = note_reset;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    uint32_t quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), tx_hook, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), note_conversion, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), LIGHT_BIT), light_hook, NULL);
    machine_plant.dither = 1;
    machine_reset(RESET_POWER);
    if (has_loader)
        return true;
    machine_run(REST_US); /* what was pumped before is forgotten, so it counts as spent, and is earned again */
    from_board.tail = from_board.head;
    machine_record.resets = 0;
    return true;
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

/* A jump to itself where the chip stands just now: no hook in the firmware is needed. */
void machine_hang(uint64_t us)
{
    if (hung)
        return;
    uint16_t code = RJMP_TO_ITSELF;
    hung_at = avr->pc;
    memcpy(&hung_code, avr->flash + hung_at, 2);
    memcpy(avr->flash + hung_at, &code, 2);
    hung = true;
    hung_until_us = machine_record.now_us + us;
}

/* As where it hangs in an interrupt. Asleep it would never wake. */
bool machine_lock(void)
{
    locked = true;
    avr->state = cpu_Running;
    return true;
}

/* As when its crystal's divider dies: nothing counts milliseconds any more, and bytes still wake the main loop. */
bool machine_freeze(void)
{
    avr->data[R_TIMSK0] = 0;
    return true;
}

bool machine_pounce(const char *where, unsigned nth)
{
    static const char *const names[] = {[BEFORE_CLI] = "cli", [BEFORE_TIMER_1] = "timer_1", [AFTER_READING_PORT_B] = "port_b",
                                        [AFTER_RECEIVING] = "received"};
    for (unsigned i = BEFORE_CLI; i <= AFTER_RECEIVING; i++)
        if (!strcmp(where, names[i]))
            pounce.where = i;
    pounce.left = nth;
    pounce.received = false;
    watch();
    return pounce.where != NOWHERE;
}

bool machine_at_rest(void)
{
    return false;
}

bool machine_speed(uint32_t bauds)
{
    wire_bauds = bauds;
    return true;
}
