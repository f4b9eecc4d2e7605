import { describe, expect, test } from 'bun:test'
import type { Collection, Document } from '../../../../core/stores/documents/port'
import {
  BoundedMap,
  cachedDocuments,
  cachedReads,
  jointly,
} from '../../../../core/stores/documents/read-cache'

const row = (id: string): Document => ({ id, workspace_id: 'w', created_date: 'c', updated_date: 'u' })

/** A collection of one row that counts how often it is read. */
function counted(version?: () => number) {
  const seen: string[] = []
  const get = async (id: string) => {
    seen.push(id)
    return id === 'a' ? row(id) : null
  }
  return { seen, get: cachedDocuments({ get, ...(version ? { version } : {}) } as Collection) }
}

describe('documents that are kept', () => {
  test('are read once while nobody writes, and again after every write', async () => {
    let writes = 0
    const { seen, get } = counted(() => writes)
    for (let time = 0; time < 3; time++) expect(await get('a')).toEqual(row('a'))
    expect(seen).toEqual(['a'])
    writes++
    expect(await get('a')).toEqual(row('a'))
    expect(seen).toEqual(['a', 'a'])
  })

  test('are the same promise for all who ask until somebody writes', async () => {
    let writes = 0
    const { get } = counted(() => writes)
    await get('a')
    const known = get('a')
    expect(get('a')).toBe(known)
    writes++
    expect(get('a')).not.toBe(known)
  })

  test('cannot be changed by one of those they are handed to', async () => {
    const get = cachedDocuments({ get: async (id) => ({ ...row(id), tags: [{ name: 'one' }] }) })
    const kept = (await get('a')) as Document & { tags: { name: string }[] }
    expect(() => kept.tags.push({ name: 'two' })).toThrow()
    expect(() => Object.assign(kept.tags[0] ?? {}, { name: 'other' })).toThrow()
    expect(() => Object.assign(kept, { workspace_id: 'other' })).toThrow()
  })

  test('are not kept from a read during which somebody wrote', async () => {
    let writes = 0
    const { seen, get } = counted(() => writes)
    const reading = get('a')
    writes++
    await reading
    await get('a')
    expect(seen).toEqual(['a', 'a'])
  })

  test('are read each time where they are missing, or where writes are not counted', async () => {
    const missing = counted(() => 1)
    for (let time = 0; time < 2; time++) expect(await missing.get('b')).toBeNull()
    expect(missing.seen).toEqual(['b', 'b'])
    const uncounted = counted()
    for (let time = 0; time < 2; time++) await uncounted.get('a')
    expect(uncounted.seen).toEqual(['a', 'a'])
  })
})

describe('what rests on several collections', () => {
  test('is kept until somebody writes to any of them', async () => {
    const writes = [0, 0, 0]
    const collections = writes.map((_, at) => ({ version: () => writes[at] ?? 0 }))
    let looks = 0
    const kept = cachedReads(jointly(collections), async (key, more: string) => ({
      key,
      more,
      look: ++looks,
    }))
    expect(await kept('a', 'x')).toEqual({ key: 'a', more: 'x', look: 1 })
    expect(await kept('a', 'y')).toEqual({ key: 'a', more: 'x', look: 1 })
    for (const at of writes.keys()) {
      writes[at] = (writes[at] ?? 0) + 1
      expect(await kept('a', 'x')).toMatchObject({ look: at + 2 })
      expect(await kept('a', 'x')).toMatchObject({ look: at + 2 })
    }
  })

  test('is looked up each time where one of them is written to unseen', async () => {
    let looks = 0
    const kept = cachedReads(jointly([{ version: () => 1 }, {}]), async () => ({ look: ++looks }))
    for (let time = 1; time < 4; time++) expect(await kept('a')).toEqual({ look: time })
  })
})

test('a bounded map keeps as many entries as it may, and is emptied for one more', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, 2, undefined])
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, undefined, 4])
})
