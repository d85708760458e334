"""Choose among proposals: small networks for amounts, the words around a name for places."""
