#!/bin/sh
# Runs a program with limits of memory and processor time, because user input may use up both.
ulimit -v 1048576 2>/dev/null
ulimit -t 5 2>/dev/null
exec "$@"
