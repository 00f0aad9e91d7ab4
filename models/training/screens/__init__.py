"""Training loop and export shared by the gate and the corner detector."""
