/* The board's core. It has no clock and no registers of its own: a port tells it what came and how much time went by. */
#ifndef BOARD_H
#define BOARD_H
#include <stdint.h>

#define BOARD_LONGEST_STEP_MS 50u

void board_init(uint8_t reset_reason);
void board_receive(uint8_t byte);
void board_stop(void);                 /* what the stop byte does; also for a port that sees it in its interrupt */
void board_tick(uint8_t elapsed_ms);   /* at most BOARD_LONGEST_STEP_MS */

#endif
