# SPDX-License-Identifier: GPL-2.0-only
#
# One GridFTP chunk in ns-2: N parallel Agent/TCP/Reno connections over a dumbbell.
#
#             access             bottleneck             access
#   client ------------ router ============== router ------------ server
#   N senders           DropTail(limit)                            N sinks, an ACK per segment
#
# Usage: ns chunk.tcl [KEY VALUE]...      Prints one line of JSON.
#
#   n                  8       parallel connections
#   chunk              1e8     bytes of the chunk, dealt evenly; each share in whole segments
#   bandwidth          1e8     bottleneck, bit/s                  delay         0.010   s, one way
#   limit              101     ns-2's limit_ of the bottleneck, packets: one less can wait
#   access-bandwidth   1e10    bit/s                              access-delay  10e-6   s, one way
#   access-limit       100000  packets: never the place of a loss
#   jitter             0       s; each connection starts uniformly in [0, jitter)
#   run                1       replication: its jitter and clock phases are the run-th substream
#   syn                0       1: ns-2's SYN exchange, one round trip, before the data
#   tcp                Reno    sender: Reno or Newreno
#   stop               10000   s of simulated time after which the run has failed
#   NAME_              -       any variable of Agent/TCP (see ns-default.tcl), e.g. bugFix_ false
#
# Expect (README.md): goodput of N W / R while N W / R is under the bottleneck (N = 1, 2, 4; no
# drops), 86 to 95 Mbit/s with losses at N = 8. Goodput counts file bytes from time 0 to the last
# connection's last ACK, in bit/s.

array set par {
    n 8 chunk 1e8 bandwidth 1e8 delay 0.010 limit 101 access-bandwidth 1e10 access-delay 10e-6
    access-limit 100000 jitter 0 run 1 syn 0 tcp Reno stop 10000
}

proc fail {status text} {
    puts stderr "chunk.tcl: $text"
    exit $status
}

proc check {key value test allowed} {
    if {![expr $test]} { fail 2 "$key: $value is not allowed ($allowed)" }
}

# What the comparison fixes; everything else keeps the default of ns-2 2.35.
Agent/TCP set window_ 44;              # 64 KiB / 1460 byte, whole segments
Agent/TCP set packetSize_ 1460;        # payload; tcpip_base_hdr_size_ (40 byte) is added to it
Agent/TCP set windowInit_ 2
Agent/TCP set minrto_ 0.2
Agent/TCP set overhead_ 0

if {$argc % 2} { fail 2 "[lindex $argv end] has no value (options are pairs: KEY VALUE)" }
foreach {key value} $argv {
    if {[string match {*_} $key] && ![catch {Agent/TCP set $key} default]} {
        if {[string is double -strict $default]} {
            check $key $value {[string is double -strict $value]} "a number"
        } else {
            check $key $value {[string is boolean -strict $value]} "true or false"
        }
        Agent/TCP set $key $value
    } elseif {[info exists par($key)]} {
        set par($key) $value
    } else {
        fail 2 "$key is not an option ([lsort [array names par]], or one of Agent/TCP's)"
    }
}
foreach key {n run limit access-limit} {
    check $key $par($key) {[string is integer -strict $value] && $value > 0} "a whole number from 1"
}
foreach key {chunk bandwidth access-bandwidth stop} {
    check $key $par($key) {[string is double -strict $value] && $value > 0 && $value < 1e12} \
        "a number over 0 and under 1e12"
}
foreach key {delay access-delay jitter} {
    check $key $par($key) {[string is double -strict $value] && $value >= 0 && $value < 1e6} \
        "a number from 0 and under 1e6"
}
check syn $par(syn) {$value eq "0" || $value eq "1"} "0 or 1"
check tcp $par(tcp) {$value eq "Reno" || $value eq "Newreno"} "Reno or Newreno"

# With delay_growth_ the ACK of segment 0, meant to be the SYN's, sets cwnd to windowInit_. Where
# segment 0 is data that takes away the growth it earned: 2, 3, 6 instead of 2, 4, 8 segments.
Agent/TCP set syn_ $par(syn)
if {[lsearch $argv delay_growth_] < 0} { Agent/TCP set delay_growth_ $par(syn) }

