import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { testWith } from '../../../support/needs'
import { codeOf } from '../../../support/set-up-pages'
import { gptBot, insideAddress, type TestIngest, token, withIngest } from '../../support/ingest'
import { readJournal } from '../../support/journal'
import { withOpenIngest } from '../../support/open-ingest'
import { now, readLines } from '../../support/read-hits'

const noon = '2026-11-20T11:59:00'
const hitsOf = (body: string) =>
  readLines(body, now).map((one) => ('hit' in one ? one.hit : JSON.stringify(one)))
const whole = {
  ip: insideAddress,
  method: 'GET',
  target: '/a',
  status: 200,
  ua: gptBot,
  referer: 'https://chatgpt.com/',
}

/** The code of a page, with the ingest of a test behind its `fetch`. */
async function moduleOf(page: string, ingest: TestIngest['ingest'], parts: { fails?: number[] } = {}) {
  const posted: number[] = []
  const fetcher = async (to: string, init: RequestInit) => {
    if (parts.fails?.shift()) return new Response('', { status: 503 })
    const response = await ingest.fetch(
      new Request(to.replace('https://ingest.example.com', 'http://localhost'), init),
      () => null,
    )
    posted.push(response.status)
    return response
  }
  return { fetcher, posted, code: await codeOf(`operators/senders/${page}`, 'js', {}) }
}

const pathsOf = async (directory: string) =>
  (await readJournal(directory)).hits.map(({ path }) => path).sort()

const albLine = (n: number) =>
  `https ${noon}.${100_000 + n}Z app/lb/5 ${insideAddress}:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://example.com:443/n/${n} HTTP/1.1" "${gptBot}" E TLSv1.2 arn "Root=1-${n}" "-" "-" 1 - "forward" "-" "-" "-" "-" "-" "-"`
const frontLine = (n: number) =>
  `${noon.replace('T', '\t')}\t${insideAddress}\tGET\t/c/${n}\t${encodeURIComponent(gptBot)}`

test('the function for files in S3 sends every line once, also when files come again and parts are refused', () =>
  withIngest(async ({ ingest, directory }) => {
    const files: Record<string, Buffer> = {
      'AWSLogs/a b.log.gz': gzipSync(Array.from({ length: 45 }, (_, n) => albLine(n)).join('\n')),
      'cf/x.gz': gzipSync(
        [
          '#Version: 1.0',
          '#Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent)',
          ...Array.from({ length: 21 }, (_, n) => frontLine(n)),
        ].join('\n'),
      ),
      'plain.log': Buffer.from(albLine(9_999)),
      'empty.log': Buffer.alloc(0),
    }
    const fails = [0, 1]
    const { code, fetcher, posted } = await moduleOf('aws-files', ingest, { fails })
    class GetObjectCommand {
      readonly input: { readonly Bucket: string; readonly Key: string }
      constructor(input: { readonly Bucket: string; readonly Key: string }) {
        this.input = input
      }
    }
    class S3Client {
      async send({ input }: GetObjectCommand) {
        const file = input.Bucket === 'logs' ? files[input.Key] : undefined
        if (!file) throw new Error(`no ${input.Key}`)
        return { Body: Readable.from([file.subarray(0, 100), file.subarray(100)]) }
      }
    }
    const body = code
      .replaceAll(/^import .*$/gm, '')
      .replace('linesAtOnce = 2000', 'linesAtOnce = 20')
      .replace('export async function', 'async function')
    const handler = new Function(
      'createHash',
      'createInterface',
      'createGunzip',
      'GetObjectCommand',
      'S3Client',
      'fetch',
      'process',
      `${body}\nreturn handler`,
    )(createHash, createInterface, createGunzip, GetObjectCommand, S3Client, fetcher, {
      env: { RENOWN_TOKEN: token },
    }) as (event: object) => Promise<void>
    const event = (key: string) => ({ Records: [{ s3: { bucket: { name: 'logs' }, object: { key } } }] })
    const queued = (key: string) => ({ Records: [{ body: JSON.stringify(event(key)) }] })
    await expect(handler(queued('AWSLogs/a+b.log.gz'))).rejects.toThrow('answered 503')
    for (const key of [
      'AWSLogs/a+b.log.gz',
      'AWSLogs/a+b.log.gz',
      'cf/x.gz',
      'plain.log',
      'empty.log',
      'cf/x.gz',
    ])
      await handler(queued(key))
    await handler(event('plain.log'))
    await handler({ Records: [{ body: JSON.stringify({ Event: 's3:TestEvent' }) }] })
    await handler({})
    expect(new Set(posted)).toEqual(new Set([200]))
    await ingest.flush()
    const paths = await pathsOf(directory)
    expect([paths.length, new Set(paths).size]).toEqual([67, 67])
    expect((await readJournal(directory)).hits.every(({ verdict }) => verdict === 'verified')).toBe(true)
  }))

test('the function for Azure posts what the event hub holds, and fails until it is accepted', () =>
  withIngest(async ({ ingest, directory }) => {
    const { code, fetcher } = await moduleOf('azure', ingest, { fails: [1] })
    let options: { handler?: (messages: unknown[]) => Promise<void>; retry?: object } = {}
    const require = () => ({ app: { eventHub: (_: string, given: object) => (options = given) } })
    new Function('require', 'fetch', 'process', code)(require, fetcher, { env: { RENOWN_TOKEN: token } })
    const record = (n: number) => ({
      time: `${noon}Z`,
      category: 'FrontDoorAccessLog',
      properties: {
        trackingReference: `t${n}`,
        httpMethod: 'GET',
        requestUri: `https://example.com:443/n/${n}`,
        userAgent: gptBot,
        socketIp: insideAddress,
        clientIp: '8.8.8.8',
        httpStatusCode: '200',
      },
    })
    const messages = [{ records: [record(1), record(2)] }, JSON.stringify({ records: [record(3)] })]
    await expect(options.handler?.(messages)).rejects.toThrow('answered 503')
    for (let n = 0; n < 2; n++) await options.handler?.(messages)
    expect(options.retry).toMatchObject({ maxRetryCount: -1 })
    await ingest.flush()
    expect(await pathsOf(directory)).toEqual(['/n/1', '/n/2', '/n/3'])
    expect((await readJournal(directory)).hits.every(({ verdict }) => verdict === 'verified')).toBe(true)
  }))

