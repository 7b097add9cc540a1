/* Every pin of the Nano, once. The firmware is compiled from this list, and the tables of the guides are tested against it.
 *
 * PIN(name, port, bit, label on the Nano, what it does)   a pin of a digital port
 * ANALOG(name, channel, label on the Nano, what it does)  an input of the converter
 */
#ifndef PINS_H
#define PINS_H

#define PIN_LIST(PIN, ANALOG) \
    PIN(RX, D, 0, "D0", "serial in, from the USB chip") \
    PIN(TX, D, 1, "D1", "serial out, to the USB chip") \
    PIN(PUMP, B, 1, "D9", "pump, 20 kHz PWM to the MOSFET's gate; 10 k to ground") \
    PIN(VALVE, B, 2, "D10", "vent valve, high = current = closed; 10 k to ground") \
    PIN(BUZZER, D, 3, "D3", "passive buzzer") \
    ANALOG(VACUUM, 0, "A0", "vacuum sensor, 0 to 5 V, more vacuum more volts") \
    PIN(BUTTON_1, D, 2, "D2", "button 1 to ground") \
    PIN(BUTTON_2, D, 4, "D4", "button 2 to ground") \
    PIN(BUTTON_3, D, 5, "D5", "button 3 to ground") \
    PIN(BUTTON_4, D, 6, "D6", "button 4 to ground") \
    PIN(BUTTON_5, D, 7, "D7", "button 5 to ground") \
    PIN(BUTTON_6, B, 0, "D8", "button 6 to ground") \
    ANALOG(BUTTON_7, 6, "A6", "button 7 to ground; 10 k to 5 V, also when no button is fitted") \
    ANALOG(BUTTON_8, 7, "A7", "button 8 to ground; 10 k to 5 V, also when no button is fitted") \
    PIN(LAMP_1, B, 3, "D11", "lamp 1, high = lit, at most 10 mA") \
    PIN(LAMP_2, B, 4, "D12", "lamp 2, high = lit, at most 10 mA") \
    PIN(LAMP_3, B, 5, "D13", "lamp 3, high = lit, at most 10 mA; the Nano's own LED too") \
    PIN(LAMP_4, C, 1, "A1", "lamp 4, high = lit, at most 10 mA") \
    PIN(LAMP_5, C, 2, "A2", "lamp 5, high = lit, at most 10 mA") \
    PIN(LAMP_6, C, 3, "A3", "lamp 6, high = lit, at most 10 mA") \
    PIN(LAMP_7, C, 4, "A4", "lamp 7, high = lit, at most 10 mA; or the pixels, by 330 ohms") \
    PIN(LAMP_8, C, 5, "A5", "lamp 8, high = lit, at most 10 mA")

#endif
