"""Reports requests of AI agents to Renown.

It sends them in the background: a visitor never waits for it and never sees an error of it. It needs Python 3.8 or
later and no package. It reads RENOWN_FORWARDER_TOKEN, and RENOWN_PROXIES: how many proxies are in front of the app.

    MIDDLEWARE = ["renown.django_middleware", ...]  # Django
    application = renown.WSGIMiddleware(application)  # Flask and others with WSGI
    app = renown.ASGIMiddleware(app)  # FastAPI, Starlette and others with ASGI
"""

import atexit
import collections
import datetime
import http.client
import json
import logging
import os
import random
import re
import threading
import time
import urllib.parse
import uuid
from asyncio import iscoroutinefunction

# Names of AI agents in lower case, and signs of agents that are not known yet. The ingest decides what it counts.
AGENTS = re.compile(r"(?:(?<!cu)bot|crawl|spider|agent|fetch|-user|gpt|claude|compatible;|\+http|aiwebindex|amazon-kendra|amazon-qbusiness|amazon-quick-on-behalf-of|amazonbuyforme|anchor browser|anchorbrowser|anomura|anthropic-ai|bigsur\.ai|cloudflare-autorag|codex-cli|codex_cli|cohere-ai|cotoyogi|devin|gemini-deep-research|geminicli|genspark\.ai|githubcopilotchat|google-firebase|google-gemini-cli|google-gemininotebook|google-notebooklm|google-pinpoint|googleother|grok-deepsearch|img2dataset|laion-huggingface-processor|laiondownloader|lightpanda\/1|linkreader|meta-webindexer|mistralai-index|mistralai-training|modelcontextprotocol|mozilla-tabstack|nooshub|novaact|novellum|omgili|opencode|perplexityuser|poggio-citations|proratainc|semantic-visions\.com|spawning-ai|terracotta|useai|webzio-extended|xai-grok|yandexadditional)")

# At most so many hits and bytes wait. Further hits are dropped.
HITS_MAX, BYTES_MAX = 10_000, 4_000_000
# A batch has at most so many hits. A hit waits so long for others.
BATCH_MAX, DELAY = 500, 1.0
# How long one request may take, and the longest wait before the next try, in seconds.
TIMEOUT, WAIT_MAX = 5.0, 60.0
# How long the end of the app may take for what is left.
CLOSE_MAX = 2.0

log = logging.getLogger("renown")


class Queue:
    """Hits that wait for the ingest, and the thread that sends them."""

    def __init__(self, token, ingest):
        self.token = token
        self.url = urllib.parse.urlsplit(ingest)
        self.reset()

    def reset(self):
        self.lines = collections.deque()
        self.bytes = 0
        self.batch = None
        self.failures = 0
        self.is_full = False
        self.is_closing = False
        self.lock = threading.Lock()
        self.wake = threading.Event()
        self.thread = None

    def add(self, hit):
        line = json.dumps(hit, separators=(",", ":")).encode() + b"\n"
        with self.lock:
            if len(self.lines) >= HITS_MAX or self.bytes + len(line) > BYTES_MAX:
                if not self.is_full:
                    log.warning("The queue is full. Hits are dropped until the ingest accepts others.")
                self.is_full = True
                return
            self.lines.append(line)
            self.bytes += len(line)
            # The thread begins with the first hit, so each process of a server has one of its own.
            if self.thread is None:
                self.thread = threading.Thread(target=self.run, name="renown", daemon=True)
                self.thread.start()

    def run(self):
        wait = DELAY
        while True:
            if self.wake.wait(wait) and not (self.lines or self.batch):
                return
            try:
                wait = self.send()
            except Exception as error:
                log.warning("Hits could not be sent: %s", error)
                wait = WAIT_MAX
            if self.is_closing and (self.failures > 0 or not (self.lines or self.batch)):
                return

    def send(self):
        """Sends a batch, or the same one again. Returns how many seconds to wait before the next."""
        if self.batch is None:
            with self.lock:
                lines = [self.lines.popleft() for _ in range(min(BATCH_MAX, len(self.lines)))]
            if not lines:
                return DELAY
            # A batch keeps its id and its bytes at each try, so the ingest counts it once.
            self.batch = (str(uuid.uuid4()), b"".join(lines))
        status, retry_after, cause = self.post(*self.batch)
        is_refused = 400 <= status < 500 and status not in (401, 403, 404, 408, 429)
        if 200 <= status < 300 or is_refused:
            if is_refused:
                log.warning("The ingest refused hits with the status %d. They are dropped.", status)
            with self.lock:
                self.bytes -= len(self.batch[1])
                self.is_full = False
            self.batch = None
            self.failures = 0
            return 0 if self.lines else DELAY
        self.failures += 1
        if self.failures == 1:
            log.warning("Hits wait, because the ingest answers with %s.", cause or f"the status {status}")
        back_off = min(WAIT_MAX, 2.0 ** min(self.failures - 1, 6)) * random.uniform(0.75, 1.25)
        return max(back_off, min(retry_after, 3600.0))

    def post(self, batch_id, body):
        is_tls = self.url.scheme == "https"
        connect = http.client.HTTPSConnection if is_tls else http.client.HTTPConnection
        connection = connect(self.url.hostname, self.url.port, timeout=TIMEOUT)
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/x-ndjson",
            "Idempotency-Key": batch_id,
        }
        try:
            connection.request("POST", self.url.path.rstrip("/") + "/v1/hits", body, headers)
            answer = connection.getresponse()
            retry_after = answer.headers.get("Retry-After", "")
            return answer.status, float(retry_after) if retry_after.isdigit() else 0.0, None
        except (OSError, http.client.HTTPException) as error:
            return 0, 0.0, type(error).__name__
        finally:
            connection.close()

    def close(self, limit=CLOSE_MAX):
        """Sends what waits, for at most `limit` seconds."""
        thread = self.thread
        if thread is not None and thread.is_alive():
            self.is_closing = True
            self.wake.set()
            thread.join(limit)


