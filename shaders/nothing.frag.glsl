// For programs whose vertices are only recorded.
void main() {}
