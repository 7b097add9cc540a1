#!/bin/sh
# Run as the one who sits before the screen, which is none: says what the kiosk does, a word to a line.
set -u
export XDG_RUNTIME_DIR="$HOME/run" STATE_DIRECTORY="$HOME/state" RUNTIME_DIRECTORY="$HOME/run"
export WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 LIBSEAT_BACKEND=noop
export WAYLAND_DISPLAY=wayland-0 DIGSIDE_DARK_AFTER=20
mkdir -m 0700 -p "$XDG_RUNTIME_DIR"
cage -d -- /opt/digside/kiosk >"$HOME/log" 2>&1 &

until_so() {
    for _ in $(seq 240); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.5
    done
    echo "not: $*"
    tail -3 "$HOME/log"
    exit 1
}

browser() {
    pgrep -f '^/usr/lib/chromium/chromium .*--kiosk' | head -1
}

# a page has many colours; a screen without one has hardly any
shown() {
    [ "$(grim -t ppm - | head -c 400000 | tail -c 300000 | od -An -v -tu1 -w3 | sort -u | wc -l)" -gt 20 ]
}

lit() {
    wlr-randr | grep -q "Enabled: $1"
}

until_so shown && echo shown
before=$(browser)
kill -9 "$before"
until_so sh -c "kill -0 $before && exit 1; exit 0"
until_so shown && echo again
until_so lit no && echo dark
wtype a
until_so lit yes && echo lit
