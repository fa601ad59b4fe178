# dslc notebook --watch: the page follows the files; clients of all sorts do not disturb it; it ends when asked to.
. "$ROOT/tests/script/lib.inc"
command -v curl >/dev/null || exit 0
XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp
export XDG_CACHE_HOME TMPDIR
mkdir tmp
fail() { echo "$1"; exit 1; }
get() { curl -s -m 5 "$@"; }
# Waits until the page has a text
shows() {
    for _ in $(seq 100); do
        get $url | grep -qF -e "$1" && return
        sleep 0.2
    done
    echo "the page does not show: $1"
    get $url | sed '/<style>/,/<\/style>/d'
    exit 1
}
status() { [ "$(get -o /dev/null -w '%{http_code}' "$@")" = "$want" ] || fail "not $want: $*"; }
end() { # of what timeout runs nothing is left
    pkill -KILL -P $1 || :
    kill -9 $1 2>/dev/null || :
}
gone() { # the process has ended by itself
    for _ in $(seq 50); do
        kill -0 $1 2>/dev/null || return 0
        sleep 0.1
    done
    end $1
    fail "it does not end"
}

echo 'fn twice(x: f64) -> f64 = 2.0 * x' >half.dsl
cat >a.dsl <<'E'
# %% [markdown]
# # Watched
# %%
import "half.dsl"
print("twice", twice(21.0))
E
timeout 250 "$DSLC" notebook --watch a.dsl >log 2>&1 &
server=$!
second=
trap 'end $server; [ -z "$second" ] || end $second' EXIT
for _ in $(seq 50); do [ -s log ] && break; sleep 0.1; done
url=$(sed -n 's/^\(http[^ ]*\) .*/\1/p' log)
[ -n "$url" ] || { cat log; fail "no address"; }
port=${url##*:}
port=${port%/}

# ---- the page and what it follows
shows "twice 42.0"
curl -sN -m 240 ${url}events >events &
reader=$!
sed -i 's/21.0/11.0/' a.dsl
shows "twice 22.0"
echo 'fn twice(x: f64) -> f64 = 4.0 * x / 2.0 + 1.0' >half.dsl
shows "twice 23.0"
echo 'let y = 1 +' >>a.dsl
shows "E0101"
shows 'class="error"'
sed -i '$d' a.dsl
echo '# %% {unknown}' >>a.dsl
shows "E0760"
sed -i '$d' a.dsl
shows "twice 23.0"
# A file that a run writes is no news; one that it reads is.
echo 'save("own.npy", zeros(f64, 2))' >>a.dsl
"$DSLC" run --no-tune a.dsl >/dev/null
echo 'print("sum", sum(f64(load("own.npy"))))' >>a.dsl
rm a.dsl && sleep 0.5
cat >a.dsl <<'E'
let z: f64[n] = load("data.npy")
print("sum", sum(z), "of", n)
save("own.npy", z)
E
printf 'save("data.npy", ones(f64, 3))\n' >make.dsl
"$DSLC" run make.dsl
shows "sum 3.0 of 3"
sleep 1
before=$(grep -c ready events)
sleep 1.5
[ "$(grep -c ready events)" = "$before" ] || fail "it runs again and again"
printf 'save("data.npy", ones(f64, 5))\n' >make.dsl
"$DSLC" run make.dsl
shows "sum 5.0 of 5"
# What is not there yet, or no longer, and is made: data, and an import
rm data.npy
shows "E0610"
"$DSLC" run make.dsl
shows "sum 5.0 of 5"
printf 'import "later.dsl"\nlet r: f64[n] = load("later.npy")\nprint("sum", sum(r) + more)\n' >a.dsl
shows "E0258"
echo 'const more = 0.5' >later.dsl
shows "E0610"
mv data.npy later.npy
shows "sum 5.5"
rm later.dsl
shows "E0258"
echo 'const more = 1.5' >later.dsl
shows "sum 6.5"
# A name that is made while it runs, not there at first; what changes after it was loaded, while the run goes on
printf 'let k = 1\nlet z: f64[n] = load(f"z{k}.npy")\nprint("n", n)\n' >a.dsl
shows "E0610"
printf 'save("z1.npy", ones(f64, 4))\n' >make.dsl
"$DSLC" run make.dsl
shows "n 4"
printf 'save("z1.npy", ones(f64, 7))\n' >make.dsl
"$DSLC" run make.dsl
shows "n 7"
sed 's/7/9/' make.dsl >nine.dsl
"$DSLC" build nine.dsl -o nine
cat >a.dsl <<'E'
let z: f64[n] = load(f"z{1}.npy")
save("loaded.npy", z)
# %%
var k = 0
while k < 1000000000 and n == 7 { k = k + 1 + k % 2 }
print("in the end", n, k > 0)
E
for _ in $(seq 100); do [ -s loaded.npy ] && break; sleep 0.1; done
./nine
shows "in the end 9 false"
# A script that goes and comes back
rm a.dsl
shows "E0701"
printf 'print("back", 2)\n' >a.dsl
shows "back 2"
# What runs for ever is stopped when the script changes.
printf 'var k = 0\nwhile k >= 0 { k = 1 - k }\n' >a.dsl
sleep 1.5
grep -q 'event: running' events || fail "the reader was not told"
printf 'print("short", 1)\n' >a.dsl
shows "short 1"

# ---- requests that are none
want=404
status ${url}x
status $url/events
want=405
status -X POST -d x=1 $url
status -I -X HEAD $url
want=403
status -H 'Host: example.org' $url
status -H "Host: 127.0.0.1" $url
status -H 'Host:' $url
want=200
status -H "Host: LOCALHOST:$port" $url
want=431
status -H "X: $(head -c 9000 /dev/zero | tr '\0' x)" $url
if command -v bash >/dev/null; then
    cat >raw.sh <<'E'
port=$1
ask() { exec 3<>/dev/tcp/127.0.0.1/$port; printf "$1" >&3; timeout 5 head -c 12 <&3; exec 3>&-; }
[ "$(ask 'GARBAGE\r\n\r\n')" = "HTTP/1.1 400" ] || echo "garbage"
[ "$(ask 'GET / HTTP/1.1\r\n\r\n')" = "HTTP/1.1 403" ] || echo "no host"
[ "$(ask '\0\1\2\r\n\r\n')" = "HTTP/1.1 400" ] || echo "bytes"
[ "$(ask "GET / HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nHost: x\r\n\r\n")" = "HTTP/1.1 403" ] || echo "two hosts"
# Many that say nothing or half of something, and one that does not read
for i in $(seq 100); do
    exec {fd}<>/dev/tcp/127.0.0.1/$port
    printf 'GET / HT' >&$fd
done
[ "$(ask "GET / HTTP/1.1\r\nHost: localhost:$port\r\n\r\n")" = "HTTP/1.1 200" ] || echo "not served beside idle ones"
E
    bash raw.sh $port >raw 2>&1
    [ ! -s raw ] || { cat raw; exit 1; }
fi
shows "short 1"

# ---- ports
expect 1 "E0768" timeout 10 "$DSLC" notebook --watch a.dsl --port=$port
expect 2 "E0704" timeout 10 "$DSLC" notebook --watch a.dsl --port=70000
expect 2 "E0704" timeout 10 "$DSLC" notebook --watch a.dsl half.dsl
timeout 60 "$DSLC" notebook --watch half.dsl >log2 2>&1 &
second=$!
for _ in $(seq 300); do [ -s log2 ] && break; sleep 0.1; done
! grep -qF "$url" log2 || fail "two servers at one port"
kill -INT $second # timeout passes it on
gone $second
second=

# ---- the end, in the middle of a run too
printf 'var k = 0\nwhile k >= 0 { k = 1 - k }\n' >a.dsl
sleep 1
kill -INT $server
gone $server
wait $reader 2>/dev/null || :
# (A cell that is stopped while it is being compiled leaves its C.)
[ -z "$(find tmp -mindepth 1 -empty -type d)" ] || { ls -lR tmp; fail "folders are left behind"; }
