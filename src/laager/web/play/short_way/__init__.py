"""The short way for what programs ask most: status, what is asked, answering, waiting for news.

Django answers everything; what comes here first is the same answer for less work, or none. Whatever is unusual (a
refusal, a session, a campaign that isn't in memory) goes on to Django as if it had not been here, so that only Django
says what is wrong. `front` recognises such requests, `batcher` takes those that have arrived together, `batch` stores
their answers in one transaction, `rows` asks the database, `statuses` renders what is sent.
"""
