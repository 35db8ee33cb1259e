import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="GridFTP laboratory")

with app.setup(hide_code=True):
    import sys
    from pathlib import Path

    import marimo as mo
    import numpy as np
    import pandas as pd

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from analysis.drawing import style
    from lab import controls, launcher


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How many parallel TCP connections?

    A GridFTP client transfers a file in chunks, each over $N$ parallel TCP connections. After every
    chunk it may choose another $N$. In this notebook you change a scenario and see the effect on
    $N$ and on the goodput. All numbers come from `./gridftp run` and `./gridftp optimum`; the
    command line above each figure gives the same numbers.

    This is a marimo notebook. `./gridftp lab --notebook` installs all that it needs and opens it.
    The cells run automatically when it opens and whenever you move a control.
    """)
    return


@app.cell
def _():
    # Names, defaults, ranges and help are the program's own.
    table = controls.asked(launcher.describe)
    mode = controls.control(table["mode"])
    # What the slider of N sets: every chunk's, or the first one's.
    count = controls.control(table["parallelism"], table["initial-parallelism"])
    shown = ("bandwidth", "delay", "window", "queue")
    settings = mo.ui.dictionary({name: controls.control(table[name]) for name in shown})
    # python lab/notebook.py --mode=aimd --file-size=1GB
    given = {name: str(value) for name, value in mo.cli_args().to_dict().items()}
    more = mo.ui.text(
        value=" ".join(launcher.words(given)),
        placeholder="--tcp=newreno --random-loss=0.0001",
        label="further options (they override the controls)",
        full_width=True,
    )
    mo.vstack([mo.md("## The scenario"), mode, count, *settings.values(), more])
    return count, mode, more, settings, table


@app.cell
def _(count, mode, more, settings, table):
    typed = controls.asked(launcher.parse, more.value)
    fixed = typed.get("mode", mode.value) == "fixed"
    count_name = "parallelism" if fixed else "initial-parallelism"
    values = {"mode": mode.value, count_name: count.value, **settings.value}
    texts = {name: controls.text(table[name], value) for name, value in values.items()}
    changed = {name: text for name, text in texts.items() if text != table[name]["default"]}
    options = {**changed, **typed}
    result = controls.asked(launcher.run, options)
    return count_name, options, result


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The transfer, chunk by chunk

    `mi`, `mi-plus` and `aimd` raise $N$ while the TCP windows limit the goodput $G$ of a chunk:
    $G > \eta N W / R$. As soon as the windows are no longer the limit, the modes differ. `mi` keeps
    its $N$ until the end. `mi-plus` sets $N$ once to the best value of the model, Eq. (1). `aimd`
    removes connections and continues its search. `fixed` keeps the $N$ of `--parallelism`.
    """)
    return


@app.cell
def _(options, result):
    scenario = result["scenario"]
    session = result["sessions"][0]  # the form has no others
    chunks = pd.DataFrame(session["gridftp"]["chunks"])
    chunks["goodput_mbps"] = chunks["goodput_bps"] / 1e6
    mo.vstack(
        [
            controls.command_line("run", options),
            mo.hstack(
                [
                    mo.stat(f"{session['goodput_bps'] / 1e6:.4g}", label="goodput, Mbit/s"),
                    mo.stat(f"{session['duration_s']:.4g}", label="duration, s"),
                    mo.stat(session["gridftp"]["final_parallelism"], label="N at the end"),
                    mo.stat(session["tcp"]["retransmissions"], label="retransmissions"),
                    mo.stat(session["tcp"]["timeouts"], label="timeouts"),
                    mo.stat(f"{result['links'][0]['utilisation']:.1%}", label="utilisation"),
                ]
            ),
        ]
    )
    return chunks, scenario, session


@app.cell
def _(chunks, scenario):
    with style.styled():
        chunk_figure = style.new_figure(7, 4.2)
        upper, lower = chunk_figure.subplots(2, sharex=True, height_ratios=(2, 1))
        look = style.LOOKS[scenario["mode"]]
        edges = [*chunks["start_s"], chunks["end_s"].iloc[-1]]
        upper.stairs(chunks["goodput_mbps"], edges, baseline=None, color=look.color)
        upper.set_ylabel("Goodput (Mbit/s)")
        limit_mbps = scenario["bandwidth_bps"] / 1e6
        style.limit_line(upper, limit_mbps, f"bottleneck, {limit_mbps:g} Mbit/s")
        upper.set_ylim(0, 1.15 * limit_mbps)
        upper.set_title(look.label)
        lower.stairs(chunks["parallelism"], edges, baseline=None, color=look.color)
        lower.set_ylabel("Parallelism N")
        lower.set_ylim(0, 1.15 * chunks["parallelism"].max())
        lower.yaxis.get_major_locator().set_params(integer=True)
        lower.set_xlabel("Time (s)")
    chunk_figure
    return


