"""The build: ns-3 module, programs and test runner, against an installed ns-3.

./gridftp drives it: `configure --ns3=PATH --out=FOLDER` once per ns-3, then `build`. Written there:
bin/ (one program per file of scratch/ and of the module's examples/, and gridftp-test-runner),
lib/ (the module), include/ns3/ (its headers, as users of ns-3 include them).
"""

import os
import re
from pathlib import Path

from launcher import joined, revision, sources

APPNAME = "gridftp"
VERSION = revision.version()

top = "."
out = "build/ns3"

MODULE = sources.MODULE

# Linked in this order; what these need in turn they name themselves.
NS3_LIBRARIES = (
    "applications",
    "point-to-point",
    "traffic-control",
    "internet",
    "network",
    "core",
)

# What the program needs besides that has taps of Linux; an ns-3 without it builds all others.
TAP_LIBRARY = "tap-bridge"
TAP_HEADER = "ns3/tap-bridge.h"

# ns-3 moved from C++20 to C++23 with this release. core/ is C++20 whatever the rest is, and throws
# nothing, for the lab has no exceptions.
FIRST_CXX23 = (3, 46)
CORE_FLAGS = ["-std=c++20", "-fPIC", "-fno-exceptions"]
# The segment engine is 3 % faster than with -O2. At -O3 gcc 12 warns of std::string's own code (gcc
# bug 105651). Units of many sources grow past gcc's limit for what is inlined (40 %), which would
# cost 0.8 % of the engine's instructions.
CORE_SPEED = ["-O3", "-Wno-restrict", "--param=inline-unit-growth=60"]

# Binding the symbols of a shared C++ library is a third of what starting the program costs.
CORE_LINKS = ["-static-libstdc++", "-static-libgcc"]

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
# Of the checks for undefined behaviour not those that take half of the compiler's time and find
# what AddressSanitizer finds, too, or the compiler.
UNCHECKED = "null,alignment,object-size,pointer-overflow,vptr"
SANITIZERS = [
    "-fsanitize=address,undefined",
    f"-fno-sanitize={UNCHECKED}",
    "-fno-sanitize-recover=all",
]
# The checks that sanitizers insert lead gcc to see uses of uninitialised values that are none.
SANITIZED_FLAGS = [*SANITIZERS, "-fno-omit-frame-pointer", "-Wno-maybe-uninitialized"]
# What the module calls of its own is its own copy, with the checks, not one of an inline function
# that a test without them has brought.
SANITIZED_LINKS = [*SANITIZERS, "-Wl,-Bsymbolic-functions"]
# The simulations of the tests run in the module and in ns-3. What sanitizers find is in the module,
# too, whose lines they tell.
TEST_FLAGS = ["-O0", "-g0"]

# The youngest part of C++20 that core/ relies on: g++ 11, or clang++ with its library.
CXX20_PROBE = """
#include <charconv>
#include <compare>
#include <span>
int
main()
{
    char text[32];
    return std::to_chars(text, text + 32, 0.5).ptr == text;
}
"""


def options(opt):
    opt.load("compiler_cxx pch")
    opt.add_option(
        "--ns3", metavar="PATH", help="a built ns-3 tree, or the prefix of an installed one"
    )
    opt.add_option("--sanitize", action="store_true", help="with AddressSanitizer and UBSan, too")
    opt.add_option("--programs-only", action="store_true", help="no examples, no test runner")


