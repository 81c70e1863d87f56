"""What a terminal sends: keys, and now and then bytes that are none, which end nobody's game."""

from textual._parser import ParseError
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver


class Patient(LinuxDriver):
    """Passes over what is no UTF-8 and no key. What was read together with it is lost."""

    def run_input_thread(self) -> None:
        while True:
            try:
                return super().run_input_thread()
            except (OverflowError, ParseError, ValueError):
                continue


def patient(driver: type[Driver]) -> type[Driver]:
    """The driver that textual would take, patient where it is the one of terminals."""
    return Patient if driver is LinuxDriver else driver
