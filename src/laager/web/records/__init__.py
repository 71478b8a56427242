"""What a seat can look at."""
