"""Figures as inline SVG: where every element stands. Readable without colour and without sight."""
