/* The board on a Raspberry Pi Pico (RP2040 at 48 MHz): registers, interrupts, watchdog and main loop. */
#include <stdbool.h>
#include "board.h"
#include "frame.h"
#include "lights.h"
#include "pins.h"
#include "port.h"
#include "protocol.h"
#include "rp2040.h"
#include "string.h"
#include "usb.h"

#define PWM_PERIOD 2400u   /* 48 MHz / 2400 = 20 kHz: nobody hears it */
#define PUMP_SLICE 0u      /* GPIO 16 is its first output */
#define BUZZER_SLICE 1u    /* GPIO 18 is its first output */
#define BUZZER_DIVIDER 48u /* it counts microseconds */
#define RING 256u          /* a power of two, and more than a packet each way */
#define HUNG_MS 210u       /* so long the main loop is waited for: well before the watchdog */
#define BITTEN 0xB17EB17Eu /* what a hang leaves in memory */
#define KEPT_MARK 0x6B5D6B5Du

enum {
#define PIN(name, gpio, place, does) P_##name = gpio,
    PICO_PIN_LIST(PIN)
#undef PIN
};

#define BIT(name) (1u << P_##name)
#define BUTTONS (0xFFu << P_BUTTON_1) /* the eight stand side by side */

static volatile uint8_t rx[RING], tx[RING];
static volatile uint16_t rx_head, rx_tail, tx_head, tx_tail, overruns;
static volatile uint8_t elapsed_ms;
static volatile bool stop_seen;
static uint16_t vacuum;

static struct {
    uint32_t word, check, bitten;
} kept __attribute__((section(".kept"))); /* no start clears it */

static void cut_pump(void)
{
    IO_CTRL(P_PUMP) = FUNCTION_SIO; /* as an ordinary output it is low */
    PWM_CSR(PUMP_SLICE) = 0;
}

static void open_valve(void)
{
    SIO_CLEAR = BIT(VALVE);
}

/* The stop byte works here already, even when the main loop hangs or the ring is full; what waits in the ring is older, and forgotten. */
void usb_heard(uint8_t byte)
{
    if (byte == FRAME_STOP) {
        cut_pump();
        open_valve();
        rx_head = rx_tail;
        stop_seen = true;
        return;
    }
    uint16_t next = (uint16_t)((rx_head + 1u) % RING);
    if (next == rx_tail) {
        overruns++;
        return;
    }
    rx[rx_head] = byte;
    rx_head = next;
}

uint8_t usb_take(uint8_t *packet)
{
    uint8_t length = 0;
    while (tx_tail != tx_head && length < 64) {
        packet[length++] = tx[tx_tail];
        tx_tail = (uint16_t)((tx_tail + 1u) % RING);
    }
    return length;
}

void timer_interrupt(void)
{
    static uint32_t next;
    TIMER_INTR = 1;
    if (next == 0)
        next = TIMER_NOW;
    do { /* an alarm that is set too late would come in an hour */
        next += 1000u;
        elapsed_ms++;
        TIMER_ALARM0 = next;
    } while ((int32_t)(next - TIMER_NOW) <= 0);
    if (elapsed_ms < HUNG_MS)
        return;
    cut_pump();
    open_valve();
    kept.bitten = BITTEN;
    for (;;) { /* the watchdog resets the chip in a moment, and of itself could leave no mark */
    }
}

/* A mistake of the firmware: nothing goes on, and the watchdog does the rest. */
void fault_interrupt(void)
{
    cut_pump();
    open_valve();
    kept.bitten = BITTEN;
    for (;;) {
    }
}

void port_send(uint8_t byte)
{
    tx[tx_head] = byte;
    tx_head = (uint16_t)((tx_head + 1u) % RING);
    if (byte != FRAME_END) /* whole frames go out; the delimiter in front of one is sent with it */
        return;
    uint32_t before = interrupts_off();
    usb_kick();
    interrupts_as(before);
}