def configure(conf):
    conf.load("compiler_cxx gccdeps pch")
    if not conf.options.ns3:
        conf.fatal("--ns3=PATH is missing")
    ns3 = Ns3(Path(conf.options.ns3), conf.fatal)
    env = conf.env

    env.NS3_VERSION = ns3.version
    env.PROFILE = ns3.profile
    env.CXXFLAGS += ["-O2", "-g1", *WARNINGS]
    # Some distributions drop libraries no symbol of which is used; TypeIds are looked up by name.
    env.LINKFLAGS += ["-Wl,--no-as-needed"]

    # -isystem: warnings in ns-3's own headers are not ours to fix.
    env.CXXFLAGS_NS3 = [ns3.standard, "-isystem", str(ns3.include)]
    env.DEFINES_NS3 = ns3.defines
    env.LIB_NS3 = [ns3.library(name) for name in NS3_LIBRARIES]
    env.LIBPATH_NS3 = env.RPATH_NS3 = [str(ns3.lib)]
    env.LIB_TAP = [ns3.library(TAP_LIBRARY)] if ns3.has(TAP_LIBRARY) else []
    # ns-3's libraries need others beside them (GSL in the wheel).
    env.LINKFLAGS_NS3 = [f"-Wl,-rpath-link,{ns3.lib}"]
    env.RPATH_MODULE = ["$ORIGIN/../lib"]

    conf.check_cxx(
        msg="Checking for C++20 with its library",
        fragment=CXX20_PROBE,
        cxxflags=CORE_FLAGS,
        errmsg="no: g++ 11 or newer is needed",
    )
    conf.check_cxx(
        msg=f"Checking for ns-3 {ns3.version}",
        fragment='#include "ns3/simulator.h"\nint main() { ns3::Simulator::Destroy(); }\n',
        use="NS3",
        errmsg=f"no: a program against {ns3.lib} does not build",
    )


def build(bld):
    _link_headers(bld, _nodes(bld, sources.folders(*sources.LIBRARY)))
    _write_build_info(bld)
    # One index for all of a kind: waf counts the targets in the names of object files, and a new
    # program would have everything after it compiled again.
    commit = bld.bldnode.make_node("gridftp-build-commit.cc")
    bld.objects(source=[commit], target="commit", cxxflags=CORE_FLAGS, idx=1)
    _module(bld, "", [*CORE_FLAGS, *CORE_SPEED], [], [], 1)
    _programs(bld)
    if not bld.options.programs_only:
        _tests(bld, "test-core", True, TEST_FLAGS, 1)
        _tests(bld, "test-rest", False, TEST_FLAGS, 1)
        _runner(bld, "", [], 1)
    if bld.options.sanitize:
        # Not optimised, the checks compile in half the time. In core/ simulations are most of it.
        core_flags = [*CORE_FLAGS, *SANITIZED_FLAGS, "-O1"]
        flags = [*SANITIZED_FLAGS, "-O0"]
        core, rest = sources.folders("core"), sources.folders("model", "helper")
        _parse_once(bld, "sanitized/core", core_flags, "", 2, core)
        _parse_once(bld, "sanitized/gridftp", [*flags, "-fPIC"], "NS3", 2, rest)
        _module(bld, "sanitized/", core_flags, flags, SANITIZED_LINKS, 2)
        # The tests are the same objects: what they try is in the module.
        _runner(bld, "sanitized/", SANITIZERS, 2)
    # For the analysis, which reads data alone: what the program says of its options and tuners.
    bld(
        rule='"${SRC[0].abspath()}" --describe > "${TGT[0].abspath()}"',
        source="bin/gridftp-transfer",
        target="bin/gridftp-transfer.json",
    )


def _parse_once(bld, name, flags, use, idx, folders):
    """The headers of others that files of these folders include, parsed once, which saves a third.

    For the tests and for what has sanitizers. The usual build parses them with each unit, and so
    sees that a unit includes what of others it uses.
    """
    pattern = re.compile(r'^#include (<\w+>|"ns3/(?!gridftp-)[^"]+")', re.MULTILINE)
    files = [file for end in (".h", ".cc") for file in sources.files(folders, end)]
    found = {word for file in files for word in pattern.findall(file.read_text(encoding="utf-8"))}
    header = bld.bldnode.make_node(f"{name}-parsed.h")
    header.parent.mkdir()
    text = "".join(f"#include {word}\n" for word in sorted(found))
    if not header.exists() or header.read() != text:
        header.write(text)
    bld(
        features="cxx pch",
        target=f"{name}-parsed",
        name=f"{name}-parsed",
        headers=[header],
        cxxflags=flags,
        use=use,
        idx=idx,
    )


