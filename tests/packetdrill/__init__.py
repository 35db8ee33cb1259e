"""Runs scripts of packetdrill on the Linux stack: `./gridftp test --packetdrill DIR`.

The format is that of https://github.com/google/packetdrill (Cardwell et al., USENIX ATC 2013), in
which the TCP tests of Linux are written: what an application and a remote host do, and which
segments the stack under test sends, each with its time. Here the stack is `LinuxSocket` of core/,
which `gridftp-linux-drill` runs under virtual time.
"""
