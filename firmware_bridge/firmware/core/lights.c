/* A strip and a ring of pixels on one wire: their colours, and the current that all of them may draw. */
#include "lights.h"
#include "port.h"
#include "protocol.h"

#define CHANNEL_MA 20u  /* one colour of one pixel at full */
#define IDLE_MA 1u      /* a dark pixel */
#define MOST ((uint16_t)((LIGHTS_MOST_MA - LIGHTS * IDLE_MA) * 255ul / CHANNEL_MA)) /* sum of all colours that the limit leaves */
#define AT_ONCE_MS 20u
#define AGAIN_MS 1000u  /* one that was disturbed is right again after that */

static uint8_t colours[LIGHTS][3];
static bool used, changed;
static uint16_t wait_ms, scale;

void lights_init(void)
{
    used = false;
    lights_dark();
    port_lights(); /* pixels go on showing what they were sent before the start */
}

static void weigh(void)
{
    uint16_t sum = 0; /* 64 pixels at full are 48,960 */
    for (uint8_t i = 0; i < LIGHTS; i++)
        sum = (uint16_t)(sum + colours[i][0] + colours[i][1] + colours[i][2]);
    scale = sum <= MOST ? 256u : (uint16_t)((uint32_t)MOST * 256u / sum);
    changed = true;
}

bool lights_fill(uint8_t first, uint8_t count, const uint8_t *colour)
{
    if (count == 0 || first >= LIGHTS || count > LIGHTS - first)
        return false;
    for (uint8_t i = first; i < first + count; i++)
        for (uint8_t k = 0; k < 3; k++)
            colours[i][k] = colour[k];
    used = true;
    weigh();
    return true;
}

void lights_dark(void)
{
    for (uint8_t i = 0; i < LIGHTS; i++)
        colours[i][0] = colours[i][1] = colours[i][2] = 0;
    weigh();
}

bool lights_used(void)
{
    return used;
}

void lights_tick(uint8_t elapsed_ms)
{
    if (!used)
        return;
    wait_ms = (uint16_t)(wait_ms + elapsed_ms);
    if (wait_ms < (changed ? AT_ONCE_MS : AGAIN_MS))
        return;
    wait_ms = 0;
    changed = false;
    port_lights();
}

void lights_pixel(uint8_t index, uint8_t *sent)
{
    const uint8_t *colour = colours[index];
    sent[0] = (uint8_t)((uint16_t)colour[1] * (uint32_t)scale >> 8);
    sent[1] = (uint8_t)((uint16_t)colour[0] * (uint32_t)scale >> 8);
    sent[2] = (uint8_t)((uint16_t)colour[2] * (uint32_t)scale >> 8);
}
