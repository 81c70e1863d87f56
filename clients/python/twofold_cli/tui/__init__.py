"""The terminal's screens: all that knows textual."""