remove-all-packet-headers
add-packet-header IP TCP Flags
set ns [new Simulator]
# No seed for each replication: consecutive seeds of ns-2's generator, which is linear, give draws
# in arithmetic progression, so replications that are not independent.
set draws [new RNG]
for {set i 0} {$i < $par(run)} {incr i} {
    $defaultRNG next-substream
    $draws next-substream
}

foreach node {client left right server} { set $node [$ns node] }
Queue set limit_ $par(access-limit)
$ns duplex-link $client $left $par(access-bandwidth) $par(access-delay) DropTail
$ns duplex-link $right $server $par(access-bandwidth) $par(access-delay) DropTail
$ns duplex-link $left $right $par(bandwidth) $par(delay) DropTail
$ns queue-limit $left $right $par(limit)
$ns queue-limit $right $left $par(limit)

# Count drops where they happen, at no cost to packets that pass.
proc count-drops {from to} {
    global ns
    set monitor [new QueueMonitor]
    set snoop [new SnoopQueue/Drop]
    $snoop set-monitor $monitor
    $snoop target [$ns set nullAgent_]
    [[$ns link $from $to] queue] drop-target $snoop
    return $monitor
}
set drops [count-drops $left $right]
set ackDrops [count-drops $right $left]

set segments [expr int(ceil(double($par(chunk)) / $par(n) / [Agent/TCP set packetSize_]))]
for {set i 0} {$i < $par(n)} {incr i} {
    set tcp($i) [new Agent/TCP/$par(tcp)]
    $tcp($i) set fid_ $i
    set sink($i) [new Agent/TCPSink]
    $ns attach-agent $client $tcp($i)
    $ns attach-agent $server $sink($i)
    $ns connect $tcp($i) $sink($i)
    set ftp($i) [new Application/FTP]
    $ftp($i) attach-agent $tcp($i)
    set start($i) [expr $par(jitter) * [$draws uniform 0 1]]
    $ns at $start($i) "$ftp($i) produce $segments"
    set index($tcp($i)) $i
}

set running $par(n)
Agent/TCP instproc done {} {
    global ns finish index running
    set finish($index($self)) [$ns now]
    # A second more lets what is still on its way arrive, so that the counters are complete.
    if {[incr running -1] == 0} { $ns at [expr [$ns now] + 1] report }
}

proc numbers {name count} {
    upvar $name values
    set out {}
    for {set i 0} {$i < $count} {incr i} { lappend out [format %.9f $values($i)] }
    return \[[join $out ", "]\]
}

proc report {} {
    global par segments tcp start finish drops ackDrops wall
    set wall [expr ([clock clicks -microseconds] - $wall) / 1e6]
    set last 0
    foreach {resent timeouts} {0 0} {}
    set sent [expr -$par(n) * $par(syn)]
    for {set i 0} {$i < $par(n)} {incr i} {
        if {$finish($i) > $last} { set last $finish($i) }
        incr sent [$tcp($i) set ndatapack_]
        incr resent [$tcp($i) set nrexmitpack_]
        incr timeouts [$tcp($i) set nrexmit_]
    }
    set total [expr $segments * $par(n)]
    puts [format {{"n": %d, "run": %d, "goodput_bps": %.3f, "duration_s": %.9f, "segments": %d,\
        "sent": %d, "retransmissions": %d, "timeouts": %d, "drops": %d, "ack_drops": %d,\
        "start_s": %s, "finish_s": %s, "wall_s": %.4f, "wall_ns_per_segment": %.1f}} \
        $par(n) $par(run) [expr 8.0 * $par(chunk) / $last] $last $total $sent $resent $timeouts \
        [$drops set pdrops_] [$ackDrops set pdrops_] [numbers start $par(n)] \
        [numbers finish $par(n)] $wall [expr 1e9 * $wall / $total]]
    exit 0
}

$ns at $par(stop) {fail 1 "not done after $par(stop) s of simulated time"}
set wall [clock clicks -microseconds]
$ns run