def _module(bld, kind, core_flags, flags, links, idx):
    """core/ as a library of its own, and the module, compiled several sources at once.

    That each of them includes what it uses, tests/launcher/test_includes.py sees.
    """
    core, rest = sources.folders("core"), sources.folders("model", "helper")
    of_core = joined.SANITIZED_BYTES if kind else None
    of_rest = joined.SANITIZED_BYTES if kind else joined.MODULE_BYTES
    bld.objects(
        source=_joined(bld, f"{kind}core", core, of_core),
        target=f"{kind}core",
        includes=_nodes(bld, sources.folders("core")),
        cxxflags=core_flags,
        use=f"{kind}core-parsed" if kind else "",
        idx=idx,
    )
    if not kind:
        bld(features="cxx cxxstlib", target="lib/gridftp-core", name="gridftp-core", use="core")
    bld.shlib(
        source=_joined(bld, f"{kind}module", rest, of_rest),
        target=f"{kind}lib/gridftp",
        name=f"{kind}gridftp",
        includes=_users(bld),
        cxxflags=flags,
        linkflags=links,
        use=f"{kind}core NS3 {kind}gridftp-parsed" if kind else "core NS3",
        idx=idx,
    )


def _tests(bld, name, of_core, flags, idx):
    """The tests of core, or all others, compiled several at once.

    That each of them includes what it uses, tests/launcher/test_includes.py sees.
    """
    top = sources.ROOT / MODULE / "test/core"
    folders = [
        folder for folder in sources.folders("test") if folder.is_relative_to(top) == of_core
    ]
    _parse_once(bld, name, flags, "NS3", idx, folders)
    kind = "test-core" if of_core else "test-rest"
    bld.objects(
        source=_joined(bld, kind, folders, joined.TEST_BYTES),
        target=name,
        includes=[*_users(bld), *_nodes(bld, sources.folders("test"))],
        cxxflags=flags,
        defines=[
            f'NS_TEST_SOURCEDIR="{MODULE}/test"',
            f'GRIDFTP_NS3_VERSION="{bld.env.NS3_VERSION}"',
        ],
        use=f"NS3 {name}-parsed",
        idx=idx,
    )


def _runner(bld, kind, links, idx):
    """The test runner, of the module of its kind."""
    bld.program(
        source=[],
        features="cxx cxxprogram",
        target=f"{kind}bin/gridftp-test-runner",
        linkflags=links,
        use=f"test-core test-rest {kind}gridftp MODULE NS3",
        idx=idx,
    )


def _programs(bld):
    """One for each file of scratch/ and examples/; core/ alone where that is enough."""
    programs = _sources(bld, [sources.ROOT / sources.PROGRAMS])
    if not bld.options.programs_only:
        programs += _sources(bld, [sources.ROOT / sources.EXAMPLES])
    core_users = [*_nodes(bld, sources.folders("core")), bld.bldnode.make_node("include")]
    for source in programs:
        needs_ns3 = _needs_ns3(Path(source.abspath()))
        needs_tap = TAP_HEADER in source.read(encoding="utf-8")
        tap = ["TAP"] if needs_tap else []
        if needs_tap and not bld.env.LIB_TAP:
            continue
        bld.program(
            source=[source],
            target=f"bin/{source.name[: -len('.cc')]}",
            includes=_users(bld) if needs_ns3 else core_users,
            cxxflags=[] if needs_ns3 else CORE_FLAGS,
            linkflags=[] if needs_ns3 else CORE_LINKS,
            use=["commit", "gridftp", "MODULE", *tap, "NS3"]
            if needs_ns3
            else "commit gridftp-core",
            idx=1,
        )


def _users(bld):
    """Where headers are: by their bare names, or as users of ns-3 write them: ns3/gridftp-x.h."""
    return [*_nodes(bld, sources.folders(*sources.LIBRARY)), bld.bldnode.make_node("include")]


def _nodes(bld, folders):
    """The folders as waf knows them."""
    return [bld.path.find_dir(str(folder.relative_to(sources.ROOT))) for folder in folders]