class Renown:
    """Turns requests into hits. No method of it throws."""

    def __init__(self, token=None, ingest=None, proxies=None):
        self.token = token or os.environ.get("RENOWN_FORWARDER_TOKEN", "")
        ingest = ingest or os.environ.get("RENOWN_INGEST_URL") or "https://ingest.example.com"
        self.proxies = int(os.environ.get("RENOWN_PROXIES") or 0) if proxies is None else proxies
        self.queue = Queue(self.token, ingest)
        if not self.token:
            log.warning("RENOWN_FORWARDER_TOKEN is not set, so no hits are counted.")
        atexit.register(self.queue.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.queue.reset)

    def begin(self, method, agent, forwarded, read):
        """Returns the hit of a request that may be one of an AI agent, or None."""
        try:
            if not self.token or method not in ("GET", "HEAD") or not agent or not AGENTS.search(agent.lower()):
                return None
            ip, host, url, referer = read()
            addresses = [each.strip() for each in forwarded.split(",")] if forwarded else []
            if 0 < self.proxies <= len(addresses):
                ip = addresses[-self.proxies]
            now = datetime.datetime.fromtimestamp(time.time(), datetime.timezone.utc)
            hit = {
                "id": str(uuid.uuid4()),
                "ts": now.isoformat(timespec="milliseconds"),
                "ip": ip,
                "method": method,
                "host": host,
                "url": url[:4096],
                "ua": agent[:1024],
                "referer": (referer or "")[:1024],
            }
            return {name: value for name, value in hit.items() if value}
        except Exception as error:
            log.warning("A hit was not counted: %s", error)
            return None

    def finish(self, hit, status):
        try:
            if hit is not None:
                self.queue.add({**hit, "status": status})
        except Exception as error:
            log.warning("A hit was not counted: %s", error)

    def begin_wsgi(self, environ):
        get = environ.get

        def read():
            path = urllib.parse.quote(get("SCRIPT_NAME", "") + get("PATH_INFO", ""), safe="/%:@!$&'()*+,;=~", encoding="latin-1")
            query = get("QUERY_STRING", "")
            return get("REMOTE_ADDR"), get("HTTP_HOST"), path + ("?" + query if query else ""), get("HTTP_REFERER")

        agent = get("HTTP_USER_AGENT")
        return self.begin(get("REQUEST_METHOD"), agent, get("HTTP_X_FORWARDED_FOR"), read)


def django_middleware(get_response):
    """Middleware of Django, for WSGI and ASGI."""
    renown = Renown()

    def begin(request):
        def read():
            host = request.META.get("HTTP_HOST")
            return request.META.get("REMOTE_ADDR"), host, request.get_full_path(), request.META.get("HTTP_REFERER")

        get = request.META.get
        return renown.begin(request.method, get("HTTP_USER_AGENT"), get("HTTP_X_FORWARDED_FOR"), read)

    if iscoroutinefunction(get_response):

        async def middleware(request):
            hit = begin(request)
            response = await get_response(request)
            renown.finish(hit, response.status_code)
            return response

    else:

        def middleware(request):
            hit = begin(request)
            response = get_response(request)
            renown.finish(hit, response.status_code)
            return response

    return middleware


django_middleware.sync_capable = True
django_middleware.async_capable = True


class WSGIMiddleware:
    def __init__(self, app, **options):
        self.app = app
        self.renown = Renown(**options)

    def __call__(self, environ, start_response):
        hit = self.renown.begin_wsgi(environ)
        if hit is None:
            return self.app(environ, start_response)

        def start(status, headers, *more):
            self.renown.finish(hit, int(status[:3]))
            return start_response(status, headers, *more)

        return self.app(environ, start)


class ASGIMiddleware:
    def __init__(self, app, **options):
        self.app = app
        self.renown = Renown(**options)

    async def __call__(self, scope, receive, send):
        hit = self.begin(scope) if scope["type"] == "http" else None
        if hit is None:
            return await self.app(scope, receive, send)

        async def observed(message):
            if message["type"] == "http.response.start":
                self.renown.finish(hit, message["status"])
            await send(message)

        await self.app(scope, receive, observed)

    def begin(self, scope):
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}

        def read():
            path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
            query = scope.get("query_string", b"").decode("latin-1")
            client = scope.get("client")
            url = path + ("?" + query if query else "")
            return client[0] if client else None, headers.get(b"host"), url, headers.get(b"referer")

        agent = headers.get(b"user-agent")
        return self.renown.begin(scope["method"], agent, headers.get(b"x-forwarded-for"), read)
