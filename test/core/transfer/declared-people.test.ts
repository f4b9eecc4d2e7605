import { expect, test } from 'bun:test'
import { personErasure } from '../../../core/contracts/person-erasure'
import { personRowsOf } from '../../../core/transfer/person/rows'
import { shippedRegistry } from '../../support/shipped'

const registry = shippedRegistry()
const documentTypes = [...registry.entities.values()].filter(({ store }) => store === 'documents')

test('every record type and table says what it has to do with people', () => {
  const silent = [...registry.entities.values()].filter(({ people }) => people === undefined)
  expect(silent.map(({ name }) => name)).toEqual([])
  expect(
    [...registry.tables.values()].filter(({ people }) => people === undefined).map(({ name }) => name),
  ).toEqual([])
})

test('a text column of a table is declared, or is a code', () => {
  const codes = [
    'kind',
    'site_id',
    'agent',
    'category',
    'operator',
    'source',
    'id',
    'workspace_id',
    'location_id',
  ]
  codes.push('tracker_id', 'timezone', 'grain', 'engine', 'country', 'model_asked', 'prompt_id', 'first_at')
  codes.push('created_date', 'updated_date', 'verified_by', 'by_signer', 'by_agent', 'by_category')
  const left = [...registry.tables.values()].flatMap(({ name, columns, people = [] }) =>
    Object.entries(columns)
      .filter(
        ([column, type]) => type.includes('String') && !people.includes(column) && !codes.includes(column),
      )
      .map(([column]) => `${name}.${column}`),
  )
  expect(left).toEqual([])
})

test('what other records belong to is a record type with rows about people', () => {
  for (const entity of documentTypes)
    for (const { entity: parent } of personRowsOf(entity)?.through ?? [])
      expect([entity.name, parent, registry.entities.get(parent)?.people]).not.toEqual([
        entity.name,
        parent,
        'nobody',
      ])
})

test('a record type that leaves erasure to its plugin has an implementation', () => {
  const left = documentTypes.filter((entity) => personRowsOf(entity)?.erase === 'plugin')
  const provided = registry.extensions(personErasure).map(({ record_type }) => record_type)
  expect(left.map(({ name }) => name).filter((name) => !provided.includes(name))).toEqual([])
})

test('fields with contact details say whose they are', () => {
  const silent = documentTypes.filter(
    ({ personal = [], people }) => personal.length > 0 && people === 'nobody',
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})
