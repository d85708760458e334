"""Find out why rankings and answers went wrong."""
