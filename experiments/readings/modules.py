"""Which part of the host model a function of a real host belongs to: one table, `RULES`.

The parts are those whose CPU time a result tells under ``sessions[].host``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from .perf_report import PerfReport, Row

DRIVER = "driver"
TCP = "tcp"
APPLICATION = "application"
FILE_SYSTEM = "file_system"
RPC = "rpc"

MODULES = (APPLICATION, TCP, DRIVER, FILE_SYSTEM, RPC)
"""In the order in which they are told."""

OTHER = "other"
"""What has nothing to do with transfers: other programs, and the kernel on their behalf."""

IDLE = "idle"
"""A core that waits, which a clock samples, too."""

PROGRAMS = re.compile(r"globus-.*|uberftp|iperf3?(:.*)?|nuttcp|netperf|netserver")
"""The programs that transfer, by the first 15 characters of their names. A simulation that runs
beside them, of gridftp-transfer, is none."""

KERNEL_THREADS = re.compile(r"swapper(/\d+)?|ksoftirqd/\d+|irq/.*|napi/.*|kworker/.*|nfsd|kswapd.*")
"""Threads in which the kernel works for whoever waits for it, and whatever core is idle."""


@dataclass(frozen=True)
class Rule:
    """A row of the table: what matches all that is given belongs to the module.

    Attributes:
        module: of the model, `OTHER` or `IDLE`.
        object: pattern of the whole name of the shared object.
        symbol: pattern of the whole name of the function.
        command: pattern of the whole name of the program.
        why: what it is about.
    """

    module: str
    object: str = ".*"
    symbol: str = ".*"
    command: str = ".*"
    why: str = ""


_OURS = f"{PROGRAMS.pattern}|{KERNEL_THREADS.pattern}"
_KERNEL = r"\[.*\]"

RULES = (
    Rule(
        IDLE,
        symbol=r"(default_idle|intel_idle|acpi_idle|mwait_idle|cpuidle|cpu_idle|do_idle|poll_idle)"
        r".*|acpi_processor_ffh_cstate_enter|(pv_)?native_safe_halt|arch_cpu_idle"
        r"|mwait_idle_with_hints.*|io_idle",
        command=r"swapper(/\d+)?",
        why="a core has nothing to do",
    ),
    Rule(
        RPC,
        object=r"\[(sunrpc|rpcrdma|auth_rpcgss|rpcsec_gss_krb5)\]",
        why="remote procedure calls, module sunrpc",
    ),
    Rule(
        RPC,
        object=_KERNEL,
        symbol=r"_*(rpc|rpcb|xprt|xs|xdr|svc|gss)_.*",
        why="the same, built into the kernel",
    ),
    Rule(
        FILE_SYSTEM,
        object=r"\[(nfsv?[0-9]*|nfsd|lockd|grace|mbcache|jbd2|ext[234]|xfs|btrfs|zfs|fuse|ceph|libceph"
        r"|lustre|osc|lov|ptlrpc|gpfs|mmfs.*|cifs|fscache|netfs|cachefiles|nvme(_core)?|sd_mod"
        r"|scsi_mod|libata|ahci|virtio_blk|dm_mod|md_mod|raid[0-9]+)\]",
        why="file systems and disks, modules of their own",
    ),
    Rule(
        FILE_SYSTEM,
        object=_KERNEL,
        symbol=r"_*(nfs[34d]?|ext4|jbd2|mb_cache|xfs|btrfs|iomap|vfs|generic_(file|perform)|filemap"
        r"|page_cache|readahead|force_page_cache|blk|bio|submit_bio|virtblk|block|balance_dirty"
        r"|writeback|wb|do_writepages|write_cache_pages|mpage|shmem|truncate|splice|kiocb|fsnotify"
        r"|folio_(mark|wait|end|start|clear|account)|copy_(page|folio)_from_iter)(_.*|$)",
        command=_OURS,
        why="the same, built into the kernel, and the page cache",
    ),
    Rule(
        DRIVER,
        object=r"\[(tg3|bnx2x?|bnxt_en|e1000e?|igb|igc|ixgbe(vf)?|i40e|iavf|ice|mlx[45]_(core|en)"
        r"|myri10ge|cxgb4|be2net|qede|sfc|r8169|atlantic|ena|gve|virtio_net|vmxnet3|hv_netvsc"
        r"|xen_netfront|veth|bonding|bridge|8021q|tun|macvlan|sch_.*)\]",
        why="drivers of network interfaces and what they stand on",
    ),
    Rule(
        DRIVER,
        object=_KERNEL,
        symbol=r"_*(napi|net_rx|net_tx|netif|netdev|dev_(gro|hard|queue|forward|kfree)|gro|skb_gro"
        r"|inet6?_gro|tcp[46]?_gro|process_backlog|enqueue_to_backlog|eth|virtnet|veth|sch|qdisc"
        r"|pfifo|fq|fq_codel|validate_xmit|xmit|get_rps_cpu|rps|handle_irq|handle_edge_irq"
        r"|handle_softirqs|do_softirq|irq_(enter|exit)|common_interrupt|asm_common_interrupt)(_.*|$)",
        why="interrupts, queues in and out, GRO",
    ),
    Rule(
        TCP,
        object=r"\[(tcp_.*|nf_.*|nft_.*|ip6?_tables|x_tables|xt_.*|iptable_.*|ipv6)\]",
        why="congestion controls and what else looks at each segment",
    ),
    Rule(
        TCP,
        object=_KERNEL,
        symbol=r"_*(tcp|tcpv?[46]?|ip6?|ipv[46]|inet6?|cubictcp|bictcp|bbr|htcp|nf|ipt|raw_local)_.*",
        why="TCP and IP, in whose time ever they run",
    ),
    Rule(
        TCP,
        object=_KERNEL,
        symbol=r"_*(sk|skb|sock|kfree_skb|kfree_skbmem|consume_skb|alloc_skb|build_skb|copy_skb"
        r"|napi_alloc_skb|csum|lock_sock|release_sock|(simple_)?copy_(to|from)_(iter|user)|copyin"
        r"|copyout|copy_user|rep_movs|do_csum|check_object_size|zerocopy)(_.*|$)",
        command=_OURS,
        why="socket buffers, and copies between them and the application; those between page cache "
        "and application have the same names",
    ),
    Rule(
        TCP,
        object=_KERNEL,
        symbol=r"_*(kmem_cache|kmalloc|kfree|slab|allocate_slab|get_netmem|page_(pool|frag)"
        r"|pi_memcpy|refill_obj_stock)(_.*|$)",
        command=_OURS,
        why="memory of socket buffers; programs that move blocks ask for hardly any other",
    ),
    Rule(
        DRIVER,
        object=_KERNEL,
        symbol=r"_*(native_write_msr|x2apic|native_send_call|native_smp_send|smp_call|asm_sysvec_call"
        r"|sysvec_call|flush_smp_call|generic_smp_call)(_.*|$)",
        command=_OURS,
        why="interrupts between cores, by which packets are handed over",
    ),
    Rule(
        DRIVER,
        object=_KERNEL,
        command=r"ksoftirqd/\d+|irq/.*|napi/.*|swapper(/\d+)?",
        why="what else the kernel does while it takes packets from interfaces",
    ),
    Rule(
        FILE_SYSTEM,
        object=_KERNEL,
        command=r"nfsd|kworker/.*(writeback|blk|nfs|xfs|dio).*|kswapd.*",
        why="what else the kernel does while it writes and serves files",
    ),
    Rule(
        APPLICATION,
        command=PROGRAMS.pattern,
        why="the program itself, its libraries, system calls, scheduling, locks, memory",
    ),
    Rule(OTHER, why="all else"),
)
"""The first rule that matches has the say."""


@dataclass(frozen=True)
class Shares:
    """How the busy time of a host falls into parts; all together are 1.

    Attributes:
        modules: share of each of `MODULES`.
        other: share of what has nothing to do with transfers.
    """

    modules: Mapping[str, float] = field(default_factory=dict)
    other: float = 0.0


def module_of(row: Row) -> str:
    """Return the module of a function, `OTHER` or `IDLE`."""
    return _module_of(row.object, row.symbol, row.command)


def shares(report: PerfReport) -> Shares:
    """Return the modules' shares of the time in which the cores were busy."""
    sums = dict.fromkeys((*MODULES, OTHER, IDLE), 0.0)
    for row in report.rows:
        sums[module_of(row)] += row.share
    busy = sum(sums.values()) - sums[IDLE]
    if busy <= 0:
        return Shares(dict.fromkeys(MODULES, 0.0), 0.0)
    return Shares({name: sums[name] / busy for name in MODULES}, sums[OTHER] / busy)


@cache
def _module_of(where: str, symbol: str, command: str) -> str:
    return next(
        rule.module
        for rule in RULES
        if re.fullmatch(rule.object, where)
        and re.fullmatch(rule.symbol, symbol)
        and re.fullmatch(rule.command, command)
    )