uint8_t port_room(void)
{
    uint16_t room = (uint16_t)((tx_tail - tx_head - 1u) % RING);
    return (uint8_t)(room < 255u ? room : 255u);
}

void port_pump(uint8_t level)
{
    uint32_t before = interrupts_off(); /* a stop byte may not slip in between looking and switching */
    if (level == 0 || stop_seen) {
        cut_pump();
    } else {
        PWM_TOP(PUMP_SLICE) = PWM_PERIOD - 1u;
        PWM_COMPARE(PUMP_SLICE) = (uint32_t)level * PWM_PERIOD / 255u;
        PWM_CSR(PUMP_SLICE) = 1;
        IO_CTRL(P_PUMP) = FUNCTION_PWM;
    }
    interrupts_as(before);
}

void port_valve(bool closed)
{
    uint32_t before = interrupts_off();
    if (closed && !stop_seen)
        SIO_SET = BIT(VALVE);
    else
        open_valve();
    interrupts_as(before);
}

void port_lamps(uint8_t bits)
{
    static const uint8_t places[] = {P_LAMP_1, P_LAMP_2, P_LAMP_3, P_LAMP_4, P_LAMP_5, P_LAMP_6, P_LAMP_7, P_LAMP_8};
    uint32_t lit = 0, dark = 0;
    for (uint8_t i = 0; i < 8; i++)
        *(bits >> i & 1u ? &lit : &dark) |= 1u << places[i];
    SIO_CLEAR = dark;
    SIO_SET = lit;
}

/* SPI 0, whose data come out at lamp 7: three of its bits for each, 100 or 110, at 2.4 MHz (0.42 or 0.83 us high). */
static void send_four(uint8_t bits)
{
    uint16_t word = 0;
    for (uint8_t i = 0; i < 4; i++, bits = (uint8_t)(bits << 1))
        word = (uint16_t)(word << 3 | (bits & 0x80u ? 6u : 4u));
    while (!(SPI0_STATUS & SPI_ROOM)) {
    }
    SPI0_DATA = word;
}

void port_lights(void)
{
    IO_CTRL(P_LAMP_7) = FUNCTION_SPI;
    for (uint8_t i = 0; i < LIGHTS; i++) {
        uint8_t sent[3];
        lights_pixel(i, sent);
        for (uint8_t k = 0; k < 3; k++) {
            send_four(sent[k]);
            send_four((uint8_t)(sent[k] << 4));
        }
    }
    while (SPI0_STATUS & SPI_BUSY) {
    }
    IO_CTRL(P_LAMP_7) = FUNCTION_SIO; /* low, or a lamp */
}

void port_buzz(uint16_t pitch)
{
    if (pitch == 0) {
        IO_CTRL(P_BUZZER) = FUNCTION_SIO;
        PWM_CSR(BUZZER_SLICE) = 0;
        return;
    }
    uint32_t period = 1000000u / pitch;
    PWM_DIV(BUZZER_SLICE) = BUZZER_DIVIDER << 4;
    PWM_TOP(BUZZER_SLICE) = period - 1u;
    PWM_COMPARE(BUZZER_SLICE) = period / 2u;
    PWM_CSR(BUZZER_SLICE) = 1;
    IO_CTRL(P_BUZZER) = FUNCTION_PWM;
}

uint16_t port_vacuum(void)
{
    return vacuum;
}

uint16_t port_full_count(void)
{
    return 4095;
}

uint8_t port_buttons(void)
{
    return (uint8_t)(~SIO_IN >> P_BUTTON_1);
}

uint16_t port_overruns(void)
{
    return overruns;
}

void port_keep(uint16_t word)
{
    kept.word = word;
    kept.check = word ^ KEPT_MARK;
}

bool port_kept(uint16_t *word)
{
    *word = (uint16_t)kept.word;
    return kept.check == (kept.word ^ KEPT_MARK);
}

