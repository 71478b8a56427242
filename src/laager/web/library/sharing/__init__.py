"""Files of a library that others may see: rights, copies, earlier versions."""