def _sources(bld, folders):
    """What is compiled of these folders."""
    found = sources.files(folders, ".cc")
    return [bld.path.find_resource(str(file.relative_to(sources.ROOT))) for file in found]


def _joined(bld, name, folders, most):
    """Write units of several sources each, of at most `most` bytes; None: core/ by subsystem."""
    place = bld.bldnode.make_node(f"joined/{name}")
    place.mkdir()
    headers = sources.files(sources.folders(), ".h")
    nodes = []
    files = sources.files(folders, ".cc")
    core = sources.ROOT / MODULE / "core"
    units = joined.units(files, most, headers) if most else joined.core_units(core, files, headers)
    for number, unit in enumerate(units, 1):
        nodes.append(place.make_node(f"unit-{number}.cc"))
        _write_if_changed(nodes[-1], unit.text)
    return nodes


class Ns3:
    """Where an ns-3 is, which one, and how it was built.

    Known are a source tree that was built (PATH/build) and an installation prefix, which the
    folder of the PyPI wheel is too.
    """

    def __init__(self, path, fail):
        self._fail = fail
        places = [(path / "build/include", [path / "build/lib"])]
        libs = ["lib64", "lib", "lib/x86_64-linux-gnu"]
        places.append((path / "include", [path / lib for lib in libs]))
        for include, candidates in places:
            if (include / "ns3/simulator.h").is_file():
                for lib in candidates:
                    core = _newest_core_library(lib)
                    if core:
                        self.path, self.include, self.lib = path, include, lib
                        self._prefix, self._suffix = core
                        self._find_version()
                        self._find_profile()
                        return
        fail(f"no ns-3 in {path}: neither build/include and build/lib, nor include and lib")

    def library(self, name):
        """The name to link `name` by, such as ns3.44-core-default for core."""
        if not self.has(name):
            self._fail(f"the ns-3 in {self.path} was built without its module '{name}'")
        return f"{self._prefix}-{name}{self._suffix}"

    def has(self, name):
        """Whether it was built with the module `name`."""
        return (self.lib / f"lib{self._prefix}-{name}{self._suffix}.so").is_file()

    def _find_version(self):
        found = re.match(r"ns(3\.[0-9.]*[0-9])", self._prefix)
        version_file = self.path / "VERSION"
        if found:
            self.version = found.group(1)
        elif version_file.is_file():
            self.version = version_file.read_text(encoding="utf-8").strip()
        else:
            self.version = "3-dev"
        number = re.match(r"(\d+)\.(\d+)", self.version)
        # A development version has no number: it is newer than every release.
        young = not number or tuple(map(int, number.groups())) >= FIRST_CXX23
        self.standard = "-std=c++23" if young else "-std=c++20"

    def _find_profile(self):
        """Asserts and logging: the layout of some of ns-3's classes depends on them.

        (`UdpClient` has one member more with logging.) So the module must be compiled as ns-3 was.
        """
        cache = self.path / "cmake-cache/CMakeCache.txt"
        targets = self.lib / "cmake/ns3/ns3Targets.cmake"
        if self.include.parent.name == "build" and cache.is_file():
            text = cache.read_text(encoding="utf-8")
            profile = re.search(r"^CMAKE_BUILD_TYPE:\w+=(\w+)", text, re.M)
            asserts = re.search(r"^NS3_ASSERT:\w+=ON$", text, re.M)
            logs = re.search(r"^NS3_LOG:\w+=ON$", text, re.M)
        elif targets.is_file():
            text = targets.read_text(encoding="utf-8")
            profile = re.search(r"NS3_BUILD_PROFILE_(\w+)", text)
            asserts = "NS3_ASSERT_ENABLE" in text
            logs = "NS3_LOG_ENABLE" in text
        else:
            self._fail(f"how the ns-3 in {self.path} was built cannot be told: no {targets}")
        self.profile = profile.group(1).lower() if profile else "unknown"
        self.defines = []
        if asserts:
            self.defines.append("NS3_ASSERT_ENABLE")
            self.profile += "+asserts"
        if logs:
            self.defines.append("NS3_LOG_ENABLE")
            self.profile += "+logs"


