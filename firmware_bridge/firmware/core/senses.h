/* Vacuum and buttons, freed of noise. */
#ifndef SENSES_H
#define SENSES_H
#include <stdint.h>

void senses_init(void);
void senses_tick(uint8_t elapsed_ms);
uint16_t senses_vacuum(void);  /* median of five, then low-pass; raw counts */
uint8_t senses_buttons(void);  /* debounced, 1 = pressed */
uint8_t senses_changed(void);  /* buttons that changed since the last call */

#endif
