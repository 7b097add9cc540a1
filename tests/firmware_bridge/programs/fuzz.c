/* Feeds the core random bytes, broken frames and random times, under the sanitizers. Aborts when the pump or the valve is on without a
 * lease, or when an answer is no frame.
 *
 *   fuzz SEED BYTES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "board.h"
#include "frame.h"
#include "port.h"
#include "protocol.h"
#include "suction.h"

void library_hear(const uint8_t *bytes, unsigned count);
unsigned library_said(uint8_t *bytes, unsigned capacity);
void library_run(unsigned ms);
void library_senses(uint16_t counts, uint8_t pressed);
void library_room(uint8_t bytes);

static uint32_t dice;
static uint8_t heap[256];
static unsigned heap_length;

static uint32_t roll(uint32_t sides)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % sides;
}

static void pile(uint8_t byte)
{
    heap[heap_length++ % sizeof heap] = byte;
}

/* A frame that is right, or nearly: any type and length, sometimes cut short or with a bit turned. */
static void random_frame(void)
{
    uint8_t content[FRAME_ROOM];
    uint8_t length = (uint8_t)(2 + roll(FRAME_ROOM - 2));
    for (uint8_t i = 0; i < length; i++)
        content[i] = (uint8_t)(roll(4) ? roll(256) : roll(2) * 255);
    content[0] = (uint8_t)roll(16);
    if (roll(2))
        length = (uint8_t)(2 + roll(5));
    frame_write(content, length, pile);
    if (roll(4) == 0)
        heap[roll(heap_length)] ^= (uint8_t)(1u << roll(8));
    if (roll(4) == 0)
        heap_length -= roll(heap_length);
}

static void random_bytes(void)
{
    for (unsigned n = 1 + roll(90); n; n--)
        pile((uint8_t)roll(256));
}

static void must(int truth, const char *what)
{
    if (truth)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void look_at_answers(void)
{
    static uint8_t said[65536];
    static frame_reader reader;
    unsigned count = library_said(said, sizeof said);
    for (unsigned i = 0; i < count; i++) {
        uint8_t length;
        must(said[i] != FRAME_STOP, "no stop byte inside a frame");
        enum frame_result result = frame_read(&reader, said[i], &length);
        must(result == FRAME_NONE || result == FRAME_READY, "every answer is a frame");
    }
}

static void look_at_outputs(void)
{
    const suction_state *s = suction();
    must(!suction_busy() || s->lease_ms > 0, "nothing is on without a lease");
    must(!suction_busy() || s->fault == FAULT_NONE, "nothing is on with a fault");
    must(s->on_ms < ON_TIME_MS && s->budget_ms <= BUDGET_MS, "times stay within their limits");
}

int main(int argc, char **argv)
{
    dice = (uint32_t)(argc > 1 ? atoi(argv[1]) : 1);
    unsigned long want = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000ul, done = 0;
    port_keep(BUDGET_MS);
    board_init(RESET_POWER);
    while (done < want) {
        heap_length = 0;
        if (roll(3))
            random_frame();
        else
            random_bytes();
        if (heap_length > want - done)
            heap_length = (unsigned)(want - done);
        uint8_t *exact = malloc(heap_length + 1u); /* so that a read beyond the end is noticed */
        memcpy(exact, heap, heap_length);
        library_hear(exact, heap_length);
        free(exact);
        done += heap_length;
        library_senses((uint16_t)roll(1024), (uint8_t)roll(256));
        library_room((uint8_t)(roll(8) ? 127 : roll(60)));
        library_run(roll(40));
        if (roll(2000) == 0)
            board_init((uint8_t)roll(6));
        look_at_outputs();
        look_at_answers();
    }
    printf("%lu bytes, no promise broken\n", done);
    return 0;
}
