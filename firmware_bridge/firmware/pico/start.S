/* The first 256 bytes of the flash, which the chip's ROM copies to memory and runs: they make the flash readable. Then the vectors. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .boot2, "ax"
    .global second_stage
    .thumb_func
second_stage:
    push {lr}
    ldr r3, =0x18000000     /* the flash's own serial port */
    movs r1, #0
    str r1, [r3, #0x08]     /* SSIENR: off while it is set up */
    movs r1, #4
    str r1, [r3, #0x14]     /* BAUDR: a quarter of the clock */
    ldr r1, =0x001F0300     /* CTRLR0: one line, 32 bits a word, read after writing */
    str r1, [r3, #0x00]
    movs r1, #0
    str r1, [r3, #0x04]     /* CTRLR1: one word at a time */
    ldr r1, =0x03000218     /* SPI_CTRLR0: command 03h of 8 bits, addresses of 24, which every flash knows */
    ldr r0, =0x180000F4
    str r1, [r0]
    movs r1, #1
    str r1, [r3, #0x08]     /* on */
    pop {r0}
    cmp r0, #0              /* called from the ROM's own code it returns; else it goes on with the vectors */
    beq 1f
    bx r0
1:  ldr r0, =0x10000100
    ldr r1, =0xE000ED08     /* VTOR */
    str r0, [r1]
    ldmia r0, {r0, r1}
    msr msp, r0
    bx r1
    .ltorg

    .section .vectors, "a"
    .word stack_top
    .word reset
    .word fault_interrupt, fault_interrupt
    .space 4 * 7
    .word fault_interrupt
    .space 4 * 2
    .word fault_interrupt, fault_interrupt
    .word timer_interrupt   /* 0 */
    .space 4 * 4
    .word usb_interrupt     /* 5: USBCTRL */
    .space 4 * 26

    .section .text
    .thumb_func
reset:
    ldr r0, =data_start
    ldr r1, =data_end
    ldr r2, =data_load
1:  cmp r0, r1
    bhs 2f
    ldmia r2!, {r3}
    stmia r0!, {r3}
    b 1b
2:  ldr r1, =bss_end
    movs r3, #0
3:  cmp r0, r1
    bhs 4f
    stmia r0!, {r3}
    b 3b
4:  bl main
    b .
    .ltorg
