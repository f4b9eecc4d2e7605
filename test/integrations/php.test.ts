import { afterEach, describe, expect } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browser, site } from '../ingest/support/ingest'
import { copyIntegration } from '../support/app-road'
import { appTests, type StartApp } from '../support/app-suite'
import { runProgram } from '../support/clients'
import { countedNames } from '../support/integration-files'
import { testWith } from '../support/needs'
import { findProgram, freePort } from '../support/programs'

const fpm = '/usr/sbin/php-fpm8.2'

const files = (folder: string, port: number): Readonly<Record<string, string>> => ({
  'config/app.php': `<?php return ['name' => 'x', 'env' => 'production', 'debug' => false, 'timezone' => 'UTC', 'locale' => 'en',
    'key' => 'base64:' . base64_encode(str_repeat('a', 32)), 'cipher' => 'AES-256-CBC', 'aliases' => [],
    'providers' => [Illuminate\\Filesystem\\FilesystemServiceProvider::class, Illuminate\\View\\ViewServiceProvider::class]];`,
  'config/services.php': `<?php return ['renown' => ['token' => env('RENOWN_FORWARDER_TOKEN'), 'ingest' => env('RENOWN_INGEST_URL')]];`,
  'config/logging.php': `<?php return ['default' => 'none', 'channels' => ['none' => ['driver' => 'monolog', 'handler' => Monolog\\Handler\\NullHandler::class]]];`,
  'config/view.php': `<?php return ['paths' => [], 'compiled' => __DIR__ . '/../storage'];`,
  'bootstrap/cache/.keep': '',
  'storage/app/.keep': '',
  'public/index.php': `<?php
require '/usr/share/php/Illuminate/autoload.php';
require __DIR__ . '/../app/Renown.php';
class Proxies extends Illuminate\\Http\\Middleware\\TrustProxies
{
    protected $proxies = ['127.0.0.1'];
    protected $headers = Illuminate\\Http\\Request::HEADER_X_FORWARDED_FOR;
}
class Kernel extends Illuminate\\Foundation\\Http\\Kernel
{
    protected $middleware = [Proxies::class, App\\Http\\Middleware\\Renown::class];
}
$app = new Illuminate\\Foundation\\Application(dirname(__DIR__));
$app->singleton(Illuminate\\Contracts\\Http\\Kernel::class, Kernel::class);
$app->singleton(Illuminate\\Contracts\\Debug\\ExceptionHandler::class, Illuminate\\Foundation\\Exceptions\\Handler::class);
$app->booted(fn () => $app['router']->get('/page/{n}', fn () => 'page'));
$app->booted(fn () => $app['router']->get('/', fn () => 'start'));
$app->booted(fn () => $app['router']->get('/gone', fn () => response('', 404)));
$kernel = $app->make(Illuminate\\Contracts\\Http\\Kernel::class);
$request = Illuminate\\Http\\Request::capture();
$response = $kernel->handle($request)->send();
$kernel->terminate($request, $response);
`,
  'fpm.conf': `[global]
error_log = ${folder}/fpm.log
[www]
listen = ${folder}/fpm.sock
user = root
group = root
pm = static
pm.max_children = 4
clear_env = no
`,
  'nginx.conf': `daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server {
    listen 127.0.0.1:${port};
    location / {
      fastcgi_pass unix:${folder}/fpm.sock;
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME ${folder}/public/index.php;
      fastcgi_param SCRIPT_NAME /index.php;
      fastcgi_param HTTP_HOST $http_host;
    }
  }
}
`,
})

interface Front {
  readonly port: number
  stop(): Promise<void>
}
const fronts = new Map<string, Front>()
/** A killed master of php-fpm leaves its children behind. */
const children = new Set<number>()
afterEach(async () => {
  for (const child of children) endChild(child)
  children.clear()
  for (const front of fronts.values()) await front.stop()
  fronts.clear()
})

/** Writes a Laravel app with the class of the set-up page, and starts nginx in front of it. */
async function prepare(folder: string): Promise<Front> {
  const port = await freePort()
  for (const [path, text] of Object.entries(files(folder, port))) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  copyIntegration('php/Renown.php', join(folder, 'app/Renown.php'), {
    'TIMEOUT = 3': 'TIMEOUT = 1',
    'WAIT_MAX = 60': 'WAIT_MAX = 1',
  })
  const program = findProgram('nginx') ?? 'nginx'
  const options = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx.log')]
  const nginx = Bun.spawn([program, ...options], { stdout: 'ignore', stderr: 'ignore' })
  // Other people also visit the app. After each answer, the class sends what waits.
  const visitors = setInterval(() => {
    const headers = { 'user-agent': browser, host: site.domain }
    fetch(`http://127.0.0.1:${port}/page/other`, { headers }).catch(() => {})
  }, 300)
  return {
    port,
    async stop() {
      clearInterval(visitors)
      nginx.kill()
      await nginx.exited
    },
  }
}

