import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { PostChannel } from '../../../../plugins/posts/records/PostChannel'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

const secret = 'app-password-7431'
const seen: string[] = []
const held = { refuses: false }
const { target } = standInTarget({
  channel: { address: { label: 'Server' }, secret: { label: 'App password' } },
})
const opened = target.open
const guarded = {
  ...target,
  async open(...given: Parameters<typeof opened>) {
    seen.push(given[1].channel.secret)
    if (held.refuses) throw new Error('The server refused the account')
    return opened(...given)
  },
}

let world: PostWorld
const folder = mkdtempSync(join(tmpdir(), 'renown-channel-'))
const file = join(folder, 'secret')
beforeEach(async () => {
  seen.length = 0
  held.refuses = false
  writeFileSync(file, `${secret}\n`)
  world = await postWorld(guarded)
})
afterEach(() => world.stop())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const of = () => ({ location_id: world.location.id, platform: 'linkedin' })
const connect = (more: object = {}) =>
  world.bench.command('post channel connect', {
    ...of(),
    address: 'https://social.test/',
    secret_file: file,
    ...more,
  })
/** Everything that the command line and the database show. */
const everything = async (answer: unknown) => {
  const rows = await world.owner.rows(PostChannel).list({ limit: 10 })
  const audit = await world.owner.rows(AuditEntry).list({ limit: 100 })
  return JSON.stringify([answer, rows, audit])
}

test('a channel is connected, listed and removed, and its secret is shown nowhere', async () => {
  const answers: unknown[] = [await connect()]
  expect(seen).toEqual([secret])
  answers.push(await world.bench.command('post channel list', { location_id: world.location.id }))
  expect(JSON.stringify(answers[1])).toContain('https://social.test/')
  expect(await everything(answers)).not.toContain(secret)
  answers.push(await world.bench.command('post channel disconnect', of()))
  expect(await everything(answers)).not.toContain(secret)
  expect(await world.owner.rows(PostChannel).list({ limit: 10 })).toEqual([])
})

test('the secret is sealed for its own row, and opens there', async () => {
  await connect()
  await world.draft('News').then(({ id }) => world.bench.command('post publish', { post_id: id }))
  await world.tick()
  expect(seen).toEqual([secret, secret])
  const [row] = await world.owner.rows(PostChannel).list({ limit: 1 })
  const elsewhere = {
    entity: 'PostChannel',
    workspace_id: row?.workspace_id ?? '',
    id: 'pch_x',
    field: 'secret',
  }
  expect(() => world.owner.outbound.secrets.open(row?.secret ?? '', elsewhere)).toThrow()
})

test('a credential that does not work is not stored, and one that worked stays', async () => {
  held.refuses = true
  await expect(connect()).rejects.toThrow('refused')
  expect(await world.owner.rows(PostChannel).list({ limit: 10 })).toEqual([])
  held.refuses = false
  await connect()
  held.refuses = true
  writeFileSync(file, 'wrong')
  await expect(connect()).rejects.toThrow('refused')
  held.refuses = false
  await world.draft('News').then(({ id }) => world.bench.command('post publish', { post_id: id }))
  await world.tick()
  expect(seen.at(-1)).toBe(secret)
})

test.each([
  ['no file', { secret_file: undefined }, 'secret'],
  ['a file that is not there', { secret_file: '/nowhere/secret' }, '/nowhere/secret'],
  ['an account that it does not take', { account: 'ada' }, 'account'],
  ['no address', { address: undefined }, 'address'],
])('refuses %s and says what is wrong', async (_, more, said) => {
  const error = await connect(more).catch((caught: Error) => caught)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).message).toContain(said)
  expect((error as Error).message).not.toContain(secret)
  expect(seen).toEqual([])
})

test('refuses a file with two lines without repeating them', async () => {
  writeFileSync(file, `${secret}\nmore`)
  const error = await connect().catch((caught: Error) => caught)
  expect((error as Error).message).toContain('exactly one line')
  expect((error as Error).message).not.toContain(secret)
})
