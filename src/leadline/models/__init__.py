"""Find, load, quantise and run the weights of models."""
