"""Who may call what: the table that the authorisation tests hold every address to.

Whoever adds an address adds a line here. Statuses are those of calls that are as good as can be
without changing much: 403 is no right, 404 no such seat (or thing), 409 and 422 are answers to who
has the right. For everybody without this seat the status is 404, for nobody logged in 302 (pages)
or 401 (API), unless a line of its own says otherwise (`NOBODY`).
"""

from __future__ import annotations

SITE = """
method somebody nobody  address
GET         200    302  (home)
GET         200    302  account/
POST        200    302  account/
GET         200    302  account/delete/
POST        200    302  account/delete/
POST        422    302  account/devices/
POST        404    302  account/devices/<int:pk>/
GET         200    302  account/password/
POST        200    302  account/password/
GET         200    302  account/tokens/
POST        200    302  account/tokens/
POST        302    302  account/tokens/<int:pk>/revoke/
GET         404    404  api/<path:rest>
GET         404    404  api/v1/
GET         200    401  api/v1/campaigns
POST        201    401  api/v1/campaigns
GET         200    401  api/v1/cards
GET         200    401  api/v1/balance
GET         200    401  api/v1/cards/own/<name>
GET         422    401  api/v1/cards/own/<name>/balance
GET         200    401  api/v1/cards/shipped/<name>
GET         200    401  api/v1/cards/shipped/<name>/balance
GET         200    200  api/v1/docs
GET         200    401  api/v1/files
DELETE      204    401  api/v1/files/<name>
GET         200    401  api/v1/files/<name>
PUT         200    401  api/v1/files/<name>
POST        200    401  api/v1/files/<name>/check
POST        404    401  api/v1/invitations/accept
GET         200    401  api/v1/library.zip
GET         200    401  api/v1/shared
GET         200    401  api/v1/shared/<number>
PUT         409    401  api/v1/shared/<number>
POST        422    401  api/v1/shared/<number>/copy
GET         200    401  api/v1/shared/<number>/campaigns
GET         200    401  api/v1/shared/<number>/rights
PUT         200    401  api/v1/shared/<number>/rights
GET         200    401  api/v1/shared/<number>/versions
GET         200    401  api/v1/shared/<number>/versions/<version>
POST        409    401  api/v1/shared/<number>/versions/<version>/restore
GET         200    401  api/v1/me
GET         200    200  api/v1/openapi.json
GET         200    401  api/v1/rules
GET         200    401  api/v1/rules/<rules>
GET         200    401  api/v1/rules/<rules>/clauses
GET         200    401  api/v1/rules/<rules>/clauses/<path:name>
GET         200    401  api/v1/rules/<rules>/tables/<name>
GET         200    401  api/v1/tokens
POST        401    401  api/v1/tokens
DELETE      204    401  api/v1/tokens/<number>
DELETE      204    401  api/v1/vasl/counters
GET         404    401  api/v1/vasl/counters
PUT         422    401  api/v1/vasl/counters
GET         200    401  api/v1/webhooks
GET         200    401  api/v1/results
GET         200    401  api/v1/ladder
GET         200    302  dyo/
POST        422    302  dyo/
GET         422    302  dyo/ob/<str:name>
GET         422    302  dyo/ob/<str:name>/<slug:form>
GET         422    302  dyo/terms/<str:name>
POST        422    302  dyo/terms/<str:name>
GET         404    404  feed/<str:key>/
GET         404    302  host/
GET         404    302  host/account/<int:pk>/
POST        404    302  host/account/<int:pk>/
GET         404    302  host/campaign/<uuid:game>/
POST        404    302  host/campaign/<uuid:game>/
POST        404    302  host/campaign/<uuid:game>/archive/
GET         404    302  host/campaign/<uuid:game>/file
POST        404    302  host/take-in/
POST        404    302  host/announcement/
POST        404    302  host/announcement/remove/
GET         404    404  invitation/
POST        404    404  invitation/
GET         404    404  invitation/<str:key>/
GET         404    404  public/<str:key>/
GET         404    404  public/<str:key>/card.png
GET         404    404  public/<str:key>/film.svg
GET         404    404  public/<str:key>/map.svg
GET         200    302  results/
GET         200    302  library/
POST        422    302  library/
GET         200    302  library/all.zip
POST        422    302  library/boards
GET         422    302  library/boards/<str:name>/colours
POST        422    302  library/boards/<str:name>/colours
POST        404    302  library/boards/<str:name>/remove
GET         200    302  library/file/<str:name>/
POST        302    302  library/file/<str:name>/
GET         200    302  library/file/<str:name>/check
GET         200    302  library/file/<str:name>/fill
POST        200    302  library/file/<str:name>/fill
GET         404    302  library/file/<str:name>/fill/csv
POST        404    302  library/file/<str:name>/fill/live
GET         200    302  library/file/<str:name>/groups
POST        422    302  library/file/<str:name>/groups
GET         200    302  library/file/<str:name>/house
POST        302    302  library/file/<str:name>/house
GET         200    302  library/file/<str:name>/form
POST        302    302  library/file/<str:name>/form
POST        200    302  library/file/<str:name>/live
GET         302    302  library/file/<str:name>/map
POST        422    302  library/file/<str:name>/map
GET         422    302  library/file/<str:name>/map.svg
GET         422    302  library/file/<str:name>/map/vasl
GET         404    302  library/file/<str:name>/map/alike/<str:hex_name>
GET         422    302  library/file/<str:name>/map/board/<int:board>
GET         404    302  library/file/<str:name>/map/hex/<str:hex_name>
GET         404    302  library/file/<str:name>/position
POST        404    302  library/file/<str:name>/position
POST        302    302  library/file/<str:name>/remove
POST        422    302  library/file/<str:name>/rename
GET         200    302  library/file/<str:name>/take
POST        404    302  library/new
GET         200    302  library/shared/
GET         200    302  library/shared/<int:number>/
POST        422    302  library/shared/<int:number>/
POST        422    302  library/shared/<int:number>/copy
GET         200    302  library/shared/<int:number>/fill
POST        200    302  library/shared/<int:number>/fill
GET         404    302  library/shared/<int:number>/fill/csv
POST        404    302  library/shared/<int:number>/fill/live
GET         200    302  library/shared/<int:number>/groups
POST        422    302  library/shared/<int:number>/groups
GET         200    302  library/shared/<int:number>/form
POST        302    302  library/shared/<int:number>/form
GET         200    302  library/shared/<int:number>/house
POST        302    302  library/shared/<int:number>/house
GET         302    302  library/shared/<int:number>/map
POST        422    302  library/shared/<int:number>/map
GET         422    302  library/shared/<int:number>/map.svg
GET         422    302  library/shared/<int:number>/map/vasl
GET         422    302  library/shared/<int:number>/map/alike/<str:hex_name>
GET         422    302  library/shared/<int:number>/map/board/<int:board>
GET         422    302  library/shared/<int:number>/map/hex/<str:hex_name>
POST        422    302  library/shared/<int:number>/rights
GET         200    302  library/shared/<int:number>/version/<int:version_number>/
POST        422    302  library/shared/<int:number>/version/<int:version_number>/
GET         302    200  login/
POST        302    200  login/
POST        302    302  logout/
GET         200    200  manifest.webmanifest
GET         200    302  new
POST        422    302  new
GET         200    302  new/<slug:card>
POST        404    302  new/<slug:card>
GET         200    302  new/<slug:card>/map.svg
GET         200    302  new/<slug:card>/simulate
POST        422    302  new/<slug:card>/simulate
GET         302    302  new/begun/<uuid:game>/<slug:seat>
GET         200    302  new/own/<str:name>
POST        404    302  new/own/<str:name>
GET         404    302  new/own/<str:name>/map.svg
GET         200    302  new/own/<str:name>/simulate
POST        422    302  new/own/<str:name>/simulate
GET         200    200  offline/
GET         302    403  register/
POST        302    403  register/
GET         200    200  reset/
POST        200    200  reset/
GET         200    200  reset/<uidb64>/<token>/
POST        200    200  reset/<uidb64>/<token>/
GET         200    200  reset/sent/
GET         200    302  rules/
GET         200    200  service-worker.js
GET         404    302  simulations/<uuid:run>/
GET         404    302  simulations/<uuid:run>/<slug:name>.svg
POST        404    302  simulations/<uuid:run>/open
GET         404    302  simulations/<uuid:run>/results.<slug:kind>
POST        404    302  simulations/<uuid:run>/steer
GET         200    302  rules/<slug:ruleset>/
GET         200    302  rules/<slug:ruleset>/clause/<path:name>/
GET         200    302  rules/<slug:ruleset>/readings/
GET         200    302  rules/<slug:ruleset>/sequence/
GET         200    302  rules/<slug:ruleset>/tables/
GET         200    302  rules/<slug:ruleset>/tables/<slug:name>/
"""
"""Addresses that belong to no campaign: the status for somebody logged in (API: with a token)."""

