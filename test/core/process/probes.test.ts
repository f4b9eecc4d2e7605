import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drainMs, openListener } from '../../../core/process/listeners'
import { testWith } from '../../support/needs'
import { waitFor } from '../../support/wait-for'

const operating = readFileSync(join(import.meta.dir, '../../../docs/operators/monitoring.md'), 'utf8')
const manifest = /```yaml\n# Kubernetes\n([\s\S]*?)```/.exec(operating)?.[1] ?? ''
const pathOf = (probe: string) =>
  new RegExp(`${probe}: \\{ httpGet: \\{ path: (\\S+),`).exec(manifest)?.[1] ?? ''

/** Asks as a kubelet does: HTTP/1.1, its user agent, the address of the pod as the host, no kept connection. */
async function probe(port: number, path: string): Promise<number> {
  const curl = Bun.spawn(
    [
      'curl',
      '--http1.1',
      '--silent',
      '--output',
      '/dev/null',
      '--write-out',
      '%{http_code}',
      '--user-agent',
      'kube-probe/1.31',
      '--header',
      'Accept: */*',
      '--header',
      'Connection: close',
      '--header',
      `Host: 10.1.2.3:${port}`,
      `http://127.0.0.1:${port}${path}`,
    ],
    { stdout: 'pipe' },
  )
  return Number(await curl.stdout.text())
}

testWith('curl')(
  'the probes of Kubernetes, as the docs have them, are answered through start, work and stop',
  async () => {
    expect([pathOf('livenessProbe'), pathOf('readinessProbe')]).toEqual(['/livez', '/readyz'])
    expect(manifest).toContain('preStop')
    const listener = openListener('PORT', '127.0.0.1', 0)
    const both = async () => [
      await probe(listener.port, pathOf('livenessProbe')),
      await probe(listener.port, pathOf('readinessProbe')),
    ]
    const asking = (): Promise<Response> => fetch(`http://127.0.0.1:${listener.port}/api`)
    // However long a start waits for a store, its probe must not end it.
    expect(await both()).toEqual([200, 503])
    listener.open(() => new Response('ok'))
    expect(await both()).toEqual([200, 200])
    let isAsked = true
    const client = (async () => {
      while (isAsked) await asking().then((response) => response.text())
    })()
    const closed = listener.close(1_000, drainMs)
    // A process that stops is alive and takes no new work, so it is not killed by its probe.
    expect(await both()).toEqual([200, 503])
    isAsked = false
    await client
    await closed
    await waitFor(async () => (await probe(listener.port, '/livez')) === 0, { what: 'the port to be closed' })
  },
)
