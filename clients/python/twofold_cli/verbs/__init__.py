"""What one can say to the `twofold` command: one file a verb."""
