"""The `twofold` command."""
