"""Second stages, one file each; the file is the registry."""
