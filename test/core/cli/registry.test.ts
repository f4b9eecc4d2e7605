import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../../../core/cli/program'
import { openRegistry } from '../../../core/kit'
import { lockDataFolder } from '../../../core/process/data-folder'
import { releaseRegistry } from '../../../ingest/data/release'
import { builtin } from '../../../plugins'

const root = mkdtempSync(join(tmpdir(), 'renown-registry-'))
afterAll(() => rmSync(root, { recursive: true }))
const file = (name: string) => join(root, name)
lockDataFolder(file('data'), 'starting once', new Date()).release()

async function run(...words: string[]) {
  let said = ''
  const say = (text: string) => {
    said += text
  }
  const code = await runCli(
    ['registry', ...words, '--json'],
    {
      builtin,
      loadIngest: async () => (await import('../../../ingest')).createIngest,
      env: { RENOWN_DATA_DIR: file('data'), RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' },
      workingFolder: join(import.meta.dir, '../../..'),
    },
    { out: say, err: say, outIsTerminal: false, errIsTerminal: false, columns: 80 },
  )
  return { code, said }
}

describe('a maintainer of a mirror', () => {
  test('makes a key, exports the registry, signs it and checks it', async () => {
    const made = await run('key', 'create', file('key'))
    const { public_key } = JSON.parse(made.said)
    const secret = readFileSync(file('key'), 'utf8').trim()
    expect([made.code, made.said.includes(secret.slice(0, 20))]).toEqual([0, false])
    expect((statSync(file('key')).mode & 0o777).toString(8)).toBe('600')
    const exported = await run('export', file('agents.json'))
    expect([exported.code, exported.said]).toEqual([0, expect.stringContaining('"version":')])
    const written = JSON.parse(readFileSync(file('agents.json'), 'utf8'))
    expect(written.version).toBeGreaterThan(releaseRegistry.version)
    expect({ ...written, version: 0, issued_at: '', expires_at: '' }).toEqual({
      ...releaseRegistry,
      version: 0,
      issued_at: '',
      expires_at: '',
    })
    expect(await run('check', file('agents.json'))).toMatchObject({ code: 0 })
    expect(
      await run('sign', file('agents.json'), file('agents.registry'), '--key-file', file('key')),
    ).toMatchObject({ code: 0 })
    expect(openRegistry(readFileSync(file('agents.registry')), [public_key]).registry).toEqual(written)
    expect(await run('check', file('agents.registry'), `--key=${public_key}`)).toMatchObject({ code: 0 })
    const status = await run('show')
    expect([status.code, JSON.parse(status.said).source]).toEqual([0, 'release'])
  })
  test('is told what is wrong, and no file is overwritten', async () => {
    const before = readFileSync(file('key'), 'utf8')
    const twice = await run('key', 'create', file('key'))
    expect([twice.code, twice.said, readFileSync(file('key'), 'utf8')]).toEqual([
      1,
      expect.stringContaining('exists already'),
      before,
    ])
    expect((await run('check', file('agents.registry'))).said).toContain(
      'no valid signature of a trusted key',
    )
    const wrong = JSON.parse(readFileSync(file('agents.json'), 'utf8'))
    wrong.agents[0].name = 'Mozilla'
    writeFileSync(file('wrong.json'), JSON.stringify(wrong))
    for (const words of [
      ['check', file('wrong.json')],
      ['sign', file('wrong.json'), file('no'), '--key-file', file('key')],
    ]) {
      const { code, said } = await run(...words)
      expect([code, said]).toEqual([1, expect.stringContaining('has the token Mozilla, which browsers send')])
    }
    const swapped = await run('check', file('key'))
    expect([swapped.code, swapped.said.includes(before.slice(0, 6))]).toEqual([1, false])
    expect((await run('check', file('none'))).said).toContain('cannot be read')
    expect((await run('check', file('agents.json'), '--key=x')).said).toContain('must be a public key')
    const expired = {
      ...JSON.parse(readFileSync(file('agents.json'), 'utf8')),
      expires_at: '2026-01-01T00:00:00.000Z',
    }
    writeFileSync(file('expired.json'), JSON.stringify(expired))
    expect((await run('check', file('expired.json'))).said).toContain('expired on 2026-01-01')
  })
})
