"""Studies of encoders and cross-encoders: where they look, and what length does to them."""