uint16_t port_can(void)
{
    return CAN_PWM | CAN_VALVE | CAN_VACUUM | CAN_BUTTONS | CAN_EIGHT_BUTTONS | CAN_LAMPS | CAN_LIGHTS | CAN_BUZZ;
}

const char *port_description(void)
{
    return "Pico RP2040 48 MHz";
}

/* A power-on and a dip of the supply raise the same flag; but what is kept outlives a dip, and no loss of power. */
static uint8_t reset_reason(void)
{
    uint16_t word;
    bool bitten = kept.bitten == BITTEN;
    kept.bitten = 0;
    if (bitten || WATCHDOG_REASON & 3u)
        return RESET_WATCHDOG;
    if (CHIP_RESET & HAD_POWER_ON)
        return port_kept(&word) ? RESET_BROWN_OUT : RESET_POWER;
    return CHIP_RESET & HAD_RUN_PIN ? RESET_EXTERNAL : RESET_UNKNOWN;
}

static void start_clocks(void)
{
    XOSC_STARTUP = 47; /* a millisecond */
    XOSC_CTRL = 0xFABAA0u;
    while (!(XOSC_STATUS & STABLE)) {
    }
    CLK_REF_CTRL = 2; /* the crystal: 12 MHz */
    while (!(CLK_REF_SELECTED & 1u << 2)) {
    }
    CLEAR(RESETS_RESET) = RESET_PLL_USB;
    while (!(RESETS_DONE & RESET_PLL_USB)) {
    }
    PLL_USB_CS = 1;
    PLL_USB_FBDIV = 100; /* 12 MHz * 100 / 5 / 5 = 48 MHz, for all of it */
    CLEAR(PLL_USB_PWR) = 1u << 0 | 1u << 5;
    while (!(PLL_USB_CS & STABLE)) {
    }
    PLL_USB_PRIM = 5u << 16 | 5u << 12;
    CLEAR(PLL_USB_PWR) = 1u << 3;
    CLK_SYS_CTRL = 1u << 5;
    CLK_SYS_CTRL = 1u << 5 | 1u;
    while (!(CLK_SYS_SELECTED & 1u << 1)) {
    }
    CLK_PERI_CTRL = CLK_ENABLE;
    CLK_USB_CTRL = CLK_ENABLE;
    CLK_ADC_CTRL = CLK_ENABLE;
    WATCHDOG_TICK = 1u << 9 | 12u; /* microseconds, for the timer too */
}

static void start_outputs(void)
{
    static const uint8_t outputs[] = {P_PUMP, P_VALVE, P_BUZZER, P_LAMP_1, P_LAMP_2, P_LAMP_3,
                                      P_LAMP_4, P_LAMP_5, P_LAMP_6, P_LAMP_7, P_LAMP_8};
    for (uint8_t i = 0; i < sizeof outputs; i++) { /* levels before directions, directions before functions: nothing blinks on */
        SIO_CLEAR = 1u << outputs[i];
        SIO_OUTPUT = 1u << outputs[i];
        PAD(outputs[i]) = PAD_INPUT | PAD_4MA | PAD_SCHMITT | PAD_PULL_DOWN;
        IO_CTRL(outputs[i]) = FUNCTION_SIO;
    }
    for (uint8_t gpio = P_BUTTON_1; gpio <= P_BUTTON_8; gpio++) {
        PAD(gpio) = PAD_INPUT | PAD_4MA | PAD_SCHMITT | PAD_PULL_UP;
        IO_CTRL(gpio) = FUNCTION_SIO;
    }
    PAD(P_VACUUM) = PAD_NO_OUTPUT;
}

static void start_lights(void)
{
    SPI0_DIVIDER = 2;
    SPI0_CR0 = 9u << 8 | 1u << 7 | 11u; /* 48 MHz / 2 / 10, words of 12 bits, no gap between two */
    SPI0_CR1 = 1u << 1;
}

