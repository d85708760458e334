"""Which proposal is meant: of amounts by small networks, of places by the words around a name."""
