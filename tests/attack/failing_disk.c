/* Loaded before everything else (LD_PRELOAD): lets the nth write or sync of a file of Digside fail, or all from the nth on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int calls, first, last, half;

/* Counts from now on; the calls from `from` to `to` fail. Half a write is made of those, where `torn` says so. */
void fail_calls(int from, int to, int torn) {
    calls = 0;
    first = from;
    last = to;
    half = torn;
}

int calls_made(void) { return calls; }

static int is_ours(int fd) {
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    const char *base = strrchr(name, '/');
    return base && strncmp(base, "/digside.", 9) == 0;
}

static int fails(int fd) {
    if (!is_ours(fd)) return 0;
    calls++;
    return calls >= first && calls <= last;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int fd, const void *from, size_t count, off_t at) {
    if (!fails(fd)) return REAL(pwrite)(fd, from, count, at);
    if (half) REAL(pwrite)(fd, from, count / 2, at);
    errno = EIO;
    return -1;
}

ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at) {
    if (!fails(fd)) return REAL(pwrite64)(fd, from, count, at);
    if (half) REAL(pwrite64)(fd, from, count / 2, at);
    errno = EIO;
    return -1;
}

ssize_t write(int fd, const void *from, size_t count) {
    if (!fails(fd)) return REAL(write)(fd, from, count);
    errno = EIO;
    return -1;
}

int fsync(int fd) {
    if (!fails(fd)) return REAL(fsync)(fd);
    errno = EIO;
    return -1;
}

int fdatasync(int fd) {
    if (!fails(fd)) return REAL(fdatasync)(fd);
    errno = EIO;
    return -1;
}

int ftruncate(int fd, off_t size) {
    if (!fails(fd)) return REAL(ftruncate)(fd, size);
    errno = EIO;
    return -1;
}

int ftruncate64(int fd, off64_t size) {
    if (!fails(fd)) return REAL(ftruncate64)(fd, size);
    errno = EIO;
    return -1;
}
