/* A serial port over USB: one communication class interface, full speed, no double buffers. */
#include <stdbool.h>
#include <stddef.h>
#include "rp2040.h"
#include "string.h"
#include "usb.h"

#define PACKET 64u
#define NOTICES 1u /* endpoints: none of the notices of the class is ever sent */
#define DATA 2u

enum { GET_DESCRIPTOR = 6, SET_ADDRESS = 5, GET_CONFIGURATION = 8, SET_CONFIGURATION = 9, GET_STATUS = 0, SET_LINE_CODING = 0x20,
       GET_LINE_CODING = 0x21, SET_CONTROL_LINE_STATE = 0x22 };
enum { BUFFER_FULL = 1 << 15, BUFFER_DATA1 = 1 << 13, BUFFER_STALL = 1 << 11, BUFFER_AVAILABLE = 1 << 10, BUFFER_LENGTH = 0x3FF };
enum { INT_BUFFERS = 1 << 4, INT_BUS_RESET = 1 << 12, INT_SETUP = 1 << 16 };
enum { SETUP_RECEIVED = 1 << 17, BUS_RESET = 1 << 19 };

#define CONTROL(endpoint, out) REGISTER(USB_DPRAM + 8u * (endpoint) + (out ? 4u : 0u))
#define BUFFER(endpoint, out) REGISTER(USB_DPRAM + 0x80u + 8u * (endpoint) + (out ? 4u : 0u))
#define CONTROL_DATA 0x100u /* offsets of the buffers in the controller's memory */
#define NOTICES_IN 0x180u
#define DATA_IN 0x1C0u
#define DATA_OUT 0x200u
#define ENABLED(type, at) (1u << 31 | 1u << 29 | (uint32_t)(type) << 26 | (at))
enum { BULK = 2, INTERRUPT = 3 };

typedef struct __attribute__((packed)) {
    uint8_t type, request;
    uint16_t value, index, length;
} setup_packet;

static const uint8_t device[] = {18, 1, 0x00, 0x02, 2, 0, 0, PACKET, 0x8A, 0x2E, 0x0A, 0x00, 0x02, 0x01, 1, 2, 3, 1};
static const uint8_t configuration[] = {
    9, 2, 67, 0, 2, 1, 0, 0x80, 125,          /* 250 mA: the board, its lamps and its buzzer */
    9, 4, 0, 0, 1, 2, 2, 0, 0,                /* communication */
    5, 0x24, 0, 0x10, 0x01, 5, 0x24, 1, 0, 1, 4, 0x24, 2, 2, 5, 0x24, 6, 0, 1,
    7, 5, 0x80 | NOTICES, 3, 8, 0, 255,
    9, 4, 1, 0, 2, 10, 0, 0, 0,               /* data */
    7, 5, DATA, 2, PACKET, 0, 0, 7, 5, 0x80 | DATA, 2, PACKET, 0, 0,
};
static const char *const strings[] = {"", "Digside", "Digside board (Pico)", "1"};

static uint8_t line_coding[7] = {0x00, 0xC2, 0x01, 0x00, 0, 0, 8};
static uint8_t address, text[PACKET];
static const uint8_t *answer;
static uint16_t answer_left;
static bool set_address, expects_coding, sending;
static uint32_t data1[4]; /* whose next packet is a DATA1: bit 0 in, bit 1 out */

/* The controller looks at AVAILABLE with another clock: it comes last, and some cycles later. */
static void arm(uint8_t endpoint, bool out, uint32_t bits)
{
    uint32_t flag = out ? 2u : 1u;
    if (data1[endpoint] & flag)
        bits |= BUFFER_DATA1;
    data1[endpoint] ^= flag;
    BUFFER(endpoint, out) = bits;
    __asm__ volatile("nop\n nop\n nop\n nop\n nop\n nop");
    BUFFER(endpoint, out) = bits | BUFFER_AVAILABLE;
}

/* Word by word: the emulator knows no other writes there, and they are as good as any. */
static void fill(uint32_t at, const uint8_t *bytes, uint16_t length)
{
    for (uint16_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        for (uint16_t k = 0; k < 4 && i + k < length; k++)
            word |= (uint32_t)bytes[i + k] << 8 * k;
        REGISTER(USB_DPRAM + at + i) = word;
    }
}

static void answer_more(void)
{
    uint16_t length = answer_left < PACKET ? answer_left : PACKET;
    fill(CONTROL_DATA, answer, length);
    answer += length;
    answer_left = (uint16_t)(answer_left - length);
    arm(0, false, BUFFER_FULL | length);
}

static void answer_with(const void *bytes, uint16_t length, uint16_t wanted)
{
    answer = bytes;
    answer_left = length < wanted ? length : wanted;
    answer_more();
}

static void acknowledge(void)
{
    answer_with(NULL, 0, 0);
}

static void refuse(void)
{
    USB_STALL_ARM = 3;
    BUFFER(0, false) = BUFFER_STALL;
    BUFFER(0, true) = BUFFER_STALL;
}

