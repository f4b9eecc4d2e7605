import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inflateRawSync } from 'node:zlib'
import { allSkills } from '../../../core/skills/catalog'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
})
afterAll(() => gate.stop())

const ask = (path: string, options = {}) => gate.ask(path, { key: null, ...options })
// biome-ignore lint/suspicious/noExplicitAny: an answer as it came
const readJson = async (path: string): Promise<any> => (await ask(path)).json()
const digestOf = (bytes: ArrayBuffer) =>
  `sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`

test('anybody finds the skills in an index, and every digest is that of its file', async () => {
  const [found, typed] = await Promise.all(
    ['/.well-known/agent-skills/index.json', '/skills/index.json'].map(readJson),
  )
  expect(typed).toEqual(found)
  expect(found.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  expect(found.skills.map(({ name }: { name: string }) => name)).toEqual(allSkills.map(({ name }) => name))
  for (const { name, type, url, digest, archive } of found.skills) {
    expect(type).toBe('skill-md')
    for (const [address, expected] of [
      [url, digest],
      [`/skills/${name}/SKILL.md`, digest],
      [archive.url, archive.digest],
    ]) {
      const file = await ask(new URL(address, 'http://localhost').pathname)
      expect([file.status, digestOf(await file.arrayBuffer())]).toEqual([200, expected])
    }
  }
})

test('an archive has the folder of the skill, as it is in the repository', async () => {
  for (const { name, text } of allSkills) {
    const archive = Buffer.from(await (await ask(`/skills/${name}.zip`)).arrayBuffer())
    const begin = 30 + archive.readUInt16LE(26)
    expect(archive.subarray(30, begin).toString()).toBe(`${name}/SKILL.md`)
    expect(inflateRawSync(archive.subarray(begin)).toString()).toBe(text)
    expect(await Bun.file(`${import.meta.dir}/../../../skills/${name}/SKILL.md`).text()).toBe(text)
  }
})

test('a file has an ETag, answers HEAD, and is no way to other files', async () => {
  for (const path of [
    '/skills/index.json',
    '/skills/morning-triage.zip',
    '/skills/morning-triage/SKILL.md',
  ]) {
    const first = await ask(path)
    const again = await ask(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    const head = await ask(path, { method: 'HEAD' })
    expect([first.headers.get('access-control-allow-origin'), again.status]).toEqual(['*', 304])
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
  for (const path of ['/skills/', '/skills/nothing.zip', '/skills/constructor'])
    expect((await ask(path)).status).toBe(404)
  expect((await ask('/skills/..%2fpackage.json')).status).toBe(400)
})

test('llms.txt and the catalog name the skills', async () => {
  const llms = await (await ask('/llms.txt')).text()
  for (const { name, title } of allSkills)
    expect(llms).toContain(`[${title}](http://localhost:3000/skills/${name}/`)
  const { entries } = await readJson('/.well-known/ai-catalog.json')
  expect(entries.map(({ url }: { url: string }) => new URL(url).pathname)).toContain(
    '/.well-known/agent-skills/index.json',
  )
})
