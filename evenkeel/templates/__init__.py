"""Files of adapters that answer a question of this specification, in the place of the engine's."""
