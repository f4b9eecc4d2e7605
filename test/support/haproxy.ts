import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentOf, findProgram, freePort } from './programs'
import { waitFor } from './wait-for'

interface BalancerOptions {
  /** A port of its own choice, so that servers can be told it before they start. */
  readonly port?: number
  /** A path that answers 200 once the balancer reaches a server. */
  readonly path?: string
}

/** Starts HAProxy before servers on this machine, with the lines for a backend that `docs/operators/monitoring.md` has. */
export async function startBalancer(
  ports: readonly number[],
  backend: string,
  { port: wanted, path = '/' }: BalancerOptions = {},
) {
  const program = findProgram('haproxy')
  if (!program) throw new Error('haproxy is missing')
  const folder = mkdtempSync(join(tmpdir(), 'renown-haproxy-'))
  const port = wanted ?? (await freePort())
  const servers = ports.map((to, place) => `  server server${place} 127.0.0.1:${to}`)
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 30s',
    '  timeout server 30s',
    'frontend all',
    `  bind 127.0.0.1:${port}`,
    '  default_backend renown_gateway',
    backend
      .split('\n')
      .filter((line) => !line.startsWith('#') && !/^\s*server /.test(line))
      .join('\n')
      .trimEnd(),
    ...servers,
  ]
  const file = join(folder, 'haproxy.cfg')
  await Bun.write(file, `${lines.join('\n')}\n`)
  const log = join(folder, 'haproxy.log')
  const child = Bun.spawn([program, '-db', '-f', file], {
    env: environmentOf(program),
    stdout: Bun.file(log),
    stderr: Bun.file(log),
  })
  const url = `http://127.0.0.1:${port}`
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(await Bun.file(log).text())
    return (await fetch(`${url}${path}`).catch(() => null))?.ok ?? false
  }
  await waitFor(isUp, { what: 'the balancer' })
  return {
    url,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
