/* A serial port over the Pico's own USB. */
#ifndef USB_H
#define USB_H
#include <stdint.h>

void usb_start(void);
void usb_kick(void);            /* something waits to be sent; with interrupts off */
void usb_interrupt(void);
uint8_t usb_take(uint8_t *packet); /* from whom it serves: up to 64 bytes to be sent */
void usb_heard(uint8_t byte);      /* and what came, byte by byte, in the interrupt */

#endif
