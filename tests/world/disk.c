/* Loaded before everything else (LD_PRELOAD): writes down all that changes files below a folder, lets calls fail, and
   has the disk of a machine die at one of them: what is called after that changes nothing any more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 4096
#define MOST_DEAD 4096
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { WRITE = 1, TRUNCATE, SYNC, CREATE, MKDIR, RENAME, LINK, UNLINK, RMDIR };

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX], victim[PATH_MAX], *dead[MOST_DEAD];
static size_t root_length, victim_length;
static int dead_count;
static long calls, first, last, dies_at;
static int wrong, torn;
static char *written;
static size_t length, room;
static struct { char *path; int64_t inode; int append; } files[FILES];

static void put(const void *from, size_t count) {
    while (length + count > room) {
        room = room ? 2 * room : 1 << 20;
        written = realloc(written, room);
    }
    memcpy(written + length, from, count);
    length += count;
}

/* One record: what was done, a number or two, and bytes. */
static void note(uint8_t op, int64_t inode, int64_t at, const void *bytes, int64_t count) {
    put(&op, 1);
    put(&inode, 8);
    put(&at, 8);
    put(&count, 8);
    put(bytes, count);
}

static int below(const char *path, const char *folder, size_t count) {
    return count && strncmp(path, folder, count) == 0 && (path[count] == '/' || path[count] == 0);
}

static int is_ours(const char *path) {
    size_t count = path ? strlen(path) : 0;
    return path && below(path, root, root_length) && !(count > 4 && strcmp(path + count - 4, "-shm") == 0);
}

static int is_dead(const char *path) {
    for (int n = dead_count - 1; n >= 0; n--)
        if (below(path, dead[n], strlen(dead[n]))) return 1;
    return 0;
}

/* Whether a call on a path is not made: its disk is dead, or dies now, or it is to fail. */
static int fails(const char *path) {
    if (is_dead(path)) {
        errno = EIO;
        return 1;
    }
    if (!below(path, victim, victim_length)) return 0;
    calls++;
    if (dies_at && calls >= dies_at) {
        if (dead_count < MOST_DEAD) dead[dead_count++] = strdup(victim);
        errno = EIO;
        return 1;
    }
    if (calls >= first && calls <= last) {
        errno = wrong;
        return 1;
    }
    return 0;
}

/* Begin to write down what is done below a folder. */
void disk_begin(const char *folder) {
    snprintf(root, sizeof root, "%s", folder);
    root_length = strlen(root);
}

/* From now on calls of this machine are counted: those from `from` to `to` fail, and at one it dies (0 for none). */
void disk_watch(const char *machine, long from, long to, int error, int half, long death) {
    snprintf(victim, sizeof victim, "%s", machine);
    victim_length = strlen(victim);
    calls = 0;
    first = from;
    last = to;
    wrong = error;
    torn = half;
    dies_at = death;
}

long disk_calls(void) { return calls; }

/* Nothing that is called on this folder changes anything any more. */
void disk_kill(const char *machine) {
    if (dead_count < MOST_DEAD && !is_dead(machine)) dead[dead_count++] = strdup(machine);
}

/* Forget which disks have died. */
void disk_revive(void) {
    while (dead_count) free(dead[--dead_count]);
    victim_length = 0;
}

int disk_is_dead(const char *machine) { return is_dead(machine); }

const char *disk_log(size_t *count) {
    *count = length;
    return written;
}

void disk_forget(void) { length = 0; }

static char *whole(int folder, const char *path, char *into) {
    if (path[0] == '/' || folder == AT_FDCWD) {
        if (path[0] != '/') return NULL;
        return snprintf(into, PATH_MAX, "%s", path) < PATH_MAX ? into : NULL;
    }
    if (folder < 0 || folder >= FILES || !files[folder].path) return NULL;
    return snprintf(into, PATH_MAX, "%s/%s", files[folder].path, path) < PATH_MAX ? into : NULL;
}

static int64_t inode_of(int fd) {
    struct stat found;
    return fstat(fd, &found) ? 0 : (int64_t)found.st_ino;
}

