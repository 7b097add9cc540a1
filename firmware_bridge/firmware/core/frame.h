/* Frames on the wire: COBS with one reserved byte, CRC-16 and zero delimiters. */
#ifndef FRAME_H
#define FRAME_H
#include <stdbool.h>
#include <stdint.h>

#define FRAME_END 0x00u  /* before and after each frame, never inside one */
#define FRAME_STOP 0xFFu /* the stop byte: never inside a frame, so it may come at any moment, even in the middle of one */
#define FRAME_ROOM 40u   /* longest content: type, sequence, body */
#define FRAME_WIRE (FRAME_ROOM + 2u + 1u) /* content, CRC and the one byte that COBS adds */

uint16_t frame_crc(const uint8_t *content, uint8_t length);

/* Gives the bytes of a whole frame, delimiters too, to `put`. */
void frame_write(const uint8_t *content, uint8_t length, void (*put)(uint8_t));

enum frame_result { FRAME_NONE, FRAME_READY, FRAME_BROKEN, FRAME_CRC_WRONG };

typedef struct {
    uint8_t bytes[FRAME_WIRE];
    uint8_t length;
    bool overlong;
    bool skipping; /* to the next delimiter */
} frame_reader;

/* Forgets what has come, and skips what still belongs to it: all up to the next delimiter. */
void frame_forget(frame_reader *reader);

/* Takes one byte. After FRAME_READY the content lies in bytes[0 .. *length - 1] until the next call. */
enum frame_result frame_read(frame_reader *reader, uint8_t byte, uint8_t *length);

#endif
