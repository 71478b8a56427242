"""The hex map: coordinates, terrain, control, clusters, front lines, paths, drawing."""
