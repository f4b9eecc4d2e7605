import { expect, test } from 'bun:test'
import { redact } from '../../../../core/outbound/model/redact'

test('what is known to be secret and what looks like it is gone, the rest stays', () => {
  const said = [
    'Authorization: Bearer ya29.a0Af_x-y at accounts.google.com',
    '{"access_token":"EAAB123","error":"x"}',
    'https://graph.example/v21.0/me?access_token=EAAB&fields=id',
    "client_secret='abc'",
    'the word hunter22 alone',
  ].join('\n')
  expect(redact(said, ['hunter22', 'x'])).toBe(
    [
      'Authorization: Bearer [redacted] at accounts.google.com',
      '{"access_token":"[redacted]","error":"x"}',
      'https://graph.example/v21.0/me?access_token=[redacted]&fields=id',
      "client_secret='[redacted]'",
      'the word [redacted] alone',
    ].join('\n'),
  )
})
