import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootOf } from './programs'
import { codeOf, run, started, type WebServer } from './set-up-pages'
import { waitFor } from './wait-for'

/** Starts the server of a page with the page's own configuration, on a log of its own. */
export type ShipServer = (folder: string, log: string) => Promise<WebServer>

/** The servers whose pages name Renown's shipper as the forwarder. */
export const shipServers: Readonly<Record<string, ShipServer>> = {
  async lighttpd(folder, log) {
    const code = await codeOf('operators/senders/lighttpd', 'lighttpd', {
      '/var/log/renown/lighttpd.log': log,
    })
    mkdirSync(join(folder, 'www'))
    writeFileSync(join(folder, 'www/index.html'), 'ok')
    return started('lighttpd', folder, (port, program) => [
      ['-D', '-f', 'lighttpd.conf', ...modulesOf(program)],
      {
        'lighttpd.conf': `server.document-root = "${folder}/www"
server.port = ${port}
server.bind = "127.0.0.1"
server.modules = ()
${code}`,
      },
    ])
  },
  async varnish(folder, log) {
    const format = join(folder, 'renown.format')
    writeFileSync(format, (await codeOf('operators/senders/varnish', 'varnish', {})).trim())
    const unit = await codeOf('operators/senders/varnish', 'ini', {
      '/etc/varnish/renown.format': format,
      '/var/log/renown/varnish.log': log,
    })
    const words = /^ExecStart=\S+ (.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
    const backend = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') })
    const own = ['-n', join(folder, 'varnish')]
    const server = await started('varnishd', folder, (port) => [
      [
        ...own,
        '-F',
        '-j',
        'none',
        '-a',
        `127.0.0.1:${port}`,
        '-b',
        `127.0.0.1:${backend.port}`,
        '-s',
        'malloc,16m',
      ],
      {},
    ])
    const logger = run('varnishncsa', () => [...own, '-t', 'off', ...words], folder)
    // The server listens before it is ready, and the logger writes only what comes after it.
    await waitFor(
      async () => {
        await fetch(`http://127.0.0.1:${server.port}/`)
          .then((answer) => answer.arrayBuffer())
          .catch(() => {})
        return existsSync(log) && statSync(log).size > 0
      },
      { what: 'varnishncsa to write', everyMs: 200 },
    )
    return {
      ...server,
      log: logger.log,
      async stop(signal) {
        await logger.stop()
        await server.stop(signal)
        await backend.stop(true)
      },
    }
  },
  async 'ingress-nginx'(folder, log) {
    const settings = await codeOf('operators/senders/ingress-nginx', 'yaml', {})
    const format = /^log-format-upstream: ('.*')$/m.exec(settings)?.[1]
    const escaping = settings.includes('log-format-escape-json: "true"') ? 'escape=json' : ''
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    return started('nginx', folder, (port) => [
      ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf'],
      {
        // The controller fills $req_id from the request, or with an id of its own.
        'nginx.conf': `daemon off; pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 64; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  map $request_id $req_id { default $request_id; }
  log_format upstreaminfo ${escaping} ${format};
  access_log ${log} upstreaminfo;
  server { listen 127.0.0.1:${port}; location / { return 200 "ok"; } }
}`,
      },
    ])
  },
}

function modulesOf(program: string): string[] {
  const root = rootOf(program)
  return root ? ['-m', join(root, 'usr/lib/lighttpd')] : []
}
