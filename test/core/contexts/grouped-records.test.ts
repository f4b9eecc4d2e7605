import { afterAll, beforeAll, expect, test } from 'bun:test'
import { groupedMax, groupedRecords } from '../../../core/contexts/grouped-records'
import type { Reader, Sources } from '../../../core/contexts/sources'
import type { GroupQuery, GroupRow } from '../../../core/contracts/context'
import { type Gate, startGate } from '../../support/harness'
import { notes } from '../../support/notes-plugin'
import { part } from '../../support/part'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate.stop())

/** A store that has this many different values, and gives no more than it is asked for. */
const storeWith = (groups: number): Sources => {
  const reader = part<Reader>({
    examined: async () => 0,
    group: async ({ limit = 0 }: GroupQuery): Promise<GroupRow[]> => {
      if (limit > 20_001) throw new Error(`${limit} values were asked for`)
      return Array.from({ length: Math.min(groups, limit) }, (_, n) => ({ stage: `s${n}` }))
    },
  })
  return part<Sources>({ reader: () => reader })
}

const grouped = async (groups: number) => {
  const { agencyId, workspaceId } = gate.tenant
  const workspace = { id: workspaceId, agency_id: agencyId, timezone: 'UTC', is_home: true }
  type Args = Parameters<typeof groupedRecords>
  return groupedRecords(
    part<Args[0]>({ registry: gate.registry, sources: storeWith(groups) }),
    part<Args[1]>({ workspace, credential: { agency_id: agencyId } }),
    { entity: 'Note', by: [{ field: 'stage' }] },
  )
}

test('as many values as an answer may have are all counted, and one more is refused and never cut off', async () => {
  expect(groupedMax).toBe(20_000)
  expect(await grouped(20_000)).toHaveLength(20_000)
  await expect(grouped(20_001)).rejects.toMatchObject({
    code: 'filter_too_broad',
    message: 'stage have more than 20,000 different values together. Narrow q or the period.',
  })
})
