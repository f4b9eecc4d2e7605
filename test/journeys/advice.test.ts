import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '../../core/contracts/self-check'
import { advice } from '../../core/product/checks/advice'
import { docsRoot } from '../support/docs-pages'
import { dailyRows } from '../support/drawn-batches'
import { startBalancer } from '../support/haproxy'
import { testWith } from '../support/needs'
import { type RunningProduct, startProduct } from '../support/product'
import { environmentOf, findProgram } from '../support/programs'
import { waitFor } from '../support/wait-for'

const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' }
const root = mkdtempSync(join(tmpdir(), 'renown-advice-'))
afterAll(() => rmSync(root, { recursive: true, force: true }), 60_000)
const at = (name: string) => join(root, name)

const logLines = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, place) =>
      `198.51.100.${from + place} - - [27/Nov/2026:10:00:${`${from + place}`.padStart(2, '0')} +0000] "GET /${from + place} HTTP/1.1" 200 9 "-" "GPTBot/1.2"\n`,
  ).join('')

const send = ({ facts }: RunningProduct, body: string, token: string) =>
  fetch(`${facts.ingest_url}/v1/hits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body,
  })

/** Runs a command that needs no running product, with a text on its standard input. */
async function renown(
  dataDir: string,
  words: readonly string[],
  more: Record<string, string> = {},
  stdin = '',
) {
  const child = Bun.spawn([process.execPath, 'core/cli/main.ts', ...words], {
    cwd: docsRoot,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: root,
      PORT: '0',
      INGEST_PORT: '0',
      RENOWN_DATA_DIR: dataDir,
      ...env,
      ...more,
    },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}

async function doctor(dataDir: string, more: Record<string, string> = {}) {
  const { stdout } = await renown(dataDir, ['doctor', '--json'], more)
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] }
  return (name: string) => checks.find((check) => check.name === name)
}

const agencies = async (product: RunningProduct) =>
  (JSON.parse((await product.renown('agency', 'list', '--json')).stdout).agencies as unknown[]).length

describe('what doctor and the pages for operators say, done', () => {
  test('damaged documents: a backup in their place, without the old log, holds what it held', async () => {
    const dataDir = at('documents')
    const first = await startProduct({ env, dataDir })
    const made = await first.renown('data', 'backup', at('backups'), '--json')
    expect(made.code).toBe(0)
    const { folder: copy } = JSON.parse(made.stdout) as { folder: string }
    for (const name of ['After', 'Later']) await first.renown('agency', 'create', name)
    expect(await agencies(first)).toBe(3)
    // Killed, it leaves its write-ahead log.
    await first.kill()
    const file = join(dataDir, 'documents.sqlite')
    expect(existsSync(`${file}-wal`)).toBe(true)
    // The words of doctor for a damaged file, and of the page for a copy of the documents.
    expect(advice.damagedDocuments).toContain('Remove documents.sqlite-wal and documents.sqlite-shm')
    for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
    cpSync(join(copy, 'documents.sqlite'), file)
    await using second = await startProduct({ env, dataDir })
    expect(await agencies(second)).toBe(1)
    await first[Symbol.asyncDispose]()
  }, 600_000)

  test('a copy of the folder is put in place, and only later lines of the logs are imported: each hit once', async () => {
    const dataDir = at('folder')
    const first = await startProduct({ env, dataDir })
    const { forwarder_token: token, site_id: site } = first.facts
    expect((await send(first, logLines(0, 20), token)).status).toBe(200)
    expect(await first.stop()).toBe(0)
    cpSync(dataDir, at('copy'), { recursive: true })
    const gone = await startProduct({ env, dataDir })
    expect((await send(gone, logLines(20, 40), token)).status).toBe(200)
    await gone.kill()
    rmSync(dataDir, { recursive: true })
    renameSync(at('copy'), dataDir)
    await using second = await startProduct({ env, dataDir })
    const imported = await renown(
      dataDir,
      ['log', 'import', '-', '--site', site, '--json'],
      {},
      logLines(20, 40),
    )
    expect(JSON.parse(imported.stdout)).toMatchObject({ accepted: 20 })
    const daily = () => dailyRows(second.facts.api_url, first.facts.agent_key)
    await waitFor(async () => Bun.deepEquals(await daily(), { '2026-11-27': { GPTBot: 40 } }), {
      what: 'each hit once',
    }).catch(async () => expect(await daily()).toEqual({ '2026-11-27': { GPTBot: 40 } }))
    await Promise.all([first, gone].map((product) => product[Symbol.asyncDispose]()))
  }, 600_000)

  test('a folder that is open, a missing installation, a taken port, a full disk and a lost key', async () => {
    const dataDir = at('set-up')
    expect((await doctor(dataDir))('data folder')).toMatchObject({ mend: advice.noInstallation })
    const first = await startProduct({ env, dataDir })
    const { forwarder_token: token } = first.facts
    await first.stop()
    chmodSync(dataDir, 0o755)
    const { mend } = (await doctor(dataDir))('data folder') ?? {}
    expect(mend).toBe(advice.folderMode.replace('{path}', dataDir))
    expect(Bun.spawnSync(['sh', '-c', String(mend)]).exitCode).toBe(0)
    expect((await doctor(dataDir))('data folder')).toMatchObject({ status: 'ok' })

    using taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const port = { PORT: String(taken.port) }
    expect((await doctor(dataDir, port))('gateway port')).toMatchObject({
      mend: advice.port.replace('{setting}', 'PORT'),
    })
    expect((await doctor(dataDir, { PORT: '0' }))('gateway port')).toMatchObject({ status: 'ok' })

    // No disk here has so much, so hits are refused as on a full one.
    const full = await startProduct({ env: { ...env, DISK_FREE_BYTES_MIN: `${2 ** 50}` }, dataDir })
    expect((await send(full, logLines(0, 1), token)).status).toBe(503)
    const refused = JSON.parse((await full.renown('doctor', '--json')).stdout).checks as Check[]
    expect(refused.find(({ name }) => name === 'counter')).toMatchObject({
      status: 'fail',
      mend: advice.refusedHits,
    })
    await full.stop()
    renameSync(dataDir, at('larger'))
    rmSync(join(at('larger'), 'secrets.key'), { force: true })
    await using moved = await startProduct({ env, dataDir: at('larger') })
    expect((await send(moved, logLines(0, 1), token)).status).toBe(200)
    const { code, stdout } = await moved.renown('owner', 'link', 'create', '--json')
    expect(code).toBe(0)
    const { owner_link } = JSON.parse(stdout) as { owner_link: string }
    expect((await fetch(owner_link)).status).toBe(200)
    await Promise.all([first, full].map((product) => product[Symbol.asyncDispose]()))
  }, 600_000)
})

describe('what the pages give for other programs is accepted by them', () => {
  const blockOf = async (page: string, kind: string, words: string) =>
    [...(await Bun.file(join(docsRoot, 'docs', page)).text()).matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].find(
      ([, one, code = '']) => one === kind && code.includes(words),
    )?.[2] ?? ''

  testWith('nginx')(
    'nginx takes the lines of docs/operators/many-processes.md, and sends each site to one process',
    async () => {
      const program = findProgram('nginx') ?? ''
      const block = await blockOf('operators/many-processes.md', 'nginx', 'renown_by')
      const file = at('nginx.conf')
      const server = 'server { listen 127.0.0.1:1; location / { proxy_pass http://renown_ingest; } }'
      await Bun.write(
        file,
        `pid ${at('nginx.pid')};\nerror_log stderr;\nevents {}\nhttp { access_log off;\n${block}\n${server} }\n`,
      )
      const run = Bun.spawnSync([program, '-t', '-p', root, '-c', file], { env: environmentOf(program) })
      expect(run.stderr.toString()).toContain('syntax is ok')
    },
  )

  testWith('haproxy')(
    'HAProxy takes the lines of docs/operators/monitoring.md, and finds a server that is ready',
    async () => {
      const block = await blockOf('operators/monitoring.md', '', '# HAProxy')
      using ready = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') })
      const balancer = await startBalancer([ready.port ?? 0], block)
      try {
        expect(await (await fetch(balancer.url)).text()).toBe('ok')
      } finally {
        await balancer.stop()
      }
    },
  )

  test('Kubernetes takes the probes: they are YAML, and name addresses and the port of the gateway', async () => {
    const pod = Bun.YAML.parse(await blockOf('operators/monitoring.md', 'yaml', 'livenessProbe'))
    expect(pod).toEqual({
      terminationGracePeriodSeconds: 30,
      containers: [
        {
          lifecycle: { preStop: { exec: { command: ['sleep', '10'] } } },
          livenessProbe: { httpGet: { path: '/livez', port: 3000 }, periodSeconds: 10, timeoutSeconds: 5 },
          readinessProbe: { httpGet: { path: '/readyz', port: 3000 }, periodSeconds: 2, timeoutSeconds: 2 },
        },
      ],
    })
  })
})
