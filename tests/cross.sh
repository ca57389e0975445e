#!/bin/sh
# Builds for aarch64 and s390x with Debian's cross compilers, runs unit tests and case files under qemu-user, and compares
# the hash of all results with the native build's.  Installs what it needs when run as root.
#   cross.sh SOURCE BUILD
set -e
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
archs="aarch64:arm64 s390x:s390x"
jobs=$(nproc 2>/dev/null || echo 2)

missing=
for pair in $archs; do
    arch=${pair%%:*}
    command -v "$arch-linux-gnu-gcc" >/dev/null 2>&1 || missing="$missing gcc-$(echo "$arch" | tr _ -)-linux-gnu libc6-dev-${pair##*:}-cross"
    test -e "/usr/lib/$arch-linux-gnu/pkgconfig/check.pc" || missing="$missing check:${pair##*:}"
    command -v "qemu-$arch" >/dev/null 2>&1 || missing="$missing qemu-user"
done
if test -n "$missing"; then
    test "$(id -u)" = 0 || { echo "check-cross needs:$missing" >&2; exit 1; }
    for pair in $archs; do dpkg --add-architecture "${pair##*:}"; done
    log=$(mktemp)
    # shellcheck disable=SC2086
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    rm -f "$log"
fi

native=$("$build/caserun" --print-hash "$source"/tests/cases/*.mlir | grep '^hash')
echo "x86-64 or native: $native"
status=0
for pair in $archs; do
    arch=${pair%%:*}
    mkdir -p "$build/cross-$arch"
    cd "$build/cross-$arch"
    # Linked statically: qemu-user 7.2 cannot start dynamically linked s390x programs that use the stack protector.
    test -f Makefile || PKG_CONFIG_LIBDIR=/usr/lib/$arch-linux-gnu/pkgconfig EMULATOR="qemu-$arch" "$source/configure" --quiet --host="$arch-linux-gnu" \
        --disable-shared CFLAGS="-O2 -g"
    make --quiet -j"$jobs" LDFLAGS=-all-static all
    make --quiet -j"$jobs" LDFLAGS=-all-static check || status=1
    hash=$("qemu-$arch" ./caserun --print-hash "$source"/tests/cases/*.mlir | grep '^hash') || status=1
    echo "$arch: $hash"
    # The emulator's default machine has every extension; each variant, and a machine without any.
    if test "$arch" = aarch64; then
        make --quiet -j"$jobs" LDFLAGS=-all-static test_kernels
        "qemu-$arch" -cpu cortex-a53 ./test_kernels || status=1
        for cpu in portable neon fp16 bf16 dotprod; do
            variant=$("qemu-$arch" ./caserun --print-hash --cpu=$cpu "$source"/tests/cases/*.mlir | grep '^hash') || status=1
            echo "$arch, --cpu=$cpu: $variant"
            test "$variant" = "$native" || { echo "$arch, --cpu=$cpu: results differ from the native build" >&2; status=1; }
        done
    fi
    test "$hash" = "$native" || { echo "$arch: results differ from the native build" >&2; status=1; }
done
exit $status
