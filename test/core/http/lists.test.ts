import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Sources } from '../../../core/contexts/sources'
import { everything, where } from '../../../core/contracts/where'
import { createLists } from '../../../core/http/lists'
import { Workspace } from '../../../core/product/tenancy-plugin'
import type { Registry } from '../../../core/registry/registry'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

const runs = process.env.RENOWN_LONG ? 500 : 25

describe('lists that were worked out', () => {
  const workspace = { id: 'wsp_a', agency_id: 'agn_a', timezone: 'UTC', is_home: true, redact_pii: false }
  const credential = { kind: 'agent_key', agency_id: 'agn_a', platform: false, scopes: ['read'] } as const
  const asker = { workspace, credential }
  const registry = { entities: new Map(), pluginOf: () => undefined } as unknown as Registry
  const sources = { reader: () => ({ prepareList: (query: object) => query }) } as unknown as Sources

  test('are the same object when the same caller asks again, and another for everybody else', () => {
    const lists = createLists({ registry, sources }, 10)
    const list = lists(Note, asker, 'limit=5')
    expect(lists(Note, asker, 'limit=5')).toBe(list)
    const others = [
      lists(Note, asker, 'limit=6'),
      lists(Note, { ...asker, workspace: { ...workspace, id: 'wsp_b' } }, 'limit=5'),
      lists(Note, { ...asker, workspace: { ...workspace, redact_pii: true } }, 'limit=5'),
      lists(Workspace, asker, 'limit=5'),
      lists(Workspace, { ...asker, credential: { ...credential, platform: true } }, 'limit=5'),
      lists(Workspace, { ...asker, credential: { ...credential, agency_id: 'agn_b' } }, 'limit=5'),
    ]
    expect(new Set([list, ...others]).size).toBe(7)
  })

  test('are let go of when others were asked for since; a long query string and a refused one are not kept', () => {
    const lists = createLists({ registry, sources }, 2)
    const first = lists(Note, asker, 'limit=1')
    const second = lists(Note, asker, 'limit=2')
    expect(lists(Note, asker, 'limit=1')).toBe(first)
    lists(Note, asker, 'limit=3')
    expect(lists(Note, asker, 'limit=1')).toBe(first)
    expect(lists(Note, asker, 'limit=2')).not.toBe(second)
    const long = `q={"title":"${'x'.repeat(2000)}"}`
    expect(lists(Note, asker, long)).not.toBe(lists(Note, asker, long))
    for (let time = 0; time < 2; time++) expect(() => lists(Note, asker, 'limit=0')).toThrow('limit')
  })
})

describe('a list that is asked for again', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate({ plugins: [notes] })
  })
  afterAll(() => gate.stop())

  const titles = async (options: AskOptions = {}, query = '') => {
    const response = await gate.ask(`/api/entities/Note?limit=1000&sort=title${query}`, options)
    expect(response.status).toBe(200)
    return ((await response.json()) as { title: string }[]).map(({ title }) => title)
  }

  test('shows every write that was acknowledged, whoever made it', async () => {
    const rows = gate.documents.collection(Note)
    const stored = async () =>
      (
        await rows.find({
          where: where.and(where.eq('workspace_id', gate.tenant.workspaceId), where.eq('is_archived', false)),
        })
      )
        .map(({ title }) => title)
        .sort()
    const step = fc.record({ by: fc.integer({ min: 0, max: 6 }), name: fc.integer({ min: 0, max: 9 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const { by, name } of steps) {
          const title = `note ${name}`
          const same = where.eq('title', title)
          if (by === 0) await gate.put(Note, { ...aNote, title })
          if (by === 1) await gate.call('draftNote', { title })
          if (by === 2) await rows.updateMany(same, { set: { is_archived: true } })
          if (by === 3) await rows.remove(same)
          if (by === 4) await gate.owner.rows(Note).updateWhere(same, { title: `changed ${name}` })
          if (by === 5) await Promise.all([titles(), gate.put(Note, { ...aNote, title }), titles(), titles()])
          expect((await titles()).sort()).toEqual((await stored()) as string[])
        }
      }),
      { numRuns: runs },
    )
    await rows.remove(everything)
  })

  test('names what was asked in the link to its next page, without the place', async () => {
    const next = async (query: string) => {
      const { headers } = await gate.ask(`/api/entities/Note?${query}`)
      const link = new URL(/<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? 'about:blank')
      return [...link.searchParams].filter(([name]) => name !== 'cursor').map((pair) => pair.join('='))
    }
    for (const title of ['a', 'b', 'c']) await gate.put(Note, { ...aNote, title })
    expect(await next('limit=1')).toEqual(['limit=1'])
    expect(await next('limit=1&skip=1')).toEqual(['limit=1'])
    expect(await next('sort=title&limit=1&fields=title')).toEqual(['sort=title', 'limit=1', 'fields=title'])
    await gate.documents.collection(Note).remove(everything)
  })

  test("is nobody else's answer: workspace, agency, platform and redaction stay apart", async () => {
    await gate.put(Note, { ...aNote, title: 'home' })
    await gate.put(Note, { ...aNote, title: 'second' }, gate.tenant.otherWorkspaceId)
    await gate.put(Note, { ...aNote, title: 'strange' }, gate.stranger.workspaceId)
    for (let round = 0; round < 2; round++) {
      expect(await titles()).toEqual(['home'])
      expect(await titles({ workspace: gate.tenant.otherWorkspaceId })).toEqual(['second'])
      expect(await titles({ key: gate.stranger.key })).toEqual(['strange'])
      expect(await titles({ key: gate.platform.key })).toEqual([])
      expect(await titles({ key: gate.platform.key, workspace: gate.stranger.workspaceId })).toEqual([
        'strange',
      ])
    }
    const workspaces = async (key: string) =>
      ((await (await gate.ask('/api/entities/Workspace', { key })).json()) as object[]).length
    for (let round = 0; round < 2; round++) {
      expect([await workspaces(gate.tenant.key), await workspaces(gate.platform.key)]).toEqual([2, 6])
    }
    expect(await gate.documents.collection(Workspace).count(everything)).toBe(6)
  })

  test('is refused like the first time: a key that was revoked gets nothing', async () => {
    await titles({ key: gate.stranger.key })
    await gate.registry.commands.get('key revoke')?.run(gate.owner, { agency_id: gate.stranger.agencyId })
    expect(
      (await gate.ask('/api/entities/Note?limit=1000&sort=title', { key: gate.stranger.key })).status,
    ).toBe(401)
  })
})
