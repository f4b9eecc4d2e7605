import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, freePort } from './programs'
import { waitFor } from './wait-for'

/** A web server as a site has one, with two access logs of the same requests. */
export interface WebServer {
  readonly url: string
  /** The folder that pages are served from. */
  readonly pages: string
  /** `combined`, nginx's own format. */
  readonly combinedLog: string
  /** One JSON object a line, as `docs/operators/logs.md` recommends. */
  readonly jsonLog: string
  stop(): Promise<void>
}

/** The JSON format that `docs/operators/logs.md` recommends. */
export const jsonLogFormat = `log_format renown escape=json '{"ts":"$time_iso8601","ip":"$remote_addr","method":"$request_method",'
                                '"url":"$request_uri","host":"$host","status":"$status","ua":"$http_user_agent",'
                                '"referer":"$http_referer","id":"$request_id","signature_agent":"$http_signature_agent",'
                                '"signature_input":"$http_signature_input","signature":"$http_signature"}';`

/** Starts nginx on loopback. It believes X-Forwarded-For, because its proxy is the test. */
export function startWebServer(): Promise<WebServer> {
  return startIn('location / { default_type text/html; try_files $uri $uri.html $uri/index.html =404; }')
}

/** Starts nginx as a proxy in front of a server. It gives up on a server that is silent for a second. */
export function startProxy(origin: string): Promise<WebServer> {
  return startIn(`location / { proxy_pass ${origin}; proxy_read_timeout 1s; proxy_http_version 1.1; }`)
}

async function startIn(location: string): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-nginx-'))
  const pages = join(folder, 'pages')
  mkdirSync(pages)
  const program = findProgram('nginx')
  if (!program) throw new Error('nginx is missing')
  return startNginx(program, folder, pages, location)
}

async function startNginx(
  program: string,
  folder: string,
  pages: string,
  location: string,
): Promise<WebServer> {
  const port = await freePort()
  await Bun.write(join(folder, 'nginx.conf'), configuration(folder, port, location))
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

const configuration = (folder: string, port: number, location: string) => `
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
    ${location}
  }
}
`
