import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { environmentOf, findProgram, freePort, rootOf } from './programs'
import { waitFor } from './wait-for'

const docs = join(import.meta.dir, '../../docs')

/** The code blocks of a page under `docs` in one language, with its placeholders filled. */
export async function codeOf(page: string, language: string, fill: Readonly<Record<string, string>>) {
  const text = await Bun.file(join(docs, `${page}.md`)).text()
  const blocks = [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))]
  if (blocks.length === 0) throw new Error(`docs/${page}.md has no ${language}`)
  let code = blocks.map((block) => block[1]).join('')
  for (const [placeholder, value] of Object.entries(fill)) {
    if (!code.includes(placeholder)) throw new Error(`docs/${page}.md: no ${placeholder} in its ${language}`)
    code = code.replaceAll(placeholder, value)
  }
  return code
}

/** A program that runs until it is stopped. */
export interface Running {
  /** The file with what it wrote on its streams. */
  readonly log: string
  /** Sends a signal and does not wait. */
  signal(name: NodeJS.Signals): void
  /** Sends TERM, or the signal named, and waits for the end. KILL follows a TERM that takes ten seconds. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Runs a program. `stdout` is a file that the program's output is appended to, as systemd does with `StandardOutput=append:`. */
export function run(
  name: string,
  words: (program: string) => string[],
  folder: string,
  stdout?: string,
): Running {
  const program = findProgram(name)
  if (!program) throw new Error(`this machine has no ${name}`)
  const log = join(folder, `${name}.out`)
  const out = openSync(log, 'a')
  const output = stdout === undefined ? out : openSync(stdout, 'a')
  const env = { ...environmentOf(program), HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = Bun.spawn([program, ...words(program)], {
    cwd: folder,
    stdin: 'ignore',
    stdout: output,
    stderr: out,
    env,
  })
  for (const file of new Set([out, output])) closeSync(file)
  return {
    log,
    signal: (signal) => child.kill(signal),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null) child.kill(signal)
      const forced = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await child.exited
      clearTimeout(forced)
    },
  }
}

/** Runs a script again and again as cron does, but for the wait. A stop ends the run that is under way. */
export function startCron(script: string, folder: string): Running {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'script'), script, { mode: 0o700 })
  const log = join(folder, 'cron.out')
  const out = openSync(log, 'a')
  const child = Bun.spawn(['sh', '-c', 'while :; do ./script; sleep 0.2; done'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode === null) process.kill(-child.pid, name)
  }
  return {
    log,
    signal,
    async stop(name = 'SIGTERM') {
      signal(name)
      await child.exited
    },
  }
}

/** Runs our own shipper on a log. */
export function startShipper(
  log: string,
  { url, token, folder }: { readonly url: string; readonly token: string; readonly folder: string },
): Running {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'shipper.out')
  const out = openSync(path, 'a')
  const main = join(import.meta.dir, '../../ship/main.ts')
  const words = ['ship', 'file', log, '--to', url, '--state', join(folder, 'state'), '--from-start']
  const child = Bun.spawn([process.execPath, main, ...words], {
    env: { ...process.env, RENOWN_FORWARDER_TOKEN: token },
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  return {
    log: path,
    signal: (name) => child.kill(name),
    async stop(name = 'SIGTERM') {
      child.kill(name)
      await child.exited
    },
  }
}

/** Runs syslog-ng with the configuration of a page; what is read stands in `folder`. */
export function startSyslogNg(configuration: string, folder: string): Running {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'syslog-ng.conf')
  writeFileSync(file, `@version: current\noptions { keep-hostname(yes); };\n${configuration}`)
  const own = [
    '-F',
    '-e',
    '--no-caps',
    '-f',
    file,
    '-R',
    'persist',
    '-c',
    'control',
    '-p',
    join(folder, 'pid'),
  ]
  return run('syslog-ng', (program) => [...own, ...modulesOf(program)], folder)
}

