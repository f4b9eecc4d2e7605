import { expect, test } from 'bun:test'
import type { Row } from '../../../core/contracts/entity'
import type { OwnerContext } from '../../../core/contracts/plugin'
import { typedCollection } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import type { PersonMatcher } from '../../../core/tenancy/rights/matcher'
import { eraseRow } from '../../../core/transfer/person/erase-rows'
import { Lead } from '../../../plugins/leads/records/Lead'
import { quietLog as log } from '../../support/quiet-log'
import { sampleRow } from '../../support/sample-row'

const now = () => new Date('2026-11-28T12:00:00.000Z')
const redact = <T>(value: T): T =>
  typeof value === 'string' ? (value.replaceAll('Plantessa', '[erased]') as T) : value

test('an erasure keeps what somebody changes at the same time', async () => {
  const real = await openSqlite({ path: ':memory:', now, log })
  await real.ensure([Lead])
  const stamp = now().toISOString()
  const given = { notes: 'Plantessa calls.', next_step: 'Ask Plantessa', first_name: 'Plantessa' }
  const plain = { ...sampleRow(Lead, 'plain'), id: 'led_1', workspace_id: 'wsp_1', dispatch_key: 'one' }
  const row = { ...plain, ...given, created_date: stamp, updated_date: stamp }
  await real.collection(Lead).insert(row as unknown as Row<typeof Lead>)
  let reads = 0
  const documents = {
    ...real,
    collection: typedCollection((entity) => {
      const own = real.collection(entity)
      const get: typeof own.get = async (id) => {
        const found = await own.get(id)
        const set = { next_step: 'Plantessa has paid', updated_date: '2026-11-28T12:00:01.000Z' }
        if (++reads === 1) await own.updateOne({ op: 'eq', field: 'id', value: id }, { set })
        return found
      }
      return { ...own, get }
    }),
  }
  const owner = { extensions: () => [] } as unknown as OwnerContext
  const matcher = { redact, has: () => false } as unknown as PersonMatcher
  await eraseRow({ documents, owner, clock: { now }, matcher, block: async () => {} }, Lead, 'led_1', false)
  const left = await real.collection(Lead).get('led_1')
  expect([reads > 1, left?.next_step]).toEqual([true, '[erased] has paid'])
  expect(JSON.stringify(left)).not.toContain('Plantessa')
  await real.close()
})
