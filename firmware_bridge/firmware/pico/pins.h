/* Every pin of the Pico, once, as GPIO numbers. The firmware is compiled from this list, and the tables of the guides are tested against it.
 *
 * PIN(name, GPIO, pin of the board, what it does)
 */
#ifndef PICO_PINS_H
#define PICO_PINS_H

#define PICO_PIN_LIST(PIN) \
    PIN(PUMP, 16, 21, "pump, 20 kHz PWM to the gate driver; 10 k to ground") \
    PIN(VALVE, 17, 22, "vent valve, high = current = closed; 10 k to ground") \
    PIN(BUZZER, 18, 24, "passive piezo buzzer") \
    PIN(VACUUM, 26, 31, "vacuum sensor by 10 k and 20 k, 0 to 3.3 V, more vacuum more volts") \
    PIN(BUTTON_1, 2, 4, "button 1 to ground") \
    PIN(BUTTON_2, 3, 5, "button 2 to ground") \
    PIN(BUTTON_3, 4, 6, "button 3 to ground") \
    PIN(BUTTON_4, 5, 7, "button 4 to ground") \
    PIN(BUTTON_5, 6, 9, "button 5 to ground") \
    PIN(BUTTON_6, 7, 10, "button 6 to ground") \
    PIN(BUTTON_7, 8, 11, "button 7 to ground") \
    PIN(BUTTON_8, 9, 12, "button 8 to ground") \
    PIN(LAMP_1, 10, 14, "lamp 1, high = lit, at most 4 mA") \
    PIN(LAMP_2, 11, 15, "lamp 2, high = lit, at most 4 mA") \
    PIN(LAMP_3, 12, 16, "lamp 3, high = lit, at most 4 mA") \
    PIN(LAMP_4, 13, 17, "lamp 4, high = lit, at most 4 mA") \
    PIN(LAMP_5, 14, 19, "lamp 5, high = lit, at most 4 mA") \
    PIN(LAMP_6, 15, 20, "lamp 6, high = lit, at most 4 mA") \
    PIN(LAMP_7, 19, 25, "lamp 7, high = lit, at most 4 mA; or the pixels, by a 74AHCT125") \
    PIN(LAMP_8, 20, 26, "lamp 8, high = lit, at most 4 mA")

#endif
