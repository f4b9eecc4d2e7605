import { expect, test } from 'bun:test'
import { wrongMethod } from '../../../core/requests/wrong-method'

test.each([
  [['POST'], 'POST'],
  [['GET', 'POST'], 'GET, POST, HEAD'],
])('an address that takes %p says so in Allow and in words', (methods, allow) => {
  const headers: Record<string, string> = {}
  const refused = wrongMethod({ headers }, methods)
  expect([refused.status, headers.allow, refused.message]).toEqual([
    405,
    allow,
    `Method not allowed: this address accepts ${allow}.`,
  ])
})
