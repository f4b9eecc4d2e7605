import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { AgentKey } from '../../../core/auth/AgentKey'
import { agentKeys } from '../../../core/auth/agent-keys'
import { everything, where } from '../../../core/contracts/where'
import { sha256Hex } from '../../../core/process/crypto'
import { Agency, Workspace } from '../../../core/product/tenancy-plugin'
import { IdempotentAnswer } from '../../../core/requests/IdempotentAnswer'
import { typedCollection } from '../../../core/stores/documents/port'
import { type Gate, startGate } from '../../support/harness'
import { turns, waitFor } from '../../support/wait-for'

let gate: Gate
let keys: ReturnType<typeof agentKeys>
beforeAll(async () => {
  gate = await startGate()
  keys = agentKeys(gate)
})
afterAll(() => gate.stop())

const statusWith = async (key: string) => (await gate.ask('/api/surface', { key })).status
const run = (name: string, input: object = {}) => {
  const command = gate.registry.commands.get(name)
  if (!command) throw new Error(`no command ${name}`)
  return command.run(gate.owner, input) as Promise<Record<string, string>>
}

describe('an agent key', () => {
  test('is the prefix, 40 characters of key and 6 of checksum, stored as a hash only', async () => {
    expect(gate.tenant.key).toMatch(/^rnw_key_[0-9A-Za-z]{46}$/)
    const stored = await gate.documents.collection(AgentKey).find({ where: everything })
    expect(JSON.stringify(stored)).not.toContain(gate.tenant.key.slice(8, 48))
    const own = stored.find(({ id }) => id === gate.tenant.agencyId)
    expect(own).toMatchObject({
      key_hash: await sha256Hex(gate.tenant.key),
      last4: gate.tenant.key.slice(-4),
    })
  })

  test('cannot be minted twice for one agency', async () => {
    await expect(keys.mint(gate.tenant.agencyId)).rejects.toThrow('Rotate it instead')
  })

  test('that is rotated says whether there was one before', async () => {
    const agencyId = 'agc_first'
    expect(await keys.rotate(agencyId)).toMatchObject({ replaced: false })
    expect(await keys.rotate(agencyId)).toMatchObject({ replaced: true })
    await keys.revoke(agencyId)
    expect(await keys.rotate(agencyId)).toMatchObject({ replaced: false })
    await gate.documents.collection(AgentKey).remove(where.eq('id', agencyId))
  })

  test('that is rotated has no use of its own yet', async () => {
    const agencyId = 'agc_used'
    await keys.rotate(agencyId)
    const row = await gate.documents.collection(AgentKey).get(agencyId)
    await gate.owner.rows(AgentKey).update(agencyId, { last_used_at: '2026-11-20T12:00:00.000Z' })
    await keys.rotate(agencyId)
    const rotated = await gate.documents.collection(AgentKey).get(agencyId)
    expect([rotated?.key_hash === row?.key_hash, rotated?.last_used_at]).toEqual([false, undefined])
    await gate.documents.collection(AgentKey).remove(where.eq('id', agencyId))
  })

  test('has its use recorded every five minutes, and once where it is used twice at the same time', async () => {
    const writes: unknown[] = []
    const documents = {
      ...gate.documents,
      collection: typedCollection((entity) => {
        const real = gate.documents.collection(entity)
        const updateOne: typeof real.updateOne = (...given) => {
          writes.push(given[1])
          return real.updateOne(...given)
        }
        return { ...real, updateOne }
      }),
    }
    let now = Date.parse('2026-11-20T12:00:00.000Z')
    const counted = agentKeys({ documents, clock: { now: () => new Date(now) } })
    const row = await gate.owner.rows(AgentKey).get(gate.stranger.agencyId)
    if (!row) throw new Error('the stranger has no key')
    const key = { ...row, last_used_at: new Date(now).toISOString() }
    now += 5 * 60_000 - 1
    counted.used(key)
    expect(writes).toHaveLength(0)
    now++
    counted.used(key)
    counted.used(key)
    expect(writes).toHaveLength(1)
    const recorded = async () => {
      const stored = await gate.documents.collection(AgentKey).get(gate.stranger.agencyId)
      return stored?.last_used_at === new Date(now).toISOString()
    }
    await waitFor(recorded, { what: 'the use to be recorded', everyMs: 2 })
    await turns(20)
    counted.used(key)
    expect(writes).toHaveLength(2)
    await turns(20)
  })

  test('has a last holder, who is remembered beside others', async () => {
    const { tenant, stranger } = gate
    const hashes = await Promise.all([tenant.key, stranger.key].map(sha256Hex))
    for (const hash of hashes) await keys.find(hash)
    expect(hashes.map(keys.lastHolder)).toEqual([tenant.agencyId, stranger.agencyId])
  })

  test('of a wrong checksum, length or prefix is refused without a look at the store', async () => {
    let looks = 0
    const documents = {
      ...gate.documents,
      collection: typedCollection((entity) => {
        const real = gate.documents.collection(entity)
        const find: typeof real.find = (query) => {
          looks++
          return real.find(query)
        }
        return { ...real, find }
      }),
    }
    const counted = agentKeys({ documents, clock: gate.clock })
    const flipped = gate.tenant.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const token of [flipped, gate.tenant.key.slice(0, -1), `${gate.tenant.key}0`, 'rnw_at_x', '']) {
      expect(await counted.hashOf(token)).toBeNull()
    }
    expect(looks).toBe(0)
    const hash = (await counted.hashOf(gate.tenant.key)) ?? ''
    expect(counted.lastHolder(hash)).toBeUndefined()
    expect(await counted.find(hash)).toMatchObject({ id: gate.tenant.agencyId, key_hash: hash })
    expect(counted.lastHolder(hash)).toBe(gate.tenant.agencyId)
    expect(looks).toBe(1)
  })

  test('stops working the moment it is rotated, and so does every one before', async () => {
    const first = gate.stranger.key
    const second = (await keys.rotate(gate.stranger.agencyId)).token
    const third = (await keys.rotate(gate.stranger.agencyId)).token
    expect([await statusWith(first), await statusWith(second), await statusWith(third)]).toEqual([
      401, 401, 200,
    ])
    expect(await gate.documents.collection(AgentKey).count(everything)).toBe(3)
  })

  test('has one winner where it is rotated many times at once', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => keys.rotate(gate.stranger.agencyId)),
    )
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.token] : []))
    const working = await Promise.all(made.map(statusWith))
    expect(made.length).toBe(1)
    expect(working.filter((status) => status === 200).length).toBe(1)
  })

  test('stops working when it is revoked; the next one may be minted', async () => {
    const { token } = await keys.rotate(gate.stranger.agencyId)
    expect(await keys.revoke(gate.stranger.agencyId)).toBe(true)
    expect(await keys.revoke(gate.stranger.agencyId)).toBe(false)
    expect(await statusWith(token)).toBe(401)
    expect(await statusWith((await keys.mint(gate.stranger.agencyId)).token)).toBe(200)
    expect(await statusWith(token)).toBe(401)
  })

  test('reads the home workspace of the moment', async () => {
    const home = async () =>
      ((await (await gate.call('whoami')).json()) as { workspace: { id: string } }).workspace.id
    expect(await home()).toBe(gate.tenant.workspaceId)
    await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { is_home: false })
    expect((await gate.call('whoami')).status).toBe(403)
    await gate.owner.rows(Workspace).update(gate.tenant.otherWorkspaceId, { is_home: true })
    expect(await home()).toBe(gate.tenant.otherWorkspaceId)
  })

  test('that is not recognised is told so in the challenge, a missing one is not', async () => {
    const challenge = async (key: string | null) =>
      (await gate.ask('/api/surface', { key })).headers.get('www-authenticate')
    const metadata = 'http://localhost:3000/.well-known/oauth-protected-resource/api/mcp'
    const told = `resource_metadata="${metadata}", scope="read write"`
    expect(await challenge('rnw_key_wrong')).toBe(`Bearer realm="renown", error="invalid_token", ${told}`)
    expect(await challenge(null)).toBe(`Bearer realm="renown", ${told}`)
  })

  test('of an inactive agency is refused', async () => {
    await gate.owner.rows(Agency).update(gate.platform.agencyId, { is_active: false })
    expect(await statusWith(gate.platform.key)).toBe(401)
    await gate.owner.rows(Agency).update(gate.platform.agencyId, { is_active: true })
    expect(await statusWith(gate.platform.key)).toBe(200)
  })

  test('remembers its last use, within five minutes', async () => {
    const lastUse = async () =>
      (await gate.documents.collection(AgentKey).get(gate.tenant.agencyId))?.last_used_at
    await statusWith(gate.tenant.key)
    const first = await waitFor(lastUse, { what: 'the first use', everyMs: 2 })
    gate.clock.advance(60_000)
    await statusWith(gate.tenant.key)
    await turns(20)
    expect(await lastUse()).toBe(first)
    gate.clock.advance(5 * 60_000)
    await statusWith(gate.tenant.key)
    await waitFor(async () => (await lastUse()) !== first, { what: 'the later use', everyMs: 2 })
  })
})