static void remember(int fd, const char *path, int append) {
    if (fd < 0 || fd >= FILES) return;
    free(files[fd].path);
    files[fd].path = strdup(path);
    files[fd].inode = inode_of(fd);
    files[fd].append = append;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    static int (*real)(int, const char *, int, ...);
    if (!real) real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat64");
    char place[PATH_MAX];
    if (!whole(folder, path, place) || !is_ours(place)) return real(folder, path, flags, mode);
    pthread_mutex_lock(&door);
    struct stat before;
    int fd, was = stat(place, &before) == 0, changes = (flags & O_CREAT && !was) || (flags & O_TRUNC && before.st_size);
    if (changes && fails(place)) {
        pthread_mutex_unlock(&door);
        return -1;
    }
    fd = real(folder, path, flags, mode);
    if (fd >= 0) {
        remember(fd, place, flags & O_APPEND);
        if (flags & O_CREAT && !was) note(CREATE, inode_of(fd), 0, place, strlen(place));
        else if (flags & O_TRUNC && before.st_size) note(TRUNCATE, inode_of(fd), 0, "", 0);
    }
    pthread_mutex_unlock(&door);
    return fd;
}

#define MODE va_list more; mode_t mode = 0; va_start(more, flags); if (flags & (O_CREAT | O_TMPFILE)) mode = va_arg(more, mode_t); va_end(more)

int open(const char *path, int flags, ...) { MODE; return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE; return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE; return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE; return opened(folder, path, flags, mode); }

int close(int fd) {
    pthread_mutex_lock(&door);
    if (fd >= 0 && fd < FILES) {
        free(files[fd].path);
        files[fd].path = NULL;
    }
    pthread_mutex_unlock(&door);
    return REAL(close)(fd);
}

static ssize_t put_at(int fd, const void *from, size_t count, off64_t at, int moves) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    if (fails(files[fd].path)) {
        int error = errno;
        if (torn && !is_dead(files[fd].path) && count > 1 && real(fd, from, count / 2, at) > 0)
            note(WRITE, files[fd].inode, at, from, count / 2);
        errno = error;
        return -1;
    }
    ssize_t done = real(fd, from, count, at);
    if (done > 0) note(WRITE, files[fd].inode, at, from, done);
    if (done > 0 && moves) lseek64(fd, at + done, SEEK_SET);
    return done;
}

#define TRACKED(fd) (fd >= 0 && fd < FILES && files[fd].path)

ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at) {
    if (!TRACKED(fd)) return REAL(pwrite64)(fd, from, count, at);
    pthread_mutex_lock(&door);
    ssize_t done = put_at(fd, from, count, at, 0);
    pthread_mutex_unlock(&door);
    return done;
}

ssize_t pwrite(int fd, const void *from, size_t count, off_t at) { return pwrite64(fd, from, count, at); }

ssize_t write(int fd, const void *from, size_t count) {
    if (!TRACKED(fd)) return REAL(write)(fd, from, count);
    pthread_mutex_lock(&door);
    ssize_t done = put_at(fd, from, count, lseek64(fd, 0, files[fd].append ? SEEK_END : SEEK_CUR), 1);
    pthread_mutex_unlock(&door);
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!TRACKED(fd)) return REAL(writev)(fd, parts, count);
    ssize_t all = 0;
    for (int n = 0; n < count; n++) {
        ssize_t done = write(fd, parts[n].iov_base, parts[n].iov_len);
        if (done < 0) return all ? all : -1;
        all += done;
    }
    return all;
}

/* These would pass by unseen: whoever tries them reads and writes instead. */
ssize_t sendfile64(int to, int from, off64_t *at, size_t count) {
    if (TRACKED(to)) { errno = EINVAL; return -1; }
    return REAL(sendfile64)(to, from, at, count);
}
ssize_t sendfile(int to, int from, off_t *at, size_t count) { return sendfile64(to, from, (off64_t *)at, count); }
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t count, unsigned flags) {
    if (TRACKED(to)) { errno = EXDEV; return -1; }
    return REAL(copy_file_range)(from, at, to, there, count, flags);
}
int fallocate64(int fd, int mode, off64_t at, off64_t count) {
    if (TRACKED(fd)) { errno = EOPNOTSUPP; return -1; }
    return REAL(fallocate64)(fd, mode, at, count);
}
int posix_fallocate64(int fd, off64_t at, off64_t count) { return TRACKED(fd) ? EINVAL : REAL(posix_fallocate64)(fd, at, count); }
int posix_fallocate(int fd, off_t at, off_t count) { return posix_fallocate64(fd, at, count); }

