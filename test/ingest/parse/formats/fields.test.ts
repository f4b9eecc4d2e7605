import { describe, expect, test } from 'bun:test'
import { type Fact, factNames } from '../../../../ingest/parse/formats/fields'
import { type LineCase, runCases } from '../../support/run-cases'

// Every name of the table of fields, in a record of its own: in other cases, absent, private, and repeated.

const ua = 'GPTBot/1.3'
const client = '4.227.36.3'
const other = '8.8.8.8'
const iso = '2026-11-28T11:07:49Z'

/** A record by the first name of each fact, without its client. */
const record = (path: string) => ({
  time_iso8601: iso,
  request_method: 'GET',
  request_uri: path,
  host: 'shop3.example',
  http_user_agent: ua,
  status: '200',
})
const firstNames: Partial<Record<Fact, string>> = {
  ts: 'time_iso8601',
  method: 'request_method',
  asked: 'request_uri',
  host: 'host',
  ua: 'http_user_agent',
  status: 'status',
}
const values: Readonly<Record<Fact, (path: string) => unknown>> = {
  ts: () => iso,
  ip: () => client,
  forwarded: () => client,
  method: () => 'HEAD',
  request: (path) => `GET ${path} HTTP/1.1`,
  asked: (path) => path,
  target: (path) => path,
  host: () => 'shop3.example',
  ua: () => ua,
  referer: () => 'https://chatgpt.com/',
  status: () => '404 Not Found',
  id: () => 'request-0001',
  signatureAgent: () => '',
  signatureInput: () => '',
  signature: () => '',
}

/** Words of names, to write them in other cases. */
const words =
  /^(http|x|cf|true|client|remote|request|user|forwarded|server|status|start|time|url|uri|original|virtual|domain|downstream|resource|full|header|headers|raw|route|response|event)(?=[a-z])/
function spellings(name: string): string[] {
  const parts: string[] = []
  let rest = name
  for (let found = words.exec(rest); found; found = words.exec(rest)) {
    parts.push(found[0])
    rest = rest.slice(found[0].length)
  }
  parts.push(rest)
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return [
    ...new Set([
      name,
      parts.join('_'),
      parts.join('-'),
      parts.map(capital).join('-'),
      parts.map(capital).join(''),
      parts.join('_').toUpperCase(),
      (parts[0] ?? '') + parts.slice(1).map(capital).join(''),
    ]),
  ]
}

const facts = Object.keys(factNames) as Fact[]
const verdictOf = (fact: Fact) => (fact === 'ip' || fact === 'forwarded' ? 'verified' : 'unchecked')
const one = (note: string, path: string, body: object, verdict: string): LineCase => ({
  format: 'own-json',
  note,
  agent: 'GPTBot',
  date: '2026-11-28',
  expected: [{ path, hits: 1, verdict }],
  text: JSON.stringify(body),
})

/** Cases in which one fact has another name. `@timestamp` and `@t` keep their mark. */
function named(fact: Fact): LineCase[] {
  const own = firstNames[fact] ?? (fact === 'request' || fact === 'target' ? 'request_uri' : undefined)
  return factNames[fact].flatMap((name) =>
    (name.startsWith('at') && fact === 'ts' ? [`@${name.slice(2)}`] : spellings(name)).map((spelt, at) => {
      const path = `/${name}/${at}`
      const rest = Object.entries(record(path)).filter(([key]) => key !== own)
      // The name may be that of another field of the record.
      const body = { ...Object.fromEntries(rest), [spelt]: values[fact](path) }
      return one(`${fact} as ${spelt}`, path, body, verdictOf(fact))
    }),
  )
}

async function wrongOf(cases: readonly LineCase[]) {
  const results = await runCases(cases)
  return results.flatMap(({ outcome, rows, reasons }, at) =>
    outcome === 'right' ? [] : [[outcome, cases[at]?.note, rows, reasons]],
  )
}

describe('the table of fields', () => {
  test.each(facts.filter((fact) => !fact.startsWith('signature')))(
    'reads %s by all of its names in every case',
    async (fact) => {
      expect(await wrongOf(named(fact))).toEqual([])
    },
  )

  test('says why a client is not known: absent, private, unreadable, and one of several', async () => {
    const cases = factNames.forwarded.flatMap((forwarded, at) =>
      factNames.ip.flatMap((ip, nth) => {
        const path = `/${at}/${nth}`
        const of = (note: string, more: object, verdict: string, reason?: string): LineCase => ({
          ...one(
            `${ip} and ${forwarded}: ${note}`,
            `${path}/${note}`,
            { ...record(`${path}/${note}`), ...more },
            verdict,
          ),
          ...(reason === undefined ? {} : { reason }),
        })
        return [
          of('absent', {}, 'unchecked', 'no client address'),
          of('private', { [ip]: '10.0.0.1' }, 'unchecked', 'private network'),
          of('privates', { [ip]: '10.0.0.1', [forwarded]: '10.0.0.2' }, 'unchecked', 'private network'),
          of('unreadable', { [ip]: 'a-name' }, 'unchecked', 'cannot be read'),
          of('behind', { [ip]: '10.0.0.1', [forwarded]: client }, 'verified'),
          of('repeated', { [ip]: '10.0.0.1', [forwarded]: `${client}, ${client}` }, 'verified'),
          of('list', { [ip]: '10.0.0.1', [forwarded]: [client, '10.0.0.9'] }, 'verified'),
          of(
            'several',
            { [ip]: '10.0.0.1', [forwarded]: `${client}, ${other}` },
            'unchecked',
            'several addresses',
          ),
          of('public', { [ip]: other, [forwarded]: client }, 'spoofed'),
        ]
      }),
    )
    expect(await wrongOf(cases)).toEqual([])
  })

  test('takes the time that the server wrote, not one that a collector may have added', async () => {
    const cases = factNames.ts.flatMap((name, at) =>
      factNames.ts.slice(at + 1).map((later, nth) => {
        const path = `/${at}/${nth}`
        const { time_iso8601: _, ...rest } = record(path)
        const key = (one: string) => (one.startsWith('at') ? `@${one.slice(2)}` : one)
        const body = { [key(later)]: '2026-11-26T01:00:00Z', ...rest, [key(name)]: iso, remote_addr: client }
        return one(`${name} before ${later}`, path, body, 'verified')
      }),
    )
    expect(await wrongOf(cases)).toEqual([])
  })

  test('refuses a time that it cannot read, and takes no other for it', async () => {
    const cases = factNames.ts.slice(0, 4).map(
      (name): LineCase => ({
        ...one(
          name,
          '/',
          { ...record('/'), time_iso8601: undefined, [name]: '28.11.2026 11 Uhr', '@timestamp': iso },
          '',
        ),
        expected: 'reject',
      }),
    )
    expect(await wrongOf(cases)).toEqual([])
  })
})
