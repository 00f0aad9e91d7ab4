"""How well scores repeat: pairs of films of one animal, changed copies of one film, and other positions."""