static void describe(const setup_packet *setup)
{
    uint8_t which = (uint8_t)setup->value;
    switch (setup->value >> 8) {
    case 1:
        answer_with(device, sizeof device, setup->length);
        return;
    case 2:
        answer_with(configuration, sizeof configuration, setup->length);
        return;
    case 3:
        if (which >= sizeof strings / sizeof *strings)
            break;
        text[0] = 2;
        text[1] = 3;
        if (which == 0) { /* the language: English */
            text[2] = 0x09;
            text[3] = 0x04;
            text[0] = 4;
        }
        for (const char *c = strings[which]; *c; c++) {
            text[text[0]++] = (uint8_t)*c;
            text[text[0]++] = 0;
        }
        answer_with(text, text[0], setup->length);
        return;
    }
    refuse();
}

static void serve(void)
{
    for (uint8_t endpoint = NOTICES; endpoint <= DATA; endpoint++)
        data1[endpoint] = 0;
    CONTROL(NOTICES, false) = ENABLED(INTERRUPT, NOTICES_IN);
    CONTROL(DATA, false) = ENABLED(BULK, DATA_IN);
    CONTROL(DATA, true) = ENABLED(BULK, DATA_OUT);
    sending = false;
    arm(DATA, true, PACKET);
    usb_kick(); /* the board has said that it started, before there was anybody to hear it */
}

static void understand_class(const setup_packet *setup)
{
    switch (setup->request) {
    case SET_LINE_CODING:
        expects_coding = true;
        arm(0, true, sizeof line_coding);
        return;
    case GET_LINE_CODING:
        answer_with(line_coding, sizeof line_coding, setup->length);
        return;
    case SET_CONTROL_LINE_STATE:
        acknowledge();
        return;
    }
    refuse();
}

static void understand(void)
{
    static const uint8_t nothing[2];
    setup_packet setup;
    uint32_t words[2] = {REGISTER(USB_DPRAM), REGISTER(USB_DPRAM + 4)};
    memcpy(&setup, words, sizeof setup);
    USB_SIE_STATUS = SETUP_RECEIVED;
    data1[0] = 3; /* what follows a setup begins with DATA1, both ways */
    expects_coding = false;
    if ((setup.type & 0x60u) == 0x20u) {
        understand_class(&setup);
        return;
    }
    switch (setup.request) {
    case GET_DESCRIPTOR:
        describe(&setup);
        return;
    case SET_ADDRESS: /* takes force once this is acknowledged under the old one */
        address = (uint8_t)setup.value;
        set_address = true;
        break;
    case SET_CONFIGURATION:
        serve();
        break;
    case GET_CONFIGURATION:
        answer_with("\1", 1, setup.length);
        return;
    case GET_STATUS:
        answer_with(nothing, 2, setup.length);
        return;
    }
    acknowledge();
}

static void control_in_done(void)
{
    if (set_address) {
        set_address = false;
        USB_ADDRESS = address;
    } else if (answer_left) {
        answer_more();
    } else if (REGISTER(USB_DPRAM) & 0x80u) { /* it was an answer: the other side acknowledges with nothing */
        arm(0, true, 0);
    }
}

static void control_out_done(void)
{
    if (!expects_coding)
        return;
    expects_coding = false;
    for (uint8_t i = 0; i < sizeof line_coding; i++)
        line_coding[i] = (uint8_t)(REGISTER(USB_DPRAM + CONTROL_DATA + (i & ~3u)) >> 8 * (i & 3u));
    acknowledge();
}

static void hear(void)
{
    uint32_t length = BUFFER(DATA, true) & BUFFER_LENGTH;
    for (uint32_t i = 0; i < length; i++)
        usb_heard((uint8_t)(REGISTER(USB_DPRAM + DATA_OUT + (i & ~3u)) >> 8 * (i & 3u)));
    arm(DATA, true, PACKET); /* always: a stop byte must never wait for somebody who does not listen */
}

void usb_kick(void)
{
    uint8_t packet[PACKET];
    if (sending || !(CONTROL(DATA, false) >> 31))
        return;
    uint8_t length = usb_take(packet);
    if (length == 0)
        return;
    sending = true;
    fill(DATA_IN, packet, length);
    arm(DATA, false, BUFFER_FULL | length);
}

static void buffers_done(void)
{
    uint32_t done = USB_BUFF_STATUS;
    USB_BUFF_STATUS = done;
    if (done & 1u)
        control_in_done();
    if (done & 2u)
        control_out_done();
    if (done & 1u << (2 * DATA)) {
        sending = false;
        usb_kick();
    }
    if (done & 2u << (2 * DATA))
        hear();
}

static void begin_anew(void)
{
    USB_SIE_STATUS = BUS_RESET;
    USB_ADDRESS = 0;
    set_address = false;
    CONTROL(DATA, false) = 0;
}

void usb_interrupt(void)
{
    uint32_t what = USB_INTS;
    if (what & INT_BUS_RESET)
        begin_anew();
    if (what & INT_SETUP)
        understand();
    if (what & INT_BUFFERS)
        buffers_done();
}

void usb_start(void)
{
    for (uint32_t at = 0; at < 0x1000u; at += 4)
        REGISTER(USB_DPRAM + at) = 0;
    USB_MUXING = 1u << 0 | 1u << 3;
    USB_PWR = 1u << 3 | 1u << 2; /* there is no pin that tells whether there is a bus: there is */
    USB_MAIN_CTRL = 1;
    USB_SIE_CTRL = 1u << 29;
    USB_INTE = INT_BUFFERS | INT_BUS_RESET | INT_SETUP;
    NVIC_ENABLE = 1u << IRQ_USBCTRL;
    USB_SIE_CTRL = 1u << 29 | 1u << 16; /* here I am */
}