AT_A_SEAT = """
method player mate umpire spectator owner  address
GET       200  200    200       200   200  API
GET       200  200    200       200   200  API /asked
GET       200  200    200       409   409  API /asked/<mark>
POST      200  403    403       403   403  API /asked/<mark>/answer
GET       200  200    200       409   409  API /asked/<mark>/beside
POST      200  200    403       403   403  API /asked/<mark>/check
POST      422  403    403       403   403  API /asked/<mark>/dice
DELETE    204  204    204       403   403  API /asked/<mark>/draft
GET       200  200    403       403   403  API /asked/<mark>/draft
PUT       204  204    403       403   403  API /asked/<mark>/draft
POST      422  403    403       403   403  API /asked/<mark>/roll
POST      422  422    403       403   403  API /asked/<mark>/vasl
POST      409  403    403       403   403  API /as-before
POST      404  403    404       403   403  API /bring-back
POST      409  403    403       403   403  API /bring-back/consent
POST      200  403    403       403   403  API /concede
POST      200  403    403       403   403  API /draw
POST      409  403    403       403   403  API /draw/consent
POST      200  403    403       403   403  API /settle
POST      403  403    403       403   204  API /hand-on
GET       200  200    200       200   200  API /history
GET       200  200    200       200   200  API /history/<number>
POST      403  403    403       403   201  API /invitations
DELETE    403  403    403       403   204  API /invitations/<number>
POST      204  204    204       204   403  API /leave
GET       200  200    200       200   200  API /log
GET       403  403    403       403   403  API /log.laager
GET       200  200    200       200   200  API /log/<number>/why
GET       200  200    200       200   200  API /log/lines
GET       200  200    200       200   200  API /map.png
GET       200  200    200       200   200  API /map.svg
GET       200  200    200       200   200  API /map/hexes
GET       422  422    422       422   422  API /map/sight
GET       200  200    200       200   200  API /map/hexes/<name>
DELETE    403  403    403       403   204  API /members/<number>
POST      409  403    409       403   409  API /members/<number>/keep
POST      404  403    403       403   403  API /name
GET       200  200    200       403   403  API /notes
POST      201  201    201       403   403  API /notes
DELETE    204  204    204       403   403  API /notes/<number>
PUT       200  200    200       403   403  API /notes/<number>
POST      403  403    403       403   403  API /late
GET       200  200    200       200   200  API /patience
POST      200  403    403       403   403  API /patience
POST      409  403    403       403   403  API /patience/consent
GET       200  200    200       200   200  API /people
PUT       204  403    403       403   403  API /listed
GET       200  200    200       200   200  API /public
PUT       204  403    403       403   403  API /public
GET       200  200    200       200   200  API /print
PATCH     403  403    403       403   204  API /settings
POST      404  403    404       403   403  API /reopen
POST      422  403    422       403   403  API /ruling
POST      422  422    422       403   403  API /ruling/check
POST      409  403    409       403   403  API /ruling/consent
GET       200  200    200       200   200  API /ruling/open
GET       200  200    200       403   403  API /ruling/template
GET       200  200    200       200   200  API /sheets
GET       200  200    200       200   200  API /sheets/<name>
GET       200  200    200       200   200  API /record
GET       200  200    200       200   200  API /state
GET       404  404    404       404   404  API /story
GET       404  404    404       404   404  API /story/file
GET       404  404    404       404   404  API /story/result.png
POST      200  403    200       403   403  API /take-back
POST      409  403    403       403   403  API /take-back/consent
GET       404  404    404       404   404  API /vasl
POST      404  404    404       404   404  API /vasl
GET       200  200    200       200   200  API /vasl/board
PUT       403  403    403       403   204  API /mutes/<user>
GET       200  200    200       200   200  API /dates
POST      201  201    201       403   403  API /dates
DELETE    404  404    404       404   404  API /dates/<number>
POST      404  404    404       403   403  API /dates/<number>/fix
PUT       404  404    404       403   403  API /dates/<number>/reply
GET       404  404    404       404   404  API /dates/<number>/session.ics
GET       200  200    200       200   200  API /talk
GET       200  200    200       200   200  API /talk/<name>
POST      201  201    201       403   403  API /talk/<name>
POST      204  204    204       204   204  API /talk/<name>/read
DELETE    404  404    404       404   404  API /talk/<name>/<number>
GET       403  403    200       403   403  API /verify
GET       200  200    200       200   200  API /wait
DELETE    404  403    403       403   403  API /webhook
GET       404  403    403       403   403  API /webhook
PUT       200  403    403       403   403  API /webhook
POST      404  403    403       403   403  API /webhook/key
POST      404  403    403       403   403  API /webhook/test
POST      404  403    403       403   403  API /wishes/<number>
GET       200  200    200       200   200  PAGE
GET       404  404    404       404   404  PAGE ahead
GET       404  404    404       404   404  PAGE ahead/<slug:form>
GET       302  302    302       302   302  PAGE answers/
POST      409  409    403       403   403  PAGE answers/
GET       200  200    200       409   409  PAGE ask/<slug:mark>/
POST      302  403    403       403   403  PAGE ask/<slug:mark>/
POST      422  403    403       403   403  PAGE ask/<slug:mark>/log
POST      404  404    404       403   403  PAGE ask/<slug:mark>/record
POST      422  422    422       403   403  PAGE ask/<slug:mark>/save
GET       200  200    200       200   200  PAGE changing/
POST      422  403    403       403   403  PAGE changing/answer-draw/
POST      422  403    403       403   403  PAGE changing/settle/
POST      422  403    403       403   403  PAGE changing/patience/
POST      422  403    403       403   403  PAGE changing/answer-patience/
POST      403  403    403       403   403  PAGE changing/late/
POST      409  403    403       403   403  PAGE changing/as-before/
POST      404  403    404       403   403  PAGE changing/bring-back/
POST      422  403    403       403   403  PAGE changing/concede/
POST      422  403    403       403   403  PAGE changing/consent-redo/
POST      422  403    422       403   403  PAGE changing/consent-ruling/
POST      422  403    403       403   403  PAGE changing/consent/
POST      302  403    403       403   403  PAGE changing/draw/
POST      422  403    422       403   403  PAGE changing/reopen/
GET       200  403    200       403   403  PAGE changing/reopening/
POST      302  403    302       403   403  PAGE changing/take-back/
POST      200  200    403       403   403  PAGE check/<slug:mark>/
GET       204  204    204       204   204  PAGE events
GET       200  200    200       200   200  PAGE feed/
POST      302  302    302       302   302  PAGE feed/renew/
GET       200  200    200       200   200  PAGE forecasts
GET       404  404    404       404   404  PAGE forecasts/<slug:name>
GET       200  200    403       403   403  PAGE forecasts/campaign
POST      422  422    403       403   403  PAGE forecasts/campaign
GET       200  200    200       200   200  PAGE history
GET       200  200    200       200   200  PAGE history/part
GET       200  200    200       200   200  PAGE log
GET       200  200    200       200   200  PAGE log/<int:number>
GET       200  200    200       200   200  PAGE map
GET       200  200    200       200   200  PAGE map.png
GET       200  200    200       200   200  PAGE map.svg
GET       404  404    404       404   404  PAGE map/board/<int:number>
GET       200  200    200       200   200  PAGE map/hex/<str:name>
GET       404  404    404       404   404  PAGE map/sight
GET       200  200    200       403   403  PAGE notes
POST      422  422    422       403   403  PAGE notes
GET       200  200    200       403   403  PAGE notes/<int:number>
POST      422  422    422       403   403  PAGE notes/<int:number>
POST      302  302    302       403   403  PAGE notes/<int:number>/delete
GET       200  200    200       200   200  PAGE over
GET       403  403    403       403   403  PAGE over/campaign.laager
POST      403  403    200       403   403  PAGE over/verify
GET       200  200    200       200   200  PAGE people/
POST      403  403    403       403   302  PAGE people/archive/
POST      404  403    403       403   403  PAGE people/consent/<int:pk>/
POST      403  403    403       403   404  PAGE people/hand-on/
POST      403  403    403       403   422  PAGE people/invite/
POST      409  403    409       403   409  PAGE people/keep/<int:pk>/
POST      422  422    422       403   403  PAGE people/pace/
POST      302  403    403       403   403  PAGE people/push/
POST      302  403    403       403   403  PAGE people/listed/
POST      302  403    403       403   403  PAGE people/public/
POST      422  403    403       403   403  PAGE people/webhook/
POST      302  302    302       302   403  PAGE people/leave/
POST      403  403    403       403   302  PAGE people/remove/<int:pk>/
POST      403  403    403       403   422  PAGE people/rename/
POST      403  403    403       403   302  PAGE people/withdraw/<int:pk>/
GET       302  302    409       409   409  PAGE report
GET       200  200    403       403   403  PAGE report/<slug:mark>/
POST      302  403    403       403   403  PAGE report/<slug:mark>/
POST      200  200    403       403   403  PAGE report/<slug:mark>/check
POST      422  422    422       403   403  PAGE report/<slug:mark>/save
GET       404  404    404       403   403  PAGE setup/<slug:mark>/
POST      404  404    404       403   403  PAGE setup/<slug:mark>/
POST      404  404    404       403   403  PAGE setup/<slug:mark>/check
GET       200  200    200       200   200  PAGE rules
GET       200  200    200       403   403  PAGE ruling/
POST      404  404    404       403   403  PAGE ruling/change/
POST      302  302    302       403   403  PAGE ruling/drop/
GET       200  200    200       403   403  PAGE ruling/cells/
GET       200  200    200       403   403  PAGE ruling/hex/<str:name>
POST      302  403    302       403   403  PAGE ruling/propose/
GET       200  200    200       403   403  PAGE ruling/ruling.yaml
POST      302  302    302       403   403  PAGE ruling/text/
GET       200  200    200       200   200  PAGE record.yaml
GET       200  200    200       200   200  PAGE sheets
GET       422  422    422       422   422  PAGE sheets.pdf
GET       404  404    404       404   404  PAGE sheets/<slug:name>
GET       200  200    200       200   200  PAGE sheets/<slug:name>.csv
GET       200  200    200       200   200  PAGE story
GET       404  404    404       404   404  PAGE story/<int:number>
GET       404  404    404       404   404  PAGE story/file
GET       404  404    404       404   404  PAGE story/film.svg
GET       404  404    404       404   404  PAGE story/result.png
GET       200  200    200       200   200  PAGE tag
GET       200  200    200       200   200  PAGE dates
POST      422  422    422       403   403  PAGE dates
POST      404  404    404       403   403  PAGE dates/<int:number>/fix
POST      404  404    404       404   404  PAGE dates/<int:number>/off
POST      404  404    404       403   403  PAGE dates/<int:number>/reply
GET       404  404    404       404   404  PAGE dates/<int:number>/session.ics
GET       200  200    200       200   200  PAGE talk
POST      422  422    422       403   403  PAGE talk
GET       200  200    200       200   200  PAGE talk/<slug:name>
POST      422  422    422       403   403  PAGE talk/<slug:name>
POST      404  404    404       404   404  PAGE talk/<slug:name>/<int:number>/delete
POST      403  403    403       403   302  PAGE talk/mute/<int:user>
GET       200  200    200       200   200  PAGE units
GET       200  200    200       200   200  PAGE units/<str:name>
POST      302  403    403       403   403  PAGE units/<str:name>
GET       200  200    200       200   200  PAGE battle
POST      302  302    403       403   403  PAGE battle/ticks
GET       200  200    200       200   200  PAGE vasl
POST      422  422    422       422   422  PAGE vasl/counters
GET       200  200    200       200   200  PAGE vasl/board
POST      302  302    302       302   302  PAGE vasl/board
POST      404  404    404       404   404  PAGE vasl/take
"""
"""Addresses at a seat of a campaign; the owner only watches, but owns the campaign."""

