"""Where notebooks of before found what shows values."""
