import { expect, test } from 'bun:test'
import { IdempotentAnswer } from '../../../core/requests/IdempotentAnswer'
import { UsageDay } from '../../../core/requests/UsageDay'
import { entityLines } from '../../support/declared'

test('idempotent answers and daily quotas are internal, and the store deletes them when they expire', () => {
  expect({ IdempotentAnswer: entityLines(IdempotentAnswer), UsageDay: entityLines(UsageDay) }).toEqual({
    IdempotentAnswer: {
      prefix: 'idm',
      stored: 'in documents, by agency in workspace_id',
      reads: '',
      hidden: '',
      sortable: '',
      indexes: ['-created_date.-id', 'expires_at.ttl=0'],
      fields: {
        body_hash: 'string',
        holder: 'string',
        busy_until: 'instant?',
        answer: 'string?',
        expires_at: 'instant',
      },
    },
    UsageDay: {
      prefix: 'use',
      stored: 'in documents, by agency in workspace_id',
      reads: '',
      hidden: '',
      sortable: '',
      indexes: ['-created_date.-id', 'expires_at.ttl=0'],
      fields: {
        used: 'integer',
        expires_at: 'instant',
      },
    },
  })
})
