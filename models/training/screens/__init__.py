"""What the gate and the corner detector share: their training loop and the way they become packs."""