int ftruncate64(int fd, off64_t size) {
    if (!TRACKED(fd)) return REAL(ftruncate64)(fd, size);
    pthread_mutex_lock(&door);
    int done = fails(files[fd].path) ? -1 : REAL(ftruncate64)(fd, size);
    if (!done) note(TRUNCATE, files[fd].inode, size, "", 0);
    pthread_mutex_unlock(&door);
    return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd) {
    pthread_mutex_lock(&door);
    int done = fails(files[fd].path) ? -1 : 0;
    if (!done) note(SYNC, files[fd].inode, 0, files[fd].path, strlen(files[fd].path));
    pthread_mutex_unlock(&door);
    return done;
}
int fsync(int fd) { return TRACKED(fd) ? synced(fd) : REAL(fsync)(fd); }
int fdatasync(int fd) { return TRACKED(fd) ? synced(fd) : REAL(fdatasync)(fd); }

static void two(uint8_t op, int64_t inode, const char *a, const char *b) {
    char both[2 * PATH_MAX];
    int count = snprintf(both, sizeof both, "%s%c%s", a, 0, b);
    note(op, inode, 0, both, count);
}

static int64_t inode_at(const char *path) {
    struct stat found;
    return lstat(path, &found) ? 0 : (int64_t)found.st_ino;
}

static int renamed(int one, const char *a, int other, const char *b) {
    char from[PATH_MAX], to[PATH_MAX];
    int (*real)(int, const char *, int, const char *) = REAL(renameat);
    if (!whole(one, a, from) || !whole(other, b, to) || !is_ours(from) || !is_ours(to)) return real(one, a, other, b);
    pthread_mutex_lock(&door);
    int64_t inode = inode_at(from);
    int done = fails(from) ? -1 : real(one, a, other, b);
    if (!done) {
        two(RENAME, inode, from, to);
        for (int fd = 0; fd < FILES; fd++)
            if (files[fd].path && strcmp(files[fd].path, from) == 0) {
                free(files[fd].path);
                files[fd].path = strdup(to);
            }
    }
    pthread_mutex_unlock(&door);
    return done;
}
int rename(const char *a, const char *b) { return renamed(AT_FDCWD, a, AT_FDCWD, b); }
int renameat(int one, const char *a, int other, const char *b) { return renamed(one, a, other, b); }

static int linked(int one, const char *a, int other, const char *b, int flags) {
    char from[PATH_MAX], to[PATH_MAX];
    int (*real)(int, const char *, int, const char *, int) = REAL(linkat);
    if (!whole(one, a, from) || !whole(other, b, to) || !is_ours(to)) return real(one, a, other, b, flags);
    pthread_mutex_lock(&door);
    int done = fails(to) ? -1 : real(one, a, other, b, flags);
    if (!done) two(LINK, inode_at(to), from, to);
    pthread_mutex_unlock(&door);
    return done;
}
int link(const char *a, const char *b) { return linked(AT_FDCWD, a, AT_FDCWD, b, 0); }
int linkat(int one, const char *a, int other, const char *b, int flags) { return linked(one, a, other, b, flags); }

static int removed(int folder, const char *path, int flags) {
    char place[PATH_MAX];
    int (*real)(int, const char *, int) = REAL(unlinkat);
    if (!whole(folder, path, place) || !is_ours(place)) return real(folder, path, flags);
    pthread_mutex_lock(&door);
    int done;
    if (!inode_at(place)) {
        errno = ENOENT;
        done = -1;
    } else {
        done = fails(place) ? -1 : real(folder, path, flags);
        if (!done) note(flags & AT_REMOVEDIR ? RMDIR : UNLINK, 0, 0, place, strlen(place));
    }
    pthread_mutex_unlock(&door);
    return done;
}
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return removed(folder, path, flags); }
int rmdir(const char *path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }

static int made(int folder, const char *path, mode_t mode) {
    char place[PATH_MAX];
    int (*real)(int, const char *, mode_t) = REAL(mkdirat);
    if (!whole(folder, path, place) || !is_ours(place)) return real(folder, path, mode);
    pthread_mutex_lock(&door);
    int done;
    if (inode_at(place)) {
        errno = EEXIST;
        done = -1;
    } else {
        done = fails(place) ? -1 : real(folder, path, mode);
        if (!done) note(MKDIR, inode_at(place), 0, place, strlen(place));
    }
    pthread_mutex_unlock(&door);
    return done;
}
int mkdir(const char *path, mode_t mode) { return made(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return made(folder, path, mode); }
