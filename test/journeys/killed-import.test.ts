import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from '../support/product'
import { passTime, waitFor } from '../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const kills = isLong ? 40 : 2
const lines = isLong ? 2_000_000 : 100_000
const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' }
const agent =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

const root = mkdtempSync(join(tmpdir(), 'renown-killed-import-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test(
  `an import counts every line once over ${kills} kills of the product and of itself`,
  async () => {
    const log = join(root, 'access.log')
    writeFileSync(log, everyLine())
    const dataDir = join(root, 'data')
    let product: RunningProduct = await startProduct({ env, dataDir })
    const { agent_key, site_id } = product.facts
    let result = importing(product)
    let killed = 0
    for (; killed < kills; killed++) {
      await hasMoved(dataDir, () => result.exitCode !== null)
      await passTime(Math.random() * 100)
      if (result.exitCode !== null) break
      if (killed % 2 === 0) {
        await product.kill()
        await product[Symbol.asyncDispose]()
        product = await startProduct({ env, dataDir })
      } else {
        result.kill('SIGKILL')
        await result.exited
        result = importing(product)
      }
    }
    expect(await result.exited).toBe(0)
    const hits = async () => {
      const response = await fetch(`${product.facts.api_url}/api/entities/AiTrafficDaily`, {
        headers: { authorization: `Bearer ${agent_key}` },
      })
      const rows = (await response.json()) as { crawler_hits: number }[]
      return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
    }
    await waitFor(async () => (await hits()) >= lines, {
      what: 'every line to be counted',
      timeoutMs: isLong ? 180_000 : 30_000,
    })
    expect(await hits()).toBe(lines)
    expect((await product.renown('doctor', '--json')).stdout).toContain('no segment was counted twice')
    await product[Symbol.asyncDispose]()

    function importing({ dataDir }: RunningProduct) {
      return Bun.spawn([process.execPath, 'core/cli/main.ts', 'log', 'import', log, '--site', site_id], {
        cwd: join(import.meta.dir, '../..'),
        env: { PATH: process.env.PATH ?? '', RENOWN_DATA_DIR: dataDir, ...env },
        stdout: 'ignore',
        stderr: 'ignore',
      })
    }
  },
  isLong ? 900_000 : 120_000,
)

/** The import has come further than it was: it speaks with the running product. */
async function hasMoved(dataDir: string, isOver: () => boolean): Promise<void> {
  const state = async () => {
    const [name] = await Array.fromAsync(new Bun.Glob('*.json').scan(join(dataDir, 'imports'))).catch(
      () => [],
    )
    return name ? Bun.file(join(dataDir, 'imports', name)).text() : ''
  }
  const before = await state()
  await waitFor(async () => isOver() || (await state()) !== before, {
    what: 'the import to go on',
    timeoutMs: 30_000,
    everyMs: 5,
  })
}

/** Hits of two days in October 2026. */
function everyLine(): string {
  const out: string[] = []
  for (let place = 0; place < lines; place++) {
    const day = place % 2 === 0 ? '03' : '04'
    const time = `${day}/Oct/2026:10:00:${String(place % 60).padStart(2, '0')} +0000`
    out.push(
      `198.51.100.7 - - [${time}] "GET /p/${place % 500}?n=${place} HTTP/1.1" 200 512 "-" "${agent}"\n`,
    )
  }
  return out.join('')
}
