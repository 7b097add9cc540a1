/* The registers of the RP2040 that are used, by the names of its data sheet. */
#ifndef RP2040_H
#define RP2040_H
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SET(address) REGISTER((address) + 0x2000u)   /* writing a one sets the bit, and a zero leaves it */
#define CLEAR(address) REGISTER((address) + 0x3000u) /* writing a one clears it */

#define RESETS_RESET 0x4000C000u
#define RESETS_DONE REGISTER(0x4000C008u)
enum { RESET_ADC = 1 << 0, RESET_IO_BANK0 = 1 << 5, RESET_PADS_BANK0 = 1 << 8, RESET_PLL_USB = 1 << 13, RESET_PWM = 1 << 14, RESET_SPI0 = 1 << 16,
       RESET_TIMER = 1 << 21, RESET_USBCTRL = 1 << 24 };

#define CLK_REF_CTRL REGISTER(0x40008030u)
#define CLK_REF_SELECTED REGISTER(0x40008038u)
#define CLK_SYS_CTRL REGISTER(0x4000803Cu)
#define CLK_SYS_SELECTED REGISTER(0x40008044u)
#define CLK_PERI_CTRL REGISTER(0x40008048u)
#define CLK_USB_CTRL REGISTER(0x40008054u)
#define CLK_ADC_CTRL REGISTER(0x40008060u)
#define CLK_ENABLE (1u << 11)

#define XOSC_CTRL REGISTER(0x40024000u)
#define XOSC_STATUS REGISTER(0x40024004u)
#define XOSC_STARTUP REGISTER(0x4002400Cu)
#define PLL_USB_CS REGISTER(0x4002C000u)
#define PLL_USB_PWR 0x4002C004u
#define PLL_USB_FBDIV REGISTER(0x4002C008u)
#define PLL_USB_PRIM REGISTER(0x4002C00Cu)
#define STABLE (1u << 31)

#define PSM_WDSEL REGISTER(0x40010008u)
#define IO_CTRL(gpio) REGISTER(0x40014004u + 8u * (gpio))
#define PAD(gpio) REGISTER(0x4001C004u + 4u * (gpio))
enum { FUNCTION_SPI = 1, FUNCTION_PWM = 4, FUNCTION_SIO = 5, FUNCTION_NONE = 31 };
enum { PAD_PULL_DOWN = 1 << 2, PAD_PULL_UP = 1 << 3, PAD_4MA = 1 << 4, PAD_INPUT = 1 << 6, PAD_NO_OUTPUT = 1 << 7, PAD_SCHMITT = 1 << 1 };

#define SIO_IN REGISTER(0xD0000004u)
#define SIO_SET REGISTER(0xD0000014u)
#define SIO_CLEAR REGISTER(0xD0000018u)
#define SIO_OUTPUT REGISTER(0xD0000024u)

#define PWM_CSR(slice) REGISTER(0x40050000u + 0x14u * (slice))
#define PWM_DIV(slice) REGISTER(0x40050004u + 0x14u * (slice))
#define PWM_COUNT(slice) REGISTER(0x40050008u + 0x14u * (slice))
#define PWM_COMPARE(slice) REGISTER(0x4005000Cu + 0x14u * (slice))
#define PWM_TOP(slice) REGISTER(0x40050010u + 0x14u * (slice))

#define SPI0_CR0 REGISTER(0x4003C000u)
#define SPI0_CR1 REGISTER(0x4003C004u)
#define SPI0_DATA REGISTER(0x4003C008u)
#define SPI0_STATUS REGISTER(0x4003C00Cu)
#define SPI0_DIVIDER REGISTER(0x4003C010u)
#define SPI_ROOM (1u << 1)
#define SPI_BUSY (1u << 4)

#define TIMER_ALARM0 REGISTER(0x40054010u)
#define TIMER_NOW REGISTER(0x40054028u)
#define TIMER_INTR REGISTER(0x40054034u)
#define TIMER_INTE REGISTER(0x40054038u)

#define WATCHDOG_CTRL REGISTER(0x40058000u)
#define WATCHDOG_LOAD REGISTER(0x40058004u)
#define WATCHDOG_REASON REGISTER(0x40058008u)
#define WATCHDOG_TICK REGISTER(0x4005802Cu)
#define WATCHDOG_ENABLE (1u << 30)

#define CHIP_RESET REGISTER(0x40064008u)
enum { HAD_POWER_ON = 1 << 8, HAD_RUN_PIN = 1 << 16 };

#define ADC_CS REGISTER(0x4004C000u)
#define ADC_RESULT REGISTER(0x4004C004u)
enum { ADC_ENABLE = 1 << 0, ADC_START = 1 << 2, ADC_READY = 1 << 8 };

#define USB_DPRAM 0x50100000u
#define USB_ADDRESS REGISTER(0x50110000u)
#define USB_MAIN_CTRL REGISTER(0x50110040u)
#define USB_SIE_CTRL REGISTER(0x5011004Cu)
#define USB_SIE_STATUS REGISTER(0x50110050u)
#define USB_BUFF_STATUS REGISTER(0x50110058u)
#define USB_STALL_ARM REGISTER(0x50110068u)
#define USB_MUXING REGISTER(0x50110074u)
#define USB_PWR REGISTER(0x50110078u)
#define USB_INTE REGISTER(0x50110090u)
#define USB_INTS REGISTER(0x50110098u)

#define NVIC_ENABLE REGISTER(0xE000E100u)
#define SCB_VTOR REGISTER(0xE000ED08u)
enum { IRQ_TIMER_0 = 0, IRQ_USBCTRL = 5 };

static inline uint32_t interrupts_off(void)
{
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(before)::"memory");
    return before;
}

static inline void interrupts_as(uint32_t before)
{
    __asm__ volatile("msr primask, %0" ::"r"(before) : "memory");
}

#endif