function modulesOf(program: string): string[] {
  const root = rootOf(program)
  if (!root) return []
  const modules = join(root, 'usr/lib/syslog-ng')
  const version = readdirSync(modules).find((name) => /^\d/.test(name)) ?? ''
  return ['--module-path', join(modules, version)]
}

/** A web server on loopback with what a page says to put into its configuration. */
export interface WebServer extends Running {
  readonly port: number
}

/** What a server needs beside its configuration. */
export interface StarterOptions {
  /** Goes into the block of the server, where the page's code goes outside it. */
  readonly inServer?: string
  /** A file that the server's standard output is appended to. */
  readonly stdout?: string
  /** Sections of the configuration beside that of the server. */
  readonly global?: string
  /** The server's own name, where it needs one. */
  readonly name?: string
}
type Starter = (code: string, folder: string, options?: StarterOptions) => Promise<WebServer>

/** The web servers of the pages, each with the least configuration around the page's own. */
export const webServers: Readonly<Record<string, Starter>> = {
  nginx: (code, folder, { inServer = '' } = {}) =>
    started('nginx', folder, (port) => [
      ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf'],
      {
        'nginx.conf': `daemon off; worker_processes 2; pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 64; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${code}
  server { listen 127.0.0.1:${port}; ${inServer} location / { return 200 "ok"; } }
}`,
      },
    ]),
  caddy: (code, folder) =>
    started('caddy', folder, (port) => [
      ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
      {
        // An answer of its own would come before a proxy's.
        Caddyfile: `{\n\tadmin off\n\tauto_https off\n}\nhttp://:${port} {\n\tbind 127.0.0.1\n\t${code}\n${code.includes('reverse_proxy') ? '' : '\trespond "ok"\n'}}\n`,
      },
    ]),
  apache2: (code, folder, { name = 'example.com' } = {}) =>
    started('apache2', folder, (port, program) => [
      ['-D', 'FOREGROUND', '-d', folder, '-f', 'httpd.conf'],
      {
        'httpd.conf': `ServerName ${name}
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
LoadModule mpm_event_module ${rootOf(program)}/usr/lib/apache2/modules/mod_mpm_event.so
LoadModule remoteip_module ${rootOf(program)}/usr/lib/apache2/modules/mod_remoteip.so
LoadModule unique_id_module ${rootOf(program)}/usr/lib/apache2/modules/mod_unique_id.so
LoadModule authz_core_module ${rootOf(program)}/usr/lib/apache2/modules/mod_authz_core.so
DocumentRoot ${folder}
${code}`,
      },
    ]),
  haproxy: (code, folder, { stdout, global = '' } = {}) =>
    started(
      'haproxy',
      folder,
      (port) => [
        ['-db', '-f', 'haproxy.cfg'],
        {
          'haproxy.cfg': `${global}
defaults
  mode http
  timeout client 5s
  timeout connect 5s
  timeout server 5s
frontend fe
  bind 127.0.0.1:${port}
${code}
  http-request return status 200 content-type text/plain string ok
`,
        },
      ],
      stdout,
    ),
}

type Files = Readonly<Record<string, string>>

/** Starts a program on a port that is free, with its files, and waits until it listens. */
export async function started(
  name: string,
  folder: string,
  set: (port: number, program: string) => [words: string[], files: Files],
  stdout?: string,
): Promise<WebServer> {
  const port = await freePort()
  let words: string[] = []
  const running = run(
    name,
    (program) => {
      const [own, files] = set(port, program)
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), text)
      }
      words = own
      return words
    },
    folder,
    stdout,
  )
  await waitFor(() => accepts(port), { what: `${name} to listen` }).catch(async (error) => {
    await running.stop()
    throw new Error(`${error.message}:\n${existsSync(running.log) ? await Bun.file(running.log).text() : ''}`)
  })
  return { ...running, port }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Sends a request as it stands and resolves with the first line of the answer. */
export function ask(port: number, request: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => void socket.write(request))
    let answer = ''
    socket.setTimeout(45_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.split('\r\n', 1)[0] ?? ''))
  })
}
