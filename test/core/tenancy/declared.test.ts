import { expect, test } from 'bun:test'
import { Agency, BusinessLocation, User } from '../../../core/product/tenancy-plugin'

test('agencies and people are never offered to callers', () => {
  expect([Agency.reads, User.reads]).toEqual([[], []])
})

test('lists leave prospects out unless they are named', () => {
  expect(BusinessLocation.except).toEqual({ is_prospect: true })
})
