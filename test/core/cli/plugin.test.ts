import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf } from '../../../core/cli/config-of'
import { runCli } from '../../../core/cli/program'
import { lockDataFolder } from '../../../core/process/data-folder'
import { serve } from '../../../core/product/serve'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { AppReview } from '../../../examples/app-reviews'
import { builtin } from '../../../plugins'
import { quietLog } from '../../support/quiet-log'

const root = mkdtempSync(join(tmpdir(), 'renown-plugins-'))
afterAll(() => rmSync(root, { recursive: true }))
const example = join(import.meta.dir, '../../../examples/app-reviews/index.ts')

async function run(words: readonly string[], folder: string, env: Record<string, string> = {}) {
  let said = ''
  const say = (text: string) => {
    said += text
  }
  const code = await runCli(
    words,
    {
      builtin,
      loadIngest: async () => (await import('../../../ingest')).createIngest,
      env: { RENOWN_DATA_DIR: folder, RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', ...env },
      workingFolder: join(import.meta.dir, '../../..'),
    },
    { out: say, err: say, outIsTerminal: false, errIsTerminal: false, columns: 80 },
  )
  return { code, said }
}

/** A data folder on which the example has run, and where it has two rows. */
async function folderWithRows(name: string): Promise<string> {
  const folder = join(root, name)
  lockDataFolder(folder, 'starting once', new Date()).release()
  const listed = await run(['plugin', 'list', '--json'], folder, {
    PLUGINS: './examples/app-reviews/index.ts',
  })
  expect(listed.said).toContain('"name":"app-reviews","version":"1.0.0","is_loaded":true')
  const now = () => new Date()
  const documents = await openSqlite({ path: join(folder, 'documents.sqlite'), now, log: quietLog })
  await documents.ensure([AppReview])
  const stamp = now().toISOString()
  const row = {
    location_id: 'loc_1',
    shop: 'app_store',
    rating: 4,
    text: 'Works',
    is_overdue: false,
  } as const
  const dates = { written_at: stamp, created_date: stamp, updated_date: stamp }
  for (const n of [1, 2]) {
    const ids = { id: `apr_${n}`, workspace_id: `wsp_${n}`, shop_id: String(n) }
    await documents.collection(AppReview).insert({ ...row, ...dates, ...ids })
  }
  await documents.close()
  return folder
}

describe('data on which a plugin has run', () => {
  test('is refused without it by every command, in words that say what to do', async () => {
    const folder = await folderWithRows('refused')
    const file = join(root, 'refused.ndjson')
    const refusal = `The plugin app-reviews 1.0.0 is not loaded, but has rows in this data: AppReview 2. Set PLUGINS=${example} `
    const commands = [
      ['data', 'export', file],
      ['data', 'import', file, '--merge'],
      ['data', 'backup', `${file}.sqlite`],
      ['site', 'list'],
      ['range', 'list'],
      ['review', 'verify'],
    ]
    await Bun.write(file, '')
    for (const words of commands) {
      if (words[1] === 'export') rmSync(file)
      const { code, said } = await run(words, folder)
      expect([words.join(' '), code, said.includes(refusal)]).toEqual([words.join(' '), 3, true])
      if (words[1] === 'export') {
        expect(existsSync(file)).toBe(false)
        await Bun.write(file, '')
      }
    }
    const started = new Date()
    const config = configOf({ RENOWN_DATA_DIR: folder, PORT: '0', INGEST_PORT: '0' })
    const clock = { now: () => started }
    const loadIngest = async () => (await import('../../../ingest')).createIngest
    expect(serve(builtin, config, { clock, log: quietLog, loadIngest })).rejects.toThrow(refusal)
    const doctor = await run(['doctor'], folder)
    expect([doctor.code, doctor.said.includes('The plugin app-reviews 1.0.0 is not loaded')]).toEqual([
      1,
      true,
    ])
  }, 90_000)

  test('is exported whole with what the message names', async () => {
    const folder = await folderWithRows('whole')
    const file = join(root, 'whole.ndjson')
    expect(await run(['data', 'export', file], folder, { PLUGINS: example })).toMatchObject({ code: 0 })
    const end = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '{}')
    expect(end.counts.AppReview).toBe(2)
  }, 90_000)

  test('loses the plugin by a command that says what happens to its rows', async () => {
    const folder = await folderWithRows('removed')
    const remove = (words: string[], env = {}) => run(['plugin', 'remove', ...words], folder, env)
    expect(await remove(['app-reviews', '--delete-rows'], { PLUGINS: example })).toMatchObject({
      code: 1,
      said: expect.stringContaining('is loaded'),
    })
    expect(await remove(['app-reviews'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('has rows in this data: AppReview 2. Add --delete-rows'),
    })
    expect((await run(['site', 'list'], folder)).code).toBe(3)
    expect(await remove(['nobody'])).toMatchObject({ code: 1, said: expect.stringContaining('has not run') })
    const { code, said } = await remove(['app-reviews', '--delete-rows', '--json'])
    expect([code, JSON.parse(said)]).toEqual([0, { name: 'app-reviews', deleted: { AppReview: 2 } }])
    expect((await run(['site', 'list'], folder)).code).toBe(0)
    const left = await run(['plugin', 'list', '--json'], folder)
    expect(left.said).not.toContain('app-reviews')
  }, 90_000)

  test('without rows of it needs no plugin', async () => {
    const folder = join(root, 'empty')
    lockDataFolder(folder, 'starting once', new Date()).release()
    expect((await run(['site', 'list'], folder, { PLUGINS: example })).code).toBe(0)
    expect((await run(['site', 'list'], folder)).code).toBe(0)
    expect((await run(['plugin', 'remove', 'app-reviews'], folder)).code).toBe(0)
  }, 90_000)
})
