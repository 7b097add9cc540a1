/* The board on an ATmega328P at 16 MHz (Arduino Nano): registers, interrupts, watchdog and main loop. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include "board.h"
#include "frame.h"
#include "lights.h"
#include "pins.h"
#include "port.h"
#include "protocol.h"

#define BAUD_DIVISOR 16u    /* double speed: 16 MHz / 8 / 17 = 117,647 Bd, 2.1 % above 115,200 */
#define PWM_TOP 799u        /* 16 MHz / 800 = 20 kHz: nobody hears it */
#define RING 64u            /* a power of two */
#define HUNG_MS 210u        /* so long the main loop is waited for: well before the watchdog, whose own clock is 10 % off */
#define BITTEN 0xB17Eu      /* what a hang leaves in RAM: no bootloader can lose it */
#define LOADER_VERSION 0x7FFEu /* where Optiboot leaves its own, in flash: major and minor */
#define LOADER_TELLS 0x0406u   /* from this one on it hands over in r2 why the chip was reset */
#define LOADER_NONE 0x1000u    /* from here on it is no version of Optiboot: an erased chip, or another loader */
#define KEPT_AT 0x600u      /* the middle of the RAM: the firmware and some loaders use its beginning, all use its end */
#define KEPT_MARK 0x6B5Du   /* so that neither zeros nor ones look like something that was kept */
#define UNPRESSED 512u      /* counts; A6 and A7 have no digital input */
#define PULLED_UP 900u      /* counts that a line reads which 10 k pull up, and one that nothing holds does not */
#define PULLED_DOWN 20u     /* the same for one that a pressed button pulls down */
#define OWN_GROUND 15u      /* channels of the converter that are inside the chip: 0 V, and 1.1 V */
#define OWN_VOLT 14u

enum {
#define PIN(name, port, bit, label, does) P_##name = bit,
#define ANALOG(name, channel, label, does) A_##name = channel,
    PIN_LIST(PIN, ANALOG)
#undef PIN
#undef ANALOG
};

#define PIN_B(name) (1u << P_##name)

static volatile uint8_t rx[RING], rx_head, rx_tail;
static volatile uint8_t tx[RING * 2], tx_head, tx_tail;
static volatile uint16_t overruns;
static volatile uint8_t elapsed_ms;
static volatile bool stop_seen;
static uint16_t vacuum, button_7, button_8;
static bool has_a6_a7;

typedef struct {
    uint16_t word, check;
} kept_word;

#define KEPT (*(volatile kept_word *)KEPT_AT)

static uint8_t reset_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));
static uint16_t watchdog_mark __attribute__((section(".noinit")));

/* Some bootloaders clear MCUSR and hand its value over in r2; it must be saved before anything uses that register. */
void keep_loader_flags(void) __attribute__((naked, used, section(".init0")));
void keep_loader_flags(void)
{
    __asm__ __volatile__("sts %0, r2\n" : "=m"(loader_flags));
}

