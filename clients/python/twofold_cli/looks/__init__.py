"""How games, records and figures look as text: pure, no screen."""
