import { expect, test } from 'bun:test'
import type { SafeFetchOptions } from '../../../core/contracts/outbound'
import {
  isSigned,
  isWebhookSecret,
  newWebhookSecret,
  postWebhook,
  webhookAddressFault,
} from '../../../core/kit'

test('a message is signed with each secret at the time of the context, sent once, and follows no redirect', async () => {
  const secret = await newWebhookSecret({
    newToken: async () => ({ token: '', hash: 'ab'.repeat(32), last4: '' }),
  })
  expect(isWebhookSecret(secret)).toBe(true)
  const sent: [string, SafeFetchOptions][] = []
  const answer = { status: 503, headers: new Headers(), body: new Uint8Array(), url: '' }
  const outbound = {
    safeFetch: async (url: string, options: SafeFetchOptions) => {
      sent.push([url, options])
      return answer
    },
  }
  const context = { outbound, now: () => new Date('2026-06-20T10:00:00.900Z') }
  const message = { url: 'https://a.example/in', id: 'evt_1', body: '{"a":1}', secrets: [secret] }
  expect(await postWebhook(context as never, message)).toBe(answer)
  const [[url, options] = ['', null]] = sent
  expect([sent.length, url, options?.method, options?.redirects]).toEqual([
    1,
    'https://a.example/in',
    'POST',
    undefined,
  ])
  const headers = options?.headers ?? {}
  const signed = { id: 'evt_1', timestamp: Number(headers['webhook-timestamp']), body: message.body }
  expect(signed.timestamp).toBe(1_781_949_600)
  expect(isSigned(signed, headers['webhook-signature'] ?? '', secret)).toBe(true)
})

test.each([
  ['https://hooks.example.com/in', null],
  [' https://münchen.example/in?a=1 ', null],
  ['http://hooks.example.com/', 'https://'],
  ['https://hooks.example.com:444/', 'port'],
  ['https://hooks/', 'public internet'],
  ['https://10.0.0.1/', 'public internet'],
  ['https://[2001:db8::1]/', 'public internet'],
  ['', 'https://'],
])('the address %p has the fault %p', (address, fault) => {
  const found = webhookAddressFault(address)
  if (fault === null) expect(found).toBeNull()
  else expect(found).toContain(fault)
})
