"""Reports of perf in all the forms that it prints, made up."""

from __future__ import annotations

ROWS = (
    (60.0, "swapper", "[kernel.kallsyms]", "k", "intel_idle"),
    (25.0, "iperf3", "[kernel.kallsyms]", "k", "tcp_sendmsg_locked"),
    (15.0, "iperf3", "libc.so.6", ".", "memcpy"),
)
USER = (
    (75.0, "iperf3", "iperf3", ".", "iperf_send"),
    (25.0, "iperf3", "libc.so.6", ".", "memcpy"),
)
Rows = tuple[tuple[float, str, str, str, str], ...]


def table(event_name: str, rows: Rows = ROWS, count: int | None = 1000) -> str:
    """Return a report of an event; without a count where it is None."""
    lines = [f"# Samples: 40K of event '{event_name}'"]
    lines += [] if count is None else [f"# Event count (approx.): {count}"]
    lines += [
        "#",
        "# Overhead  Command  Shared Object      Symbol",
        "# ........  .......  .................  ......................",
        "#",
    ]
    lines += [f"{share:9.2f}%  {c:7}  {o:17}  [{w}] {s}" for share, c, o, w, s in rows]
    return "\n".join([*lines, "", ""])


CALLERS = """\
# To display the perf.data header info, please use --header/--header-only options.
#
# Total Lost Samples: 0
#
# Samples: 4K of event 'cycles:P'
# Event count (approx.): 2187200828
#
# Children      Self  Command  Shared Object      Symbol
# ........  ........  .......  .................  ......................
#
    98.00%     0.00%  swapper  [kernel.kallsyms]  [k] cpu_startup_entry
            |
            ---cpu_startup_entry
               do_idle
               |
               |--60.00%--intel_idle
               |
                --38.00%--call_cpuidle
                          100.00% of it

    60.00%    60.00%  swapper  [kernel.kallsyms]  [k] intel_idle
            |
             --60.00%--start_secondary

    30.00%    25.00%  iperf3   [kernel.kallsyms]  [k] tcp_sendmsg_locked
            |
            |--12.00%--__libc_start_main
            |          main
             --13.00%--0x7219586912f7
    15.00%    15.00%  iperf3   libc.so.6          [.] memcpy


#
# (Tip: Skip collecting build-id when recording: perf record -B)
#
"""

OLD = """\
# Events: 10K cycles
#
# Overhead  Command      Shared Object                  Symbol
# ........  .......  .................  ......................
#
    60.00%  swapper  [kernel.kallsyms]  [k] intel_idle
            |
            --- intel_idle
                cpuidle_idle_call
                |
                |--99.99%-- start_secondary
                 --0.01%-- [...]

    25.00%   iperf3  [kernel.kallsyms]  [k] tcp_sendmsg_locked
    15.00%   iperf3  libc.so.6          [.] memcpy
"""

FLAT = """\
# Samples: 4K of event 'cycles'
# Children      Self  Command  Shared Object      Symbol
# ........  ........  .......  .................  ......................
    60.00%    60.00%  swapper  [kernel.kallsyms]  [k] intel_idle
                0.78%
                    _start
                    __libc_start_main
    25.00%    25.00%  iperf3   [kernel.kallsyms]  [k] tcp_sendmsg_locked
24.50% main;send;tcp_sendmsg_locked
0.50% [unknown];tcp_sendmsg_locked
    15.00%    15.00%  iperf3   libc.so.6          [.] memcpy
"""

SEPARATED = """\
# Samples: 8K of event 'cpu_core/cycles/'
# Children,    Self,     Samples,Command,Shared Object,Symbol
 99.00% , 60.00%  , 795        ,swapper,[kernel.kallsyms],[k] intel_idle
 62.64% , 25.00% , 3129       ,iperf3 ,[kernel.kallsyms],[k] tcp_sendmsg_locked
 15.00% , 15.00%  , 763        ,iperf3 ,libc.so.6,[.] memcpy
"""

MESSAGES = f"""\
[ perf record: Woken up 1 times to write data ]
[ perf record: Captured and wrote 0.600 MB perf.data (4012 samples) ]
Warning:
Processed 51208 events and lost 3 chunks!

Check IO/CPU overload!

WARNING: Kernel address maps (/proc/{{kallsyms,modules}}) are restricted,
check /proc/sys/kernel/kptr_restrict and /proc/sys/kernel/perf_event_paranoid.

[kernel.kallsyms] with build id 2f91a3 not found, continuing without symbols
# To display the perf.data header info, please use --header/--header-only options.
{table("cycles")}"""

ELIDED = """\
# comm: iperf3
# Samples: 4K of event 'task-clock:ppp'
# Event count (approx.): 4000000
#
# Overhead  Shared Object      Symbol
# ........  .................  ......................
#
    60.00%  [kernel.kallsyms]  [k] intel_idle
    40.00%  libc.so.6          [.] memcpy
"""

MORE_COLUMNS = """\
# Samples: 4K of event 'cycles'
# Overhead       Samples  CPU      Pid:Command  Shared Object      Symbol                      IPC
# ........  ............  ...  ..............  .................  ..........................  ....
    60.00%          2400  000        0:swapper  [kernel.kallsyms]  [k] intel_idle              -
    25.00%          1000  001     1234:iperf3   [kernel.kallsyms]  [k] tcp_sendmsg_locked      1.20
    15.00%           600  001     1235:iperf3   libc.so.6          0xa77cd  B [.] memcpy       -
"""

GROUP = """\
# Samples: 4K of event 'anon group { instructions, cycles }'
# Event count (approx.): 9000
#
#         Overhead  Command  Shared Object      Symbol
# ................  .......  .................  ......................
#
     1.00%  60.00%  swapper  [kernel.kallsyms]  [k] intel_idle
            |
            ---start_secondary
               do_idle
    69.00%  25.00%  iperf3   [kernel.kallsyms]  [k] tcp_sendmsg_locked
    30.00%  15.00%  iperf3   libc.so.6          [.] memcpy
"""

FORMS = (
    table("cycles"), CALLERS, OLD, FLAT, SEPARATED, MESSAGES, ELIDED, MORE_COLUMNS, GROUP,
    table("cycles:u", USER) + table("cycles:k"),
)  # fmt: skip
