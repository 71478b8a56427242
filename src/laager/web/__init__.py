"""The Django project: accounts, pages, API. Nothing else in Laager knows Django.

`services` is what pages and API have in common: who may do what (`seats`), the campaigns in the
database (`store`, `tables`), and all that changes them (`actions`). Views are thin.
"""