COSTLY = frozenset({"API /map.png", "PAGE map.png", "API /print", "API /vasl/board", "PAGE vasl/board"})
"""What takes seconds to make: here by those alone who may not, by others in tests of their own."""

NOBODY = {"PAGE feed/": 401}
"""Where who is not logged in gets another status than elsewhere."""


def site() -> dict[tuple[str, str], tuple[int, int]]:
    """Return the statuses for somebody and nobody, by method and address."""
    found = {}
    for line in SITE.strip().splitlines()[1:]:
        method, somebody, nobody, address = line.split(maxsplit=3)
        found[method, "" if address == "(home)" else address] = int(somebody), int(nobody)
    return found


def at_a_seat() -> dict[tuple[str, str], dict[str, int]]:
    """Return the statuses by role, by method and address; those of a player for both sides'."""
    found = {}
    for line in AT_A_SEAT.strip().splitlines()[1:]:
        method, *statuses, address = line.split(maxsplit=6)
        player, mate, umpire, spectator, owner = map(int, statuses)
        found[method, whole(address)] = {
            "axis": player, "allied": player, "mate": mate, "umpire": umpire,
            "spectator": spectator, "owner": owner,
        }  # fmt: skip
    return found


def whole(address: str) -> str:
    """Return an address of the table as the resolver has it."""
    kind, _, rest = address.partition(" ")
    if kind == "API":
        return f"api/v1/campaigns/<game>/<seat>{rest}"
    return f"campaign/<uuid:game>/<slug:seat>/{rest}"
