"""A campaign at the table: opening, storing, asking, checking, acting, and the news of it.

What reads a campaign and changes nothing is in `looking`; who may do it is in `people`.
"""