describe("the owner's commands", () => {
  test('rotate and revoke the key of an agency that is named', async () => {
    const input = { agency_id: gate.tenant.agencyId }
    const answer = await run('key rotate', input)
    expect(answer).toMatchObject({ ...input, replaced: true, last4: answer.agent_key?.slice(-4) })
    expect(await statusWith(gate.tenant.key)).toBe(401)
    expect(await statusWith(answer.agent_key ?? '')).toBe(200)
    expect<unknown>(await run('key revoke', input)).toEqual({ ...input, revoked: true })
    expect(await statusWith(answer.agent_key ?? '')).toBe(401)
  })

  test('ask which agency where there are several, and refuse unknown ones', async () => {
    await expect(run('key rotate')).rejects.toThrow('--agency-id')
    await expect(run('key rotate', { agency_id: 'agc_none' })).rejects.toThrow('no agency')
  })
})

test('whatever expires is removed by its store when it does', () => {
  const all = [...gate.registry.entities.values(), IdempotentAnswer]
  const expiring = all.filter(({ fields }) => 'expires_at' in fields)
  expect(expiring.length).toBeGreaterThan(0)
  for (const { name, indexes = [] } of expiring)
    expect([name, indexes.find(({ on }) => on[0] === 'expires_at')?.ttlSeconds]).toEqual([name, 0])
})

