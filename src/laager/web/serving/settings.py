"""Settings, all of them from environment variables; without any, one machine with SQLite.

`LAAGER_*` variables are listed in docs/serving/settings.md.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url

from laager.web.serving.config import Config

CONFIG = Config.of(os.environ)

BASE_DIR = Path(__file__).parents[1]
"""The folder of the pages: each room has its templates, styles and scripts."""
DATA = CONFIG.data

SECRET_KEY = CONFIG.secret_key
SECRET_KEY_FALLBACKS = list(CONFIG.old_secret_keys)
DEBUG = False
ALLOWED_HOSTS = list(CONFIG.hosts)
CSRF_TRUSTED_ORIGINS = list(CONFIG.origins)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "laager.web.serving.apps.WebConfig",
]

MIDDLEWARE = [
    "laager.web.serving.middleware.HealthMiddleware",
    "laager.web.serving.middleware.CompressionMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "laager.web.serving.middleware.LogMiddleware",
    "laager.web.serving.middleware.ContentPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "laager.web.serving.middleware.ReaderMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "laager.web.serving.middleware.RefusalMiddleware",
    "laager.web.serving.middleware.ThrottleMiddleware",
]

ROOT_URLCONF = "laager.web.serving.urls"
ASGI_APPLICATION = "laager.web.serving.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Names of templates begin with their room: `play/setup/setup.html`; Django looks for 404.html itself.
        "DIRS": [BASE_DIR, BASE_DIR / "shared"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "laager.web.serving.middleware.everywhere",
            ],
            "builtins": ["laager.web.shared.tags", "django.templatetags.i18n"],
            "libraries": {
                "asking": "laager.web.play.asking.tags",
                "choosing": "laager.web.starting.tags",
                "library": "laager.web.library.tags",
                "records": "laager.web.records.tags",
                "reference": "laager.web.rules.reference",
                "seating": "laager.web.people.tags",
                "talk": "laager.web.talk.tags",
            },
        },
    }
]

DATABASES: dict[str, Any] = {
    # Requests come in threads of their own, so that a connection kept would be nobody's.
    "default": dj_database_url.parse(CONFIG.database_url, conn_max_age=0)
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Writers queue instead of failing in the middle; readers never wait for them.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "web.Player"
PASSWORD_HASHERS = ["laager.web.accounts.hashing.OneAtATime"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["laager.web.shared.formats"]
TIME_ZONE = CONFIG.time_zone
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [("laager", BASE_DIR)]
STATICFILES_FINDERS = ["laager.web.serving.apps.RoomFinder", "django.contrib.staticfiles.finders.AppDirectoriesFinder"]
STATIC_ROOT = None
# Straight from the package: nothing has to be collected before serving.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

MEDIA_ROOT = DATA / "files"
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 2**20
# A battle report has some ten fields for each of up to 500 units.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
DATA_UPLOAD_MAX_NUMBER_FILES = 100
# Files are read in memory or not at all: saves of VASL hold passwords and must lie nowhere.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = 16 * 2**20

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CONFIG.https
CSRF_COOKIE_SECURE = CONFIG.https
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if CONFIG.https else 0
SECURE_SSL_REDIRECT = False
if CONFIG.https:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)

EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if CONFIG.smtp_host else 'console'}.EmailBackend"
EMAIL_HOST = CONFIG.smtp_host
EMAIL_PORT = CONFIG.smtp_port
EMAIL_HOST_USER = CONFIG.smtp_user
EMAIL_HOST_PASSWORD = CONFIG.smtp_password
EMAIL_USE_TLS = CONFIG.smtp_tls
EMAIL_TIMEOUT = 30
DEFAULT_FROM_EMAIL = CONFIG.mail_from

LOGGING = CONFIG.logging
