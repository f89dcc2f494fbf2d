"""Run argv[1:] in a terminal of 65535 x 65535 characters, press q when it has drawn, and end with its exit status; 128 and more if a
signal ended it, 99 if it did not end. With RESIZE=1 the terminal has 100 x 30 characters, becomes as large when these are drawn, and q is
pressed when all is drawn again; with RESIZE=at-once q does not wait for that, as nothing is drawn again where LINES is set."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

resize = os.environ.get("RESIZE")


def size(wide, high):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))


ready, go = os.pipe()
process, terminal = pty.fork()
if process == 0:
    os.read(ready, 1)
    os.execvp(sys.argv[1], sys.argv[1:])
size(100, 30) if resize else size(65535, 65535)
os.write(go, b"x")
seen = b""
pressed = False
end = time.time() + 240
while time.time() < end:
    if select.select([terminal], [], [], 0.2)[0]:
        try:
            seen = (seen + os.read(terminal, 65536))[-100000:]
        except OSError:
            break
    if not pressed and b"quit" in seen:  # of the footer
        if resize:
            size(65535, 65535)
        if resize == "1":
            resize, seen = None, b""
            continue
        pressed = True
        os.write(terminal, b"q")
for _ in range(100):
    ended, status = os.waitpid(process, os.WNOHANG)
    if ended:
        print(status, len(seen))
        sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
    time.sleep(0.1)
os.kill(process, 9)
sys.exit(99)
