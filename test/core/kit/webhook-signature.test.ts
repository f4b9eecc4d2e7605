import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { isSigned, isWebhookSecret, webhookHeaders } from '../../../core/kit/webhook-signature'

/** The example of the specification of Standard Webhooks. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
}
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

describe('a webhook', () => {
  test('is signed as the specification says', () => {
    expect(webhookHeaders(message, [secret])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    })
  })

  test('is signed with several secrets while a receiver changes from one to the next', () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const { 'webhook-signature': both } = webhookHeaders(message, [other, secret])
    expect(both.split(' ')).toHaveLength(2)
    expect([isSigned(message, both, secret), isSigned(message, both, other)]).toEqual([true, true])
  })

  test('is signed as the library for receivers signs it, whatever its words', () => {
    const bytes = fc.uint8Array({ minLength: 24, maxLength: 64 })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), bytes, (body, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`
        const signed = { ...message, body }
        const { 'webhook-signature': own } = webhookHeaders(signed, [secret])
        expect(own).toBe(new Webhook(secret).sign(message.id, new Date(message.timestamp * 1_000), body))
        expect(isSigned(signed, own, secret)).toBe(true)
      }),
    )
  })

  test.each([
    ['another id', { ...message, id: 'msg_2' }],
    ['another time', { ...message, timestamp: message.timestamp + 1 }],
    ['another body', { ...message, body: '{}' }],
  ])('with %s has another signature', (_, changed) => {
    expect(isSigned(changed, signature, secret)).toBe(false)
  })

  test('has a secret of 24 to 64 bytes', () => {
    const of = (bytes: number) => isWebhookSecret(`whsec_${Buffer.alloc(bytes, 7).toString('base64')}`)
    expect([23, 24, 25, 32, 64, 65].map(of)).toEqual([false, true, true, true, true, false])
    expect(['', 'whsec_', secret.slice(6), `${secret} `].map(isWebhookSecret)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
