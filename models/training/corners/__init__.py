"""The corner detector: the four corners of the film in a photograph of a screen."""