test('a key that was found once is looked up by its agency from then on', async () => {
  let finds = 0
  const documents = {
    ...gate.documents,
    collection: typedCollection((entity) => {
      const sound = gate.documents.collection(entity) as ReturnType<Parameters<typeof typedCollection>[0]>
      const find: typeof sound.find = (query) => {
        finds++
        return sound.find(query)
      }
      return { ...sound, find }
    }),
  }
  const counted = agentKeys({ documents, clock: gate.clock })
  const hash = (await counted.hashOf(gate.platform.key)) ?? ''
  for (let n = 0; n < 3; n++) expect((await counted.find(hash))?.id).toBe(gate.platform.agencyId)
  expect([finds, counted.lastHolder(hash)]).toEqual([1, gate.platform.agencyId])
  expect(await counted.find('unknown')).toBeNull()
  expect(counted.lastHolder('unknown')).toBeUndefined()
})

test('a workspace whose id is a word of the language is no home workspace', async () => {
  const { key } = gate.platform
  const named = async (workspace?: string) =>
    (await gate.ask('/api/surface', workspace === undefined ? { key } : { key, workspace })).status
  for (const word of ['null', 'undefined', 'true'])
    expect([await named(), await named(word), await named()]).toEqual([200, 403, 200])
})

test('a key whose agency is not there is not recognised', async () => {
  const { token } = await keys.mint('agc_gone')
  expect(await statusWith(token)).toBe(401)
})