const laravel: StartApp = async (road) => {
  const front = fronts.get(road.folder) ?? (await prepare(road.folder))
  fronts.set(road.folder, front)
  const command = `echo $$ > fpm.pid; echo listening ${front.port}; exec ${fpm} -F -R -y fpm.conf`
  const app = await road.start(['sh', '-c', command])
  await app.ready()
  const pid = readFileSync(join(road.folder, 'fpm.pid'), 'utf8').trim()
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  for (const child of own) children.add(child)
  return {
    ...app,
    async end(signal) {
      const took = await app.end(signal)
      for (const child of own) endChild(child)
      return took
    },
  }
}

function endChild(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

describe('an app with Laravel', () => {
  for (const [title, work] of Object.entries(appTests(laravel, { isDurable: true })))
    testWith('a long run', 'Laravel', 'nginx', 'sh')(title, work, 180_000)
})

/** Runs code with the class of the set-up page in a folder of its own, without Laravel. */
async function run(code: string, work: (php: () => Promise<string>) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-php-'))
  const file = join(import.meta.dir, '../../integrations/php/Renown.php')
  try {
    await work(async () => {
      const {
        stdout,
        stderr,
        code: ended,
      } = await runProgram(
        ['php', '-d', 'display_errors=stderr', '-r', code, file, folder, JSON.stringify(countedNames())],
        { cwd: folder },
      )
      if (ended !== 0 || stderr) throw new Error(`${stdout} ${stderr}`)
      return stdout
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const reporter = (url: string) => `require $argv[1];
class Headers { function get($name) { return ['User-Agent' => 'GPTBot/1.3'][$name] ?? null; } }
class Request { public $headers; function __construct() { $this->headers = new Headers(); } function getMethod() { return 'GET'; }
  function ip() { return '192.0.2.7'; } function getHost() { return 'shop.example'; } function getRequestUri() { return '/' . str_repeat('a', 3000); } }
class Response { function getStatusCode() { return 200; } }
$renown = new App\\Http\\Middleware\\Renown('t', '${url}', $argv[2] . '/renown');
`

describe('the class for Laravel', () => {
  testWith('php')('selects every agent of the registry', () =>
    run(
      `require $argv[1]; $names = json_decode($argv[3]);
$agents = (new ReflectionClass('App\\Http\\Middleware\\Renown'))->getConstant('AGENTS');
echo json_encode(array_values(array_filter($names, fn ($name) => preg_match($agents, $name) !== 1)));`,
      async (php) => expect(await php()).toBe('[]'),
    ),
  )

  testWith('php')(
    'only the scheduler sends where a visitor would wait, and a batch keeps its id and bytes',
    async () => {
      const tries: string[] = []
      let status = 503
      const server = Bun.serve({
        port: 0,
        async fetch(request) {
          tries.push(`${request.headers.get('idempotency-key')} ${await request.text()}`)
          return new Response(null, { status, headers: { 'retry-after': '0' } })
        },
      })
      const code = `${reporter(`http://127.0.0.1:${server.port}`)}
if (!is_dir($argv[2] . '/renown')) { $renown->terminate(new Request(), new Response()); }
else { touch($argv[2] . '/renown/failures', time() - 1); $renown->send(); }`
      try {
        await run(code, async (php) => {
          await php()
          expect(tries).toEqual([])
          await php()
          status = 204
          await php()
          await php()
          expect([tries.length, tries[0] === tries[1]]).toEqual([2, true])
          expect(JSON.parse(tries[0]?.slice(tries[0].indexOf('{')) ?? '')).toMatchObject({
            ip: '192.0.2.7',
            status: 200,
          })
        })
      } finally {
        await server.stop(true)
      }
    },
  )

  testWith('php')('keeps at most four million bytes', () =>
    run(
      `${reporter('http://127.0.0.1:9')}
for ($n = 0; $n < 1500; $n++) { $renown->terminate(new Request(), new Response()); }
echo filesize($argv[2] . '/renown/waiting.ndjson');`,
      async (php) => {
        const bytes = Number(await php())
        expect(bytes).toBeGreaterThan(3_990_000)
        expect(bytes).toBeLessThanOrEqual(4_000_000)
      },
    ),
  )
})
