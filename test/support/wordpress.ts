import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentOf, findProgram, freePort, rootOf } from './programs'
import { waitFor } from './wait-for'

/** A real WordPress over MariaDB, by nginx and PHP-FPM and by PHP's own server, which cannot end a response early. */
export interface WordPress {
  /** The website by nginx and PHP-FPM. */
  readonly url: string
  /** The same website by PHP's own server. */
  readonly plainUrl: string
  readonly folder: string
  /** Runs SQL and returns its lines. */
  sql(statement: string): string[]
  stop(): Promise<void>
}

const adminPassword = 'correct horse battery staple'

/** Starts WordPress with its database, and installs it as its own page does. */
export async function startWordPress(): Promise<WordPress> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'renown-wordpress-'))
  const running: Bun.Subprocess[] = []
  const run = (name: string, words: readonly string[], env: Record<string, string> = {}) => {
    const program = programOf(name)
    const log = Bun.file(join(folder, `${name}.log`))
    // A group of its own: the workers of PHP's own server outlive it, whatever ends it.
    const options = { stdin: 'ignore', stdout: log, stderr: log, cwd: folder, detached: true } as const
    running.push(
      Bun.spawn([program, ...words], {
        ...options,
        env: { ...environmentOf(program), HOME: folder, ...env },
      }),
    )
  }
  const stop = async () => {
    for (const child of running.toReversed()) {
      process.kill(-child.pid, 'SIGTERM')
      await child.exited
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const sql = await startDatabase(folder, run)
    const port = await freePort()
    const plainPort = await freePort()
    layOut(folder)
    writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port))
    writeFileSync(join(folder, 'fpm.conf'), fpmConfiguration(folder))
    run('php-fpm8.2', ['-F', '-R', '-y', join(folder, 'fpm.conf'), ...phpSettings()])
    run('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx-error.log')])
    const router = join(folder, 'router.php')
    run('php', [...phpSettings(), '-S', `127.0.0.1:${plainPort}`, '-t', join(folder, 'site'), router], {
      PHP_CLI_SERVER_WORKERS: '4',
    })
    const url = `http://127.0.0.1:${port}`
    const plainUrl = `http://127.0.0.1:${plainPort}`
    for (const each of [url, plainUrl])
      await waitFor(
        () =>
          fetch(`${each}/wp-admin/install.php`).then(
            ({ ok }) => ok,
            () => false,
          ),
        {
          what: `WordPress at ${each}`,
        },
      )
    await install(url)
    return { url, plainUrl, folder, sql, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function programOf(name: string): string {
  const program = findProgram(name)
  if (!program) throw new Error(`this machine has no ${name}`)
  return program
}

type Run = (name: string, words: readonly string[]) => void

async function startDatabase(folder: string, run: Run) {
  const server = programOf('mariadbd')
  const root = rootOf(server)
  const base = ['--no-defaults', `--datadir=${join(folder, 'data')}`]
  const usr = join(root || '/', 'usr')
  const env = { ...environmentOf(server), HOME: folder }
  const made = Bun.spawnSync(
    [
      programOf('mariadb-install-db'),
      ...base,
      `--basedir=${usr}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--user=root',
    ],
    { env },
  )
  if (made.exitCode !== 0) throw new Error(`${made.stdout}${made.stderr}`)
  const socket = join(folder, 'mariadb.sock')
  run('mariadbd', [
    ...base,
    `--basedir=${usr}`,
    `--socket=${socket}`,
    '--skip-networking',
    '--user=root',
    '--innodb-buffer-pool-size=32M',
    `--lc-messages-dir=${join(usr, 'share/mysql')}`,
    `--pid-file=${join(folder, 'mariadb.pid')}`,
  ])
  const ask = (statement: string, ...more: string[]) =>
    Bun.spawnSync(
      [programOf('mariadb'), '--no-defaults', `--socket=${socket}`, '-uroot', '-N', ...more, '-e', statement],
      { env },
    )
  await waitFor(() => ask('SELECT 1').exitCode === 0, { what: 'MariaDB' })
  ask('CREATE DATABASE site')
  return (statement: string): string[] => {
    const { exitCode, stdout, stderr } = ask(statement, 'site')
    if (exitCode !== 0) throw new Error(String(stderr))
    return String(stdout).split('\n').filter(Boolean)
  }
}

/** PHP with the driver of MariaDB, which may be unpacked only. */
function phpSettings(): string[] {
  const unpacked = join(rootOf(programOf('mariadbd')), 'usr/lib/php/20220829')
  return ['mysqlnd', 'mysqli']
    .map((name) => join(unpacked, `${name}.so`))
    .filter((path) => existsSync(path))
    .flatMap((path) => ['-d', `extension=${path}`])
}

/** Copies WordPress with a configuration, and a router for PHP's own server. */
function layOut(folder: string): void {
  const site = join(folder, 'site')
  const source = join(rootOf(programOf('mariadbd')) || '/', 'usr/share/wordpress')
  cpSync(source, site, {
    recursive: true,
    filter: (path) => existsSync(path) && !path.endsWith('wp-config.php') && !path.endsWith('.htaccess'),
  })
  mkdirSync(join(site, 'wp-content/uploads'), { recursive: true })
  writeFileSync(
    join(site, 'wp-config.php'),
    `<?php
define('DB_NAME', 'site'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${folder}/mariadb.sock'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('AUTH_KEY', 'a'); define('SECURE_AUTH_KEY', 'b'); define('LOGGED_IN_KEY', 'c'); define('NONCE_KEY', 'd');
define('AUTH_SALT', 'e'); define('SECURE_AUTH_SALT', 'f'); define('LOGGED_IN_SALT', 'g'); define('NONCE_SALT', 'h');
define('FS_METHOD', 'direct'); define('WP_DEBUG', true); define('WP_DEBUG_DISPLAY', true); define('WP_DEBUG_LOG', true);
define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']); define('WP_SITEURL', 'http://' . $_SERVER['HTTP_HOST']);
define('WP_HTTP_BLOCK_EXTERNAL', true); define('WP_ACCESSIBLE_HOSTS', '127.0.0.1');
define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_AUTO_UPDATE_CORE', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) { define('ABSPATH', __DIR__ . '/'); }
require_once ABSPATH . 'wp-settings.php';
`,
  )
  // WordPress 6.1 with PHP 8.2 prints what is deprecated into every page.
  mkdirSync(join(site, 'wp-content/mu-plugins'))
  writeFileSync(
    join(site, 'wp-content/mu-plugins/reports.php'),
    '<?php error_reporting(E_ALL & ~E_DEPRECATED);',
  )
  writeFileSync(
    join(folder, 'router.php'),
    `<?php $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file($_SERVER['DOCUMENT_ROOT'] . $path)) { return false; }
chdir($_SERVER['DOCUMENT_ROOT']); require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`,
  )
}

const fpmConfiguration = (folder: string) => `
[global]
error_log = ${folder}/fpm.log
[site]
listen = ${folder}/fpm.sock
${process.getuid?.() === 0 ? 'user = root' : ''}
pm = static
pm.max_children = 4
catch_workers_output = yes
`

const nginxConfiguration = (folder: string, port: number) => `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  client_max_body_size 8m;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/site;
    index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ {
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_param SCRIPT_NAME $fastcgi_script_name;
      fastcgi_param REQUEST_URI $request_uri;
      fastcgi_param DOCUMENT_ROOT $document_root;
      fastcgi_param SERVER_PROTOCOL $server_protocol;
      fastcgi_param REMOTE_ADDR $remote_addr;
      fastcgi_param SERVER_NAME $host;
      fastcgi_param SERVER_PORT ${port};
      fastcgi_pass unix:${folder}/fpm.sock;
    }
  }
}
`

async function install(url: string): Promise<void> {
  const form = {
    weblog_title: 'Shop',
    user_name: 'owner',
    admin_email: 'owner@example.com',
    blog_public: '1',
  }
  const answer = await fetch(`${url}/wp-admin/install.php?step=2`, {
    method: 'POST',
    body: new URLSearchParams({
      ...form,
      admin_password: adminPassword,
      admin_password2: adminPassword,
      pw_weak: '1',
      language: '',
    }),
  })
  const page = await answer.text()
  if (!page.includes('wp-login.php')) throw new Error(`WordPress was not installed: ${page.slice(0, 2_000)}`)
}

/** The owner of the website, signed in to its administration in a browser without scripts. */
export interface Owner {
  get(path: string): Promise<string>
  /** Sends the first form of a page whose text has `has`, with its hidden fields and these. */
  submit(
    path: string,
    has: string,
    fields: Readonly<Record<string, string | Blob>>,
    to?: string,
  ): Promise<string>
  follow(link: string): Promise<string>
}

/** Signs the owner in. */
export async function signInToWordPress(url: string): Promise<Owner> {
  const cookies = new Map<string, string>()
  const request = async (path: string, init: RequestInit = {}): Promise<string> => {
    const target = new URL(path, `${url}/wp-admin/`)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(target, { ...init, redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [pair = ''] = each.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const to = response.headers.get('location')
    return to ? request(new URL(to, target).href) : response.text()
  }
  await request('/wp-login.php')
  await request('/wp-login.php', {
    method: 'POST',
    body: new URLSearchParams({ log: 'owner', pwd: adminPassword, 'wp-submit': 'Log In', testcookie: '1' }),
  })
  return {
    get: (path) => request(path),
    follow: (link) => request(link.replaceAll('&amp;', '&').replaceAll('&#038;', '&')),
    async submit(path, has, fields, to) {
      const page = await request(path)
      const form = [...page.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].find(([text]) => text.includes(has))?.[0]
      if (!form) throw new Error(`${path} has no form with ${has}: ${page.slice(0, 3_000)}`)
      const body = new FormData()
      for (const [input] of form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g))
        body.set(/name="([^"]*)"/.exec(input)?.[1] ?? '', /value="([^"]*)"/.exec(input)?.[1] ?? '')
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      const action = /<form\b[^>]*action="([^"]*)"/.exec(form)?.[1]
      return request(to ?? action?.replaceAll('&amp;', '&') ?? path, { method: 'POST', body })
    },
  }
}
