import { expect, test } from 'bun:test'
import type { AnyOperation } from '../../../core/contracts/operation'
import { countRecords } from '../../../core/http/countRecords'
import { listEvents } from '../../../core/http/listEvents'
import { shapeOf } from '../../../core/kit/fields'
import { jsonSchemaOf } from '../../../core/kit/json-schema'
import { withCore } from '../../../core/product/core-plugins'
import { builtin } from '../../../plugins'
import { sharedRegistry } from '../../support/shared-registry'

const { entities, eventTypes } = sharedRegistry(withCore(builtin))

const examplesOf = ({ input }: AnyOperation, name: string) => {
  const field = shapeOf(input).fields?.find((one) => one.name === name)
  return field && jsonSchemaOf(field.schema).examples
}

test('the examples of names are names of the product', () => {
  expect(examplesOf(countRecords, 'entity')).toEqual(['Review'])
  expect(examplesOf(listEvents, 'types')).toEqual([['review.received']])
  expect([entities.has('Review'), eventTypes.has('review.received')]).toEqual([true, true])
})
