"""How restrictions of a query are read, where rules are not to read them."""
