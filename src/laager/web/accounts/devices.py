"""What a device is to its owner: notices on it, the page that it shows without a network, how it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth import views
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from laager.base import RefusedError
from laager.web.models import Device, DeviceNotices, Player
from laager.web.seats import devices, outgoing
from laager.web.shared import web_push
from laager.web.shared.http import STATUS_OF, person_page

if TYPE_CHECKING:
    from django.db.models import QuerySet

HERE = "device"
"""Where the session remembers which device it is in."""
WORKER = Path(__file__).with_name("service_worker.js")
COLOUR = "#3f5a3c"
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))


# Installing ---------------------------------------------------------------------------------------


@require_GET
def manifest(_request: HttpRequest) -> HttpResponse:
    """Describe the pages as an application that can be installed."""
    content = {
        "name": "Laager",
        "short_name": "Laager",
        "description": _("The campaign referee for squad-level hex wargames"),
        "id": reverse("home"),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "theme_color": COLOUR,
        "background_color": COLOUR,
        "icons": [
            {"src": static("laager/shared/icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            *(
                {"src": static(f"laager/shared/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png",
                 "purpose": purpose}
                for size in (192, 512)
                for purpose in ("any", "maskable")
            ),
        ],
    }  # fmt: skip
    return JsonResponse(content, content_type="application/manifest+json")


@require_GET
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Give the script that works while no page is open; from here its scope is all pages."""
    content = WORKER.read_text(encoding="utf-8")
    return HttpResponse(content, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that stands in for others while there is no network; nothing of a campaign is in it."""
    return render(request, "accounts/offline.html")


# Notices ------------------------------------------------------------------------------------------


def devices_context(request: HttpRequest, user: Player) -> dict[str, Any]:
    """Return what the account page shows of somebody's devices."""
    kept = Device.objects.filter(user=user).annotate(tried=Max("notices__tried")).order_by("-pk")
    return {
        "devices": [(device, list_failed(device)) for device in kept],
        "device_here": request.session.get(HERE),
        "push_key": web_push.public_key(),
    }


def list_failed(device: Device) -> QuerySet[DeviceNotices]:
    """Return the notices of a device whose last delivery failed."""
    return device.notices.exclude(trouble="").select_related("member__game").order_by("pk")


@person_page
def turn_on(request: HttpRequest, user: Player) -> HttpResponse:
    """Let this browser show notices: its script sends what its push service gave it."""
    given = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    try:
        name = name_browser(request.headers.get("User-Agent", ""))
        device = devices.turn_on(user, **given, name=name, sound=request.POST.get("sound") == "yes")
    except RefusedError as err:
        return JsonResponse({"text": str(err)}, status=STATUS_OF[err.code])
    request.session[HERE] = device.pk
    return JsonResponse({"text": _("Notices are on.")})


def name_browser(agent: str) -> str:
    """Return a browser and its system as people call them."""
    browser = next((name for word, name in BROWSERS if f"{word}/" in agent), _("a browser"))
    system = next((name for name in SYSTEMS if name in agent), "")
    return f"{browser}, {system.replace('Mac OS', 'macOS')}" if system else browser


@person_page
def change(request: HttpRequest, user: Player, pk: int) -> HttpResponse:
    """Send a device a test notice, let it be silent or not, or forget it."""
    device = devices.find_device(user, pk)
    match request.POST.get("do"):
        case "test":
            delivery = devices.send_test(device)
            text = outgoing.describe_delivery(delivery)
            if delivery.status in devices.GONE:
                text += " " + _("The device has ended its notices, and is forgotten here.")
            (messages.error if delivery.trouble else messages.success)(request, text)
        case "sound":
            Device.objects.filter(pk=pk).update(sound=not device.sound)
        case "remove":
            device.delete()
            messages.success(request, _("This device gets no notices any more."))
    return redirect(reverse("account") + "#devices")


class Logout(views.LogoutView):
    """Logging out. The device forgets all that it kept of campaigns, and gets no notices any more."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Log out."""
        if request.user.is_authenticated and (here := request.session.get(HERE)):
            Device.objects.filter(pk=here, user=request.user.pk).delete()
        response = super().post(request, *args, **kwargs)
        # Pages that were kept for a time without network, and the script that keeps them.
        response.headers["Clear-Site-Data"] = '"storage"'
        return response


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service-worker"),
    path("offline/", offline, name="offline"),
    path("logout/", Logout.as_view(), name="logout"),
    path("account/devices/", require_POST(turn_on), name="device-on"),
    path("account/devices/<int:pk>/", require_POST(change), name="device"),
]
