"""Where games are played: at a table of this machine, or at one of a service."""
