import { describe, expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AppRoad, copyIntegration } from '../support/app-road'
import { appTests, type StartApp } from '../support/app-suite'
import { runProgram } from '../support/clients'
import { countedNames } from '../support/integration-files'
import { testWith } from '../support/needs'

/** Debian's Python, which has Debian's Django. */
const python = '/usr/bin/python3'

function prepare({ folder }: AppRoad): void {
  copyIntegration('python/renown.py', join(folder, 'renown.py'), {
    'BATCH_MAX, DELAY = 500, 1.0': 'BATCH_MAX, DELAY = 500, 0.05',
    'TIMEOUT, WAIT_MAX = 5.0, 60.0': 'TIMEOUT, WAIT_MAX = 2.0, 0.5',
  })
}

const serve = `
import sys
from wsgiref.simple_server import make_server
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer
import signal
class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
server = make_server("127.0.0.1", 0, application, Server)
print("listening", server.server_port, flush=True)
server.serve_forever()
`

const django = `
import django
from django.conf import settings
settings.configure(SECRET_KEY="x", ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], MIDDLEWARE=["renown.django_middleware"])
django.setup()
from django.http import HttpResponse
from django.urls import path
urlpatterns = [path("page/<n>", lambda request, n: HttpResponse("page"))]
`

/** Starts an app of Python with the file of the set-up page beside it. */
const pythonApp =
  (code: string, command: readonly string[] = [python, 'app.py']): StartApp =>
  (road) => {
    prepare(road)
    writeFileSync(join(road.folder, 'app.py'), code)
    return road.start(command, { RENOWN_PROXIES: '1', PYTHONUNBUFFERED: '1' })
  }

const apps: Readonly<Record<string, StartApp>> = {
  Django: pythonApp(
    `${django}
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
${serve}`,
  ),
  'Django with two processes of gunicorn': pythonApp(
    `${django}
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
def when_ready(server):
    print("listening", server.LISTENERS[0].sock.getsockname()[1], flush=True)`,
    [python, '-m', 'gunicorn', '--preload', '-w', '2', '-b', '127.0.0.1:0', '-c', 'python:app', 'app'],
  ),
}

describe.each(Object.entries(apps))('an app with %s', (name, start) => {
  for (const [title, work] of Object.entries(appTests(start)))
    testWith('Django', ...(name === 'Django' ? [] : (['a long run'] as const)))(title, work, 60_000)
})

/** Runs code with the file of the set-up page and prints what it reports, without an ingest. */
const alone = async (code: string, input = '') => {
  const folder = join(import.meta.dir, '../../integrations/python')
  const begin = `import sys; sys.dont_write_bytecode = True; sys.path.insert(0, ${JSON.stringify(folder)})
import asyncio, json, renown
renown.Queue.add = lambda self, hit: print(json.dumps({name: hit[name] for name in hit if name not in ("id", "ts")}))
options = {"token": "t", "proxies": 0}
`
  const run = await runProgram(['python3', '-c', begin + code, input])
  if (run.code !== 0) throw new Error(run.stderr)
  return run.stdout.trim().split('\n')
}

describe('the file for Python', () => {
  testWith('python3')('selects every agent of the registry', async () => {
    const names = JSON.stringify(countedNames())
    expect(
      await alone(
        'print([name for name in json.loads(sys.argv[1]) if not renown.AGENTS.search(name.lower())])',
        names,
      ),
    ).toEqual(['[]'])
  })

  testWith('python3')('reports from WSGI and ASGI, and answers as without it', async () => {
    const lines = await alone(`
def wsgi(environ, start_response):
    start_response("404 Not Found", [])
    return [b"page"]
environ = {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": "/caf\\u00c3\\u00a9 1", "QUERY_STRING": "a=b",
    "HTTP_USER_AGENT": "GPTBot/1.3", "REMOTE_ADDR": "192.0.2.7", "HTTP_HOST": "shop.example"}
body = renown.WSGIMiddleware(wsgi, **options)(environ, lambda status, headers: None)
print(body)

async def asgi(scope, receive, send):
    await send({"type": "http.response.start", "status": 200})
    await send({"type": "http.response.body", "body": b"page"})
scope = {"type": "http", "method": "HEAD", "path": "/a", "raw_path": b"/a", "query_string": b"", "client": ("2001:db8::7", 1),
    "headers": [(b"user-agent", b"ClaudeBot/1.0"), (b"host", b"shop.example"), (b"referer", b"https://a.example/")]}
sent = []
async def send(message): sent.append(message["type"])
app = renown.ASGIMiddleware(asgi, **options)
asyncio.run(app(scope, None, send))
asyncio.run(app({"type": "lifespan"}, None, send))
print(sent)

async def get_response(request): return request
class Request:
    method = "GET"; status_code = 301
    META = {"HTTP_USER_AGENT": "GPTBot/1.3", "REMOTE_ADDR": "192.0.2.8"}
    def get_full_path(self): return "/async"
renown.Renown.__init__.__defaults__ = ("t", None, 0)
asyncio.run(renown.django_middleware(get_response)(Request()))
`)
    const [wsgi, body, asgi, sent, django] = lines
    expect(JSON.parse(wsgi ?? '')).toEqual({
      ip: '192.0.2.7',
      method: 'GET',
      host: 'shop.example',
      url: '/caf%C3%A9%201?a=b',
      ua: 'GPTBot/1.3',
      status: 404,
    })
    expect(body).toBe("[b'page']")
    expect(JSON.parse(asgi ?? '')).toEqual({
      ip: '2001:db8::7',
      method: 'HEAD',
      host: 'shop.example',
      url: '/a',
      ua: 'ClaudeBot/1.0',
      referer: 'https://a.example/',
      status: 200,
    })
    expect(sent).toContain("'http.response.body'")
    expect(JSON.parse(django ?? '')).toMatchObject({ ip: '192.0.2.8', url: '/async', status: 301 })
  })
})
