"""Pages, by area. Each module lists its addresses.

`urlpatterns` lie at the top of the site, `seat_patterns` below a seat (`/campaign/<id>/<seat>/`).
"""
