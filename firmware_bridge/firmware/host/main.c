/* Runs a machine in real time behind a socket or a pseudo-terminal, or in steps; a line on the control channel changes its world.
 *
 *   board [--wire FD | --pty | --link PATH] [--control FD] [--firmware FILE] [--paused]
 *
 * Control: one command a line, one JSON object as answer. It ends when the control channel does, and with its parent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include "machine.h"
#include "protocol.h"

#define REST_US 10000
#define BUSY_US 1000
#define WIRE_US 200
#define LATE_US 300000u /* further behind than this, time is let go: a suspended program does not race to catch up */

static int wire = -1, keeper = -1, control_in = 0, control_out = 1;
static const char *link_path;
static char pty_path[64];
static bool paused, owns_pty;
static uint64_t wall_start, sim_start;
static pid_t parent;
static char pump_clock[32] = "0";

static uint64_t wall_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static void rebase(void)
{
    wall_start = wall_us();
    sim_start = machine_record.now_us;
}

static bool open_pty(void)
{
    struct termios raw;
    if (openpty(&wire, &keeper, pty_path, NULL, NULL))
        return false;
    tcgetattr(keeper, &raw);
    cfmakeraw(&raw); /* before anybody else sees it */
    cfsetspeed(&raw, B115200);
    tcsetattr(keeper, TCSANOW, &raw);
    fcntl(wire, F_SETFL, O_NONBLOCK);
    if (link_path) {
        unlink(link_path);
        if (symlink(pty_path, link_path))
            return false;
    }
    return true;
}

static void unplug(void)
{
    if (!owns_pty || wire < 0)
        return;
    close(wire);
    close(keeper);
    wire = keeper = -1;
    if (link_path)
        unlink(link_path);
}

static void answer(const char *text)
{
    size_t length = strlen(text);
    while (length) {
        ssize_t n = write(control_out, text, length);
        if (n <= 0 && errno != EINTR)
            exit(0);
        if (n > 0) {
            text += n;
            length -= (size_t)n;
        }
    }
}

static void answer_state(void)
{
    char line[640];
    machine_pins pins = machine_look();
    const plant *p = &machine_plant;
    snprintf(line, sizeof line,
             "{\"kind\":\"%s\",\"wire\":\"%s\",\"now_us\":%llu,\"wall_us\":%llu,\"pump\":%u,\"valve\":%s,\"lamps\":%u,\"pitch\":%u,\"period\":%u,"
             "\"kpa\":%.3f,\"card\":%s,\"leak\":%.3f,\"blocked\":%s,\"buttons\":%u,\"resets\":%u,\"starts\":%u,\"backlog\":%u,"
             "\"last_heard_us\":%llu,\"pump_changed_us\":%llu,\"valve_changed_us\":%llu,\"pump_off_wall_us\":%s}\n",
             machine_kind, pty_path, (unsigned long long)machine_record.now_us, (unsigned long long)wall_us(), pins.pump,
             pins.valve ? "true" : "false", pins.lamps, pins.pitch, pins.period, p->kpa, p->card ? "true" : "false", p->leak,
             p->blocked ? "true" : "false", p->buttons, machine_record.resets, machine_record.starts, machine_record.backlog,
             (unsigned long long)machine_record.last_heard_us, (unsigned long long)machine_record.pump_changed_us,
             (unsigned long long)machine_record.valve_changed_us, pump_clock);
    answer(line);
}

static void answer_lights(void)
{
    char line[MACHINE_LIGHTS * 6 + 32], *at = line + sprintf(line, "{\"lights\":\"");
    for (unsigned i = 0; i < MACHINE_LIGHTS; i++)
        at += sprintf(at, "%02x%02x%02x", machine_lights[i][1], machine_lights[i][0], machine_lights[i][2]);
    sprintf(at, "\"}\n");
    answer(line);
}

static void answer_measured(void)
{
    unsigned stack;
    double without;
    char line[80];
    machine_measured(&stack, &without);
    snprintf(line, sizeof line, "{\"stack\":%u,\"without_us\":%.2f}\n", stack, without);
    answer(line);
}

