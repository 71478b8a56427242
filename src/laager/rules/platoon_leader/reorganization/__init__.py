"""The Reorganization Phase besides redeployment, one module per subject (PL 3.1 to 3.5)."""
