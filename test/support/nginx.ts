import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clfTime } from './clf-time'
import { findProgram, freePort } from './programs'
import { waitFor } from './wait-for'

/** A web server as a site has one, with two access logs of the same requests. */
export interface WebServer {
  readonly url: string
  /** The folder that pages are served from. */
  readonly pages: string
  /** `combined`, nginx's own format. */
  readonly combinedLog: string
  /** One JSON object a line, as `docs/LOGS.md` recommends. */
  readonly jsonLog: string
  stop(): Promise<void>
}

/** The JSON format that `docs/LOGS.md` recommends. */
export const jsonLogFormat = `log_format renown escape=json '{"ts":"$time_iso8601","ip":"$remote_addr","method":"$request_method",'
                                '"url":"$request_uri","host":"$host","status":"$status","ua":"$http_user_agent",'
                                '"referer":"$http_referer","id":"$request_id"}';`

/**
 * The nginx of the system on loopback; behind its proxy, which is us, it believes X-Forwarded-For. Where there is none, a
 * server of ours writes the same two logs.
 */
export async function startWebServer(): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-nginx-'))
  const pages = join(folder, 'pages')
  mkdirSync(pages)
  const program = findProgram('nginx')
  return program ? startNginx(program, folder, pages) : startPlainServer(folder, pages)
}

async function startNginx(program: string, folder: string, pages: string): Promise<WebServer> {
  const port = await freePort()
  await Bun.write(join(folder, 'nginx.conf'), configuration(folder, port))
  const child = Bun.spawn(
    [program, '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    {
      stdout: 'ignore',
      stderr: Bun.file(join(folder, 'start.log')),
    },
  )
  const url = `http://localhost:${port}`
  await waitFor(
    () =>
      fetch(`${url}/ready-probe`).then(
        (answer) => answer.status > 0,
        () => false,
      ),
    {
      what: 'nginx to listen',
    },
  )
  return {
    url,
    pages,
    combinedLog: join(folder, 'access.log'),
    jsonLog: join(folder, 'access.json'),
    async stop() {
      child.kill('SIGQUIT')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes what nginx writes: `combined`, and the JSON format above. */
function startPlainServer(folder: string, pages: string): WebServer {
  const combinedLog = join(folder, 'access.log')
  const jsonLog = join(folder, 'access.json')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const page = Bun.file(join(pages, `${pathname}.html`))
      const status = (await page.exists()) ? 200 : 404
      const ip = request.headers.get('x-forwarded-for') ?? '127.0.0.1'
      const ua = request.headers.get('user-agent') ?? '-'
      const line = { method: request.method, url: `${pathname}${search}`, ua, ip, status }
      const asked = `${line.method} ${line.url} HTTP/1.1`
      appendFileSync(combinedLog, `${ip} - - [${clfTime(new Date())}] "${asked}" ${status} 1 "-" "${ua}"\n`)
      const more = { ts: new Date().toISOString(), host: 'localhost', referer: '', id: crypto.randomUUID() }
      appendFileSync(jsonLog, `${JSON.stringify({ ...line, ...more })}\n`)
      return new Response(status === 200 ? page : 'no such page', {
        status,
        headers: { 'content-type': 'text/html' },
      })
    },
  })
  const stop = async () => {
    await server.stop(true)
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `http://localhost:${server.port}`, pages, combinedLog, jsonLog, stop }
}

const configuration = (folder: string, port: number) => `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
events { worker_connections 64; }
http {
  ${jsonLogFormat}
  access_log ${folder}/access.log combined;
  access_log ${folder}/access.json renown;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  set_real_ip_from 127.0.0.1;
  real_ip_header X-Forwarded-For;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/pages;
    location / { default_type text/html; try_files $uri $uri.html $uri/index.html =404; }
  }
}
`
