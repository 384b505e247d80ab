"""How messages reach people: one package for each kind of destination."""
