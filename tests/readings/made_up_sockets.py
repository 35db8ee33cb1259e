"""The output of ss in the forms that people have: of one connection, always the same."""

from __future__ import annotations

HEADER = "State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n"
ENTRY = "ESTAB 0      2896     192.0.2.1:5000     198.51.100.2:6000"
INFO = (
    "cubic wscale:7,7 rto:304 rtt:101.5/0.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 "
    "cwnd:120 ssthresh:90 bytes_sent:5001448 bytes_retrans:1448 bytes_acked:5000000 "
    "segs_out:3500 segs_in:1800 data_segs_out:3499 send 13.7Mbps lastsnd:8 lastrcv:2000 "
    "pacing_rate 16.4Mbps delivery_rate 28.5Mbps delivered:3400 app_limited busy:2000ms "
    "rwnd_limited:500ms(25.0%) sndbuf_limited:20ms(1.0%) unacked:2 retrans:0/1 rcv_space:14480 "
    "rcv_ssthresh:64088 notsent:0 minrtt:100.1 snd_wnd:64128"
)
LATER = INFO.replace("acked:5000000", "acked:17500000").replace("cwnd:120", "cwnd:240")

NETID = f"""\
Netid State  Recv-Q Send-Q  Local Address:Port   Peer Address:Port  Process
nl    UNCONN 0      0                rtnl:kernel            *
u_str ESTAB  0      0      /run/systemd/journal/stdout 23456     * 23457 users:(("a",pid=1,fd=3))
icmp6 UNCONN 0      0              *:ipv6-icmp             *:*     ino:3 sk:4
udp   ESTAB  0      0      192.0.2.1%eth0:68     192.0.2.254:67    uid:0 ino:1 sk:2 cgroup:/x <->
\t skmem:(r0,rb212992,t0,tb212992,f0,w0,o0,bl0,d0)
tcp   LISTEN 0      128      0.0.0.0:22            0.0.0.0:*       ino:9 sk:5 cgroup:/ssh <->
\t cubic cwnd:10
tcp   {ENTRY} uid:1000 ino:4242 sk:1001 cgroup:/user.slice <->
\t ts sack {INFO}
"""

FORMS = {
    "ss -tin": f"{HEADER}{ENTRY}\n\t {INFO}\n",
    "ss -ein": NETID,
    "ss -tinH": f"{ENTRY}\n\t {INFO}\n",
    "ss -tinO": f"{HEADER}{ENTRY} {INFO}\n",
    "ss -tinQ": f"State Local Address:Port Peer Address:Port\n"
    f"ESTAB 192.0.2.1:5000 198.51.100.2:6000\n\t {INFO}\n",
    "ss -tinm": f"{HEADER}{ENTRY}\n\t skmem:(r0,rb131072,t0,tb87040,f0,w0,o0,bl0,d0) {INFO}\n",
    "ss -tinpo": f'{HEADER}{ENTRY} users:(("tmux: rtt:9",pid=12,fd=5)) timer:(on,200ms,0)\n'
    f"\t {INFO}\n",
    "ss -tinp, columns of old": f"State Recv-Q Send-Q Local Address:Port Peer Address:Port\n"
    f'{ENTRY}   users:(("iperf3",1234,5)) timer:(keepalive,1min3sec,0) uid:5 ino:6 sk:ffff88003\n'
    f"\t mem:(r0,w0,f0,t0) {INFO}\n",
    "ss -tin state established": f"Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n"
    f"0      2896   192.0.2.1:5000     198.51.100.2:6000\n\t {INFO}\n",
    "ss -in state established": f"Netid Recv-Q Send-Q Local Address:Port Peer Address:Port\n"
    f"u_str 0 0 * 123 * 124\n"
    f"tcp   0      2896   192.0.2.1:5000     198.51.100.2:6000\n\t {INFO}\n",
    "ss -Htin state established": f"0 2896 192.0.2.1:5000 198.51.100.2:6000\n\t {INFO}\n",
    "grep -A1": f"--\n{ENTRY}\n\t {INFO}\n--\n",
    "grep -n -A1": f"12:{ENTRY}\n13-\t {INFO}\n",
    "watch": f"Every 1.0s: ss -tin   host.example: Thu Jan 15 13:00:00 2026\n\n"
    f"{HEADER}{ENTRY}\n\t {INFO}\n",
    "a session": f"user@host:~$ ss -tin dst 198.51.100.2:6000\n{HEADER}{ENTRY}\n\t {INFO}\n"
    "user@host:~$ exit\n",
    "root's session": f"[root@host ~]# ss -tin\n{HEADER}{ENTRY}\n\t {INFO}\n[root@host ~]# \n",
    "a script's words": f"to 198.51.100.2:6000 ...\n=== 198.51.100.2:6000\n"
    f"{HEADER}{ENTRY}\n\t {INFO}\n"
    "Script done on 2026-01-15 13:00:00+00:00\n",
    "set -x": f"+ ss -tin\n{HEADER}{ENTRY}\n\t {INFO}\n+ sleep 1\n",
    "colours": f"{HEADER}\x1b[32m{ENTRY}\x1b[0m\n\t {INFO}\n",
    "spaces for tabs": f"{HEADER}{ENTRY}\n         {INFO}\n",
    "information in two lines": f"{HEADER}{ENTRY}\n\t {INFO[:220]}\n\t {INFO[220:]}\n",
    "addresses in two lines": f"{HEADER}ESTAB 0      2896     192.0.2.1:5000\n"
    f"198.51.100.2:6000\n\t {INFO}\n",
}
"""By the command or what was around it."""
