import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passTime, soonMs, waitFor } from '../../../support/wait-for'

const repository = join(import.meta.dir, '../../../..')
const root = mkdtempSync(join(tmpdir(), 'renown-start-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const fresh = () => join(root, `data-${++folders}`)

interface Options {
  readonly env?: Record<string, string>
  readonly preload?: string
}

/** The product in a process of its own, neither stream a terminal. */
function start(dataDir: string, words: readonly string[] = ['--json'], { env = {}, preload }: Options = {}) {
  const child = Bun.spawn(
    [process.execPath, ...(preload ? ['--preload', preload] : []), 'core/main.ts', ...words],
    {
      cwd: repository,
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        INGEST_PORT: '0',
        RENOWN_DATA_DIR: dataDir,
        RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
        ...env,
      },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const said = { out: '', err: '' }
  const collect = async (stream: ReadableStream<Uint8Array>, into: 'out' | 'err') => {
    for await (const piece of stream) said[into] += Buffer.from(piece).toString()
  }
  const collected = Promise.all([collect(child.stdout, 'out'), collect(child.stderr, 'err')])
  const hears = (text: string) =>
    waitFor(
      () => {
        if (child.exitCode !== null && !`${said.out}${said.err}`.includes(text)) {
          throw new Error(`ended with ${child.exitCode} before it said ${text}:\n${said.out}${said.err}`)
        }
        return `${said.out}${said.err}`.includes(text)
      },
      { what: `the product to say ${text}`, timeoutMs: 30_000 },
    )
  const ended = async () => {
    const code = await child.exited
    await collected
    return { code, ...said }
  }
  return { child, said, hears, ended }
}

describe('stopping', () => {
  test('INT twice, as under npx, ends with 0 within 5 s', async () => {
    const product = start(fresh())
    await product.hears('"ready"')
    const began = performance.now()
    product.child.kill('SIGINT')
    product.child.kill('SIGINT')
    expect((await product.ended()).code).toBe(0)
    expect(performance.now() - began).toBeLessThan(soonMs)
  }, 90_000)

  test('a start while the one before is stopping waits for it', async () => {
    const folder = fresh()
    const product = start(folder)
    await product.hears('"ready"')
    product.child.kill('SIGTERM')
    await product.hears('"stopping"')
    const next = start(folder)
    await next.hears('"ready"')
    expect((await product.ended()).code).toBe(0)
    next.child.kill('SIGTERM')
    expect((await next.ended()).code).toBe(0)
  }, 90_000)

  test('TERM while it waits for a store that is down ends it at once', async () => {
    const env = { CLICKHOUSE_URL: 'http://127.0.0.1:9/renown' }
    const product = start(fresh(), [], { env })
    await product.hears('ClickHouse cannot be reached; trying again in 2 s')
    const began = performance.now()
    product.child.kill('SIGTERM')
    expect((await product.ended()).code).toBe(0)
    expect(performance.now() - began).toBeLessThan(soonMs)
  }, 90_000)
})

describe('secrets', () => {
  test('are not printed where no terminal is, and the way to them is', async () => {
    const product = start(fresh(), [])
    await product.hears('"ready"')
    product.child.kill('SIGTERM')
    const { out, err } = await product.ended()
    expect(`${out}${err}`).not.toMatch(/rnw_(key|fwd|link)_/)
    expect(out).toContain('bun renown key rotate --json')
    expect(out).toMatch(/bun renown site token rotate sit_\w+ --json/)
  }, 90_000)

  test(
    'a first run killed at any moment is finished by a later one, which keeps what there was',
    async () => {
      const rounds = process.env.RENOWN_LONG === '1' ? 40 : 1
      for (let round = 0; round < rounds; round++) {
        const dataDir = fresh()
        const killed = start(dataDir)
        await passTime(120 + ((round + 0.5) * 500) / rounds)
        killed.child.kill('SIGKILL')
        const { out } = await killed.ended()
        const finished = start(dataDir)
        await finished.hears('"ready"')
        finished.child.kill('SIGTERM')
        const facts = JSON.parse((await finished.ended()).out)
        expect(facts.site_id).toMatch(/^sit_/)
        if (out.trim() !== '') expect(facts.agency_id).toBe(JSON.parse(out).agency_id)
        const third = start(dataDir)
        await third.hears('"ready"')
        third.child.kill('SIGTERM')
        const { agent_key: _, forwarder_token: __, owner_link: ___, ...ids } = facts
        expect(JSON.parse((await third.ended()).out)).toEqual({
          ...ids,
          api_url: expect.any(String),
          ingest_url: expect.any(String),
        })
      }
    },
    process.env.RENOWN_LONG === '1' ? 900_000 : 120_000,
  )
})

describe('what is in the way is said in one sentence, with 3', () => {
  const refused = async (dataDir: string, options: Options) => {
    const { code, out, err } = await start(dataDir, [], options).ended()
    expect(out).toBe('')
    expect(code).toBe(3)
    // On a busy machine, the other process may need longer than the five seconds that it is given.
    return err.replace(/^\{.*does not stop and is being killed.*\n/gm, '')
  }

  test('a port that is taken; nothing was made, so that the next start is the first', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const dataDir = fresh()
    const err = await refused(dataDir, { env: { INGEST_PORT: String(server.port) } })
    expect(err).toBe(
      `error: Port ${server.port} on 127.0.0.1 is taken by another program. Stop it, or set INGEST_PORT to another port.\n`,
    )
    await server.stop(true)
    const product = start(dataDir)
    await product.hears('"agent_key"')
    product.child.kill('SIGTERM')
    await product.ended()
  }, 90_000)

  test('a data folder that cannot be written', async () => {
    const file = fresh()
    writeFileSync(file, '')
    expect(await refused(join(file, 'data'), {})).toContain('cannot be written')
  })

  test('a setting that cannot be used', async () => {
    expect(await refused(fresh(), { env: { PORT: 'http' } })).toContain('PORT: expected a port number')
  })

  test('an embedded ClickHouse without its library', async () => {
    const preload = join(root, 'no-chdb.ts')
    writeFileSync(
      preload,
      `Bun.plugin({ name: 'no-chdb', setup(build) {
        build.module('chdb/connection', () => { throw new Error("Cannot find module 'chdb/connection'") })
      } })`,
    )
    const err = await refused(fresh(), { preload })
    expect(err).toContain('has no library for')
    expect(err).toContain('bun install')
    expect(err.trim().split('\n').length).toBe(1)
  })

  test('an option that there is not, with 2', async () => {
    const { code, err } = await start(fresh(), ['--jsno']).ended()
    expect(code).toBe(2)
    expect(err).toContain('Did you mean --json?')
    const told = await start(fresh(), ['--json', '--demos']).ended()
    expect(told.code).toBe(2)
    expect(JSON.parse(told.out).error).toMatchObject({ code: 'usage' })
  })
})

test('help says what the first run does', async () => {
  const { code, out } = await start(fresh(), ['--help']).ended()
  expect(code).toBe(0)
  expect(out).toContain('--json')
  expect(out).toContain('The first run creates')
})

test('a process whose npm is gone notices', async () => {
  const module = join(repository, 'core/cli/start/orphan.ts')
  const script = join(root, 'orphan.ts')
  writeFileSync(
    script,
    `import { watchForOrphaning } from ${JSON.stringify(module)}
watchForOrphaning('npm/11 node/v20', () => { console.log('orphaned'); process.exit(0) }, 20)
console.log('watching')
setInterval(() => console.log('tick'), 20)
setTimeout(() => process.exit(1), 60_000)`,
  )
  const inner = `sh -c '"${process.execPath}" "${script}"; true'; true`
  const npm = Bun.spawn(['bash', '-c', `exec -a 'npm exec renown' bash -c "$0"`, inner], { stdout: 'pipe' })
  let said = ''
  const reading = (async () => {
    for await (const piece of npm.stdout) said += Buffer.from(piece).toString()
  })()
  await waitFor(() => said.includes('watching'), { what: 'the watcher' })
  await waitFor(() => said.split('tick').length > 4, { what: 'the watcher to look' })
  expect(said).not.toContain('orphaned')
  npm.kill('SIGKILL')
  await waitFor(() => said.includes('orphaned'), { what: 'the orphan to notice' })
  await reading
})