static void note_pump(void)
{
    static bool was_on;
    bool on = machine_look().pump != 0 || machine_look().valve;
    if (was_on && !on)
        snprintf(pump_clock, sizeof pump_clock, "%llu", (unsigned long long)wall_us());
    was_on = on;
}

static void run_to(uint64_t until)
{
    while (machine_record.now_us < until) {
        uint64_t next = machine_record.now_us + 1000;
        machine_run(next < until ? next : until);
        note_pump();
    }
}

/* "run MICROSECONDS": only in steps; answers what the board said meanwhile. */
static void run_step(uint64_t us)
{
    static const char digits[] = "0123456789abcdef";
    run_to(machine_record.now_us + us);
    uint8_t bytes[512];
    answer("{\"said\":\"");
    for (unsigned n; (n = machine_said(bytes, sizeof bytes)) > 0;) {
        char hex[2 * sizeof bytes + 1];
        for (unsigned i = 0; i < n; i++) {
            hex[2 * i] = digits[bytes[i] >> 4];
            hex[2 * i + 1] = digits[bytes[i] & 15];
        }
        hex[2 * n] = 0;
        answer(hex);
    }
    answer("\"}\n");
}

static void hear_hex(const char *hex)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        machine_hear((uint8_t)byte);
        if (!hex[1])
            break;
    }
}

static uint8_t reason_named(const char *name)
{
    static const char *const names[] = {"unknown", "power", "external", "brown-out", "watchdog"};
    for (uint8_t i = 0; i < 5; i++)
        if (!strcmp(name, names[i]))
            return i;
    return RESET_EXTERNAL;
}

static bool obey_plant(const char *word, double value)
{
    plant *p = &machine_plant;
    if (!strcmp(word, "card"))
        p->card = value != 0;
    else if (!strcmp(word, "leak"))
        p->leak = value < 0 ? 0 : value > 1 ? 1 : value;
    else if (!strcmp(word, "blocked"))
        p->blocked = value != 0;
    else if (!strcmp(word, "buttons"))
        p->buttons = (uint8_t)value;
    else if (!strcmp(word, "uno"))
        p->uno = value != 0;
    else
        return false;
    return true;
}

static bool load(const char *rest)
{
    unsigned version, handed;
    return sscanf(rest, "%x %x", &version, &handed) == 2 && machine_load((uint16_t)version, (uint8_t)handed);
}

static bool pounce(const char *rest)
{
    char where[16];
    unsigned nth;
    return sscanf(rest, "%15s %u", where, &nth) == 2 && machine_pounce(where, nth);
}

static bool obey_machine(const char *word, const char *rest)
{
    if (!strcmp(word, "hear"))
        hear_hex(rest);
    else if (!strcmp(word, "hang"))
        machine_hang(strtoull(rest, NULL, 10));
    else if (!strcmp(word, "reset"))
        return machine_reset(reason_named(rest));
    else if (!strcmp(word, "load"))
        return load(rest);
    else if (!strcmp(word, "lock"))
        return machine_lock();
    else if (!strcmp(word, "freeze"))
        return machine_freeze();
    else if (!strcmp(word, "measure"))
        return machine_measure();
    else if (!strcmp(word, "pounce"))
        return pounce(rest);
    else if (!strcmp(word, "speed"))
        return machine_speed((uint32_t)strtoul(rest, NULL, 10));
    else if (!strcmp(word, "unplug"))
        unplug();
    else if (!strcmp(word, "replug"))
        return wire >= 0 || open_pty();
    else
        return false;
    return true;
}

static void obey(char *line)
{
    char *rest = strchr(line, ' ');
    if (rest)
        *rest++ = 0;
    else
        rest = line + strlen(line);
    if (!strcmp(line, "state"))
        answer_state();
    else if (!strcmp(line, "lights"))
        answer_lights();
    else if (!strcmp(line, "measured"))
        answer_measured();
    else if (!strcmp(line, "run") && paused)
        run_step(strtoull(rest, NULL, 10));
    else if (obey_plant(line, atof(rest)) || obey_machine(line, rest))
        answer("{\"ok\":true}\n");
    else
        answer("{\"ok\":false}\n");
}

