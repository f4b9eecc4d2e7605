import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { everything, where } from '../../../core/contracts/where'
import { createPageCache } from '../../../core/gateway/page-cache'
import { Workspace } from '../../../core/tenancy/index'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

const runs = process.env.RENOWN_LONG ? 500 : 25

describe('the cache of pages', () => {
  const page = (length: number) => ({ body: 'x'.repeat(length), headers: {} })
  const keeping = (bytesMax: number) => {
    const cache = createPageCache(bytesMax)
    const keep = (key: string, version: number, length: number) => {
      for (let time = 0; time < 2; time++) cache.put(key, version, page(length))
    }
    return { ...cache, keep }
  }

  test('keeps a page from the second time it is asked for', () => {
    const cache = createPageCache(1000)
    cache.put('a', 1, page(10))
    expect(cache.get('a', 1)).toBeUndefined()
    cache.put('a', 2, page(10))
    expect(cache.get('a', 2)).toBeUndefined()
    cache.put('a', 2, page(10))
    expect(cache.get('a', 2)).toEqual(page(10))
  })

  test('answers a page for the version of its rows and no other', () => {
    const cache = keeping(1000)
    cache.keep('a', 1, 10)
    expect(cache.get('a', 1)).toEqual(page(10))
    expect(cache.get('a', 2)).toBeUndefined()
    expect(cache.get('a', 1)).toBeUndefined()
    expect(cache.get('b', 1)).toBeUndefined()
  })

  test('lets go of what was asked for longest ago, and takes nothing too large', () => {
    const cache = keeping(1000)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) cache.keep(key, 1, 118)
    cache.get('a', 1)
    cache.keep('i', 1, 118)
    expect(['a', 'b', 'c', 'i'].map((key) => cache.get(key, 1) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
    cache.keep('large', 1, 126)
    expect(cache.get('large', 1)).toBeUndefined()
    for (let round = 0; round < 50; round++) cache.keep('c', round, 118)
    expect(cache.get('a', 1)).toBeDefined()
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

  test('is not read again while nobody wrote to its rows', async () => {
    await titles()
    await titles()
    const { collection } = gate.documents
    let reads = 0
    const notesOf = collection(Note)
    const { findJson } = notesOf
    Object.assign(notesOf, {
      findJson: (...args: Parameters<typeof findJson>) => {
        reads++
        return findJson(...args)
      },
    })
    for (let round = 0; round < 3; round++) await titles()
    expect(reads).toBe(0)
    await gate.put(Note, { ...aNote, title: 'fresh' })
    expect(await titles()).toEqual(['fresh'])
    expect(reads).toBe(1)
    Object.assign(notesOf, { findJson })
  })

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

  test('is refused like the first time: a key that was revoked gets nothing that was kept', async () => {
    await titles({ key: gate.stranger.key })
    await gate.registry.commands.get('key revoke')?.run(gate.owner, { agency_id: gate.stranger.agencyId })
    expect(
      (await gate.ask('/api/entities/Note?limit=1000&sort=title', { key: gate.stranger.key })).status,
    ).toBe(401)
  })
})
