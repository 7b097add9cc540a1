/* Frames on the wire: COBS with one reserved byte, CRC-16 and zero delimiters. */
#include "frame.h"

#define SHORTEST 4u       /* type, sequence, CRC */
#define FOLLOWED_BY_STOP 0x80u /* the byte that COBS took away was FRAME_STOP and not FRAME_END */

static uint16_t crc_step(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)((uint16_t)byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = (uint16_t)((uint16_t)(crc << 1) ^ ((crc & 0x8000u) ? 0x1021u : 0u));
    return crc;
}

uint16_t frame_crc(const uint8_t *content, uint8_t length)
{
    uint16_t crc = 0xFFFFu;
    for (uint8_t i = 0; i < length; i++)
        crc = crc_step(crc, content[i]);
    return crc;
}

static bool reserved(uint8_t byte)
{
    return byte == FRAME_END || byte == FRAME_STOP;
}

void frame_write(const uint8_t *content, uint8_t length, void (*put)(uint8_t))
{
    uint8_t whole[FRAME_ROOM + 2];
    uint16_t crc = frame_crc(content, length);
    for (uint8_t i = 0; i < length; i++)
        whole[i] = content[i];
    whole[length] = (uint8_t)crc;
    whole[length + 1] = (uint8_t)(crc >> 8);
    length = (uint8_t)(length + 2);

    put(FRAME_END); /* whatever a dead sender left half said ends here */
    uint8_t start = 0;
    for (uint8_t i = 0; i <= length; i++) {
        if (i < length && !reserved(whole[i]))
            continue;
        uint8_t code = (uint8_t)(i - start + 1);
        if (i < length && whole[i] == FRAME_STOP)
            code |= FOLLOWED_BY_STOP;
        put(code);
        for (; start < i; start++)
            put(whole[start]);
        start = (uint8_t)(i + 1);
    }
    put(FRAME_END);
}

/* Undoes COBS in place; the content is never longer than what came. Returns its length, 0 when it makes no sense. */
static uint8_t unstuff(uint8_t *bytes, uint8_t length)
{
    uint8_t in = 0, out = 0;
    while (in < length) {
        uint8_t code = bytes[in++];
        uint8_t run = (uint8_t)((code & 0x7Fu) - 1u);
        if ((code & 0x7Fu) == 0 || run > length - in)
            return 0;
        while (run--)
            bytes[out++] = bytes[in++];
        if (in < length)
            bytes[out++] = (code & FOLLOWED_BY_STOP) ? FRAME_STOP : FRAME_END;
        else if (code & FOLLOWED_BY_STOP)
            return 0; /* nothing follows the last run */
    }
    return out;
}

static enum frame_result frame_end(frame_reader *reader, uint8_t *length)
{
    uint8_t count = reader->length;
    bool overlong = reader->overlong;
    reader->length = 0;
    reader->overlong = false;
    if (count == 0 && !overlong)
        return FRAME_NONE;
    uint8_t n = overlong ? 0 : unstuff(reader->bytes, count);
    if (n < SHORTEST)
        return FRAME_BROKEN;
    n = (uint8_t)(n - 2);
    uint16_t crc = frame_crc(reader->bytes, n);
    if (reader->bytes[n] != (uint8_t)crc || reader->bytes[n + 1] != (uint8_t)(crc >> 8))
        return FRAME_CRC_WRONG;
    *length = n;
    return FRAME_READY;
}

void frame_forget(frame_reader *reader)
{
    reader->length = 0;
    reader->overlong = false;
    reader->skipping = true;
}

enum frame_result frame_read(frame_reader *reader, uint8_t byte, uint8_t *length)
{
    if (reader->skipping) {
        reader->skipping = byte != FRAME_END;
        return FRAME_NONE;
    }
    if (byte == FRAME_END)
        return frame_end(reader, length);
    if (reader->length < FRAME_WIRE)
        reader->bytes[reader->length++] = byte;
    else
        reader->overlong = true;
    return FRAME_NONE;
}