static void read_control(void)
{
    static char buffer[8192];
    static size_t length;
    ssize_t n = read(control_in, buffer + length, sizeof buffer - 1 - length);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
        exit(0);
    if (n < 0)
        return;
    length += (size_t)n;
    buffer[length] = 0;
    for (char *end; (end = strchr(buffer, '\n'));) {
        *end = 0;
        obey(buffer);
        length -= (size_t)(end + 1 - buffer);
        memmove(buffer, end + 1, length + 1);
    }
    if (length == sizeof buffer - 1)
        length = 0; /* a line that long is nonsense */
}

static void read_wire(void)
{
    uint8_t bytes[1024];
    ssize_t n = read(wire, bytes, sizeof bytes);
    if (n == 0 && !owns_pty)
        exit(0); /* the program at the other end of the socket has gone */
    for (ssize_t i = 0; i < n; i++)
        machine_hear(bytes[i]);
}

static void write_wire(void)
{
    uint8_t bytes[1024];
    unsigned n = machine_said(bytes, sizeof bytes);
    if (n && wire >= 0 && write(wire, bytes, n) < 0)
        return; /* nobody listens: a serial chip talks to the wall as well */
}

static void catch_up(void)
{
    uint64_t due = sim_start + (wall_us() - wall_start);
    if (due > machine_record.now_us + LATE_US) {
        rebase();
        return;
    }
    run_to(due);
}

static long patience_us(void)
{
    if (paused)
        return 1000000;
    if (machine_at_rest())
        return REST_US;
    return machine_look().pump || machine_look().valve ? BUSY_US : WIRE_US;
}

static void serve(void)
{
    struct pollfd fds[2] = {{.fd = control_in, .events = POLLIN}, {.fd = wire, .events = POLLIN}};
    long us = patience_us();
    struct timespec wait = {us / 1000000, us % 1000000 * 1000};
    int ready = ppoll(fds, 2, &wait, NULL);
    if (!paused)
        catch_up(); /* first up to now: what has come came now, not earlier */
    if (ready > 0 && fds[1].revents & (POLLIN | POLLHUP | POLLERR))
        read_wire();
    if (ready > 0 && fds[0].revents)
        read_control();
    if (!paused)
        write_wire();
}

static void leave(int signal_number)
{
    (void)signal_number;
    if (link_path)
        unlink(link_path);
    _exit(0);
}

/* Also sent when only the thread that started us has ended: then the parent is still the same. */
static void parent_gone(int signal_number)
{
    (void)signal_number;
    if (getppid() != parent)
        leave(signal_number);
}

static const char *read_arguments(int argc, char **argv)
{
    const char *firmware = NULL;
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--wire"))
            wire = atoi(next);
        else if (!strcmp(argv[i], "--control"))
            control_in = control_out = atoi(next);
        else if (!strcmp(argv[i], "--firmware"))
            firmware = next;
        else if (!strcmp(argv[i], "--link"))
            link_path = next;
        owns_pty = owns_pty || !strcmp(argv[i], "--pty") || !strcmp(argv[i], "--link");
        paused = paused || !strcmp(argv[i], "--paused");
    }
    return firmware;
}

int main(int argc, char **argv)
{
    parent = getppid();
    signal(SIGHUP, parent_gone);
    prctl(PR_SET_PDEATHSIG, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, leave);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the service; the board goes when the service has gone */
    const char *firmware = read_arguments(argc, argv);
    if (owns_pty && !open_pty()) {
        perror("pty");
        return 1;
    }
    if (!machine_open(firmware))
        return 1;
    if (wire >= 0)
        fcntl(wire, F_SETFL, O_NONBLOCK);
    rebase();
    answer_state();
    for (;;)
        serve();
}
