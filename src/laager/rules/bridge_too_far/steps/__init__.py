"""The steps that only A Bridge Too Far has."""
