import { describe, expect, test } from 'bun:test'
import { ip, line, one, ua } from '../../support/read-hits'

const signed = {
  agent: 'sig1="https://chatgpt.com"',
  input: 'sig1=("@authority" "signature-agent";key="sig1");created=1;keyid="k";tag="web-bot-auth"',
  signature: 'sig1=:YWJj:',
}
const { agent, input, signature } = signed
const apache = (text: string) => `"${text.replaceAll('"', '\\"')}"`
const nginx = (text: string) => `"${text.replaceAll('"', '\\x22')}"`
const base = { ts: '2026-11-20T16:42:52Z', ip, ua }

describe('the signature of a request is read', () => {
  test.each([
    ['a line of Apache', `${line} sig=${apache(agent)} ${apache(input)} ${apache(signature)} id=W1234567890`],
    ['a line of nginx', `${line} sig=${nginx(agent)} ${nginx(input)} ${nginx(signature)}`],
    ['the JSON of nginx', { ...base, url: '/a', signature_agent: agent, signature_input: input, signature }],
    [
      'JSON with the names of nginx',
      {
        time_iso8601: base.ts,
        remote_addr: ip,
        http_user_agent: ua,
        request_uri: '/a',
        http_signature_agent: agent,
        http_signature_input: input,
        http_signature: signature,
      },
    ],
    [
      'Caddy',
      {
        msg: 'handled request',
        ts: base.ts,
        request: {
          uri: '/a',
          method: 'GET',
          client_ip: ip,
          headers: {
            'User-Agent': [ua],
            'Signature-Agent': [agent],
            'Signature-Input': [input],
            Signature: [signature],
          },
        },
      },
    ],
    [
      'Logpush with these headers',
      {
        EdgeStartTimestamp: base.ts,
        ClientIP: ip,
        ClientRequestUserAgent: ua,
        ClientRequestURI: '/a',
        RequestHeaders: { 'signature-agent': agent, 'signature-input': input, signature },
      },
    ],
  ] as const)('from %s', (_, body) => {
    expect(one(body)).toMatchObject({ ua, ip, signed })
  })

  test('with its id behind it', () => {
    const fields = `${apache(agent)} ${apache(input)} ${apache(signature)}`
    expect(one(`${line} sig=${fields} id=W1234567890`)).toMatchObject({ id: 'W1234567890' })
    expect(one(`${line} sig="-" "-" "-" id=W1234567890`)).toMatchObject({
      id: 'W1234567890',
      signed: undefined,
    })
  })

  test('as one text if a header came several times', () => {
    const several = {
      ...base,
      url: '/a',
      signature_agent: [agent, 'b="c"'],
      signature_input: input,
      signature,
    }
    expect(one(several)).toMatchObject({ signed: { ...signed, agent: `${agent}, b="c"` } })
  })

  test('only with all three fields, which are neither empty nor too long', () => {
    const all = { ...base, url: '/a', signature_agent: agent, signature_input: input, signature }
    for (const missing of ['signature_agent', 'signature_input', 'signature'])
      for (const value of [undefined, '', '-', 5, 's'.repeat(4_097)])
        expect(one({ ...all, [missing]: value })).toMatchObject({ ua, signed: undefined })
    for (const torn of [' sig=', ' sig="a', ' sig="a" "b"', ' sig="a" "b" c'])
      expect(one(`${line}${torn}`)).toMatchObject({ ua, signed: undefined })
  })
})
