import { expect, test } from 'bun:test'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Mention } from '../../../plugins/leads/records/Mention'

test('lists leave archived leads out unless they are named', () => {
  expect(Lead.except).toEqual({ is_archived: true })
})

test('a post is one mention per tracker', () => {
  expect(Mention.indexes).toContainEqual({
    on: ['source', 'source_id', 'tracker_id', 'workspace_id'],
    unique: true,
  })
})