/* After a watchdog reset the watchdog goes on with its shortest time until it is switched off. */
void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
void keep_reset_flags(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* With a loader that does not hand it over, what r2 holds is chance. */
static bool loader_tells(void)
{
    uint16_t version = pgm_read_word(LOADER_VERSION);
    return version >= LOADER_TELLS && version < LOADER_NONE;
}

static uint8_t reset_reason(void)
{
    uint8_t flags = reset_flags;
    bool bitten = watchdog_mark == BITTEN;
    watchdog_mark = 0;
    if (flags == 0 && loader_tells()) /* after an external reset it ends its wait with a watchdog of its own: that was no hang */
        flags = loader_flags & _BV(WDRF) ? _BV(EXTRF) : loader_flags;
    if (flags & _BV(PORF)) /* a power-on usually raises the brown-out flag as well; RAM means nothing then */
        return RESET_POWER;
    if (bitten || flags & _BV(WDRF))
        return RESET_WATCHDOG;
    if (flags & _BV(BORF))
        return RESET_BROWN_OUT;
    return flags & _BV(EXTRF) ? RESET_EXTERNAL : RESET_UNKNOWN;
}

static void cut_pump(void)
{
    TCCR1A = _BV(WGM11);
    TCCR1B = _BV(WGM13) | _BV(WGM12); /* it stands still, in a mode in which its input capture (button 6) does not write to ICR1 */
    PORTB &= (uint8_t)~PIN_B(PUMP);
}

static void open_valve(void)
{
    PORTB &= (uint8_t)~PIN_B(VALVE);
}

/* The stop byte works here already, even when the main loop hangs or the ring is full; what waits in the ring is older, and forgotten. */
ISR(USART_RX_vect)
{
    if (UCSR0A & _BV(DOR0))
        overruns++;
    uint8_t byte = UDR0;
    if (byte == FRAME_STOP) {
        cut_pump();
        open_valve();
        rx_head = rx_tail;
        stop_seen = true;
        return;
    }
    uint8_t next = (uint8_t)((rx_head + 1u) % RING);
    if (next == rx_tail) {
        overruns++;
        return;
    }
    rx[rx_head] = byte;
    rx_head = next;
}

ISR(USART_UDRE_vect)
{
    if (tx_head == tx_tail) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = tx[tx_tail];
    tx_tail = (uint8_t)((tx_tail + 1u) % sizeof tx);
}

ISR(TIMER0_COMPA_vect)
{
    if (++elapsed_ms < HUNG_MS)
        return;
    cut_pump();
    open_valve();
    watchdog_mark = BITTEN;
    for (;;) { /* the watchdog resets the chip in a moment, and of itself could leave no mark */
    }
}

void port_send(uint8_t byte)
{
    tx[tx_head] = byte;
    tx_head = (uint8_t)((tx_head + 1u) % sizeof tx);
    UCSR0B |= _BV(UDRIE0);
}

uint8_t port_room(void)
{
    return (uint8_t)((tx_tail - tx_head - 1u) % sizeof tx);
}

void port_pump(uint8_t level)
{
    uint8_t flags = SREG;
    cli(); /* a stop byte may not slip in between looking and switching */
    if (level == 0 || stop_seen) {
        cut_pump();
    } else {
        ICR1 = PWM_TOP; /* each time: nothing else may say how long a period is */
        OCR1A = (uint16_t)((uint32_t)level * PWM_TOP / 255u);
        TCCR1A = _BV(COM1A1) | _BV(WGM11);
        TCCR1B = _BV(WGM13) | _BV(WGM12) | _BV(CS10);
    }
    SREG = flags;
}

void port_valve(bool closed)
{
    uint8_t flags = SREG;
    cli();
    if (closed && !stop_seen)
        PORTB |= PIN_B(VALVE);
    else
        open_valve();
    SREG = flags;
}

#define LIT(n) ((bits & (1u << (n - 1))) ? PIN_B(LAMP_##n) : 0u)

/* All lamps of a port change at once. */
void port_lamps(uint8_t bits)
{
    uint8_t b = (uint8_t)(LIT(1) | LIT(2) | LIT(3)), c = (uint8_t)(LIT(4) | LIT(5) | LIT(6) | LIT(7) | LIT(8));
    uint8_t flags = SREG;
    cli(); /* the stop byte's interrupt writes to port B too: what it opened may not be closed again here */
    PORTB = (uint8_t)((PORTB & ~(PIN_B(LAMP_1) | PIN_B(LAMP_2) | PIN_B(LAMP_3))) | b);
    SREG = flags;
    PORTC = c; /* the rest of it is inputs without pull-ups */
}

/* 21 ticks a bit, high for 5 of them or for 12 (0.31 or 0.75 us). Interrupts come in between two bytes: the receiver, which holds two,
   waits 11 us at most, and the pixels, which take 50 us of silence for an end, are none the wiser. */
static void send_light(uint8_t byte)
{
    uint8_t bits = 8, flags = SREG;
    cli();
    __asm__ __volatile__("1: sbi %[port], %[line]\n\t"
                         "nop\n\tnop\n\t"
                         "sbrs %[byte], 7\n\t"
                         "cbi %[port], %[line]\n\t"
                         "lsl %[byte]\n\t"
                         "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
                         "cbi %[port], %[line]\n\t"
                         "nop\n\tnop\n\tnop\n\tnop\n\t"
                         "dec %[bits]\n\t"
                         "brne 1b\n\t"
                         : [byte] "+r"(byte), [bits] "+r"(bits)
                         : [port] "I"(_SFR_IO_ADDR(PORTC)), [line] "I"(P_LAMP_7));
    SREG = flags;
}

void port_lights(void)
{
    for (uint8_t i = 0; i < LIGHTS; i++) {
        uint8_t sent[3];
        lights_pixel(i, sent);
        for (uint8_t k = 0; k < 3; k++)
            send_light(sent[k]);
    }
}

/* Timer 2 toggles at each match: 16 MHz / 64 / 2 / pitch */
void port_buzz(uint16_t pitch)
{
    if (pitch == 0) {
        TCCR2A = _BV(WGM21);
        TCCR2B = 0;
        PORTD &= (uint8_t)~PIN_B(BUZZER);
        return;
    }
    OCR2A = (uint8_t)(125000ul / pitch - 1u);
    OCR2B = 0;
    TCNT2 = 0;
    TCCR2A = _BV(COM2B0) | _BV(WGM21);
    TCCR2B = _BV(CS22);
}

uint16_t port_vacuum(void)
{
    return vacuum;
}

uint16_t port_full_count(void)
{
    return 1023;
}

#define PRESSED(n, pins) ((pins & PIN_B(BUTTON_##n)) ? 0u : 1u << (n - 1))

uint8_t port_buttons(void)
{
    uint8_t d = PIND, b = PINB;
    return (uint8_t)(PRESSED(1, d) | PRESSED(2, d) | PRESSED(3, d) | PRESSED(4, d) | PRESSED(5, d) | PRESSED(6, b)
                     | (has_a6_a7 && button_7 < UNPRESSED ? 1u << 6 : 0u) | (has_a6_a7 && button_8 < UNPRESSED ? 1u << 7 : 0u));
}

uint16_t port_overruns(void)
{
    uint8_t flags = SREG;
    cli();
    uint16_t count = overruns;
    SREG = flags;
    return count;
}

void port_keep(uint16_t word)
{
    KEPT.word = word;
    KEPT.check = word ^ KEPT_MARK;
}

bool port_kept(uint16_t *word)
{
    *word = KEPT.word;
    return KEPT.check == (*word ^ KEPT_MARK);
}

uint16_t port_can(void)
{
    return (uint16_t)(CAN_PWM | CAN_VALVE | CAN_VACUUM | CAN_BUTTONS | CAN_LAMPS | CAN_LIGHTS | CAN_BUZZ | (has_a6_a7 ? CAN_EIGHT_BUTTONS : 0));
}

const char *port_description(void)
{
    return "Nano ATmega328P 16 MHz";
}

static void convert(uint8_t channel)
{
    ADMUX = (uint8_t)(_BV(REFS0) | channel);
    ADCSRA |= _BV(ADSC);
}

static uint16_t read_now(uint8_t channel)
{
    convert(channel);
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}

/* What nothing holds keeps what the converter read before it, and would be taken for presses: on an Uno, whose chip has no A6 and A7,
   and on a Nano without the two resistors. */
static bool is_held(uint8_t channel)
{
    read_now(OWN_GROUND);
    read_now(OWN_GROUND);
    if (read_now(channel) >= PULLED_UP)
        return true;
    read_now(OWN_VOLT);
    read_now(OWN_VOLT);
    return read_now(channel) <= PULLED_DOWN;
}

/* One conversion a millisecond takes turns: vacuum, button 7, vacuum, button 8. */
static void take_turns(void)
{
    static uint8_t turn;
    if (ADCSRA & _BV(ADSC)) /* only when the loop was late and the next millisecond came early */
        return;
    switch (turn++ & 3u) {
    case 0:
        vacuum = ADC;
        convert(A_BUTTON_7);
        break;
    case 1:
        button_7 = ADC;
        convert(A_VACUUM);
        break;
    case 2:
        vacuum = ADC;
        convert(A_BUTTON_8);
        break;
    default:
        button_8 = ADC;
        convert(A_VACUUM);
        break;
    }
}

static void start_outputs(void)
{
    PORTB = PIN_B(BUTTON_6); /* levels before directions: nothing blinks on; buttons get their pull-ups */
    PORTC = 0;
    PORTD = PIN_B(BUTTON_1) | PIN_B(BUTTON_2) | PIN_B(BUTTON_3) | PIN_B(BUTTON_4) | PIN_B(BUTTON_5);
    DDRB = PIN_B(PUMP) | PIN_B(VALVE) | PIN_B(LAMP_1) | PIN_B(LAMP_2) | PIN_B(LAMP_3);
    DDRC = PIN_B(LAMP_4) | PIN_B(LAMP_5) | PIN_B(LAMP_6) | PIN_B(LAMP_7) | PIN_B(LAMP_8);
    DDRD = PIN_B(BUZZER) | PIN_B(TX);
}

static void start_timers(void)
{
    TCCR0A = _BV(WGM01); /* 16 MHz / 64 / 250 = 1 kHz */
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
    cut_pump();
    port_buzz(0);
}

static void start_serial(void)
{
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0H = 0;
    UBRR0L = BAUD_DIVISOR;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static void start_converter(void)
{
    DIDR0 = _BV(A_VACUUM);
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 125 kHz: 104 us a conversion */
    has_a6_a7 = is_held(A_BUTTON_7) && is_held(A_BUTTON_8);
    button_7 = read_now(A_BUTTON_7);
    button_8 = read_now(A_BUTTON_8);
    vacuum = read_now(A_VACUUM);
    convert(A_VACUUM);
}

/* It calls no interrupt first: one that is not let in would keep it from ever resetting the chip. In reset no pin drives anything. */
static void start_watchdog(void)
{
    cli();
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDE) | _BV(WDP2); /* 250 ms */
    sei();
}

static void sleep_until_something_comes(void)
{
    cli();
    if (rx_head == rx_tail && elapsed_ms == 0 && !stop_seen) {
        sleep_enable();
        sei(); /* the instruction after this one still runs before any interrupt: no wake-up is missed */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

static uint8_t time_gone(void)
{
    cli();
    uint8_t elapsed = elapsed_ms;
    elapsed_ms = 0;
    sei();
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
    cli();
    bool there = rx_head != rx_tail && !stop_seen;
    if (there) {
        *byte = rx[rx_tail];
        rx_tail = (uint8_t)((rx_tail + 1u) % RING);
    }
    sei();
    return there;
}

static void receive(void)
{
    for (uint8_t byte; take_byte(&byte);)
        board_receive(byte);
}

static void pass_time(uint8_t elapsed)
{
    if (elapsed == 0)
        return;
    take_turns();
    while (elapsed > BOARD_LONGEST_STEP_MS) {
        board_tick(BOARD_LONGEST_STEP_MS);
        elapsed = (uint8_t)(elapsed - BOARD_LONGEST_STEP_MS);
    }
    board_tick(elapsed);
    wdt_reset(); /* only here: the millisecond timer lives and the main loop lives */
}

int main(void)
{
    start_outputs();
    start_timers();
    start_serial();
    start_converter();
    sei();
    board_init(reset_reason());
    start_watchdog();
    set_sleep_mode(SLEEP_MODE_IDLE);
    for (;;) {
        sleep_until_something_comes();
        heed_stop();
        receive();
        pass_time(time_gone());
    }
}