@app.cell
def _(chunks):
    chunks
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## One chunk, packet by packet

    This run transfers a file of a single chunk over the $N$ connections of the slider. It records
    the congestion windows (cwnd), the packets in the queue of the bottleneck, and the times when
    the queue overflows (marks at the top). With few connections the socket buffer $W$ is the limit:
    the queue stays short, and cwnd grows beyond the plotted range without effect. With many
    connections the queue overflows, and cwnd is halved.
    """)
    return


@app.cell
def _(options, scenario):
    # Whole transfers would fill the memory: their traces have millions of rows.
    size = f"{min(scenario['chunk_size_bytes'], scenario['file_size_bytes'], 100_000_000)}B"
    one_chunk = {**options, "file-size": size}
    traced, traces = controls.asked(launcher.trace, one_chunk)
    cwnd, queue, drops = (traces[name] for name in launcher.TRACES)
    controls.command_line("run", {**one_chunk, "trace": "traces"})
    return cwnd, drops, one_chunk, queue, traced


@app.cell
def _(cwnd, drops, queue, scenario):
    with style.styled():
        trace_figure = style.new_figure(7, 4.6)
        windows, waiting = trace_figure.subplots(2, sharex=True)
        inks = list(style.INK.values())
        for connection, rows in cwnd[cwnd["session"] == 0].groupby("connection"):
            windows.plot(
                rows["time_s"],
                rows["cwnd_bytes"] / 1024,
                drawstyle="steps-post",
                linewidth=0.8,
                color=inks[connection % len(inks)],
            )
        windows.set_ylabel("cwnd (KiB)")
        window_kib = scenario["window_bytes"] / 1024
        top = 1.1 * min(cwnd["cwnd_bytes"].max() / 1024, 2 * window_kib)
        windows.set_ylim(0, top)
        if window_kib < top:
            style.limit_line(windows, window_kib, "W: limit of unacknowledged data")
        full = scenario["queue_packets"]
        waiting.plot(queue["time_s"], queue["packets"], linewidth=0.5, color=style.INK["blue"])
        waiting.plot(
            drops["time_s"],
            np.full(len(drops), 1.2 * full),
            "|",
            markersize=6,
            color=style.INK["vermilion"],
        )
        style.limit_line(waiting, full, f"full, {full} packets")
        waiting.set_ylim(0, 1.3 * full)
        waiting.set_ylabel("Queue (packets)")
        waiting.set_xlabel("Time (s)")
    trace_figure
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Goodput over N, and the prediction of Eq. (1)

    The fluid model of Ito, Ohsaki and Imase needs no simulation. It predicts $G$ as the smaller of
    two limits: the windows allow $N W / R$, and TCP's losses reduce the rate of the bottleneck. The
    figure compares it with one simulated chunk for each of several $N$. $R$ is the RTT that the
    client measured before the first chunk.
    """)
    return


@app.cell
def _(chunks, scenario):
    path = {
        "stack": "classic",  # the fluid model
        "bandwidth": f"{scenario['bandwidth_bps']}bps",
        "rtt": f"{chunks['rtt_s'].iloc[0]:.9f}s",
        "packet-size": f"{scenario['packet_size_bytes']}B",
        "window": f"{scenario['window_bytes']}B",
        "max-parallelism": f"{scenario['max_parallelism']}",
    }
    model = controls.asked(launcher.optimum, path)
    curve = pd.DataFrame(model["curve"])
    best = model["optimum"]
    mo.vstack(
        [
            controls.command_line("optimum", path),
            mo.md(
                f"The model advises **N = {best['parallelism']}**:"
                f" {best['goodput_bps'] / 1e6:.4g} Mbit/s, limited by the {best['limited_by']}."
            ),
        ]
    )
    return best, curve


@app.cell
def _(best, chunks, count_name, one_chunk, scenario):
    # Twice as far as the model's optimum, and as far as the transfer went, in at most 24 steps.
    last = max(8, 2 * best["parallelism"], chunks["parallelism"].max())
    last = min(last, scenario["max_parallelism"])
    counts = np.unique(np.geomspace(1, last, 24).round().astype(int)).tolist()
    results = controls.asked(launcher.batch, [{**one_chunk, count_name: str(n)} for n in counts])
    simulated = pd.DataFrame(
        {
            "parallelism": counts,
            "goodput_bps": [one["sessions"][0]["goodput_bps"] for one in results],
            "drops": [one["links"][0]["drops"] for one in results],
        }
    )
    return (simulated,)


@app.cell
def _(best, chunks, curve, scenario, simulated):
    with style.styled():
        model_figure = style.new_figure(7, 4)
        axes = model_figure.subplots()
        near = curve[curve["parallelism"] <= simulated["parallelism"].max()]
        axes.plot(
            near["parallelism"],
            near["goodput_bps"] / 1e6,
            color=style.INK["black"],
            linewidth=3,
            alpha=0.35,
            label="Eq. (1)",
        )
        axes.plot(
            simulated["parallelism"],
            simulated["goodput_bps"] / 1e6,
            "o-",
            color=style.INK["green"],
            label="simulated, one chunk for each N",
        )
        seen = style.LOOKS[scenario["mode"]]
        axes.plot(
            chunks["parallelism"],
            chunks["goodput_mbps"],
            seen.marker,
            color=seen.color,
            markerfacecolor="none",
            markersize=8,
            label=f"chunks of the transfer, {seen.label}",
        )
        axes.axvline(best["parallelism"], **style.LIMIT, label="the model's best N")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("Parallelism N")
        axes.set_ylabel("Goodput (Mbit/s)")
        axes.legend(loc="lower right")
    model_figure
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Exercises

    - Set `--window` to 256 KiB. Why is one connection enough now (`--mode=fixed`)? Why does `mi`
      still try two, and what does the attempt cost? And why is 1024 KiB worse than 256 KiB?
    - Set `--queue` to 10 packets. Which mode suffers most?
    - Set `--delay` to 100 ms. How far does $N$ climb, and does it get there before the file ends?
    - Add your own cell: `launcher.run({"mode": "aimd", "eta": "0.5"})` is a dictionary with
      all measured values.
    """)
    return


if __name__ == "__main__":
    app.run()
