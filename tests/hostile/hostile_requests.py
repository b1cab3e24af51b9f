"""Names of files that want to be paths, commands, or something else."""

NAMES = (
    "../../etc/passwd",
    "/etc/passwd",
    "..\\..\\windows\\system.ini",
    "C:\\boot.ini",
    "..",
    ".",
    "",
    "a/..",
    "~root/.ssh/id",
    "-rf",
    "a\u202etxt.pdf",
    "a" * 5000 + ".txt",
    "<script>alert(1)</script>.txt",
    "$(reboot).txt",
    "новый.txt",
    "http://example.org/a.txt",
)