def _newest_core_library(lib):
    """(prefix, suffix) of ns-3's libraries in a folder: libns3.44-core-default.so and the like."""
    pattern = re.compile(
        r"lib(?P<prefix>ns3[^-]*(-dev|-RC\d+)?)-core"
        r"(?P<suffix>|-(default|debug|release|optimized|minsizerel|relwithdebinfo))\.so"
    )
    found = [
        (file.stat().st_mtime, match)
        for file in lib.glob("libns3*-core*.so")
        for match in [pattern.fullmatch(file.name)]
        if match
    ]
    if not found:
        return None
    match = max(found, key=lambda item: item[0])[1]
    return match["prefix"], match["suffix"]


def _needs_ns3(source):
    """Whether a program includes a header of ns-3, model/ or helper/, itself or through others.

    One that does not is linked with core/ alone and starts at once.
    """
    core, beyond = sources.folders("core"), sources.folders("model", "helper")
    pending, seen = [source], set()
    while pending:
        file = pending.pop()
        seen.add(file)
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.M):
            if name.startswith("ns3/") or any((folder / name).is_file() for folder in beyond):
                return True
            for folder in [file.parent, *core]:
                header = folder / name
                if header.is_file() and header not in seen:
                    pending.append(header)
    return False


def _link_headers(bld, folders):
    """Fill include/ns3 as ns-3's own build does: every header of the module, in one flat folder."""
    flat_node = bld.bldnode.make_node("include/ns3")
    flat_node.mkdir()
    flat = Path(flat_node.abspath())
    headers = {
        header.name: header
        for folder in folders
        for header in sorted(Path(folder.abspath()).glob("*.h"))
    }
    for old in flat.iterdir():
        if old.name not in headers and old.name != "gridftp-module.h":
            old.unlink()
    for name, header in headers.items():
        flat_node.make_node(name)  # gccdeps finds no file in the build folder that waf has not met
        link = flat / name
        if not link.is_symlink() or Path(os.readlink(link)) != header:
            link.unlink(missing_ok=True)
            link.symlink_to(header)
    _write_if_changed(
        flat_node.make_node("gridftp-module.h"),
        "#ifndef GRIDFTP_MODULE_H\n#define GRIDFTP_MODULE_H\n"
        + "".join(f'#include "{name}"\n' for name in headers)
        + "#endif\n",
    )


def _write_build_info(bld):
    """What a result says of the programs it came from.

    The commit, which changes most often, is in a source file of its own that compiles at once.
    """
    env = bld.env
    compiler = {"gcc": "g++", "clang": "clang++"}.get(env.CXX_NAME, env.CXX_NAME)
    macros = {
        "GRIDFTP_VERSION": VERSION,
        "GRIDFTP_NS3_VERSION": env.NS3_VERSION,
        "GRIDFTP_BUILD_PROFILE": env.PROFILE,
        "GRIDFTP_COMPILER": f"{compiler} {'.'.join(env.CC_VERSION)}",
    }
    declaration = "namespace ns3::gridftp\n{\nextern const char* const g_buildCommit;\n}\n"
    _write_if_changed(
        bld.bldnode.make_node("include/gridftp-build-info.h"),
        "#ifndef GRIDFTP_BUILD_INFO_H\n#define GRIDFTP_BUILD_INFO_H\n"
        + declaration
        + "".join(f'#define {name} "{value}"\n' for name, value in macros.items())
        + "#define GRIDFTP_COMMIT (::ns3::gridftp::g_buildCommit)\n#endif\n",
    )
    commit = os.environ.get("GRIDFTP_COMMIT", "unknown")
    _write_if_changed(
        bld.bldnode.make_node("gridftp-build-commit.cc"),
        f'{declaration}const char* const ns3::gridftp::g_buildCommit = "{commit}";\n',
    )


def _write_if_changed(node, text):
    file = Path(node.abspath())
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
