"""Modules that do what the functions do."""
