"""What is proven of every row before it is written."""