test('what Pub/Sub pushes to the address of the page is counted once', () =>
  withIngest(async ({ ingest, directory, send }) => {
    const address = /--push-endpoint 'https:\/\/ingest\.example\.com(.*)'/.exec(
      await codeOf('operators/senders/google-cloud', 'sh', { '<forwarder token>': token }),
    )?.[1]
    const entry = {
      httpRequest: {
        requestMethod: 'GET',
        requestUrl: 'https://example.com/a',
        status: 200,
        userAgent: gptBot,
        remoteIp: insideAddress,
      },
      insertId: 'i1',
      timestamp: `${noon}.5Z`,
    }
    const data = Buffer.from(JSON.stringify(entry)).toString('base64')
    const push = {
      message: { data, messageId: '1', publishTime: `${noon}Z` },
      subscription: 'projects/p/subscriptions/renown',
    }
    for (const body of [push, push, entry])
      expect((await send(address ?? '', JSON.stringify(body), { authorization: '' })).status).toBe(200)
    await ingest.flush()
    expect(await pathsOf(directory)).toEqual(['/a'])
  }))

test('Envoy’s format makes whole records', async () => {
  const format = (await codeOf('operators/senders/envoy', 'yaml', {})).split('json_format:')[1] ?? ''
  const values: Record<string, unknown> = {
    '%START_TIME%': '2026-11-20T16:42:52.310Z',
    '%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%': whole.ip,
    '%REQ(:METHOD)%': 'GET',
    '%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%': '/a',
    '%REQ(:AUTHORITY)%': 'shop.example',
    '%RESPONSE_CODE%': 200,
    '%REQ(USER-AGENT)%': whole.ua,
    '%REQ(REFERER)%': whole.referer,
  }
  const fields = [...format.matchAll(/(\w+): "(.*)"/g)].map(([, name = '', operator = '']) => [
    name,
    values[operator] ?? `no ${operator}`,
  ])
  expect(hitsOf(JSON.stringify(Object.fromEntries(fields)))).toEqual([
    {
      ...whole,
      ts: Date.UTC(2026, 10, 20, 16, 42, 52, 310),
      host: 'shop.example',
      signed: undefined,
      id: undefined,
    },
  ])
})

test('IIS’s fields can be read without the line that names them', async () => {
  const fields = (await codeOf('operators/senders/iis', 'text', {})).trim()
  const values: Record<string, string> = {
    date: '2026-11-20',
    time: '16:42:52',
    's-ip': '10.0.0.4',
    's-port': '443',
    'c-ip': whole.ip,
    'cs-method': 'GET',
    'cs-uri-stem': '/a',
    'cs(User-Agent)': gptBot.replaceAll(' ', '+'),
    'cs(Referer)': whole.referer,
    'sc-status': '200',
    'sc-substatus': '0',
    'sc-win32-status': '0',
    'time-taken': '15',
  }
  const line = fields
    .split(' ')
    .map((name) => values[name] ?? '-')
    .join(' ')
  expect(hitsOf(line)).toMatchObject([whole])
  expect(hitsOf(`#Fields: ${fields}\n${line}`).at(-1)).toMatchObject(whole)
})

testWith('curl', 'sh')('the script for Amplify counts an hour once, however often it runs', () =>
  withOpenIngest(async ({ ingest, directory, url, total }) => {
    const folder = mkdtempSync(join(tmpdir(), 'renown-amplify-'))
    const at = new Date(Date.now() - 60_000).toISOString()
    const csv = `date,time,c-ip,cs-method,cs-uri-stem,cs\\(User-Agent),x-edge-request-id\n${at.slice(0, 10)},${at.slice(11, 19)},${insideAddress},GET,/a,GPTBot/1.3,edge-1\n`
    const logs = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(csv) })
    try {
      const script = await codeOf('operators/senders/amplify', 'sh', {
        'https://ingest.example.com': url,
        '<forwarder token>': token,
      })
      writeFileSync(
        join(folder, 'aws'),
        `#!/bin/sh\necho "$@" >>"${folder}/asked"\necho http://127.0.0.1:${logs.port}/log\n`,
        { mode: 0o700 },
      )
      writeFileSync(join(folder, 'script'), script, { mode: 0o700 })
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
      for (let n = 0; n < 2; n++)
        expect(
          await Bun.spawn([join(folder, 'script')], { env, stdio: ['ignore', 'ignore', 'inherit'] }).exited,
        ).toBe(0)
      expect([total('accepted'), total('duplicate'), total('rejected')]).toEqual([1, 1, 0])
      await ingest.flush()
      expect(await pathsOf(directory)).toEqual(['/a'])
      const [first = ''] = (await Bun.file(join(folder, 'asked')).text()).split('\n')
      expect(first).toMatch(
        /^amplify generate-access-logs --app-id d1example2 --domain-name shop\.example --start-time \d+ --end-time \d+ /,
      )
    } finally {
      await logs.stop(true)
      rmSync(folder, { recursive: true })
    }
  }),
)
