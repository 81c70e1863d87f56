"""The game service: use cases around the rule book, and the doors through which they are reached."""
