"""Fields in sentences, and what a careful reader takes from such sentences."""