static uint16_t read_converter(void)
{
    while (!(ADC_CS & ADC_READY)) {
    }
    return (uint16_t)ADC_RESULT;
}

static void start_converter(void)
{
    ADC_CS = ADC_ENABLE; /* its first input is GPIO 26 */
    while (!(ADC_CS & ADC_READY)) {
    }
    ADC_CS = ADC_ENABLE | ADC_START;
    vacuum = read_converter();
}

static void start_timer(void)
{
    TIMER_INTE = 1;
    TIMER_ALARM0 = TIMER_NOW + 1000u;
    NVIC_ENABLE = 1u << IRQ_TIMER_0;
}

/* It counts twice in each microsecond (RP2040-E1), and resets all but the two oscillators. */
static void kick_watchdog(void)
{
    WATCHDOG_LOAD = WATCHDOG_MS * 2000u;
}

static void start_watchdog(void)
{
    PSM_WDSEL = 0x1FFFCu;
    kick_watchdog();
    WATCHDOG_CTRL = WATCHDOG_ENABLE;
}

static void sleep_until_something_comes(void)
{
    uint32_t before = interrupts_off();
    if (rx_head == rx_tail && elapsed_ms == 0 && !stop_seen)
        __asm__ volatile("wfi"); /* wakes for an interrupt that is not let in yet: none is missed */
    interrupts_as(before);
}

static uint8_t time_gone(void)
{
    uint32_t before = interrupts_off();
    uint8_t elapsed = elapsed_ms;
    elapsed_ms = 0;
    interrupts_as(before);
    return elapsed;
}

static void heed_stop(void)
{
    if (!stop_seen)
        return;
    stop_seen = false; /* first: one that comes from now on is heeded in the next turn */
    board_stop();
}

/* Whole or not at all: a stop byte empties the ring. What came after it waits until the core has heard of the stop. */
static bool take_byte(uint8_t *byte)
{
    uint32_t before = interrupts_off();
    bool there = rx_head != rx_tail && !stop_seen;
    if (there) {
        *byte = rx[rx_tail];
        rx_tail = (uint16_t)((rx_tail + 1u) % RING);
    }
    interrupts_as(before);
    return there;
}

static void pass_time(uint8_t elapsed)
{
    if (elapsed == 0)
        return;
    vacuum = read_converter();
    ADC_CS = ADC_ENABLE | ADC_START;
    for (; elapsed > BOARD_LONGEST_STEP_MS; elapsed = (uint8_t)(elapsed - BOARD_LONGEST_STEP_MS))
        board_tick(BOARD_LONGEST_STEP_MS);
    board_tick(elapsed);
    kick_watchdog(); /* only here: the millisecond timer lives and the main loop lives */
}

int main(void)
{
    start_clocks();
    const uint32_t parts = RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PWM | RESET_SPI0 | RESET_TIMER | RESET_ADC | RESET_USBCTRL;
    CLEAR(RESETS_RESET) = parts;
    while ((RESETS_DONE & parts) != parts) {
    }
    start_outputs();
    start_lights();
    start_converter();
    start_timer();
    usb_start();
    board_init(reset_reason());
    start_watchdog();
    for (;;) {
        sleep_until_something_comes();
        heed_stop();
        for (uint8_t byte; take_byte(&byte);)
            board_receive(byte);
        pass_time(time_gone());
    }
}

int memcmp(const void *one, const void *other, size_t length)
{
    const uint8_t *a = one, *b = other;
    for (; length; length--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

void *memcpy(void *to, const void *from, size_t length)
{
    uint8_t *a = to;
    for (const uint8_t *b = from; length; length--)
        *a++ = *b++;
    return to;
}

void *memset(void *to, int value, size_t length)
{
    for (uint8_t *a = to; length; length--)
        *a++ = (uint8_t)value;
    return to;
}
