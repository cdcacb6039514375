"""What matplotlib has beside itself."""
